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

/** The range that the last answer about a log misses. */
export interface SupplyRequest {
	readonly kind: "supply";
	readonly ofMap: boolean;
	readonly offset: number;
	readonly bytes: Uint8Array;
}

/** The scenes of a log, by time. */
export interface LogScenes {
	readonly names: readonly string[];
	/** Tables that a scene reads whole: their rows have neither an index nor an order. */
	readonly scanned: readonly string[];
}

/** What a log misses, or what was asked for. */
export interface LogAnswer {
	readonly missing?: {
		readonly ofMap: boolean;
		readonly begin: number;
		readonly end: number;
	};
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
	  }
	/** A pickle of ScenarioNet, or an XML file of CommonRoad. */
	| (NamedFile & { readonly kind: "scenarionet" | "commonroad" })
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
	| (NamedFile & {
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
	| ConvertRequest;
