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

/** A log of nuPlan whose scenes are to be found. */
export interface ScenesRequest extends NamedFile {
	readonly kind: "scenes";
}

/** Asks for the names of a version's files, of which a converter reads one version. */
export interface FilesRequest {
	readonly kind: "files";
}

/** A part of a file of a version of nuScenes; files have the order of their names. */
export interface TableRequest extends NamedFile {
	readonly kind: "table";
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
	/** A pickle of ScenarioNet. */
	| (NamedFile & { readonly kind: "scenarionet" })
	/** Scene `scene` of a log of nuPlan, which is read by ranges, and the city's map. */
	| (NamedFile & {
			readonly kind: "nuplan";
			readonly scene: number;
			readonly map: NamedFile | undefined;
	  })
	/** Scene `scene` of the version that the converter has read, and the location's map. */
	| {
			readonly kind: "nuscenes";
			/** Of the version, for messages and attributes. */
			readonly name: string;
			readonly scene: number;
			readonly location: string;
			readonly map: NamedFile | undefined;
	  }
	/** The tracks of an Argoverse 2 scenario, and its map. */
	| (NamedFile & { readonly kind: "argoverse2"; readonly map: NamedFile | undefined });

/** Answers by request kind. */
export interface Answers {
	records: readonly number[];
	lists: readonly string[];
	/** Names, by time. */
	scenes: readonly string[];
	/** Names, in order. */
	files: readonly string[];
	/** The scenes that are known; empty within a file. */
	table: readonly VersionScene[];
	nuplan: Converted;
	nuscenes: Converted;
	waymo: Converted;
	argoverse2: Converted;
	scenarionet: Converted;
	forecasts: ForecastRows;
}

export type Request =
	| RecordsRequest
	| ListsRequest
	| ScenesRequest
	| FilesRequest
	| TableRequest
	| ForecastsRequest
	| ConvertRequest;
