import { css, html, type TemplateResult } from "lit";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { dialogStyles } from "../ui/dialog-styles.js";
import { icon } from "../ui/icons.js";

type Rows = readonly (readonly [what: string, words: string])[];

const KEYS: Rows = [
	["Space", "Play or pause"],
	["← →", "One frame; with Shift ten"],
	["Home End", "First and last frame"],
	["[ ]", "Previous and next scene"],
	[", .", "Slower and faster"],
	["L", "Loop the marked part, or the scene"],
	["I O", "Mark where the part begins and ends; Shift + Esc unmarks it"],
	["F", "Follow the ego, heading up, what is selected, nothing"],
	["C", "Axes of the coordinates: world, ego, agent, raster"],
	[
		"M",
		"Measure a path: clicks, or agents by N P and Enter; Backspace takes one back, Esc ends it",
	],
	["0", "Centre on the ego"],
	["A", "Show the whole map"],
	["+ −", "Zoom"],
	["Alt + arrows", "Move the picture"],
	["N P", "Next and previous agent by distance"],
	["Enter", "Select it"],
	["Esc", "One step back"],
	["J K", "The worst prediction, then the next; back to a worse one"],
	["1 – 9", "Layers, in the order of the list"],
	["E", "Save picture, film or track"],
	["B", "Close the side panels, or open them"],
	["Z", "Full screen, or leave it"],
	["/", "Find a track or class; Enter selects the only hit"],
	["?", "This list"],
];

const GESTURES: Rows = [
	["Drag", "Move the picture; it follows nothing from there on"],
	["Wheel, pinch", "Zoom about the pointer; Ctrl + wheel where the page scrolls"],
	["Double click", "Zoom in"],
	["Right drag, twist", "Turn the picture"],
	["Click", "Select an agent, crosswalk or lane; again: what lies below it"],
	["Drag on the time line", "Scrub; with Shift mark a part"],
];

const SIGNS: Rows = [
	["R Y G", "Traffic light red, yellow, green"],
	["A", "A face is lit; without a map its colour is unknown"],
	["–", "No face is lit"],
	["?", "State unknown"],
	["Dashed box", "Agent that the thresholds do not keep"],
	["Filled box", "Vehicle; diamonds are cyclists, circles pedestrians"],
	["White line", "In plots: what is selected; orange: the ego"],
];

const helpStyles = css`
h3 { margin: 0; padding: 8px 16px 4px; font-size: 13px; font-weight: 600; }
dl { display: grid; grid-template-columns: 11em 1fr; gap: 6px 16px; margin: 0; padding: 4px 16px 12px; }
dt { font: 12px var(--_mono); }
dd { color: var(--_ink2); }
`;

function list(rows: Rows): TemplateResult {
	return html`<dl>${rows.map(([what, words]) => html`<dt>${what}</dt><dd>${words}</dd>`)}</dl>`;
}

/** A dialog that lists keys, gestures and symbols. */
export class Help extends BevElement {
	static override styles = [baseStyles, dialogStyles, helpStyles];

	show(): void {
		this.renderRoot.querySelector("dialog")?.showModal();
	}

	protected watched(): readonly unknown[] {
		return [];
	}

	protected override render(): TemplateResult {
		return html`<dialog aria-labelledby="title">
			<header role="presentation">
				<h2 id="title">Keyboard and gestures</h2>
				<form method="dialog"><button class="icon-only" aria-label="Close">${icon("close")}</button></form>
			</header>
			<div class="scroll" tabindex="0" role="group" aria-labelledby="title">
				<h3>Keys</h3>${list(KEYS)}
				<h3>Mouse and touch</h3>${list(GESTURES)}
				<h3>Letters and lines</h3>${list(SIGNS)}
			</div>
		</dialog>`;
	}
}
