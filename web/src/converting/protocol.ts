import type { Given } from "../core/core.js";

/** The objects of a converted data set by key, and what was lost. */
export interface Converted {
	readonly objects: readonly (readonly [string, Uint8Array<ArrayBuffer>])[];
	/** JSON, see docs/other-data.md. */
	readonly report: string;
}

/** A file with the name for messages and attributes. */
export interface NamedFile {
	readonly file: Blob;
	readonly name: string;
}

/** A TFRecord file whose records are to be found. */
export interface RecordsRequest extends NamedFile {
	readonly kind: "records";
}

/** The lists of a folder of ScenarioNet, whose scenarios' paths are wanted. */
export interface ListsRequest {
	readonly kind: "lists";
	/** Of the folder, for messages. */
	readonly name: string;
	readonly summary: Blob | undefined;
	readonly mapping: Blob | undefined;
}

/**
 * A log of nuPlan, read by ranges: the names or tags of its scenes are wanted, or a scene
 * with what its city's map has there. A log stays open for the next request.
 */
export interface LogRequest {
	readonly kind: "log";
	/** Of the log, for messages and attributes. */
	readonly name: string;
	readonly size: number;
	readonly wish: "names" | "tags" | number;
	readonly map: { readonly name: string; readonly size: number } | undefined;
}

/** A range of a log's file, or of its map's. */
export interface LogRange {
	readonly ofMap: boolean;
	readonly begin: number;
	readonly end: number;
}

/** The ranges that the last answer about a log misses. */
export interface SupplyRequest {
	readonly kind: "supply";
	readonly parts: readonly (LogRange & { readonly bytes: Uint8Array })[];
}

/** The scenes of a log, by time. */
export interface LogScenes {
	readonly names: readonly string[];
	/** Begin and end of each, in nanoseconds. */
	readonly times: BigInt64Array;
	/** Tables that a scene reads whole: their rows have neither an index nor an order. */
	readonly scanned: readonly string[];
}

/** What a log misses, or what was asked for. */
export interface LogAnswer {
	readonly missing?: readonly LogRange[];
	readonly scenes?: LogScenes;
	/** Of each scene. */
	readonly tags?: readonly (readonly string[])[];
	readonly converted?: Converted;
}

/** Asks for the names of a version's files, of which a converter reads one version. */
export interface FilesRequest {
	readonly kind: "files";
}

/** A part of a file of a version of nuScenes; files have the order of their names. */
export interface TableRequest {
	readonly kind: "table";
	/** Of the version, for messages. */
	readonly name: string;
	readonly part: Uint8Array;
	/** Name of the file, without ".json". */
	readonly table: string;
	/** Whether it is the file's last part. */
	readonly isLast: boolean;
}

/** A scene of a version of nuScenes. */
export interface VersionScene {
	readonly name: string;
	/** Name of its map; "" if it cannot have one. */
	readonly location: string;
	readonly tags: readonly string[];
}

/** A track file of INTERACTION whose scenarios are to be found; its name is a path. */
export interface TracksRequest extends NamedFile {
	readonly kind: "tracks";
	/** Paths of maps, one of which may be that of the tracks. */
	readonly maps: readonly string[];
}

/** The scenarios of a track file, and what belongs to it by its path; "" for none. */
export interface TracksAnswer {
	/** First byte and end of the rows of each scenario. */
	readonly cases: readonly (readonly [begin: number, end: number])[];
	/** Name of the map. */
	readonly location: string;
	/** Path of the file of the recording's pedestrians. */
	readonly pedestrians: string;
	/** Path of the map. */
	readonly map: string;
}

/**
 * The files of a simulation of nuPlan that is of some scenes of a data set; it stays open
 * for the requests after it.
 */
export interface RunRequest {
	readonly kind: "run";
	/** PLANNER/TYPE/LOG/NAME of serialized scenes, which have no names. */
	readonly folder: string;
	readonly files: readonly NamedFile[];
	/** Begin and end of each scene of the data set, in nanoseconds. */
	readonly times: BigInt64Array;
	/** The log of each; "" if unknown. */
	readonly logs: readonly string[];
}

/** A simulation, and the scenes that it may have frames of. */
export interface RunScenes {
	/** "" if unknown. */
	readonly scenario: string;
	readonly log: string;
	readonly planner: string;
	readonly scenes: readonly number[];
}

/** Asks for the open simulation's frames of a recorded scene. */
export interface RunInSceneRequest {
	readonly kind: "runInScene";
	/** Of the scene's frames, in nanoseconds. */
	readonly timestamps: BigInt64Array;
	/** The scene's own, JSON. */
	readonly attributes: string;
}

/** A simulation's frames of a recorded scene, and nuPlan's measures of all its frames. */
export interface RunInScene {
	/** n frames, as `rollout_of` takes them. */
	readonly rollout: Omit<Given<"rollout_of">, "scene">;
	/** (n + 1) first state of the plan made in each frame, and (x, y) of all. */
	readonly planFirst: Uint32Array;
	readonly plan: Float64Array;
	/** (x, y) of the expert's states. */
	readonly expert: Float64Array;
	/** Number of frames that are between two simulated ones. */
	readonly interpolated: number;
	readonly measures: RunMeasures;
}

/** nuPlan's measures that need no map; NaN is unknown. */
export interface RunMeasures {
	readonly collisions: number;
	readonly noEgoAtFaultCollisions: number;
	readonly timeToCollisionWithinBound: number;
	readonly egoIsComfortable: number;
	/** (n) seconds to a collision ahead in the frames of the scene. */
	readonly timeToCollisionAhead: Float64Array;
}

/** A submission to the Argoverse 2 challenge, of which some scenarios are wanted. */
export interface ForecastsRequest extends NamedFile {
	readonly kind: "forecasts";
	readonly scenarios: readonly string[];
}

/** Rows of a submission: N modes of F steps. */
export interface ForecastRows {
	/** (N) */
	readonly scenarios: readonly string[];
	/** (N) */
	readonly tracks: readonly string[];
	/** (N) */
	readonly probabilities: Float64Array;
	/** (N, F, 2) positions in metres, in the city's frame. */
	readonly paths: Float64Array;
	/** F */
	readonly steps: number;
	/** Number of rows of all scenarios in the file. */
	readonly all: number;
}

/** A scenario of data that have no ego vehicle. */
export interface EgoChoice {
	/** Id of the obstacle or track that is the ego vehicle. Default: none is. */
	readonly ego?: string | undefined;
}

/** A scenario to convert. */
export type ConvertRequest =
	/** Record `index` of a TFRecord file, its bytes from `begin` to `end`. */
	| (NamedFile & {
			readonly kind: "waymo";
			readonly begin: number;
			readonly end: number;
			readonly index: number;
	  })
	/** The files of a simulation of nuPlan: a log, or serialized scenes. */
	| {
			readonly kind: "simulation";
			/** Of the scenario, for messages and the id of scenes. */
			readonly name: string;
			readonly files: readonly NamedFile[];
			/** Path of the folder that they are in. */
			readonly folder?: string | undefined;
	  }
	/** A pickle of ScenarioNet. */
	| (NamedFile & { readonly kind: "scenarionet" })
	/** An XML file of CommonRoad. */
	| (NamedFile & EgoChoice & { readonly kind: "commonroad" })
	/** Scene `scene` of the version that the converter has read, and the location's map. */
	| {
			readonly kind: "nuscenes";
			/** Of the version, for messages and attributes. */
			readonly name: string;
			readonly scene: number;
			readonly location: string;
			readonly map: NamedFile | undefined;
	  }
	/** Rows of a track file of INTERACTION from `begin` to `end`; its name is a path. */
	| (NamedFile &
			EgoChoice & {
				readonly kind: "interaction";
				readonly begin: number;
				readonly end: number;
				readonly pedestrians: Blob | undefined;
				readonly map: NamedFile | undefined;
			})
	/** The tracks of an Argoverse 2 scenario, and its map. */
	| (NamedFile & { readonly kind: "argoverse2"; readonly map: NamedFile | undefined });

/** Answers by request kind. */
export interface Answers {
	records: readonly number[];
	lists: readonly string[];
	log: LogAnswer;
	supply: LogAnswer;
	/** Names, in order. */
	files: readonly string[];
	/** The scenes that are known; empty within a file. */
	table: readonly VersionScene[];
	tracks: TracksAnswer;
	interaction: Converted;
	nuscenes: Converted;
	waymo: Converted;
	argoverse2: Converted;
	scenarionet: Converted;
	simulation: Converted;
	commonroad: Converted;
	forecasts: ForecastRows;
	run: RunScenes;
	runInScene: RunInScene;
}

export type Request =
	| RecordsRequest
	| ListsRequest
	| LogRequest
	| SupplyRequest
	| FilesRequest
	| TableRequest
	| TracksRequest
	| ForecastsRequest
	| RunRequest
	| RunInSceneRequest
	| ConvertRequest;
