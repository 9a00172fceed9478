import type { FindFilter } from "../find/find-state.js";
import { isLayer, type LayerSet } from "../layers/layer-set.js";
import { parseCharts, parseTracks } from "../plots/plots-state.js";
import {
	LISTS,
	MEASURES,
	type Measure,
	type ModelsLink,
} from "../review/review-state.js";
import { type Camera, FOLLOWS, type Follow } from "../scene-view/camera.js";
import { COORDS, type Coords } from "../scene-view/frames.js";
import type { Selection } from "../scene-view/picking.js";
import type { FrameRange } from "../timeline/clock.js";

/** Maximum length of trails and futures in frames. */
export const MAX_PATH = 150;

/** The part of the viewer's state in a link. Undefined means the default. */
export interface LinkState extends ModelsLink {
	/** URL of the data set. */
	readonly src?: string | undefined;
	/** Index of the scene. */
	readonly scene?: number | undefined;
	/** Index of the frame in the scene. */
	readonly frame?: number | undefined;
	/** Marked range of frames. */
	readonly section?: FrameRange | undefined;
	/** Selected track, or `ego`. */
	readonly selection?: Selection | undefined;
	/** What the camera moves with. */
	readonly follow?: Follow | undefined;
	/** The camera's position, extent and rotation. */
	readonly camera?: Partial<Camera> | undefined;
	/** Axes of the displayed coordinates. */
	readonly coords?: Coords | undefined;
	/** Visible layers. */
	readonly layers?: LayerSet | undefined;
	/** Lower bound, exclusive, of the sum of known classes' probabilities. */
	readonly threshold?: number | undefined;
	/** Maximum distance to the ego vehicle in metres. */
	readonly distance?: number | undefined;
	/** Minimum frames before and after the current one in which an agent is visible. */
	readonly minHistory?: number | undefined;
	/** Minimum number of frames after the current one in which an agent is visible. */
	readonly minFuture?: number | undefined;
	/** Length of trails and futures in frames. */
	readonly past?: number | undefined;
	/** Length of futures in frames. */
	readonly future?: number | undefined;
	/** Address of a semantic map. */
	readonly map?: string | undefined;
	/** Address of a rollout. */
	readonly rollout?: string | undefined;
	/** Measure by which predictions are ranked. */
	readonly rankBy?: Measure | undefined;
	/** Filter of the search of all scenes. */
	readonly find?: FindFilter | undefined;
	/** Plotted quantities. */
	readonly charts?: readonly string[] | undefined;
	/** Plotted tracks. */
	readonly plotted?: readonly Selection[] | undefined;
	/** Frames on the plots' time axis. */
	readonly plotSpan?: FrameRange | undefined;
	/** Id of a note, which is marked if the reader has it. */
	readonly note?: string | undefined;
}

export interface ParsedLink {
	readonly state: LinkState;
	/** Pairs with unknown keys, which are kept in the next link. */
	readonly unknown: readonly (readonly [string, string])[];
	/** One message per ignored value. */
	readonly bad: readonly string[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface Draft {
	state: Mutable<LinkState>;
	camera: Mutable<Partial<Camera>>;
}

/** Parses one value; returns a description of the expected value if it is invalid. */
type Reader = (draft: Draft, text: string) => string | undefined;

function numberIn(text: string, min: number, max: number): number | undefined {
	const value = text.trim() === "" ? Number.NaN : Number(text);
	return Number.isFinite(value) && value >= min && value <= max ? value : undefined;
}

function count(key: "scene" | "frame"): Reader {
	return (draft, text) => {
		if (!/^\d{1,15}$/.test(text)) return "a whole number from 0";
		draft.state[key] = Number(text);
		return undefined;
	};
}

function frames(
	key: "minHistory" | "minFuture" | "past" | "future",
	max: number,
): Reader {
	return (draft, text) => {
		const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
		if (!(value <= max)) return `frames from 0 to ${max}`;
		draft.state[key] = value;
		return undefined;
	};
}

function camera(key: keyof Camera, min: number, max: number): Reader {
	return (draft, text) => {
		const value = numberIn(text, min, max);
		if (value === undefined) return `a number from ${min} to ${max}`;
		draft.camera[key] = value;
		return undefined;
	};
}

function address(
	key: "src" | "map" | "predictions" | "localModels" | "rollout",
	expected = "a URL",
): Reader {
	return (draft, text) => {
		if (text === "") return expected;
		draft.state[key] = text;
		return undefined;
	};
}

function frameRange(key: "section" | "plotSpan"): Reader {
	return (draft, text) => {
		const [, first, last] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
		if (!first || !last || Number(first) > Number(last)) return "first-last frame";
		draft.state[key] = { begin: Number(first), end: Number(last) + 1 };
		return undefined;
	};
}

function list<K extends "charts" | "plotted">(
	key: K,
	parse: (text: string) => Mutable<LinkState>[K],
	expected: string,
): Reader {
	return (draft, text) => {
		const values = parse(text);
		if (!values) return expected;
		draft.state[key] = values;
		return undefined;
	};
}

function rangeText(range: FrameRange | undefined): string | undefined {
	return range && `${range.begin}-${range.end - 1}`;
}

const READERS: Readonly<Record<string, Reader>> = {
	v: (_, text) => (text === "1" ? undefined : "version 1"),
	src: address("src"),
	m: address("map"),
	s: count("scene"),
	f: count("frame"),
	p: frameRange("section"),
	t: (draft, text) => {
		if (text === "ego") draft.state.selection = "ego";
		else if (/^\d{1,20}$/.test(text)) draft.state.selection = BigInt(text);
		else return "a track id or ego";
		return undefined;
	},
	w: (draft, text) => {
		const follow = FOLLOWS.find((f) => f === text);
		if (!follow) return FOLLOWS.join(", ");
		draft.state.follow = follow;
		return undefined;
	},
	c: (draft, text) => {
		const coords = COORDS.find((c) => c === text);
		if (!coords) return COORDS.join(", ");
		draft.state.coords = coords;
		return undefined;
	},
	x: camera("x", -1e7, 1e7),
	y: camera("y", -1e7, 1e7),
	z: camera("span", 4, 20_000),
	r: camera("rotation", -7, 7),
	l: (draft, text) => {
		const names = text.split(",").filter((name) => name !== "");
		const strange = names.filter((name) => !isLayer(name));
		const known = names.filter(isLayer);
		// An empty list is valid; if no name is known, the default layers stay.
		if (known.length > 0 || text === "") draft.state.layers = new Set(known);
		return strange.length > 0
			? `names of layers, not ${strange.join(", ")}`
			: undefined;
	},
	th: (draft, text) => {
		const value = numberIn(text, 0, 1);
		if (value === undefined) return "a number from 0 to 1";
		draft.state.threshold = value;
		return undefined;
	},
	d: (draft, text) => {
		const value = numberIn(text, 0, 1e6);
		if (value === undefined) return "metres from 0";
		draft.state.distance = value;
		return undefined;
	},
	mh: frames("minHistory", 10_000),
	mf: frames("minFuture", 10_000),
	lp: frames("past", MAX_PATH),
	lf: frames("future", MAX_PATH),
	pr: address("predictions"),
	pd: address("localModels", "names"),
	ro: address("rollout"),
	pn: (draft, text) => {
		draft.state.modelNames = text;
		return undefined;
	},
	ph: (draft, text) => {
		if (!/^[1-4](,[1-4])*$/.test(text)) return "numbers of models from 1 to 4";
		draft.state.hiddenModels = text.split(",").map(Number);
		return undefined;
	},
	pc: (draft, text) => {
		const [, a, b] = /^([1-4])-([1-4])$/.exec(text) ?? [];
		if (!a || !b || a === b) return "two models, such as 1-2";
		draft.state.comparedModels = [Number(a), Number(b)];
		return undefined;
	},
	ps: (draft, text) => {
		if (text !== "1") return "1";
		draft.state.splitPictures = true;
		return undefined;
	},
	pm: (draft, text) => {
		const measure = MEASURES.find((name) => name === text);
		if (!measure) return MEASURES.join(", ");
		draft.state.rankBy = measure;
		return undefined;
	},
	pl: (draft, text) => {
		const list = LISTS.find((name) => name === text);
		if (!list) return LISTS.join(", ");
		draft.state.listed = list;
		return undefined;
	},
	find: (draft, text) => {
		const [, table, where] =
			/^(scenes|tracks|agents|frames):(.{1,4000})$/s.exec(text) ?? [];
		if (!where) return "scenes:, tracks:, agents: or frames:";
		draft.state.find = { table: table as FindFilter["table"], where };
		return undefined;
	},
	q: list("charts", parseCharts, "at most 8 quantities"),
	qt: list("plotted", parseTracks, "at most 7 track ids or ego"),
	qp: frameRange("plotSpan"),
	n: (draft, text) => {
		if (!/^[\w-]{1,40}$/.test(text)) return "a note's id";
		draft.state.note = text;
		return undefined;
	},
};

/** Parses a link's fragment, with or without `#`. Never throws. */
export function parseLink(fragment: string): ParsedLink {
	const draft: Draft = { state: {}, camera: {} };
	const unknown: [string, string][] = [];
	const bad: string[] = [];
	for (const [key, text] of new URLSearchParams(fragment.replace(/^#/, ""))) {
		const reader = Object.hasOwn(READERS, key) ? READERS[key] : undefined;
		if (!reader) {
			unknown.push([key, text]);
			continue;
		}
		const expected = reader(draft, text);
		if (expected) bad.push(`Link: ignored ${key}=${text} (expected ${expected})`);
	}
	if (Object.keys(draft.camera).length > 0) draft.state.camera = draft.camera;
	return { state: draft.state, unknown, bad };
}

/**
 * Escapes only characters that end a value, so that addresses in a link stay readable.
 */
function escaped(text: string): string {
	return text.replace(/[%&#+\s]/g, (c) => encodeURIComponent(c));
}

function rounded(value: number | undefined, digits: number): string | undefined {
	return value === undefined ? undefined : String(Number(value.toFixed(digits)));
}

/** Returns the fragment for `state`, without `#`; undefined fields are left out. */
export function formatLink(
	state: LinkState,
	unknown: readonly (readonly [string, string])[] = [],
): string {
	const pairs: [string, string | undefined][] = [
		["v", "1"],
		["src", state.src],
		["m", state.map],
		["s", state.scene?.toString()],
		["f", state.frame?.toString()],
		["p", rangeText(state.section)],
		["t", state.selection?.toString()],
		["w", state.follow],
		["c", state.coords],
		["x", rounded(state.camera?.x, 2)],
		["y", rounded(state.camera?.y, 2)],
		["z", rounded(state.camera?.span, 1)],
		["r", rounded(state.camera?.rotation, 3)],
		["l", state.layers ? [...state.layers].join(",") : undefined],
		["th", rounded(state.threshold, 3)],
		["d", rounded(state.distance, 1)],
		["mh", state.minHistory?.toString()],
		["mf", state.minFuture?.toString()],
		["lp", state.past?.toString()],
		["lf", state.future?.toString()],
		["pr", state.predictions],
		["ro", state.rollout],
		["pn", state.modelNames],
		["pd", state.localModels],
		["ph", state.hiddenModels?.join(",")],
		["pc", state.comparedModels?.join("-")],
		["ps", state.splitPictures ? "1" : undefined],
		["pm", state.rankBy],
		["pl", state.listed],
		["find", state.find && `${state.find.table}:${state.find.where}`],
		["q", state.charts?.join(",")],
		["qt", state.plotted?.join(",")],
		["qp", rangeText(state.plotSpan)],
		["n", state.note],
	];
	return [...pairs, ...unknown]
		.filter((pair): pair is [string, string] => pair[1] !== undefined)
		.map(([key, value]) => `${key}=${escaped(value)}`)
		.join("&");
}
