import { css, html, nothing, type TemplateResult } from "lit";
import type { MapView } from "../../map-view.js";
import { currentFrame } from "../session/showing.js";
import type { ViewerState } from "../session/state.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { chipStyles } from "../ui/chips.js";
import { icon } from "../ui/icons.js";
import { LETTERS, LIGHT_WORDS, lightsOf } from "./lights.js";
import type { MapObject } from "./map-state.js";

const recordStyles = css`
:host { padding: 16px; }
header { display: flex; align-items: center; gap: 8px; padding-bottom: 8px; }
h2 { font-size: 16px; font-weight: 600; line-height: 1.3; }
header .id { color: var(--_ink2); overflow: hidden; text-overflow: ellipsis; }
header button { margin: 0 -8px 0 auto; flex: none; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 5px 12px; align-items: baseline; }
dt { color: var(--_ink2); white-space: nowrap; }
dd { text-align: right; overflow-wrap: anywhere; }
dd button { min-height: 24px; padding: 0 6px; text-decoration: underline; }
.letter { vertical-align: middle; }
@media (pointer: coarse) { dd button { min-height: 44px; } }
`;

const COLOURS = ["none", "red", "yellow", "green"];
const NAMES = { lane: "Lane", crosswalk: "Crosswalk", light: "Traffic light" } as const;
const FACE_STATES = ["active", "inactive", "unknown"];

type Value = TemplateResult | string;
type Row = readonly [name: string, value: Value | readonly Value[]];

/** Returns the values of `of` that belong to row `i`. */
function slice<T>(of: ArrayLike<T>, first: Uint32Array, i: number): T[] {
	return Array.from(of).slice(first[i] ?? 0, first[i + 1] ?? 0);
}

/** The record and connections of the selected lane, crosswalk or traffic light. */
export class MapRecord extends BevElement {
	static override styles = [baseStyles, chipStyles, recordStyles];

	protected watched(state: ViewerState): readonly unknown[] {
		const { mapChoice, map, shown, laneColours, laneColoursDue, frame } = state;
		return [mapChoice, map, shown, laneColours, laneColoursDue, frame];
	}

	protected override get pace(): number {
		return 100;
	}

	protected override render(): TemplateResult | typeof nothing {
		const { mapChoice, map } = this.state;
		if (!mapChoice) return nothing;
		const { object } = mapChoice;
		return html`<header role="presentation">
				<h2>${NAMES[object.kind]}</h2><span class="id mono">${idOf(object, map)}</span>
				<button class="icon-only clear" aria-label="Clear the selection" title="Clear the selection (Esc)"
					@click=${() => this.controller?.mapPicker.clear()}>${icon("close")}</button>
			</header>
			<dl>${this.#rows(object).map(
				([name, value]) =>
					html`<dt>${name}</dt><dd class="mono">${
						Array.isArray(value)
							? value.length > 0
								? value.map((one) => html`<div>${one}</div>`)
								: "none"
							: value
					}</dd>`,
			)}</dl>`;
	}

	#rows(object: MapObject): Row[] {
		const { map } = this.state;
		if (object.kind === "light") return this.#light(object.id, map);
		if (object.kind === "crosswalk" || !map) return [["Row", String(object.row)]];
		return this.#lane(object.row, map);
	}

	#lane(row: number, { lanes, faces }: MapView): Row[] {
		const { state } = this;
		const shown = currentFrame(state);
		const { face_id = [], traffic_light_id = [] } = shown?.lights ?? {};
		const ids = slice(lanes.controls, lanes.controls_first, row);
		const lights = new Set(
			ids.flatMap((id) => traffic_light_id[face_id.indexOf(id)] ?? []),
		);
		const ahead = slice(lanes.ahead, lanes.ahead_first, row);
		const isKnown = shown && state.laneColours?.length && !state.laneColoursDue;
		return [
			["Row", String(row)],
			["In a junction", lanes.in_junction[row] === 1 ? "yes" : "no"],
			["Light state", isKnown ? (COLOURS[state.laneColours?.[row] ?? 0] ?? "–") : "–"],
			["Lanes ahead", ahead.map((next) => this.#link({ kind: "lane", row: next }))],
			["Lights", [...lights].map((id) => this.#link({ kind: "light", id }))],
			["Traffic controls", ids.map((id) => faceName(id, faces))],
		];
	}

	#light(id: string, map: MapView | undefined): Row[] {
		const shown = currentFrame(this.state);
		const light = shown && lightsOf(shown, map).find((one) => one.id === id);
		const lanes = this.state.mapChoice?.marks.lanes ?? [];
		const marked = map ? lanes : [];
		if (!shown || !light) return [["State", "not in this frame"]];
		const { face_id, traffic_light_id, state } = shown.lights;
		const faces = face_id.flatMap((face, i) =>
			traffic_light_id[i] === id
				? [`${faceName(face, map?.faces)}: ${FACE_STATES[state[i] ?? 2] ?? "unknown"}`]
				: [],
		);
		return [
			[
				"State",
				html`<span class="letter ${light.state}" aria-hidden="true">${LETTERS[light.state]}</span> ${LIGHT_WORDS[light.state]}`,
			],
			["Faces", faces],
			["Lanes", marked.map((row) => this.#link({ kind: "lane", row }))],
		];
	}

	#link(object: MapObject): TemplateResult {
		return html`<button @click=${() => this.controller?.mapPicker.select(object)}>${idOf(object, this.state.map)}</button>`;
	}
}

function idOf(object: MapObject, map: MapView | undefined): string {
	if (object.kind === "light") return object.id;
	const of = object.kind === "lane" ? map?.lanes : map?.crosswalks;
	return of?.id[object.row] ?? "";
}

const FACE_COLOURS = ["red", "green", "yellow"];

/** Returns a face's id, and its colour if known from the map. */
function faceName(id: string, faces: MapView["faces"] | undefined): string {
	const colour = FACE_COLOURS[faces?.colour[faces.id.indexOf(id)] ?? -1];
	return colour ? `${id} (${colour})` : id;
}
