import type { TypedArray } from "../core/types.js";

/** Fields of any array: typed arrays by name. */
export type AnyFields = Readonly<Record<string, TypedArray>>;

/** Fields of `scenes`. Text is UTF-8; `Columns.strings` decodes it. */
export type SceneFields = {
	/** (2): first row in `frames`, and the row after the last one. */
	readonly frame_index_interval: BigInt64Array;
	/** Name of the recording vehicle. */
	readonly host: Uint8Array;
	/** Nanoseconds. */
	readonly start_time: BigInt64Array;
	/** Nanoseconds. */
	readonly end_time: BigInt64Array;
};

/** Fields of `frames`. */
export type FrameFields = {
	/** Nanoseconds. */
	readonly timestamp: BigInt64Array;
	/** (2): first row in `agents`, and the row after the last one. */
	readonly agent_index_interval: BigInt64Array;
	/** (2): rows in `traffic_light_faces`. Data sets of format version 1 lack it. */
	readonly traffic_light_faces_index_interval: BigInt64Array;
	/** (3): position of the ego vehicle in world, metres. */
	readonly ego_translation: Float64Array;
	/** (3, 3): rotation from the ego vehicle to world. */
	readonly ego_rotation: Float64Array;
};

/** Fields of `agents`. */
export type AgentFields = {
	/** (2): metres in world. */
	readonly centroid: Float64Array;
	/** (3): length, width, height in metres. */
	readonly extent: Float32Array;
	/** Heading in radians. */
	readonly yaw: Float32Array;
	/** (2): metres per second in world. */
	readonly velocity: Float32Array;
	/** Identity across frames. */
	readonly track_id: BigUint64Array;
	/** (17): one probability per label. */
	readonly label_probabilities: Float32Array;
};

/** Fields of `traffic_light_faces`. Text is UTF-8; `Columns.strings` decodes it. */
export type FaceFields = {
	/** Id of the face. */
	readonly face_id: Uint8Array;
	/** Id of the face's traffic light. */
	readonly traffic_light_id: Uint8Array;
	/** (3): active, inactive, unknown. */
	readonly traffic_light_face_status: Float32Array;
};

/** The dtypes that the types above stand for, by array. */
const DTYPES: {
	readonly scenes: Record<keyof SceneFields, string>;
	readonly frames: Record<keyof FrameFields, string>;
	readonly agents: Record<keyof AgentFields, string>;
	readonly traffic_light_faces: Record<keyof FaceFields, string>;
} = {
	scenes: {
		frame_index_interval: "<i8",
		host: "utf8",
		start_time: "<i8",
		end_time: "<i8",
	},
	frames: {
		timestamp: "<i8",
		agent_index_interval: "<i8",
		traffic_light_faces_index_interval: "<i8",
		ego_translation: "<f8",
		ego_rotation: "<f8",
	},
	agents: {
		centroid: "<f8",
		extent: "<f4",
		yaw: "<f4",
		velocity: "<f4",
		track_id: "<u8",
		label_probabilities: "<f4",
	},
	traffic_light_faces: {
		face_id: "utf8",
		traffic_light_id: "utf8",
		traffic_light_face_status: "<f4",
	},
};

/** The four arrays of a data set. */
export type TableName = keyof typeof DTYPES;

/** Expected dtypes of an array's fields; other fields may have any. */
export type FieldDtypes = Readonly<Record<string, string | undefined>>;

/** Returns the dtypes of L5Kit's format for `table`. */
export function dtypesOf(table: TableName): FieldDtypes {
	return DTYPES[table];
}
