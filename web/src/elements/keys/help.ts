import { css, html, type TemplateResult } from "lit";
import { baseStyles, dialogStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { icon } from "../ui/icons.js";
import { type Chapter, printMap } from "./print-map.js";

type Rows = Chapter[1];

const KEYS: Rows = [
	["Space", "Play or pause"],
	["← →", "Previous or next frame; with Shift, ten frames"],
	["Home End", "First or last frame"],
	["[ ]", "Previous or next scene"],
	[", .", "Slower or faster"],
	["L", "Loop the section, or the scene"],
	["I O", "Set the section's start or end; Shift + Esc clears it"],
	["F", "Camera: follow the ego, heading up, the selection, its heading up, free"],
	["C", "Coordinates: world, ego, agent, raster"],
	[
		"M",
		"Measure between clicks, or agents (N P, Enter); Backspace removes a point, Esc ends",
	],
	["0", "Centre on the ego"],
	["A", "Show the whole map"],
	["+ −", "Zoom"],
	["Alt + arrows", "Pan; with Shift, rotate and tilt"],
	["V", "Tilt; again: look straight down"],
	["N P", "Next or previous agent by distance"],
	["Enter", "Select the agent"],
	["Esc", "One step back"],
	["< >", "Previous or next selection"],
	[
		"Ctrl + Z, ⌘ Z",
		"Undo a change of view, selection, filters or edits; with Shift, redo",
	],
	["J K", "Next or previous prediction in the ranking"],
	["1 – 9", "Toggle a layer, in the order of the list"],
	["E", "Export image, video or table"],
	["B", "Open or close the side panels"],
	["T", "Hide or show plots and lights"],
	["Ctrl + K, ⌘ K", "Commands"],
	["Z", "Enter or exit full screen"],
	["/", "Find a track or class in the frame; Enter selects the only match"],
	["G", "Search all scenes: a filter, or a track's id"],
	["W", "What if: edit the scene, or not"],
	["Arrows", "While editing, in the picture: move the selection 0.1 m; with Shift 1 m"],
	["Alt + ← →", "While editing, in the picture: turn the selection by 1°"],
	["S [ ] Delete", "While editing: stop, slow down, speed up, remove the selection"],
	["?", "Keyboard and gestures"],
];

const GESTURES: Rows = [
	["Drag", "Pan; the camera stops following"],
	["Wheel, pinch", "Zoom about the pointer; Ctrl + wheel where the page scrolls"],
	[
		"Drag an agent",
		"While editing: moves it; the knob ahead of a selected one turns it",
	],
	["Double click", "Zoom in"],
	["Right drag, twist", "Rotate; Ctrl + drag, too"],
	[
		"Right drag up",
		"Tilt; also Ctrl + drag, two fingers up. Ctrl + double click: straight down",
	],
	["Click", "Select an agent, crosswalk or lane; again: the object below"],
	["Drag on the timeline", "Seek; with Shift, set the section"],
];

const SIGNS: Rows = [
	["R Y G", "Traffic light: red, yellow, green"],
	["A", "Traffic light: active, colour unknown without a map"],
	["–", "Traffic light: no active face"],
	["?", "Traffic light: state unknown"],
	["Dashed box", "Filtered-out agent"],
	["Filled box", "Vehicle; diamonds are cyclists, circles pedestrians"],
	[
		"Box in a tilted picture",
		"Recorded size, or a usual height; signs as above are on its top",
	],
	[
		"Line from a front",
		"Velocity: one second of travel, as recorded; the ego's from its positions",
	],
	["Red dots at a rear", "The ego or the selection brakes harder than 1.5 m/s²"],
	[
		"Stop line, shaded lane",
		"The light's colour; arrows: movements that are not stopped",
	],
	["Hatched line", "Light not seen"],
	["▼ above the bar", "Suspicious value; see Quality"],
	["White line", "In plots: the selection; orange line: the ego"],
];

const CHAPTERS: readonly Chapter[] = [
	["Keys", KEYS],
	["Mouse and touch", GESTURES],
	["Symbols", SIGNS],
];

const helpStyles = css`
form { display: flex; gap: 4px; }
h3 { margin: 0; padding: 8px 16px 4px; font-size: 13px; font-weight: 600; }
dl { display: grid; grid-template-columns: min(11em, 36%) 1fr; gap: 6px 16px; margin: 0; padding: 4px 16px 12px; }
dt { font: 12px var(--_mono); }
dd { color: var(--_ink2); }
`;

function list(rows: Rows): TemplateResult {
	return html`<dl>${rows.map(([what, words]) => html`<dt>${what}</dt><dd>${words}</dd>`)}</dl>`;
}

/** A dialog that lists keys, gestures and symbols. */
export class Help extends BevElement {
	static override styles = [baseStyles, dialogStyles, helpStyles];

	/** Opens the list of keys. */
	show(): void {
		this.renderRoot.querySelector("dialog")?.showModal();
	}

	protected watched(): readonly unknown[] {
		return [];
	}

	readonly #print = (): void =>
		printMap(this.renderRoot, "bevscope: keyboard and gestures", CHAPTERS);

	protected override render(): TemplateResult {
		return html`<dialog aria-labelledby="title">
			<header role="presentation">
				<h2 id="title">Keyboard and gestures</h2>
				<form method="dialog"><button type="button" @click=${this.#print}>Print</button>
					<button class="icon-only" aria-label="Close">${icon("close")}</button></form>
			</header>
			<div class="scroll" tabindex="0" role="group" aria-labelledby="title">
				${CHAPTERS.map(([heading, rows]) => html`<h3>${heading}</h3>${list(rows)}`)}
			</div>
		</dialog>`;
	}
}
