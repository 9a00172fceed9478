import { type LinkState, parseLink } from "../link/link.js";
import { LINK_DEFAULTS } from "../link/link-of.js";
import type { PredictionSets } from "../review/prediction-sets.js";
import type { Place } from "../session/dataset.js";
import type { GroupMembership } from "./group-membership.js";
import { parsePanels } from "./panels.js";
import type { Position } from "./position.js";
import type { ViewerEventDetails, ViewerEventMap } from "./viewer-events.js";
import type { ViewerHost } from "./viewer-host.js";
import type { ViewerPicture } from "./viewer-picture.js";

/**
 * Attributes of `bev-viewer`, as templates of frameworks set them. The table in
 * docs/viewer-reference.md and the manifest for editors are made from it.
 */
export interface ViewerAttributes {
	/** URL of the data set; setting it opens the data set, removing it closes it. */
	src?: string | null | undefined;
	/** The open scene, counted from 0 (the default); a new `scene` starts at `frame`. */
	scene?: number | string | null | undefined;
	/** The frame in its scene, counted from 0; null as property while none is displayed. */
	frame?: number | string | null | undefined;
	/** The whole state: the fragment of a link; `s=2&f=10` applies to the open data set. */
	state?: string | null | undefined;
	/**
	 * What the camera moves with: `position` (the default), `heading`, `selected`,
	 * `agent`, `free`.
	 */
	follow?: "position" | "heading" | "selected" | "agent" | "free" | null | undefined;
	/** Axes of displayed coordinates: `world` (the default), `ego`, `agent`, `raster`. */
	coords?: "world" | "ego" | "agent" | "raster" | null | undefined;
	/** Visible layers, separated by commas. */
	layers?: string | null | undefined;
	/** Lower bound, exclusive, of the sum of the known classes' probabilities; default 0.5. */
	threshold?: number | string | null | undefined;
	/** The selection: a track id, or `ego`. */
	track?: number | bigint | string | null | undefined;
	/** Playback speed; 1, the default, is the data's. */
	speed?: number | string | null | undefined;
	/** Playback repeats the section, or the scene. */
	loop?: boolean | "" | undefined;
	/** Plays after the first frame is displayed, unless prefers-reduced-motion is set. */
	autoplay?: boolean | "" | undefined;
	/**
	 * `none`: only the picture, without buttons, readout and scale; notices and errors are
	 * still shown.
	 */
	controls?: "none" | null | undefined;
	/**
	 * Visible panels, separated by spaces or commas; default all. `picture` is the picture
	 * with its buttons.
	 */
	panels?: string | null | undefined;
	/**
	 * Name of this viewer among several: its landmarks are `Run 7: Picture`, ...; default
	 * `Viewer 2`.
	 */
	label?: string | null | undefined;
	/**
	 * Viewers of the page with the same group show the same scene and time; moving one
	 * moves all.
	 */
	group?: string | null | undefined;
	/**
	 * `greedy`, `cooperative` or `auto` (default): whether wheel and one finger act on
	 * the picture or scroll the page.
	 */
	gestures?: "auto" | "greedy" | "cooperative" | null | undefined;
	/** `auto` (the default), `canvas2d` or `webgl2`; see *Painters*. */
	painter?: "auto" | "canvas2d" | "webgl2" | null | undefined;
	/** `dark` or `light`; default: the system's preference. */
	theme?: "dark" | "light" | null | undefined;
	/** URL of a semantic map, instead of the one beside the data. */
	"map-src"?: string | null | undefined;
	/**
	 * URL of a CSV of predictions, or several separated by `|`; setting it reads the files.
	 */
	"predictions-src"?: string | null | undefined;
	/** URL of a data set with images and points of the frames, if they are not in the store. */
	"sensors-src"?: string | null | undefined;
	/** URL of a data set that is offered when none is open. */
	example?: string | null | undefined;
}

/** Handlers of the viewer's events, each with the prefix `P`: `onframe-change`. */
export type ViewerHandlers<P extends string> = {
	[K in keyof ViewerEventDetails as `${P}${K}`]?:
		| ((event: ViewerEventMap[K]) => void)
		| undefined;
};

type Name = keyof ViewerAttributes;

type PropertyValue<N> = N extends "speed"
	? number | null
	: N extends "loop" | "autoplay"
		? boolean
		: string | null;

/** Properties with the names of their attributes, and with their comments. */
type PropertiesOf<T, N extends keyof T> = { [K in N]-?: PropertyValue<K> };

/** Attributes whose properties have other names, or are declared by the classes. */
type Others =
	| ("state" | "map-src" | "predictions-src" | "sensors-src")
	| ("scene" | "frame" | "theme");

/** Properties of the attributes. */
export interface ViewerProperties
	extends PropertiesOf<ViewerAttributes, Exclude<Name, Others>> {
	/** The attribute `state`: the whole state as the fragment of a link. */
	link: string | null;
	/** The attribute `map-src`: URL of a semantic map. */
	mapSrc: string | null;
	/** The attribute `predictions-src`: URLs of predictions. */
	predictionsSrc: string | null;
	/** The attribute `sensors-src`: URL of images and points. */
	sensorsSrc: string | null;
}

/** The parts of a viewer that attributes act on. */
export interface ViewerParts {
	readonly viewer: ViewerHost &
		ViewerProperties & {
			readonly predictions: PredictionSets | undefined;
			open(place: Place, start: LinkState): Promise<void>;
			close(): void;
			restore(fragment: string): void;
		};
	readonly position: Position;
	readonly membership: GroupMembership;
	readonly picture: ViewerPicture;
}

/** Acts on an attribute's change from `before`. */
type Apply = (parts: ViewerParts, value: unknown, before: unknown) => void;

interface Attribute {
	/** Name of the property, if it is not the attribute's. */
	readonly property?: string;
	readonly type?: typeof Number | typeof Boolean;
	/** Whether the class has the property's accessors. */
	readonly noAccessor?: true;
	/** The link key of the same meaning. */
	readonly key?: string;
	/** Its values besides null; others are reported. */
	readonly values?: readonly unknown[];
	readonly apply?: Apply;
}

/** A display setting, which has a link key; `usual` applies when it is removed. */
function setting(key: string, usual: LinkState, property?: string): Attribute {
	return {
		...(property && { property }),
		key,
		apply: ({ viewer: { controller }, picture }, value, before) => {
			const isGone = value == null && before != null;
			const { state, bad } = isGone
				? { state: usual, bad: [] }
				: parsed([[key, value]]);
			controller?.notify(...bad);
			if (Object.keys(state).length === 0) return;
			if (!controller?.amendStart(state)) picture.look(state);
		},
	};
}

/** Parses pairs of link keys and values of attributes. */
function parsed(pairs: readonly (readonly [string, unknown])[]) {
	const known = pairs.filter(([, value]) => value != null);
	const texts = known.map(([key, value]) => [key, String(value)]);
	return parseLink(new URLSearchParams(texts).toString());
}

const steer: Apply = ({ position }) => position.steer();

/** What the attributes do, in the order in which changes are applied. */
const ATTRIBUTES: Readonly<Record<Name, Attribute>> = {
	src: {
		apply: ({ viewer, position }, address, before) => {
			const map = viewer.mapSrc ?? undefined;
			if (typeof address === "string" && address !== "")
				void viewer.open({ kind: "address", address, map }, position.start());
			else if (before) viewer.close();
		},
	},
	coords: setting("c", { coords: LINK_DEFAULTS.coords }),
	layers: setting("l", { layers: LINK_DEFAULTS.layers }),
	threshold: setting("th", { threshold: LINK_DEFAULTS.threshold }),
	track: setting("t", { selection: undefined }),
	follow: setting("w", { follow: LINK_DEFAULTS.follow }),
	scene: { noAccessor: true, apply: steer },
	frame: { noAccessor: true, apply: steer },
	speed: {
		type: Number,
		apply: ({ viewer: { controller } }, value, before) => {
			const speed = Number(value);
			if (speed > 0) controller?.setSpeed(speed);
			else if (before && !value) controller?.setSpeed(1);
			if (!(speed > 0) && value != null)
				controller?.notify(
					`speed: invalid (found ${value}, expected a number above 0)`,
				);
		},
	},
	loop: {
		type: Boolean,
		apply: ({ viewer: { controller } }, value, before) => {
			if (!controller || value === controller.state.loop) return;
			if (value || before) controller.toggleLoop();
		},
	},
	autoplay: { type: Boolean },
	theme: {
		values: ["dark", "light"],
		apply: ({ viewer: { controller } }, value, before) => {
			if (value === "dark" || value === "light") controller?.setTheme(value);
			else if (before) controller?.setTheme("auto");
		},
	},
	"map-src": { property: "mapSrc" },
	panels: {
		apply: ({ viewer: { panels, controller, layout } }) => {
			const { shown, bad } = parsePanels(panels ?? null);
			layout.named = shown;
			controller?.notify(...bad);
		},
	},
	group: { apply: ({ membership }) => membership.change() },
	state: {
		property: "link",
		apply: ({ viewer }, link) => {
			if (typeof link === "string" && link !== "") viewer.restore(link);
		},
	},
	"predictions-src": {
		property: "predictionsSrc",
		apply: ({ viewer: { controller } }, value, before) => {
			const sets = [String(before ?? ""), String(value ?? "")] as const;
			if (sets.some(Boolean)) controller?.reviews.changeAddresses(sets);
		},
	},
	"sensors-src": setting("se", { sensors: LINK_DEFAULTS.sensors }, "sensorsSrc"),
	controls: { values: ["none"] },
	label: {},
	gestures: { values: ["auto", "greedy", "cooperative"] },
	painter: { values: ["auto", "canvas2d", "webgl2"] },
	example: {},
};

const ALL = Object.entries(ATTRIBUTES).map(
	([attribute, { property = attribute, ...one }]) => ({
		...{ attribute, property },
		...one,
	}),
);

/** Lit's declarations of the properties; the base class has that of `theme`. */
export const ATTRIBUTE_PROPERTIES = Object.fromEntries(
	ALL.filter(({ property }) => property !== "theme").map(
		({ property, attribute, type, noAccessor = false }) => [
			property,
			{ attribute, noAccessor, ...(type && { type }) },
		],
	),
);

/** The properties' values without attributes. */
export const ATTRIBUTE_DEFAULTS = Object.fromEntries(
	ALL.filter(({ noAccessor }) => !noAccessor).map(({ property, type }) => [
		property,
		type === Boolean ? false : null,
	]),
);

/** Returns the display settings of the attributes. */
export function displaySettings(viewer: object): LinkState {
	const pairs = ALL.flatMap(({ key, property }) =>
		key ? [[key, Reflect.get(viewer, property)] as const] : [],
	);
	return parsed(pairs).state;
}

/** Acts on changes of the attributes. */
export class AttributeChanges {
	readonly #parts: ViewerParts;
	/** Whether `map-src` changed while a data set was being opened. */
	#mapDue = false;

	constructor(parts: ViewerParts) {
		this.#parts = parts;
	}

	/** Acts on changed properties; `changed` has their values before. */
	update(changed: ReadonlyMap<PropertyKey, unknown>): void {
		const { viewer } = this.#parts;
		for (const { attribute, property, values, apply } of ALL) {
			if (property === "mapSrc") this.#changeMap(changed);
			if (property === "predictionsSrc") this.#changeSets(changed);
			if (!changed.has(property)) continue;
			const value = Reflect.get(viewer, property);
			if (values && value != null && !values.includes(value))
				viewer.controller?.notify(
					`${attribute}: unknown value (found ${value}, expected ${values.join(", ")})`,
				);
			apply?.(this.#parts, value, changed.get(property));
		}
	}

	/**
	 * Applies `map-src` once the data set is open; without it, shows the map beside the
	 * data.
	 */
	#changeMap(changed: ReadonlyMap<PropertyKey, unknown>): void {
		const { mapSrc, src, controller, state } = this.#parts.viewer;
		if (changed.has("mapSrc") && (mapSrc || changed.get("mapSrc"))) this.#mapDue = true;
		// A data set that is being opened already includes the map.
		if (state.phase === "empty" || (changed.has("src") && src)) this.#mapDue = false;
		if (!this.#mapDue || state.phase !== "ready" || state.opening) return;
		this.#mapDue = false;
		controller?.useMap(mapSrc ?? undefined);
	}

	/** Applies `predictions`, before those of `predictions-src`. */
	#changeSets(changed: ReadonlyMap<PropertyKey, unknown>): void {
		const { predictions, controller } = this.#parts.viewer;
		const before = changed.get("predictions") as PredictionSets | undefined;
		if (
			before !== undefined ||
			(changed.has("predictions") && predictions !== undefined)
		)
			controller?.reviews.changeSets([before, predictions]);
	}
}
