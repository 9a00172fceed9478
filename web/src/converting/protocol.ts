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
	/** The tracks of an Argoverse 2 scenario, and its map. */
	| (NamedFile & { readonly kind: "argoverse2"; readonly map: NamedFile | undefined });

/** Answers by request kind. */
export interface Answers {
	records: readonly number[];
	lists: readonly string[];
	/** Names, by time. */
	scenes: readonly string[];
	nuplan: Converted;
	waymo: Converted;
	argoverse2: Converted;
	scenarionet: Converted;
	forecasts: ForecastRows;
}

export type Request =
	| RecordsRequest
	| ListsRequest
	| ScenesRequest
	| ForecastsRequest
	| ConvertRequest;
