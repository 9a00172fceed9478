import { type AgentSort, SORT_KEYS } from "../agents/agents-state.js";
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
import { parseRows, type RowKey } from "../timeline/timeline-state.js";
import {
	CLOSABLE,
	type LayoutLink,
	MAX_BESIDES,
	TABS,
} from "../viewer/layout-state.js";
import { THEMES, type Theme } from "../viewer/themes.js";

/** Maximum length of trails and futures in frames. */
export const MAX_PATH = 150;

/** The part of the viewer's state in a link. Undefined means the default. */
export interface LinkState extends ModelsLink, LayoutLink {
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
	/** Whether the picture is about the selection; others are faint. */
	readonly focused?: boolean | undefined;
	/** What the camera moves with. */
	readonly follow?: Follow | undefined;
	/** The camera's position, extent, rotation and tilt. */
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
	/** Address of a rollout, or addresses of submissions. */
	readonly rollout?: string | undefined;
	/** What is shown of submissions. */
	readonly futures?: string | undefined;
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
	/** Rows of the timeline, in order. */
	readonly rows?: readonly RowKey[] | undefined;
	/** Id of a note, which is marked if the reader has it. */
	readonly note?: string | undefined;
	/** A gallery, see `galleryText`. */
	readonly gallery?: string | undefined;
	/** Edits of scenes, see `textOf`. */
	readonly edits?: string | undefined;
	/** Address of a data set with images and points. */
	readonly sensors?: string | undefined;
	/** Shown and enlarged cameras. */
	readonly cameras?: string | undefined;
	/** Playback speed. */
	readonly speed?: number | undefined;
	/** Whether playback repeats; default with a section. */
	readonly loop?: boolean | undefined;
	/** Colours. */
	readonly theme?: Theme | undefined;
	/** Order of the agent table. */
	readonly sort?: AgentSort | undefined;
	/** Table, brushes and views of the distributions. */
	readonly distributions?: string | undefined;
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

/** A key of links. */
interface LinkKey {
	/** Parses a value; returns a description of the expected value if it is invalid. */
	readonly read: (draft: Draft, text: string) => string | undefined;
	/** Returns the value for a link; undefined if the link omits the key. */
	readonly write: (state: LinkState) => string | undefined;
}

/** How values of a type are written. */
interface Codec<T> {
	/** Description of valid values. */
	readonly expected: string;
	/** Returns undefined for invalid text. */
	readonly parse: (text: string) => T | undefined;
	/** Returns undefined for values that links omit. Default: `String`. */
	readonly format?: (value: T) => string | undefined;
}

/** A key whose value is one field of the state. */
function field<K extends keyof LinkState>(
	name: K,
	{ expected, parse, format = String }: Codec<NonNullable<LinkState[K]>>,
): LinkKey {
	return {
		read: ({ state }, text) => {
			const value = parse(text);
			if (value === undefined) return expected;
			state[name] = value;
			return undefined;
		},
		write: ({ [name]: value }) =>
			value === undefined ? undefined : format(value as NonNullable<typeof value>),
	};
}

/** A key whose value is a number of the camera. */
function camera(
	name: keyof Camera,
	[min, max]: readonly number[],
	digits: number,
): LinkKey {
	const { expected, parse, format } = number(min ?? 0, max ?? 0, digits);
	return {
		read: ({ camera }, text) => {
			const value = parse(text);
			if (value === undefined) return expected;
			camera[name] = value;
			return undefined;
		},
		write: ({ camera }) => {
			const value = camera?.[name];
			return value === undefined ? undefined : format(value);
		},
	};
}

function number(min: number, max: number, digits: number) {
	return {
		expected: `a number from ${min} to ${max}`,
		parse: (text: string) => {
			const value = text.trim() === "" ? Number.NaN : Number(text);
			return Number.isFinite(value) && value >= min && value <= max ? value : undefined;
		},
		format: (value: number) => String(Number(value.toFixed(digits))),
	};
}

function frames(max: number): Codec<number> {
	const parse = (text: string) =>
		/^\d{1,5}$/.test(text) && Number(text) <= max ? Number(text) : undefined;
	return { expected: `frames from 0 to ${max}`, parse };
}

function oneOf<T extends string>(all: readonly T[]): Codec<T> {
	return { expected: all.join(", "), parse: (text) => all.find((one) => one === text) };
}

function matching(pattern: RegExp, expected: string): Codec<string> {
	return { expected, parse: (text) => (pattern.test(text) ? text : undefined) };
}

const INDEX: Codec<number> = {
	expected: "a whole number from 0",
	parse: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined),
};

const ADDRESS = matching(/./s, "a URL");

const RANGE: Codec<FrameRange> = {
	expected: "first-last frame",
	parse: (text) => {
		const [, first, last] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
		if (!first || !last || Number(first) > Number(last)) return undefined;
		return { begin: Number(first), end: Number(last) + 1 };
	},
	format: ({ begin, end }) => `${begin}-${end - 1}`,
};

const SELECTION: Codec<Selection> = {
	expected: "a track id or ego",
	parse: (text) => {
		if (text === "ego") return "ego";
		return /^\d{1,20}$/.test(text) ? BigInt(text) : undefined;
	},
};

const FLAG: Codec<boolean> = {
	...{ expected: "1", parse: (text) => text === "1" || undefined },
	format: (on) => (on ? "1" : undefined),
};

const LAYERS: LinkKey = {
	read: ({ state }, text) => {
		const names = text.split(",").filter((name) => name !== "");
		const strange = names.filter((name) => !isLayer(name));
		const known = names.filter(isLayer);
		// An empty list is valid; if no name is known, the default layers stay.
		if (known.length > 0 || text === "") state.layers = new Set(known);
		return strange.length > 0
			? `names of layers, not ${strange.join(", ")}`
			: undefined;
	},
	write: ({ layers }) => layers && [...layers].join(","),
};

const MODELS: Codec<readonly number[]> = {
	expected: "numbers of models from 1 to 4",
	parse: (text) =>
		/^[1-4](,[1-4])*$/.test(text) ? text.split(",").map(Number) : undefined,
};

const PAIR: Codec<readonly [number, number]> = {
	expected: "two models, such as 1-2",
	parse: (text) => {
		const [, a, b] = /^([1-4])-([1-4])$/.exec(text) ?? [];
		return a && b && a !== b ? [Number(a), Number(b)] : undefined;
	},
	format: (pair) => pair.join("-"),
};

const FIND: Codec<FindFilter> = {
	expected: "scenes:, tracks:, agents: or frames:",
	parse: (text) => {
		const [, table, name, where] =
			/^(scenes|tracks|agents|frames)(?:"([^"]{1,60})")?:(.{1,4000})$/s.exec(text) ??
			[];
		return where ? { table: table as FindFilter["table"], where, name } : undefined;
	},
	format: ({ table, where, name }) => `${table}${name ? `"${name}"` : ""}:${where}`,
};

const SORTS = SORT_KEYS.flatMap((key) => [key, `-${key}`] as const);

/** One to `max` different names, separated by commas. */
function listOf<T extends string>(all: readonly T[], max: number): Codec<readonly T[]> {
	return {
		expected: `${all.join(", ")}; at most ${max}`,
		parse: (text) => {
			const names = text.split(",") as T[];
			const isKnown = names.every((name) => all.includes(name));
			const fits = names.length <= max && new Set(names).size === names.length;
			return isKnown && fits ? names : undefined;
		},
	};
}

const SCENES: Codec<readonly number[]> = {
	expected: `at most ${MAX_BESIDES} different scenes`,
	parse: (text) => {
		const all = text.split(",").map(Number);
		const fits = all.length <= MAX_BESIDES && new Set(all).size === all.length;
		return /^\d{1,15}(,\d{1,15})*$/.test(text) && fits ? all : undefined;
	},
};

/** The keys of links, in the order in which they are written. */
const KEYS: Readonly<Record<string, LinkKey>> = {
	v: { read: (_, text) => (text === "1" ? undefined : "version 1"), write: () => "1" },
	src: field("src", ADDRESS),
	m: field("map", ADDRESS),
	s: field("scene", INDEX),
	f: field("frame", INDEX),
	p: field("section", RANGE),
	t: field("selection", SELECTION),
	fo: field("focused", FLAG),
	w: field("follow", oneOf(FOLLOWS)),
	c: field("coords", oneOf(COORDS)),
	x: camera("x", [-1e7, 1e7], 2),
	y: camera("y", [-1e7, 1e7], 2),
	z: camera("span", [4, 20_000], 1),
	r: camera("rotation", [-7, 7], 3),
	ti: camera("tilt", [0, 1.047], 3),
	l: LAYERS,
	th: field("threshold", number(0, 1, 3)),
	d: field("distance", { ...number(0, 1e6, 1), expected: "metres from 0" }),
	mh: field("minHistory", frames(10_000)),
	mf: field("minFuture", frames(10_000)),
	lp: field("past", frames(MAX_PATH)),
	lf: field("future", frames(MAX_PATH)),
	pr: field("predictions", ADDRESS),
	ro: field("rollout", ADDRESS),
	fu: field("futures", ADDRESS),
	pn: field("modelNames", matching(/^/, "names")),
	pd: field("localModels", matching(/./s, "names")),
	ph: field("hiddenModels", MODELS),
	pc: field("comparedModels", PAIR),
	ps: field("splitPictures", FLAG),
	pm: field("rankBy", oneOf(MEASURES)),
	pl: field("listed", oneOf(LISTS)),
	find: field("find", FIND),
	q: field("charts", { expected: "at most 8 quantities", parse: parseCharts }),
	qt: field("plotted", { expected: "at most 7 track ids or ego", parse: parseTracks }),
	qp: field("plotSpan", RANGE),
	tr: field("rows", { expected: "at most 12 rows", parse: parseRows }),
	n: field("note", matching(/^[\w-]{1,40}$/, "a note's id")),
	ga: field("gallery", matching(/^/, "names")),
	se: field("sensors", ADDRESS),
	cam: field("cameras", matching(/^/, "names")),
	sp: field("speed", number(0.001, 1000, 3)),
	lo: field("loop", {
		...{ expected: "0 or 1", format: (loop) => (loop ? "1" : "0") },
		parse: (text) => (/^[01]$/.test(text) ? text === "1" : undefined),
	}),
	tm: field("theme", oneOf(THEMES)),
	so: field("sort", oneOf(SORTS)),
	tb: field("tabs", listOf(TABS, 2)),
	sb: field("besides", SCENES),
	hd: field("closed", listOf(CLOSABLE, CLOSABLE.length)),
	ds: field("distributions", ADDRESS),
	wi: field("edits", ADDRESS),
};

/** Parses a link's fragment, with or without `#`. Never throws. */
export function parseLink(fragment: string): ParsedLink {
	const draft: Draft = { state: {}, camera: {} };
	const unknown: [string, string][] = [];
	const bad: string[] = [];
	for (const [key, text] of new URLSearchParams(fragment.replace(/^#/, ""))) {
		const known = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
		if (!known) unknown.push([key, text]);
		const expected = known?.read(draft, text);
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

/** Returns the fragment for `state`, without `#`; undefined fields are left out. */
export function formatLink(
	state: LinkState,
	unknown: readonly (readonly [string, string])[] = [],
): string {
	const pairs = Object.entries(KEYS).map(([key, { write }]) => [key, write(state)]);
	return [...pairs, ...unknown]
		.filter((pair): pair is [string, string] => pair[1] !== undefined)
		.map(([key, value]) => `${key}=${escaped(value)}`)
		.join("&");
}
