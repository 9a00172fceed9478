import type { AbortOptions } from "../api.js";
import { type ResultArrays, stringsOf } from "../arrays/result.js";

/** Options of `ChunkedDataset.timeline`. */
export interface TimelineOptions extends AbortOptions {
	/** Track id of an agent whose motion is computed besides the ego vehicle's. */
	track?: bigint | undefined;
	/** Reads only when no other read is waiting. Default false. */
	prefetch?: boolean | undefined;
	/** If false, the agents are not read: `anomalies` has none of them. Default true. */
	agents?: boolean | undefined;
	/** If false, the traffic light faces are not read: `lights` is empty. Default true. */
	lights?: boolean | undefined;
}

/**
 * Motion of the ego vehicle or of an agent over a scene, by finite differences of its
 * positions: one value per frame; NaN if unknown, as in frames without the agent.
 */
export interface Motion {
	/** Metres per second. */
	readonly speed: Float64Array;
	/** Metres per second squared. */
	readonly acceleration: Float64Array;
	/** Heading in radians, without jumps at half a turn: it may exceed pi. */
	readonly yaw: Float64Array;
	/** Radians per second. */
	readonly yaw_rate: Float64Array;
}

/** Kinds of anomalies, in the order of the core's numbers. */
export const ANOMALY_KINDS = [
	/** More than 1.5 times the usual time since the previous frame. `amount`: seconds. */
	"gap",
	/** The same timestamp as the previous frame. */
	"stuck",
	/** A frame without agents. */
	"empty",
	/** A track whose length or width is 0. */
	"flat",
	/** A track that is faster than 70 m/s since the previous frame. `amount`: metres. */
	"jump",
	/** The chunk with the frames' records is absent. `amount`: number of frames. */
	"absent-frames",
	/** The chunk with the frames' agents is absent. `amount`: number of frames. */
	"absent-agents",
	/** The chunk with the frames' faces is absent. `amount`: number of frames. */
	"absent-faces",
	/** A track that turns 30 degrees or more since the previous frame. `amount`: degrees. */
	"turn",
	/**
	 * A track whose area differs from the previous frame's by a factor of 1.1 or more.
	 * `amount`: larger area / smaller area.
	 */
	"resize",
	/** A track of less than 0.01 square metres. `amount`: square metres. */
	"tiny",
	/** A track that is missing between two frames. `amount`: number of frames. */
	"hole",
	/**
	 * The first frame that contains a traffic light face more than once. `amount`: rows
	 * beyond the first of each face.
	 */
	"repeated-faces",
] as const;

/** A suspicious value in a scene; see `ANOMALY_KINDS`. */
export interface Anomaly {
	/** Index of the frame in its scene; the first one of several. */
	readonly frame: number;
	/** What is suspicious. */
	readonly kind: (typeof ANOMALY_KINDS)[number];
	/** Track of `flat`, `jump`, `turn`, `resize`, `tiny` and `hole`; otherwise 0. */
	readonly track: bigint;
	/** Value in the kind's unit; 0 for `stuck`, `empty` and `flat`. */
	readonly amount: number;
}

/** A traffic light face, and when it is first seen. */
export interface SeenFace {
	/** The face's id, `face_id`. */
	readonly id: string;
	/** Index in the scene of the first frame that contains it. */
	readonly frame: number;
}

/**
 * Runs of consecutive frames in which a traffic light and its active faces stay the
 * same: one element per run, sorted by light, then by `begin`. A light has no run in
 * frames that do not contain it.
 */
export interface LightRuns {
	/** Number of runs. */
	readonly length: number;
	/** The run's light: index into `SceneLights.id`. */
	readonly light: Uint32Array;
	/** First frame of each run, as an index in the scene. */
	readonly begin: Uint32Array;
	/** Frame after the last one of each run. */
	readonly end: Uint32Array;
	/**
	 * State of the light, from all of its faces: 0 if one is active; else 2 if one is
	 * unknown; else 1, inactive.
	 */
	readonly state: Uint8Array;
	/**
	 * Position of each run's active faces in `active_face`, and one more for the end:
	 * those of run i are `active_offset[i]` to `active_offset[i + 1] - 1`.
	 */
	readonly active_offset: Uint32Array;
	/** The active faces: indexes into `SceneTimeline.faces`, ascending for each run. */
	readonly active_face: Uint32Array;
}

/** The traffic lights of a scene, in order of first appearance. */
export interface SceneLights {
	/** Ids of the lights, `traffic_light_id`. */
	readonly id: readonly string[];
	/** Their states over the scene. */
	readonly runs: LightRuns;
}

/** Motion, anomalies and traffic lights of a whole scene. */
export interface SceneTimeline {
	/** Index of the scene. */
	readonly scene: number;
	/**
	 * Timestamp of the first frame whose record is stored, in nanoseconds; undefined if
	 * there is none.
	 */
	readonly start: bigint | undefined;
	/** Seconds from `start` to each frame; NaN if the frame's record is absent. */
	readonly seconds: Float64Array;
	/** The requested track, if any. */
	readonly of: bigint | undefined;
	/** Motion of the ego vehicle. */
	readonly ego: Motion;
	/** Whether the data have no ego vehicle: its motion is NaN. */
	readonly ego_is_virtual: boolean;
	/** Motion of the requested track; undefined without one. */
	readonly track: Motion | undefined;
	/**
	 * Suspicious values, sorted by kind, then by frame: at most 20 of each kind, and of a
	 * track the first of each kind.
	 */
	readonly anomalies: readonly Anomaly[];
	/** The traffic light faces of the scene, in order of first appearance. */
	readonly faces: readonly SeenFace[];
	/** The traffic lights of the scene and their states. */
	readonly lights: SceneLights;
}

/** Groups the arrays of a `timeline` query. */
export function sceneTimeline(
	arrays: ResultArrays,
	scene: number,
	track: bigint | undefined,
): SceneTimeline {
	const first = arrays.view("faces.first_frame", Uint32Array);
	return {
		scene,
		start: arrays.view("start", BigInt64Array)[0],
		seconds: arrays.view("seconds", Float64Array),
		of: track,
		ego: motionOf(arrays, "ego"),
		ego_is_virtual: arrays.view("ego.is_virtual", Uint8Array)[0] === 1,
		track: track === undefined ? undefined : motionOf(arrays, "track"),
		anomalies: anomalies(arrays),
		faces: stringsOf(arrays, "faces.id").map((id, i) => ({ id, frame: first[i] ?? 0 })),
		lights: { id: stringsOf(arrays, "lights.id"), runs: lightRuns(arrays) },
	};
}

function motionOf(arrays: ResultArrays, of: "ego" | "track"): Motion {
	const f8 = (name: string): Float64Array => arrays.view(`${of}.${name}`, Float64Array);
	return {
		speed: f8("speed"),
		acceleration: f8("acceleration"),
		yaw: f8("yaw"),
		yaw_rate: f8("yaw_rate"),
	};
}

function lightRuns(arrays: ResultArrays): LightRuns {
	const u4 = (name: string): Uint32Array => arrays.view(`lights.${name}`, Uint32Array);
	const state = arrays.view("lights.state", Uint8Array);
	return {
		length: state.length,
		light: u4("light"),
		begin: u4("begin"),
		end: u4("end"),
		state,
		active_offset: u4("active_offset"),
		active_face: u4("active_face"),
	};
}

function anomalies(arrays: ResultArrays): Anomaly[] {
	const kinds = arrays.view("anomalies.kind", Uint8Array);
	const frames = arrays.view("anomalies.frame", Uint32Array);
	const tracks = arrays.view("anomalies.track_id", BigUint64Array);
	const amounts = arrays.view("anomalies.amount", Float64Array);
	return Array.from(kinds, (kind, i) => ({
		frame: frames[i] ?? 0,
		kind: ANOMALY_KINDS[kind] ?? "gap",
		track: tracks[i] ?? 0n,
		amount: amounts[i] ?? 0,
	}));
}
