import type { AbortOptions } from "./api.js";
import { type ResultArrays, stringsOf } from "./result.js";

/** Options of a timeline query. */
export interface TimelineOptions extends AbortOptions {
	/** A track to report besides the ego vehicle. */
	track?: bigint | undefined;
	/** Reads only when no other read is waiting. */
	prefetch?: boolean | undefined;
}

/** One value per frame of the scene; NaN if unknown. */
export interface Motion {
	/** Metres per second, metres per second squared. */
	readonly speed: Float64Array;
	/** Metres per second squared, per frame. */
	readonly acceleration: Float64Array;
	/** Radians, continuous across half turns; radians per second. */
	readonly yaw: Float64Array;
	/** Radians per second, per frame. */
	readonly yaw_rate: Float64Array;
}

/**
 * Kinds of anomalies, in the order of the core's numbers. Results are sorted by kind,
 * then frame.
 */
export const ANOMALY_KINDS = [
	"gap",
	"stuck",
	"empty",
	"flat",
	"jump",
	"absent-frames",
	"absent-agents",
	"absent-faces",
	"turn",
	"resize",
	"tiny",
	"hole",
] as const;

/** A suspicious value in a scene. */
export interface Anomaly {
	/** Index of the frame in its scene. */
	readonly frame: number;
	/** What is suspicious. */
	readonly kind: (typeof ANOMALY_KINDS)[number];
	/** Track of `flat`, `jump`, `turn`, `resize`, `tiny` and `hole`; otherwise 0. */
	readonly track: bigint;
	/**
	 * Seconds (`gap`), metres (`jump`), degrees (`turn`), ratio of areas (`resize`),
	 * square metres (`tiny`); number of frames from this one on that are not stored
	 * (`absent-*`) or lack the track (`hole`).
	 */
	readonly amount: number;
}

/** A traffic light face and the first frame that contains it. */
export interface SeenFace {
	/** Id of the face. */
	readonly id: string;
	/** Index in the scene of the first frame that contains it. */
	readonly frame: number;
}

/**
 * Runs of consecutive frames in which a traffic light's state is constant, one element
 * per run; sorted by light, then by `begin`. A light has no run in frames that do not
 * contain it.
 */
export interface LightRuns {
	/** Number of runs. */
	readonly length: number;
	/** Index into `SceneLights.id`. */
	readonly light: Uint32Array;
	/** Frames `begin` to `end - 1` of the scene. */
	readonly begin: Uint32Array;
	/** Frame after the last one of each run. */
	readonly end: Uint32Array;
	/**
	 * State over all faces of the light: 0 a face is active, 1 all are inactive, 2 a
	 * state is unknown.
	 */
	readonly state: Uint8Array;
	/** The active faces of run i: `active_face[active_offset[i]]` to `[active_offset[i + 1] - 1]`. */
	readonly active_offset: Uint32Array;
	/** Index into `SceneTimeline.faces`. */
	readonly active_face: Uint32Array;
}

/** The traffic lights of a scene, in order of first appearance. */
export interface SceneLights {
	/** Ids of the faces. */
	readonly id: readonly string[];
	/** Runs of frames with the same state, face by face. */
	readonly runs: LightRuns;
}

/** Time series and anomalies of a scene. */
export interface SceneTimeline {
	/** Index of the scene. */
	readonly scene: number;
	/** The requested track. */
	readonly of: bigint | undefined;
	/** Motion of the ego vehicle. */
	readonly ego: Motion;
	/** Motion of the requested track; undefined without one. */
	readonly track: Motion | undefined;
	/** Suspicious values of the scene. */
	readonly anomalies: readonly Anomaly[];
	/** The first sight of each traffic light face. */
	readonly faces: readonly SeenFace[];
	/** States of the traffic light faces. */
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
		of: track,
		ego: motionOf(arrays, "ego"),
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
