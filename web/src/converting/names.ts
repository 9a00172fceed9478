/** Whether a file's name is that of TFRecords: `a.tfrecord`, `a.tfrecord-00000-of-00010`. */
export function isRecords(name: string): boolean {
	return /\.tfrecord(-[0-9a-z-]+)?$/i.test(name);
}

/** Whether a file's name is that of a log of nuPlan. */
export function isLog(name: string): boolean {
	return /\.db$/i.test(name);
}

/** Name of the map beside a log of nuPlan at a URL. */
export const LOG_MAP = "map.gpkg";

/** Whether a file's name is that of a map of nuPlan. */
export function isLogMap(name: string): boolean {
	return /\.gpkg$/i.test(name);
}

/** Name of the table by which the folder of a version of nuScenes is known. */
export const VERSION_TABLE = "sample_annotation.json";

/** Whether a folder's name is that of a version of nuScenes: `v1.0-mini`. */
export function isVersion(name: string): boolean {
	return /^v\d+\.\d+-[a-z]+$/i.test(name);
}

/** Whether a file's name may be that of tracks of INTERACTION, which its columns tell. */
export function isTable(name: string): boolean {
	return /\.csv$/i.test(name);
}

/** Whether a file's name is that of a map of Lanelet2. */
export function isLaneletMap(name: string): boolean {
	return /\.osm$/i.test(name);
}

/** Names of the files that list the scenarios in a folder of ScenarioNet. */
export const SCENARIO_LISTS = {
	summary: "dataset_summary.pkl",
	mapping: "dataset_mapping.pkl",
} as const;

/** Whether a file's name is that of XML: a scenario of CommonRoad, or something else. */
export function isXml(name: string): boolean {
	return /\.xml$/i.test(name);
}

/** Whether a file is a scenario of CommonRoad, by its start. */
export async function isCommonRoad(file: Blob | undefined): Promise<boolean> {
	return (await file?.slice(0, 4096).text())?.includes("<commonRoad") ?? false;
}

/** Whether a file's name is that of a pickle: a scenario of ScenarioNet, or a list. */
export function isPickle(name: string): boolean {
	return /\.pkl$/i.test(name);
}

/** Whether a file's name is that of a compressed log of a simulation, or of its scenes. */
export function isSimulation(name: string): boolean {
	return /\.(msgpack|pkl)\.xz$/i.test(name);
}

export function isScenarioList(name: string): boolean {
	return name === SCENARIO_LISTS.summary || name === SCENARIO_LISTS.mapping;
}

/** Returns the id in the name of an Argoverse 2 scenario's tracks: `scenario_ID.parquet`. */
export function scenarioId(name: string): string | undefined {
	return /^scenario_(.+)\.parquet$/.exec(name)?.[1];
}

/** Returns the name of the map beside a scenario's tracks. */
export function mapNameOf(id: string): string {
	return `log_map_archive_${id}.json`;
}
