import type { FrameView } from "../../dataset/frame-view.js";
import type { MapView } from "../../dataset/map-view.js";

export type LightColour = "red" | "yellow" | "green";

/** Colours by the value of `faces.colour`. */
const COLOURS: readonly LightColour[] = ["red", "green", "yellow"];
/** Order of precedence if several faces are active. */
const STRICTEST: readonly LightColour[] = ["red", "yellow", "green"];
const ACTIVE = 0;
const INACTIVE = 1;
const UNKNOWN = 2;

/** Returns the colour with the highest precedence. */
export function strictest(
	colours: Iterable<LightColour | undefined>,
): LightColour | undefined {
	const present = new Set(colours);
	return STRICTEST.find((colour) => present.has(colour));
}

const known = new WeakMap<MapView, ReadonlyMap<string, LightColour>>();

/** Returns the colour of every face in the map, by id. */
export function faceColours(map: MapView): ReadonlyMap<string, LightColour> {
	const before = known.get(map);
	if (before) return before;
	const { id, colour } = map.faces;
	const colours = new Map(
		id.map((name, i) => [name, COLOURS[colour[i] ?? 0] ?? "red"]),
	);
	known.set(map, colours);
	return colours;
}

/** `dark`: no face is active. `lit`: a face is active and its colour unknown. */
export type LightState = LightColour | "lit" | "dark" | "unknown";

/** One traffic light of a frame. */
export interface Light {
	readonly id: string;
	readonly state: LightState;
	/** Number of faces; the data may repeat one. */
	readonly faces: number;
}

/** Returns what a light of `state` shows, given the colours of its active faces. */
export function shownState(
	state: number,
	active: Iterable<LightColour | undefined>,
): LightState {
	if (state === ACTIVE) return strictest(active) ?? "lit";
	return state === UNKNOWN ? "unknown" : "dark";
}

function stateOf(
	states: readonly number[],
	colours: readonly (LightColour | undefined)[],
): LightState {
	const active = colours.filter((_, i) => states[i] === ACTIVE);
	const joined = [ACTIVE, UNKNOWN].find((state) => states.includes(state));
	return shownState(joined ?? INACTIVE, active);
}

/**
 * Returns the traffic lights of `frame`, sorted by id; faces of one light are combined.
 */
export function lightsOf(frame: FrameView, map: MapView | undefined): Light[] {
	const colours = map ? faceColours(map) : new Map<string, LightColour>();
	const { traffic_light_id, face_id, state } = frame.lights;
	const rows = new Map<string, number[]>();
	traffic_light_id.forEach((id, i) => {
		const of = rows.get(id);
		if (of) of.push(i);
		else rows.set(id, [i]);
	});
	const lights = [...rows].map(([id, of]) => {
		const states = of.map((i) => state[i] ?? UNKNOWN);
		const shown = of.map((i) => colours.get(face_id[i] ?? ""));
		const faces = new Set(of.map((i) => face_id[i])).size;
		return { id, state: stateOf(states, shown), faces };
	});
	return lights.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

/** Letters shown in addition to colours. */
export const LETTERS: Readonly<Record<LightState, string>> = {
	red: "R",
	yellow: "Y",
	green: "G",
	lit: "A",
	dark: "–",
	unknown: "?",
};

export const LIGHT_WORDS: Readonly<Record<LightState, string>> = {
	red: "red",
	yellow: "yellow",
	green: "green",
	lit: "active, colour unknown without a map",
	dark: "no active face",
	unknown: "state unknown",
};
