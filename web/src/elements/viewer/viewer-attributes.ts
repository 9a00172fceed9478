import type { ViewerEventDetails } from "./viewer-events.js";
import type { ViewerEventMap } from "./viewer-target.js";

/** Attributes of `bev-viewer`, as templates of frameworks set them. */
export interface ViewerAttributes {
	/** URL of the data set. */
	src?: string | null | undefined;
	/** The open scene, from 0. */
	scene?: number | string | null | undefined;
	/** The displayed frame, from 0. */
	frame?: number | string | null | undefined;
	/** The whole state: the fragment of a link. */
	state?: string | null | undefined;
	/** What the camera follows. */
	follow?: "position" | "heading" | "selected" | "agent" | "free" | null | undefined;
	/** Coordinate frame of the readout. */
	coords?: "world" | "ego" | "agent" | "raster" | null | undefined;
	/** Visible layers, separated by commas. */
	layers?: string | null | undefined;
	/** Lower bound of the probability of known classes. */
	threshold?: number | string | null | undefined;
	/** The selection: a track id, or `ego`. */
	track?: number | bigint | string | null | undefined;
	/** Playback speed; 1 is real time. */
	speed?: number | string | null | undefined;
	/** Whether playback repeats the section or the scene. */
	loop?: boolean | "" | undefined;
	/** Whether to play after the first frame. */
	autoplay?: boolean | "" | undefined;
	/** `none`: only the picture. */
	controls?: "none" | null | undefined;
	/** Visible panels, separated by spaces. */
	panels?: string | null | undefined;
	/** Name of the viewer on a page with several. */
	label?: string | null | undefined;
	/** Viewers of one group show the same scene and time. */
	group?: string | null | undefined;
	/** Whether wheel and one finger act on the picture. */
	gestures?: "auto" | "greedy" | "cooperative" | null | undefined;
	/** Who draws the picture. */
	painter?: "auto" | "canvas2d" | "webgl2" | null | undefined;
	/** Colours; default: the system's preference. */
	theme?: "dark" | "light" | null | undefined;
	/** URL of a semantic map, instead of the one beside the data. */
	"map-src"?: string | null | undefined;
	/** URLs of CSVs of predictions, separated by `|`. */
	"predictions-src"?: string | null | undefined;
	/** URL of a data set that is offered when none is open. */
	example?: string | null | undefined;
}

/** Handlers of the viewer's events, each with the prefix `P`: `onframe-change`. */
export type ViewerHandlers<P extends string> = {
	[K in keyof ViewerEventDetails as `${P}${K}`]?:
		| ((event: ViewerEventMap[K]) => void)
		| undefined;
};
