import { css, html, type TemplateResult } from "lit";
import { baseStyles } from "./base-styles.js";
import { BevElement } from "./bev-element.js";
import { dialogStyles } from "./dialog-styles.js";
import { icon } from "./icons.js";

const KEYS: readonly (readonly [string, string])[] = [
	["Space", "Play or pause"],
	["← →", "One frame; with Shift ten"],
	["Home End", "First and last frame"],
	["[ ]", "Previous and next scene"],
	[", .", "Slower and faster"],
	["L", "Play over and over"],
	["I O", "The part to play begins, ends here; Shift + Esc: all"],
	["F", "Follow, heading up, free"],
	["C", "Axes of the coordinates: world, ego, agent, raster"],
	["M", "Measure: between clicks, or agents by N P and Enter"],
	["0", "Centre on the ego"],
	["+ −", "Zoom"],
	["Alt + arrows", "Move the picture"],
	["N P", "Next and previous agent by distance"],
	["Enter", "Select it"],
	["Esc", "One step back"],
	["J K", "The worst prediction, then the next; back to a worse one"],
	["1 – 9", "Layers, in the order of the list"],
	["E", "Save picture, film or track"],
	["/", "Find a track or class"],
	["?", "This list"],
];

const helpStyles = css`
dl { display: grid; grid-template-columns: auto 1fr; gap: 6px 16px; padding: 4px 16px 16px; }
dt { font: 12px var(--_mono); }
dd { color: var(--_ink2); }
`;

/** The keyboard map. */
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
			<header>
				<h2 id="title">Keyboard</h2>
				<form method="dialog"><button class="icon-only" aria-label="Close">${icon("close")}</button></form>
			</header>
			<dl>${KEYS.map(([key, words]) => html`<dt>${key}</dt><dd>${words}</dd>`)}</dl>
		</dialog>`;
	}
}
