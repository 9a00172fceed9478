/**
 * A what-if patch: edits of recorded scenes, applied in order. docs/patches.md defines what
 * they do; the core checks them.
 */
export interface Patch {
	/** The format's name. */
	readonly format: "bevscope-patch";
	/** The format's version. */
	readonly version: 1;
	/** Any text. */
	readonly name?: string | undefined;
	/** The data set that it was made for. Default: any. */
	readonly data?: PatchData | undefined;
	/** At most 4,096 edits. */
	readonly edits: readonly PatchEdit[];
}

/** Numbers of rows by which a patch names its data set. */
export interface PatchData {
	/** Number of scenes. */
	readonly scenes?: number | undefined;
	/** Number of frames. */
	readonly frames?: number | undefined;
	/** Number of rows of agents. */
	readonly agents?: number | undefined;
}

/** An edit of one scene. Metres in world, radians counter-clockwise from the x axis. */
export type PatchEdit =
	| MoveEdit
	| StopEdit
	| RetimeEdit
	| RemoveEdit
	| AddEdit
	| LightEdit;

/** What all edits have. */
interface SceneEdit<Op extends string> {
	/** The kind of edit. */
	readonly op: Op;
	/** Number of the scene. */
	readonly scene: number;
	/** The first edited frame of the scene. Default 0. */
	readonly from?: number | undefined;
	/** The frame after the last edited one. Default: the scene's end. */
	readonly to?: number | undefined;
}

/** An edit of a track, or of the ego vehicle. */
interface TrackEdit<Op extends string> extends SceneEdit<Op> {
	/** Track id as a number, or the ego vehicle. */
	readonly track: number | "ego";
}

/** Moves and turns poses. */
export interface MoveEdit extends TrackEdit<"move"> {
	/** Metres. Default [0, 0]. */
	readonly by?: readonly [x: number, y: number] | undefined;
	/** Radians about the first edited pose. Default 0. */
	readonly turn?: number | undefined;
	/** Axes of `by`: the world's, or along and across the first edited pose. */
	readonly in?: "world" | "track" | undefined;
	/** Frames before the first edited one in which the move grows. Default 0. */
	readonly ease?: number | undefined;
}

/** Brakes on the recorded path, and stands. */
export interface StopEdit extends TrackEdit<"stop"> {
	/** Metres per second squared. Default 3. */
	readonly deceleration?: number | undefined;
}

/** Drives the recorded path in another time. */
export interface RetimeEdit extends TrackEdit<"retime"> {
	/** 0.01 to 100; above 1: faster. */
	readonly factor: number;
}

/** Removes a track's rows. */
export interface RemoveEdit extends SceneEdit<"remove"> {
	/** Track id as a number. */
	readonly track: number;
}

/** Adds a track. */
export interface AddEdit extends SceneEdit<"add"> {
	/** Id of the new track. */
	readonly track: number;
	/** Name of the label as in filters, e.g. `CAR`. */
	readonly label: string;
	/** Length, width and height in metres. */
	readonly extent: readonly [length: number, width: number, height: number];
	/** Poses by ascending frame, between which the track is interpolated. */
	readonly path: readonly (readonly [
		frame: number,
		x: number,
		y: number,
		yaw: number,
	])[];
}

/** Sets the state of a traffic light face. */
export interface LightEdit extends SceneEdit<"light"> {
	/** The face's id. */
	readonly face: string;
	/** The state to set. */
	readonly state: "active" | "inactive" | "unknown";
}
