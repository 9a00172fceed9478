import type { ObjectFrom } from "../../api.js";
import type { FrameView } from "../../frame-view.js";
import type { MapView } from "../../map-view.js";
import type { SceneTimeline } from "../../timeline.js";
import type { AerialView } from "../aerial/aerial.js";
import type { SceneTrackLengths } from "../agents/track-lengths.js";
import { DEFAULT_LAYERS, type LayerSet } from "../layers/layer-set.js";
import type { LinkState } from "../link/link.js";
import type { MapChoice } from "../map/map-object.js";
import type { MapPlace } from "../open/places.js";
import { NO_RASTER, type RasterState } from "../raster/raster-state.js";
import { NO_REVIEW, type ReviewState } from "../review/review-state.js";
import {
	type Camera,
	DEFAULT_CAMERA,
	type Follow,
	type Point,
} from "../scene-view/camera.js";
import type { Coords } from "../scene-view/frames.js";
import type { Selection } from "../scene-view/picking.js";
import type { FrameRange } from "../timeline/clock.js";
import type { OpenProgress, Place, ViewerDataset } from "./dataset.js";
import type { Problem, ReadProblem } from "./problem.js";

/** The open scene. */
export interface SceneInfo {
	readonly index: number;
	readonly host: string;
	/** Nanoseconds. */
	readonly startTime: bigint;
	/** Time of each frame in seconds, starting at the first. */
	readonly seconds: Float64Array;
}

/** A data set being opened, or failed to open, while another one stays on display. */
export interface Opening {
	readonly place: Place;
	/** Initial link state. */
	readonly start: LinkState;
	readonly progress: OpenProgress | undefined;
	/** Why opening failed; undefined while in progress. */
	readonly problem: Problem | undefined;
}

/** A request delayed by the server (`Retry-After`). */
export interface ServerWait {
	readonly key: string;
	/** Remaining whole seconds. */
	readonly seconds: number;
}

/** `absent`: searched for and not found. */
export type MapState = "unknown" | "loading" | "present" | "absent" | "failed";

export type Theme = "auto" | "dark" | "light";

/**
 * The complete state of a viewer at one moment. Immutable: a change creates a new
 * object, and pictures are functions of it.
 */
export interface ViewerState {
	readonly phase: "empty" | "opening" | "ready" | "failed";
	readonly place: Place | undefined;
	readonly progress: OpenProgress | undefined;
	/** Why opening failed. */
	readonly problem: Problem | undefined;
	readonly dataset: ViewerDataset | undefined;
	/** The next data set being opened; for the first one see `phase`. */
	readonly opening: Opening | undefined;

	readonly scene: number;
	readonly sceneCount: number;
	/** Undefined until the scene's record and timestamps are read. */
	readonly sceneInfo: SceneInfo | undefined;

	/** Data of the whole scene; undefined until read. */
	readonly timeline: SceneTimeline | undefined;
	/** Whether the last read of the timeline failed. */
	readonly timelineFailed: boolean;

	/** The requested frame. */
	readonly frame: number;
	/**
	 * The displayed frame of `scene`: the requested one (see `currentFrame`), or the
	 * nearest loaded one while that is read. Undefined if there is none, or if the
	 * requested frame cannot be read.
	 */
	readonly shown: FrameView | undefined;
	/** Whether all frames are being read again and the displayed one is outdated. */
	readonly shownDue: boolean;
	/** Why the requested frame, or its scene, cannot be shown. */
	readonly frameProblem: ReadProblem | undefined;
	readonly buffered: readonly FrameRange[];
	/** Frames of the scene that could not be read. */
	readonly unreadable: readonly FrameRange[];
	readonly playing: boolean;
	/** Whether playback waits for the next frame. */
	readonly stalled: boolean;
	readonly speed: number;
	/** The marked range of the scene. */
	readonly section: FrameRange | undefined;
	/** Whether playback repeats the section, or without one the whole scene. */
	readonly loop: boolean;

	readonly map: MapView | undefined;
	readonly mapState: MapState;
	/** Files of a chosen map; undefined for the map beside the data. */
	readonly mapPlace: MapPlace<ObjectFrom> | undefined;
	/** Address of a chosen map in links. */
	readonly mapAddress: string | undefined;
	/** Per lane: 0 none, 1 red, 2 yellow, 3 green. */
	readonly laneColours: Uint8Array | undefined;
	/** Whether `laneColours` are being computed. */
	readonly laneColoursDue: boolean;

	/** The selected map element; excludes `selection`. */
	readonly mapChoice: MapChoice | undefined;

	readonly aerial: AerialView | undefined;
	/** `unknown` until the layer is switched on. */
	readonly aerialState: MapState;

	readonly follow: Follow;
	readonly camera: Camera;
	/** Coordinate frame of the position readout. */
	readonly coords: Coords;
	/** Points of the measured path in world; undefined when not measuring. */
	readonly measured: readonly Point[] | undefined;
	readonly layers: LayerSet;
	/** Lower bound, exclusive, of the sum of known classes' probabilities. */
	readonly threshold: number;
	/** Maximum distance to the ego in metres of displayed agents; Infinity for all. */
	readonly distance: number;
	/** Minimum frames before and after this one in which an agent's track is visible. */
	readonly minHistory: number;
	readonly minFuture: number;
	/** Counts for the scene; see `Minima`. */
	readonly trackLengths: SceneTrackLengths | undefined;
	/** Whether `trackLengths` are being read. */
	readonly trackLengthsDue: boolean;
	/** Length of trails and futures in frames. */
	readonly past: number;
	readonly future: number;
	/** Search query: agents that do not match are dimmed, and hidden in the table. */
	readonly query: string;
	readonly selection: Selection | undefined;
	readonly hover: Selection | undefined;

	/** State of the raster panel. */
	readonly raster: RasterState;

	/** State of the predictions panel. */
	readonly review: ReviewState;

	readonly bytes: number;
	readonly requests: number;
	readonly absentChunks: number;
	/** The longest pending delay requested by the server. */
	readonly serverWait: ServerWait | undefined;
	/**
	 * Optional keys presumed absent because their responses were unreadable; not
	 * dismissed yet.
	 */
	readonly presumedAbsent: readonly string[];
	/** Messages for the status line, newest last. */
	readonly notices: readonly string[];
	/** Next announcement to screen readers. */
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
	trackLengths: undefined,
	trackLengthsDue: false,
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

/** Returns the seconds from the scene's first frame to the requested one. */
export function frameSeconds(state: ViewerState): number {
	return state.sceneInfo?.seconds[state.frame] ?? 0;
}

/** Returns the initial state for a new data set; display settings are kept. */
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
