import type { Slice } from "../session/store.js";

/**
 * Tabs of the right panel, in order; `own` is the page's content, if its slot is
 * filled.
 */
export const TABS = [
	"agents",
	"selected",
	"raster",
	"predictions",
	"distributions",
	"plots",
	"notes",
	"edits",
	"own",
] as const;
export type Tab = (typeof TABS)[number];

/** What can be closed: the left and the right panel, and the timeline's plots. */
export const CLOSABLE = ["layers", "details", "plots"] as const;
export type Closable = (typeof CLOSABLE)[number];

/** What is where around the picture. */
export interface Arrangement {
	/** The active tab of the right panel. */
	readonly tab: Tab;
	/** The tab shown below it; undefined for none. */
	readonly lower: Tab | undefined;
	/** What is closed. */
	readonly closed: readonly Closable[];
	/** Whether the user or a link chose the tab; otherwise links omit it. */
	readonly chosen: boolean;
	/** What the link brings that chose the tab: its appearance activates no other one. */
	readonly brought?:
		| { readonly selection: unknown; readonly reviewed: boolean }
		| undefined;
}

/** The arrangement in a link. */
export interface LayoutLink {
	/** The active tab of the right panel, and the one below it. */
	readonly tabs?: readonly Tab[] | undefined;
	/** What is closed around the picture. */
	readonly closed?: readonly Closable[] | undefined;
	/** Scenes with a picture beside the open one. */
	readonly besides?: readonly number[] | undefined;
}

/** A link's arrangement, and what activates tabs when it appears. */
interface BringingLink extends LayoutLink {
	readonly selection?: unknown;
	readonly predictions?: unknown;
	readonly localModels?: unknown;
	readonly rollout?: unknown;
}

/** Maximum number of pictures of further scenes. */
export const MAX_BESIDES = 3;

export interface LayoutSlice {
	/** What is where around the picture. */
	readonly arrangement: Arrangement;
	/** Scenes with a picture of their own, beside the open one. */
	readonly besides: readonly number[];
}

export const LAYOUT_SLICE: Slice<LayoutSlice> = {
	empty: {
		arrangement: { tab: "agents", lower: undefined, closed: [], chosen: false },
		besides: [],
	},
	kept: ({ arrangement }) => ({ arrangement }),
};

/** Returns the arrangement for a link: what differs from the default. */
export function linkedLayout({
	arrangement: { tab, lower, closed, chosen },
	besides,
}: LayoutSlice): LayoutLink {
	return {
		tabs: lower ? [tab, lower] : chosen ? [tab] : undefined,
		closed: closed.length > 0 ? closed : undefined,
		besides: besides.length > 0 ? besides : undefined,
	};
}

/** Returns the layout after a link; what it lacks stays unchanged. */
export function withLayout(
	state: LayoutSlice,
	{ tabs, closed = state.arrangement.closed, ...link }: BringingLink,
): LayoutSlice {
	const { arrangement } = state;
	const { besides = state.besides } = link;
	if (!tabs) return { arrangement: { ...arrangement, closed }, besides };
	const [tab = arrangement.tab, lower] = tabs;
	const reviewed = link.predictions ?? link.localModels ?? link.rollout;
	const brought = { selection: link.selection, reviewed: reviewed !== undefined };
	return { arrangement: { tab, lower, closed, chosen: true, brought }, besides };
}
