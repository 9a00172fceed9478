import type { ObjectFrom } from "../api.js";
import type { FrameView } from "../frame-view.js";
import type { MapView } from "../map-view.js";
import type { SceneTimeline } from "../timeline.js";
import type { AerialView } from "./aerial.js";
import type { OpenProgress, Place, ViewerDataset } from "./dataset.js";
import { type Camera, DEFAULT_CAMERA, type Follow, type Point } from "./pure/camera.js";
import type { FrameRange } from "./pure/clock.js";
import type { Coords } from "./pure/frames.js";
import { DEFAULT_LAYERS, type LayerSet } from "./pure/layers.js";
import type { LinkState, Selection } from "./pure/link.js";
import type { MapChoice } from "./pure/map-object.js";
import type { MapPlace } from "./pure/places.js";
import type { Problem } from "./pure/problem.js";
import { NO_RASTER, type RasterState } from "./raster-state.js";
import { NO_REVIEW, type ReviewState } from "./review-state.js";
import type { ReadProblem } from "./showing.js";
import type { SceneSights } from "./sights.js";

/** The scene that is open. */
export interface SceneInfo {
	readonly index: number;
	readonly host: string;
	/** Nanoseconds. */
	readonly startTime: bigint;
	/** Of each frame, from the first. */
	readonly seconds: Float64Array;
}

/** A data set that is being opened, or failed to open, while another one stays on show. */
export interface Opening {
	readonly place: Place;
	/** Where it begins once it is open. */
	readonly start: LinkState;
	readonly progress: OpenProgress | undefined;
	/** Why it failed; undefined while it is being opened. */
	readonly problem: Problem | undefined;
}

/** A request that is sent again later, as the server asked for. */
export interface ServerWait {
	readonly key: string;
	/** Whole seconds that are left. */
	readonly seconds: number;
}

/** `absent`: looked for and not there. */
export type MapState = "unknown" | "loading" | "present" | "absent" | "failed";

export type Theme = "auto" | "dark" | "light";

/**
 * All there is to know about a viewer at one moment. Immutable: a change is a new object,
 * and a picture is a function of it.
 */
export interface ViewerState {
	readonly phase: "empty" | "opening" | "ready" | "failed";
	readonly place: Place | undefined;
	readonly progress: OpenProgress | undefined;
	/** Why opening failed. */
	readonly problem: Problem | undefined;
	readonly dataset: ViewerDataset | undefined;
	/** The next data set, beside the open one; the first one is told by `phase`. */
	readonly opening: Opening | undefined;

	readonly scene: number;
	readonly sceneCount: number;
	/** Undefined until the scene's record and timestamps are read. */
	readonly sceneInfo: SceneInfo | undefined;

	/** Of the scene as a whole; undefined until it is read. */
	readonly timeline: SceneTimeline | undefined;
	/** The last read of the timeline failed. */
	readonly timelineFailed: boolean;

	/** The frame asked for. */
	readonly frame: number;
	/**
	 * Of `scene`: the frame asked for (see `currentFrame`), or while that is being read the
	 * nearest one held. Undefined if there is none or the frame asked for cannot be read.
	 */
	readonly shown: FrameView | undefined;
	/** All frames are read anew, and what is shown is still of before. */
	readonly shownDue: boolean;
	/** Why the frame asked for, or its scene, cannot be shown. */
	readonly frameProblem: ReadProblem | undefined;
	readonly buffered: readonly FrameRange[];
	/** Frames of the scene that could not be read. */
	readonly unreadable: readonly FrameRange[];
	readonly playing: boolean;
	/** Playing, but the next frame is not there yet. */
	readonly stalled: boolean;
	readonly speed: number;
	/** A part of the scene to look at again and again. */
	readonly section: FrameRange | undefined;
	/** Play the section, or the whole scene where there is none, over and over. */
	readonly loop: boolean;

	readonly map: MapView | undefined;
	readonly mapState: MapState;
	/** The files of one that was chosen; undefined of the one beside the data. */
	readonly mapPlace: MapPlace<ObjectFrom> | undefined;
	/** Where one that was chosen lies, as a link names it. */
	readonly mapAddress: string | undefined;
	/** Of each lane: 0 none, 1 red, 2 yellow, 3 green. */
	readonly laneColours: Uint8Array | undefined;
	/** They are being asked for. */
	readonly laneColoursDue: boolean;

	/** The part of the map that is selected; never beside `selection`. */
	readonly mapChoice: MapChoice | undefined;

	readonly aerial: AerialView | undefined;
	/** `unknown` until its layer is on. */
	readonly aerialState: MapState;

	readonly follow: Follow;
	readonly camera: Camera;
	/** In whose axes the place under the pointer is told. */
	readonly coords: Coords;
	/** The points of the path that is measured, world; undefined: not measuring. */
	readonly measured: readonly Point[] | undefined;
	readonly layers: LayerSet;
	/** Of the sum of known classes' probabilities, which must be greater. */
	readonly threshold: number;
	/** Metres to the ego within which agents are drawn; Infinity for all. */
	readonly distance: number;
	/** Frames before and after this one in which an agent's track must be seen. */
	readonly minHistory: number;
	readonly minFuture: number;
	/** Of the scene: see `Minima`. */
	readonly sights: SceneSights | undefined;
	/** They are being read. */
	readonly sightsDue: boolean;
	/** Frames that trails and futures reach. */
	readonly past: number;
	readonly future: number;
	/** Words of Find: agents without them are dimmed, and left out of the table. */
	readonly query: string;
	readonly selection: Selection | undefined;
	readonly hover: Selection | undefined;

	/** What a model sees. */
	readonly raster: RasterState;

	/** What a model predicts. */
	readonly review: ReviewState;

	readonly bytes: number;
	readonly requests: number;
	readonly absentChunks: number;
	/** The longest such wait under way. */
	readonly serverWait: ServerWait | undefined;
	/** Optional keys taken as absent since their answers were unreadable, not dismissed yet. */
	readonly presumedAbsent: readonly string[];
	/** Sentences for the status line, newest last. */
	readonly notices: readonly string[];
	/** What a screen reader hears next. */
	readonly announcement: string;
	readonly theme: Theme;
}

export const EMPTY_STATE: ViewerState = {
	phase: "empty",
	place: undefined,
	progress: undefined,
	problem: undefined,
	dataset: undefined,
	opening: undefined,
	scene: 0,
	sceneCount: 0,
	sceneInfo: undefined,
	timeline: undefined,
	timelineFailed: false,
	frame: 0,
	shown: undefined,
	shownDue: false,
	frameProblem: undefined,
	buffered: [],
	unreadable: [],
	playing: false,
	stalled: false,
	speed: 1,
	section: undefined,
	loop: false,
	map: undefined,
	mapState: "unknown",
	mapPlace: undefined,
	mapAddress: undefined,
	laneColours: undefined,
	laneColoursDue: false,
	mapChoice: undefined,
	aerial: undefined,
	aerialState: "unknown",
	follow: "position",
	camera: DEFAULT_CAMERA,
	coords: "world",
	measured: undefined,
	layers: DEFAULT_LAYERS,
	threshold: 0.5,
	distance: Number.POSITIVE_INFINITY,
	minHistory: 0,
	minFuture: 0,
	sights: undefined,
	sightsDue: false,
	past: 25,
	future: 50,
	query: "",
	selection: undefined,
	hover: undefined,
	raster: NO_RASTER,
	review: NO_REVIEW,
	bytes: 0,
	requests: 0,
	absentChunks: 0,
	serverWait: undefined,
	presumedAbsent: [],
	notices: [],
	announcement: "",
	theme: "auto",
};

export function frameCount(state: ViewerState): number {
	return state.sceneInfo?.seconds.length ?? 0;
}

/** Seconds from the scene's first frame to the one asked for. */
export function frameSeconds(state: ViewerState): number {
	return state.sceneInfo?.seconds[state.frame] ?? 0;
}

/** What of `state` a new data set starts from: how the user likes to look stays. */
export function cleared(state: ViewerState): ViewerState {
	return {
		...EMPTY_STATE,
		speed: state.speed,
		loop: state.loop,
		follow: state.follow === "heading" ? "heading" : EMPTY_STATE.follow,
		coords: state.coords,
		layers: state.layers,
		threshold: state.threshold,
		distance: state.distance,
		minHistory: state.minHistory,
		minFuture: state.minFuture,
		past: state.past,
		future: state.future,
		raster: state.raster,
		review: {
			...state.review,
			report: undefined,
			lines: undefined,
			linesDue: false,
			list: state.review.list === "all" ? "agents" : state.review.list,
			ranking: undefined,
		},
		theme: state.theme,
	};
}
