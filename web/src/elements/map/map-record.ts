import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { MapView } from "../../dataset/map-view.js";
import { limitsOf } from "../agents/summary.js";
import type { Point } from "../scene-view/camera.js";
import { pageTools } from "../session/page-tools.js";
import { whyOf } from "../session/problem.js";
import { currentFrame } from "../session/showing.js";
import type { ViewerState } from "../session/state.js";
import { tracesOf } from "../timeline/strips.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { chipStyles } from "../ui/chips.js";
import { icon } from "../ui/icons.js";
import { middleOf } from "./lane-lines.js";
import { namesOfLights } from "./light-names.js";
import { LETTERS, LIGHT_WORDS, lightsOf } from "./lights.js";
import {
	laneAttributes,
	lanesBehind,
	type MapTools,
	objectsNamed,
	tracksOn,
} from "./map-facts.js";
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
.search { display: block; padding-top: 12px; }
.search input { width: 100%; }
.search li button { width: 100%; justify-content: flex-start; }
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
	static override properties = {
		...BevElement.properties,
		query: { state: true },
		tools: { state: true },
	};

	/** Part of the id of the elements that are searched. */
	declare query: string;
	/** The core; undefined until loaded. */
	declare tools: MapTools | undefined;
	#loading = false;

	constructor() {
		super();
		this.query = "";
	}

	/** Loads the core for the first record of a lane or crosswalk. */
	async #load(): Promise<void> {
		if (this.#loading) return;
		this.#loading = true;
		try {
			this.tools = await pageTools();
		} catch (error) {
			this.controller?.notify(`Map: loading failed: ${whyOf(error)}`);
		}
	}

	protected override willUpdate(changed: PropertyValues<this>): void {
		super.willUpdate(changed);
		const { map, mapChoice } = this.state;
		if (map && mapChoice && mapChoice.object.kind !== "light") void this.#load();
	}

	protected watched(state: ViewerState): readonly unknown[] {
		const { mapChoice, map, shown, laneColours, laneColoursDue, frame } = state;
		const seen = [mapChoice, map, shown, laneColours, laneColoursDue, frame];
		return [...seen, state.timeline, ...limitsOf(state)];
	}

	protected override get pace(): number {
		return 100;
	}

	protected override render(): TemplateResult {
		const { mapChoice, map } = this.state;
		return html`${mapChoice ? this.#record(mapChoice.object) : nothing}
			${map ? this.#search() : nothing}`;
	}

	/** Renders the search of map elements by id. */
	#search(): TemplateResult {
		const found = objectsNamed(this.state, this.query);
		const none = this.query.trim() !== "" && found.length === 0;
		return html`<search class="search">
			<input type="search" aria-label="Find a lane, crosswalk or light by id" placeholder="Find a map element by id"
				.value=${live(this.query)} @keydown=${this.#onSearchKey}
				@input=${(event: Event) => {
					this.query = (event.currentTarget as HTMLInputElement).value;
				}}>
			<p role="status" class="hint">${none ? "No element of the map has this id." : nothing}</p>
			<ul>${found.map(({ object, id }) => html`<li><button @click=${() => this.#go(object)}>${NAMES[object.kind]} <span class="mono">${id}</span></button></li>`)}</ul>
		</search>`;
	}

	readonly #onSearchKey = (event: KeyboardEvent): void => {
		const [first] = objectsNamed(this.state, this.query);
		if (event.key === "Enter" && first) this.#go(first.object);
		else if (event.key === "Escape" && this.query !== "") {
			event.preventDefault();
			event.stopPropagation();
			this.query = "";
		}
	};

	/** Selects a map element and moves the camera to it. */
	#go(object: MapObject): void {
		const { controller } = this;
		controller?.mapPicker.select(object);
		const at = placeOf(object, this.state.map);
		if (!at || !controller) return;
		const { span, tilt } = this.state.camera;
		controller.setFollow("free", { ...at, span, rotation: 0, tilt });
	}

	#record(object: MapObject): TemplateResult {
		const { map } = this.state;
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
		if (!map) return [["Row", String(object.row)]];
		const on: Row = ["On it now", this.#tracksOn(object, map)];
		if (object.kind === "crosswalk") return [["Row", String(object.row)], on];
		return [...this.#lane(object.row, map), on];
	}

	#tracksOn(
		object: Extract<MapObject, { readonly row: number }>,
		map: MapView,
	): Row[1] {
		const shown = currentFrame(this.state);
		if (!shown || !this.tools) return "–";
		const seen = { map, frame: shown, limits: this.state };
		const { tracks, filteredOut } = tracksOn(this.tools, seen, object);
		const buttons = tracks.map(
			(track) =>
				html`<button @click=${() => this.controller?.select(track)}>${track === "ego" ? "ego" : `track ${track}`}</button>`,
		);
		return filteredOut === 0
			? buttons
			: [...buttons, html`<span class="hint">+ ${filteredOut} filtered out</span>`];
	}

	#lane(row: number, map: MapView): Row[] {
		const { state, tools } = this;
		const { lanes, faces } = map;
		const lane = (next: number | undefined) =>
			next === undefined || next < 0 ? [] : [this.#link({ kind: "lane", row: next })];
		const shown = currentFrame(state);
		const { face_id = [], traffic_light_id = [] } = shown?.lights ?? {};
		const ids = slice(lanes.controls, lanes.controls_first, row);
		const lights = new Set(
			ids.flatMap((id) => traffic_light_id[face_id.indexOf(id)] ?? []),
		);
		// Faces of the lights, which have a row of their own, are not repeated.
		const others = ids
			.filter((id) => !lights.has(traffic_light_id[face_id.indexOf(id)] ?? ""))
			.map((id) => faceName(id, faces));
		const ahead = slice(lanes.ahead, lanes.ahead_first, row);
		const isKnown = shown && state.laneColours?.length && !state.laneColoursDue;
		return [
			["Row", String(row)],
			["In a junction", lanes.in_junction[row] === 1 ? "yes" : "no"],
			["Light state", isKnown ? (COLOURS[state.laneColours?.[row] ?? 0] ?? "–") : "–"],
			...laneAttributes(map, row),
			["Lanes ahead", ahead.flatMap(lane)],
			["Lanes behind", tools ? lanesBehind(tools, map, row).flatMap(lane) : "–"],
			["Left", lane(lanes.adjacent_left[row])],
			["Right", lane(lanes.adjacent_right[row])],
			["Lights", [...lights].map((id) => this.#link({ kind: "light", id }))],
			...(others.length > 0
				? [[lights.size > 0 ? "Other controls" : "Traffic controls", others] as const]
				: []),
		];
	}

	#light(id: string, map: MapView | undefined): Row[] {
		const shown = currentFrame(this.state);
		const light = shown && lightsOf(shown, map).find((one) => one.id === id);
		const lanes = this.state.mapChoice?.marks.lanes ?? [];
		const marked = map ? lanes : [];
		const phases: Row = ["Phases", this.#phases(id)];
		const name = namesOfLights(this.state).get(id);
		const arm: Row[] = name && name !== id ? [["Traffic from", name]] : [];
		if (!shown || !light) return [["State", "not in this frame"], ...arm, phases];
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
			...arm,
			["Faces", faces],
			["Lanes", marked.map((row) => this.#link({ kind: "lane", row }))],
			phases,
		];
	}

	/** Returns a light's states over the scene; each seeks to its first frame. */
	#phases(id: string): Row[1] {
		const trace = tracesOf(this.state).find((light) => light.id === id);
		return (trace?.runs ?? []).map(
			({ begin, end, state }) =>
				html`<button @click=${() => this.controller?.seek(begin)}>${LIGHT_WORDS[state]}, frames ${begin}–${end - 1}</button>`,
		);
	}

	#link(object: MapObject): TemplateResult {
		return html`<button @click=${() => this.#go(object)}>${idOf(object, this.state.map)}</button>`;
	}
}

/** Returns the position of a map element; undefined for a light without one. */
function placeOf(object: MapObject, map: MapView | undefined): Point | undefined {
	if (!map) return undefined;
	if (object.kind === "lane") return middleOf(map, object.row);
	const { points, offsets } = map.crosswalks;
	const at = object.kind === "light" ? map.lights.id.indexOf(object.id) : object.row;
	const of = object.kind === "light" ? map.lights.position : points;
	const first = object.kind === "light" ? at : (offsets[at] ?? 0);
	const [x, y] = at < 0 ? [] : of.subarray(2 * first, 2 * first + 2);
	return x === undefined || y === undefined ? undefined : { x, y };
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
