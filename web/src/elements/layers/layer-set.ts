import type { Slice } from "../session/store.js";

/** Layers that can be switched, bottom to top. */
export const LAYERS = [
	"aerial",
	"lanes",
	"lights",
	"crosswalks",
	"past",
	"future",
	"predicted",
	"other",
	"pedestrian",
	"cyclist",
	"vehicle",
	"dropped",
	"ego",
	"points",
] as const;

/** Name of a layer. */
export type Layer = (typeof LAYERS)[number];
/** The visible layers. */
export type LayerSet = ReadonlySet<Layer>;

/** Returns whether the ego vehicle is shown: its layer is on, and the data have one. */
export function showsEgo(
	layers: LayerSet,
	{ ego }: { readonly ego: { readonly is_virtual: boolean } },
): boolean {
	return layers.has("ego") && !ego.is_virtual;
}

/** Classes of agents, in the order of `agents.class`. */
export const CLASSES = ["vehicle", "cyclist", "pedestrian", "other"] as const;
export type AgentClass = (typeof CLASSES)[number];

const NOT_AT_FIRST: readonly Layer[] = ["aerial", "future", "dropped"];

/** All but the aerial image, futures and agents below the thresholds. */
export const DEFAULT_LAYERS: LayerSet = new Set(
	LAYERS.filter((layer) => !NOT_AT_FIRST.includes(layer)),
);

/** Groups of the left panel, which can be folded. */
export type GroupId = "traffic" | "map" | "paths" | "lights" | "filters";

/** State of the layers. */
export interface LayersSlice {
	/** Visible layers. */
	readonly layers: LayerSet;
	/** Length of trails in frames. */
	readonly past: number;
	/** Length of futures in frames. */
	readonly future: number;
	/** The folded groups of the left panel. */
	readonly folded: ReadonlySet<GroupId>;
}

export const LAYERS_SLICE: Slice<LayersSlice> = {
	empty: { layers: DEFAULT_LAYERS, past: 25, future: 50, folded: new Set() },
	kept: ({ layers, past, future, folded }) => ({ layers, past, future, folded }),
};

export function isLayer(name: string): name is Layer {
	return (LAYERS as readonly string[]).includes(name);
}

/** Returns the set with the value added, or without it. */
export function toggled<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
	const next = new Set(set);
	if (!next.delete(value)) next.add(value);
	return next;
}

/**
 * Returns the display name of a label: `Emergency vehicle` for
 * `PERCEPTION_LABEL_EMERGENCY_VEHICLE`.
 */
export function labelName(label: unknown): string {
	// Labels come from the data set's metadata and may be of any type.
	const words = String(label)
		.replace(/^(PERCEPTION|AVRESEARCH)_LABEL_/, "")
		.replaceAll("_", " ")
		.toLowerCase();
	return words.charAt(0).toUpperCase() + words.slice(1);
}
