import type {
	AgentFields,
	AnyFields,
	FaceFields,
	FrameFields,
	SceneFields,
	TableName,
} from "../arrays/schema.js";
import type { TypedArray } from "../core/types.js";

/** Columns of every table. */
type RowColumns = {
	/** Number of the row. */
	readonly row: BigInt64Array;
};

/** Columns of tables with a frame. */
type FrameColumns = {
	/** Number of the scene. */
	readonly scene: Uint32Array;
	/** Number of the frame in its scene. */
	readonly frame: Uint32Array;
	/** Row in `frames`. */
	readonly frame_index: BigInt64Array;
	/** Seconds since the scene's first frame. */
	readonly time: Float64Array;
	/** Agents of the frame. */
	readonly agent_count: BigInt64Array;
	/** Traffic light faces of the frame. */
	readonly face_count: BigInt64Array;
	/** Frames of the scene. */
	readonly frame_count: BigInt64Array;
};

/** Columns of `agents` that are derived of its fields. */
type AgentColumns = {
	/** Metres per second. */
	readonly speed: Float32Array;
	/** Metres. */
	readonly distance_to_ego: Float32Array;
	/** Index of the most probable label. */
	readonly label: Uint8Array;
	/** Its probability. */
	readonly label_probability: Float32Array;
	/** Index of the class: vehicle, cyclist, pedestrian, other. */
	readonly class: Uint8Array;
	/** 1 if it passes L5Kit's filter at 0.5. */
	readonly kept: Uint8Array;
};

/** The columns that arrays of L5Kit's format store. */
interface StoredColumns {
	readonly scenes: SceneFields;
	readonly frames: FrameFields;
	readonly agents: AgentFields;
	readonly traffic_light_faces: FaceFields;
}

/**
 * Types of a reader's columns by table: those of L5Kit's format, with the columns of a
 * row's frame and scene, and derived ones. `docs/reader.md` describes them.
 */
export interface TableColumns {
	/** Columns of `scenes`. */
	readonly scenes: SceneFields &
		RowColumns & {
			/** The row. */
			readonly scene: BigInt64Array;
		};
	/** Columns of `frames`. */
	readonly frames: FrameFields & RowColumns & FrameColumns & SceneFields;
	/** Columns of `agents`. */
	readonly agents: AgentFields &
		(RowColumns & FrameColumns & AgentColumns & SceneFields & FrameFields);
	/** Columns of `traffic_light_faces`. */
	readonly traffic_light_faces: FaceFields & {
		/** 0 active, 1 inactive, 2 unknown. */
		readonly state: Uint8Array;
	} & RowColumns &
		(FrameColumns & SceneFields & FrameFields);
}

/** The columns `K` of `T`; other names than those of `T` have any type. */
export type Picked<T, K extends string> = {
	readonly [N in K]: N extends keyof T
		? T[N] extends TypedArray
			? T[N]
			: TypedArray
		: TypedArray;
};

/**
 * The columns that a reader of table `T` has: those named `K`, by default the stored
 * ones. Any, if names are not literal.
 */
export type ReaderFields<T extends string, K extends string> = [K] extends [never]
	? T extends TableName
		? StoredColumns[T]
		: AnyFields
	: string extends K
		? AnyFields
		: Picked<T extends TableName ? TableColumns[T] : unknown, K>;

/** The columns of samples with the keys of `T`: those named `K`, by default all. */
export type SampleColumns<T, K extends string> = [K] extends [never]
	? Picked<T, keyof T & string>
	: string extends K
		? AnyFields
		: Picked<T, K>;
