import type { FrameView } from "../../dataset/frame-view.js";
import { AERIAL_SLICE, type AerialSlice } from "../aerial/aerial-state.js";
import { AGENTS_SLICE, type AgentsSlice } from "../agents/agents-state.js";
import {
	DISTRIBUTIONS_SLICE,
	type DistributionsSlice,
} from "../distributions/distributions-state.js";
import type { EditsSlice } from "../edits/edits-state.js";
import { FIND_SLICE, type FindSlice } from "../find/find-state.js";
import { GALLERY_SLICE, type GallerySlice } from "../gallery/gallery-state.js";
import { LAYERS_SLICE, type LayersSlice } from "../layers/layer-set.js";
import type { LinkState } from "../link/link.js";
import { MAP_SLICE, type MapSlice } from "../map/map-state.js";
import { NOTES_SLICE, type NotesSlice } from "../notes/notes-state.js";
import { PLOTS_SLICE, type PlotsSlice } from "../plots/plots-state.js";
import { RASTER_SLICE, type RasterSlice } from "../raster/raster-state.js";
import { REVIEW_SLICE, type ReviewSlice } from "../review/review-state.js";
import { ROLLOUT_SLICE, type RolloutSlice } from "../rollout/rollout-state.js";
import { SCENE_VIEW_SLICE, type SceneViewSlice } from "../scene-view/scene-state.js";
import { SENSORS_SLICE, type SensorsSlice } from "../sensors/sensors-state.js";
import type { FrameRange } from "../timeline/clock.js";
import { TIMELINE_SLICE, type TimelineSlice } from "../timeline/timeline-state.js";
import { LAYOUT_SLICE, type LayoutSlice } from "../viewer/layout-state.js";
import type { Theme } from "../viewer/themes.js";
import type { OpenProgress, Place, ViewerDataset } from "./dataset.js";
import type { Told } from "./outcomes.js";
import type { Part } from "./parts.js";
import type { Problem, ReadProblem } from "./problem.js";
import type { Slice } from "./store.js";

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
	/** Where the data set is. */
	readonly place: Place;
	/** Initial link state. */
	readonly start: LinkState;
	/** Progress of opening. */
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

export type { Theme };

/** State of the data set, the scene and the frame, and messages to the user. */
interface SessionSlice extends Told, EditsSlice {
	/** What the viewer does: nothing is open, opening, displaying, or it failed. */
	readonly phase: "empty" | "opening" | "ready" | "failed";
	/** Whether a picture was drawn, of this data set or a previous one. */
	readonly pictured: boolean;
	/** Where the data set is. */
	readonly place: Place | undefined;
	/** Progress of opening. */
	readonly progress: OpenProgress | undefined;
	/** Why opening failed. */
	readonly problem: Problem | undefined;
	/** The open data set. */
	readonly dataset: ViewerDataset | undefined;
	/** The next data set being opened; for the first one see `phase`. */
	readonly opening: Opening | undefined;

	/** The displayed scene. */
	readonly scene: number;
	/** Number of scenes. */
	readonly sceneCount: number;
	/** Undefined until the scene's record and timestamps are read. */
	readonly sceneInfo: SceneInfo | undefined;

	/** The requested frame. */
	readonly frame: number;
	/**
	 * The displayed frame of `scene`: the requested one (see `currentFrame`), or the
	 * nearest loaded one while that is read. Undefined if there is none, or if the
	 * requested frame cannot be read.
	 */
	readonly shown: FrameView | undefined;
	/**
	 * What is readable of the requested frame, of which `frameProblem.unread` is not; see
	 * `frameWith`.
	 */
	readonly partial: FrameView | undefined;
	/** Whether all frames are being read again and the displayed one is outdated. */
	readonly shownDue: boolean;
	/** Why the requested frame, or its scene, cannot be shown. */
	readonly frameProblem: ReadProblem | undefined;
	/** Frames of the scene that are loaded. */
	readonly buffered: readonly FrameRange[];
	/** Frames of the scene that could not be read. */
	readonly unreadable: readonly FrameRange[];

	/** Bytes and requests read from the source so far. */
	readonly bytes: number;
	/** Requests sent so far. */
	readonly requests: number;
	/** Absent chunks met so far. */
	readonly absentChunks: number;
	/** The longest pending delay requested by the server. */
	readonly serverWait: ServerWait | undefined;
	/**
	 * Optional keys presumed absent because their responses were unreadable; not
	 * dismissed yet.
	 */
	readonly presumedAbsent: readonly string[];
	/** Next announcement to screen readers. */
	readonly announcement: string;
	/** The theme; `auto` is the system's. */
	readonly theme: Theme;
}

const SESSION_SLICE: Slice<SessionSlice> = {
	empty: {
		phase: "empty",
		pictured: false,
		place: undefined,
		progress: undefined,
		problem: undefined,
		dataset: undefined,
		edits: "",
		opening: undefined,
		scene: 0,
		sceneCount: 0,
		sceneInfo: undefined,
		frame: 0,
		shown: undefined,
		partial: undefined,
		shownDue: false,
		frameProblem: undefined,
		buffered: [],
		unreadable: [],
		bytes: 0,
		requests: 0,
		absentChunks: 0,
		serverWait: undefined,
		presumedAbsent: [],
		notices: [],
		outcomes: new Map(),
		faults: new Map(),
		announcement: "",
		theme: "auto",
	},
	kept: ({ theme, pictured }) => ({ theme, pictured }),
};

/**
 * The complete state of a viewer at one moment: the slices of all features. Immutable: a
 * change creates a new object, and pictures are functions of it.
 */
export interface ViewerState
	extends SessionSlice,
		SceneViewSlice,
		TimelineSlice,
		LayersSlice,
		AgentsSlice,
		MapSlice,
		AerialSlice,
		RasterSlice,
		ReviewSlice,
		RolloutSlice,
		DistributionsSlice,
		FindSlice,
		GallerySlice,
		PlotsSlice,
		NotesSlice,
		SensorsSlice,
		LayoutSlice {}

export const EMPTY_STATE: ViewerState = {
	...SESSION_SLICE.empty,
	...SCENE_VIEW_SLICE.empty,
	...TIMELINE_SLICE.empty,
	...LAYERS_SLICE.empty,
	...AGENTS_SLICE.empty,
	...MAP_SLICE.empty,
	...AERIAL_SLICE.empty,
	...RASTER_SLICE.empty,
	...REVIEW_SLICE.empty,
	...ROLLOUT_SLICE.empty,
	...DISTRIBUTIONS_SLICE.empty,
	...FIND_SLICE.empty,
	...GALLERY_SLICE.empty,
	...PLOTS_SLICE.empty,
	...NOTES_SLICE.empty,
	...SENSORS_SLICE.empty,
	...LAYOUT_SLICE.empty,
};

/** Returns the initial state for a new data set; settings are kept. */
export function cleared(state: ViewerState): ViewerState {
	return {
		...EMPTY_STATE,
		...SESSION_SLICE.kept(state),
		...SCENE_VIEW_SLICE.kept(state),
		...TIMELINE_SLICE.kept(state),
		...LAYERS_SLICE.kept(state),
		...AGENTS_SLICE.kept(state),
		...MAP_SLICE.kept(state),
		...AERIAL_SLICE.kept(state),
		...RASTER_SLICE.kept(state),
		...REVIEW_SLICE.kept(state),
		...ROLLOUT_SLICE.kept(state),
		...DISTRIBUTIONS_SLICE.kept(state),
		...PLOTS_SLICE.kept(state),
		...LAYOUT_SLICE.kept(state),
	};
}

/**
 * Returns the displayed frame; or what is readable of the requested one, if `part` is
 * among it.
 */
export function frameWith(
	{ shown, partial, frameProblem }: ViewerState,
	part: Part | "ego",
): FrameView | undefined {
	if (!partial) return shown;
	return frameProblem?.unread.some((one) => one === part) ? undefined : partial;
}

export function frameCount(state: ViewerState): number {
	return state.sceneInfo?.seconds.length ?? 0;
}

/** Returns the seconds from the scene's first frame to the requested one. */
export function frameSeconds(state: ViewerState): number {
	return state.sceneInfo?.seconds[state.frame] ?? 0;
}
