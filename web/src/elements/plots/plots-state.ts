import type { Selection } from "../scene-view/picking.js";
import type { Slice } from "../session/store.js";
import type { FrameRange } from "../timeline/clock.js";

/** State of the plots panel. */
export interface PlotsSlice {
	/**
	 * Plotted quantities in order: names of `SERIES`, or fields such as
	 * `agents.velocity.0`.
	 */
	readonly charts: readonly string[];
	/** Plotted tracks, in addition to the selection. */
	readonly plotted: readonly Selection[];
	/** Frames on the time axis; undefined for the whole scene. */
	readonly plotSpan: FrameRange | undefined;
	/** Number of links with plots so far; each of them opens the panel. */
	readonly plotsLinked: number;
}

/** Maximum number of charts, and of plotted tracks. */
export const MAX_CHARTS = 8;
export const MAX_PLOTTED = 7;

/** Tracks exist in one scene; the ego vehicle exists in all. */
export const UNPLOTTED = {
	plotted: ["ego"],
	plotSpan: undefined,
} as const satisfies Partial<PlotsSlice>;

export const PLOTS_SLICE: Slice<PlotsSlice> = {
	empty: { charts: ["speed", "acceleration"], ...UNPLOTTED, plotsLinked: 0 },
	kept: ({ charts, plotsLinked }) => ({ charts, plotsLinked }),
};

function differs<T>(usual: readonly T[], list: readonly T[] = usual): boolean {
	return list.length !== usual.length || list.some((one, i) => one !== usual[i]);
}

/** The plots in a link; absent members are the default. */
type LinkedPlots = {
	readonly [K in "charts" | "plotted" | "plotSpan"]?: PlotsSlice[K] | undefined;
};

/** Returns the plots for a link: what differs from the default. */
export function plotsOf({ charts, plotted, plotSpan }: PlotsSlice): LinkedPlots {
	const { empty } = PLOTS_SLICE;
	return {
		charts: differs(empty.charts, charts) ? charts : undefined,
		plotted: differs(empty.plotted, plotted) ? plotted : undefined,
		plotSpan,
	};
}

/** Returns the state after a link; absent members stay unchanged. */
export function withPlots(state: PlotsSlice, link: LinkedPlots): PlotsSlice {
	const { empty } = PLOTS_SLICE;
	const isLinked =
		differs(empty.charts, link.charts) ||
		differs(empty.plotted, link.plotted) ||
		link.plotSpan !== undefined;
	return {
		charts: link.charts ?? state.charts,
		plotted: link.plotted ?? state.plotted,
		plotSpan: "plotSpan" in link ? link.plotSpan : state.plotSpan,
		plotsLinked: state.plotsLinked + (isLinked ? 1 : 0),
	};
}

const CHART = /^(?:[a-z_]{1,40}|(?:agents|frames)\.[^,\s]{1,60}\.\d{1,4})$/;

/** Returns whether a quantity can be plotted and named in a link. */
export function isChart(name: string): boolean {
	return CHART.test(name);
}

/**
 * Parses different names separated by commas; undefined if one is invalid or they are more
 * than `max`.
 */
export function parseNames(
	text: string,
	max: number,
	isValid: (name: string) => boolean,
): readonly string[] | undefined {
	const names = [...new Set(text.split(",").filter(Boolean))];
	return names.length <= max && names.every(isValid) ? names : undefined;
}

/** Parses quantities separated by commas; undefined if they are invalid. */
export function parseCharts(text: string): readonly string[] | undefined {
	return parseNames(text, MAX_CHARTS, isChart);
}

/** Parses tracks separated by commas; undefined if they are invalid. */
export function parseTracks(text: string): readonly Selection[] | undefined {
	const isTrack = (name: string) => /^(ego|\d{1,20})$/.test(name);
	return parseNames(text, MAX_PLOTTED, isTrack)?.map((name) =>
		name === "ego" ? name : BigInt(name),
	);
}
