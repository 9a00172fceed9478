import { BevError } from "../../base/errors.js";
import { Converter } from "../../converting/converter.js";
import {
	type LogFiles,
	localFile,
	logScenes,
	logTags,
	remoteFile,
} from "../../converting/log.js";
import {
	isLog,
	isPickle,
	isRecords,
	isScenarioList,
	isSimulation,
	isVersion,
	isXml,
	LOG_MAP,
	mapNameOf,
	SCENARIO_LISTS,
	scenarioId,
} from "../../converting/names.js";
import type { ConvertRequest, NamedFile } from "../../converting/protocol.js";
import { FetchSource } from "../../source/fetch-source.js";
import { beside } from "../../source/url.js";
import type { Opened } from "../session/dataset.js";
import { explained } from "../session/explanation.js";
import {
	explainedFailure,
	openConverted,
	openedSet,
	openReading,
	type ReadFile,
	type ScenarioOptions,
	takeEgo,
} from "./converted.js";
import { nameOf } from "./places.js";
import { ScenarioSet, type ScenarioSource } from "./scenario-set.js";
import { sharedRead } from "./shared-read.js";

/**
 * Runs `work` with a converter of its own, whose worker ends with it: so a conversion can
 * be cancelled wherever it is.
 */
async function converting<T>(
	signal: AbortSignal | undefined,
	work: (converter: Converter) => Promise<T>,
): Promise<T> {
	const converter = await Converter.start({ signal });
	try {
		return await work(converter);
	} catch (error) {
		signal?.throwIfAborted();
		throw explainedFailure(error);
	} finally {
		converter.close();
	}
}

/** Converts and opens a scenario. */
async function openScenario(
	source: ScenarioSource,
	options: ScenarioOptions,
): Promise<Opened> {
	const request = await source.request();
	return converting(options.signal, (converter) =>
		openConverted(converter, request, options),
	);
}

/** Opens one scenario as a data set, several as scenes. */
async function openSources(
	sources: readonly ScenarioSource[],
	options: ScenarioOptions,
): Promise<Opened> {
	const [only, ...more] = sources;
	if (!only) throw new BevError("not_found", "no scenarios found");
	if (more.length === 0) {
		const what = "Converting the scenario";
		options.onProgress?.({ what, bytes: 0, requests: 0 });
		return openScenario(only, options);
	}
	const { open, ego } = options;
	return openedSet(
		new ScenarioSet(sources, (source, { signal }) =>
			openScenario(source, { open, ego, signal }),
		),
	);
}

/**
 * Opens Argoverse 2 scenarios: one as a data set, several as scenes, which are converted
 * when they are shown.
 */
export async function openScenarios(
	sources: readonly ScenarioSource[],
	options: ScenarioOptions,
): Promise<Opened> {
	try {
		return await openSources(sources, options);
	} catch (error) {
		options.signal?.throwIfAborted();
		throw explainedFailure(error);
	}
}

/** Opens a TFRecord file of Waymo scenarios, likewise. Reads only lengths at first. */
export async function openRecords(
	{ file, name }: NamedFile,
	options: ScenarioOptions,
): Promise<Opened> {
	const { signal, onProgress } = options;
	onProgress?.({ what: "Finding the scenarios", bytes: 0, requests: 0 });
	return converting(signal, async (converter) => {
		const asked = { kind: "records", file, name } as const;
		const limits = await converter.ask(asked, { signal });
		const records = limits.slice(1).map((end, index): ConvertRequest => {
			return { kind: "waymo", file, name, begin: limits[index] ?? 0, end, index };
		});
		const [only, ...more] = records;
		if (only && more.length === 0) return openConverted(converter, only, options);
		const sources = records.map((record, index) => {
			return { name: `record ${index}`, request: async () => record };
		});
		return openScenarios(sources, options);
	});
}

/** Opens a log of nuPlan: a scene per scenario, which is read by ranges when it is shown. */
async function openLog(files: LogFiles, options: ScenarioOptions): Promise<Opened> {
	const { signal, onProgress } = options;
	onProgress?.({ what: "Finding the scenarios", bytes: 0, requests: 0 });
	return openReading(options, async (converter) => {
		const { names, times, scanned } = await logScenes(converter, files, { signal });
		const sources = names.map((name, scene) => {
			return { name, request: async () => ({ kind: "log", ...files, scene }) as const };
		});
		const tags = sharedRead(() => logTags(converter, files));
		const { name } = files.log;
		const why = "because its rows have neither an index nor the order of time";
		const notice = scanned.includes("lidar_box")
			? `${name}: the table of boxes is read whole, ${why}`
			: undefined;
		return { name, sources, tags, times, notice };
	});
}

/** Opens a log of this machine, with its map. */
export function openLocalLog(
	{ log, map }: { readonly log: NamedFile; readonly map: NamedFile | undefined },
	options: ScenarioOptions,
): Promise<Opened> {
	return openLog({ log: localFile(log), map: map && localFile(map) }, options);
}

/** Opens a log below a URL, with the map that lies beside it. */
async function openLogAt(
	source: FetchSource,
	name: string,
	options: ScenarioOptions,
): Promise<Opened | undefined> {
	const { signal } = options;
	const [log, map] = await Promise.all([
		remoteFile(source, name, signal),
		remoteFile(source, LOG_MAP, signal),
	]);
	return log && openLog({ log, map }, options);
}

/** Returns a scenario that is a file by itself, which is read when it is opened. */
export function fileSource(path: string, read: ReadFile): ScenarioSource {
	const name = nameOf(path);
	return {
		name: name.replace(/\.(pkl|xml)$/i, ""),
		request: async () => {
			const file = await read(path);
			if (!file) throw new BevError("not_found", `${path}: not found`);
			return { kind: isXml(name) ? "commonroad" : "scenarionet", file, name };
		},
	};
}

/** Opens the scenarios that a folder of ScenarioNet lists. */
export async function openListed(
	folder: string,
	read: ReadFile,
	options: ScenarioOptions,
): Promise<Opened> {
	const { signal, onProgress } = options;
	onProgress?.({ what: "Finding the scenarios", bytes: 0, requests: 0 });
	const [summary, mapping] = await Promise.all([
		read(SCENARIO_LISTS.summary),
		read(SCENARIO_LISTS.mapping),
	]);
	const asked = { kind: "lists", name: folder, summary, mapping } as const;
	const paths = await converting(signal, (converter) =>
		converter.ask(asked, { signal }),
	);
	return openScenarios(
		paths.map((path) => fileSource(path, read)),
		options,
	);
}

/** Whether a name alone tells that a file has scenarios. */
function isNamed(name: string): boolean {
	const tests = [isRecords, isPickle, isLog, isSimulation, isXml];
	return tests.some((is) => is(name));
}

/** Returns the folder and the name of the file at `url`, or in the scenario's folder. */
function placeAt(url: URL): { folder: URL; name: string; inFolder: boolean } {
	const name = nameOf(url.href);
	const inFolder = !isNamed(name) && !/\.parquet$/i.test(name);
	return inFolder
		? { folder: url, name: `scenario_${name}.parquet`, inFolder }
		: { folder: beside(url, "../"), name, inFolder };
}

/**
 * Opens a TFRecord file, a log, the tracks of a scenario, or a scenario's folder at a URL;
 * nothing is listed. Returns undefined for a folder without tracks.
 */
export async function openScenarioAt(
	url: URL,
	given: ScenarioOptions,
): Promise<Opened | undefined> {
	const options = { ...given, ...takeEgo(url) };
	const { signal, onProgress } = options;
	if (isVersion(nameOf(url.href))) {
		const { openVersionAt } = await import("./open-version.js");
		return openVersionAt(url, options);
	}
	const { folder, name, inFolder } = placeAt(url);
	const id = scenarioId(name);
	if (id === undefined && !isNamed(name)) {
		const error = `${name}: not a scenario (expected scenario_ID.parquet)`;
		throw explainedFailure(new BevError("invalid_argument", error));
	}
	onProgress?.({ what: "Reading the file", bytes: 0, requests: 1 });
	const source = new FetchSource(folder);
	const fetched = async (key: string) => {
		const bytes = await source.read(key, { signal, required: false });
		return bytes && new Blob([bytes as Uint8Array<ArrayBuffer>]);
	};
	if (isScenarioList(name)) return openListed(nameOf(folder.href), fetched, options);
	const absent = () => {
		const answer = { url: url.href, ...source.absence(name) };
		const error = new BevError("missing_key", `${name}: not found`, answer);
		return explained(error, { title: "No scenario at this URL", advice: [] });
	};
	if (isLog(name)) {
		const opened = await openLogAt(source, name, options);
		if (opened) return opened;
		throw absent();
	}
	const file = await fetched(name);
	if (!file) {
		if (inFolder) return undefined;
		throw absent();
	}
	if (isPickle(name) || isXml(name)) {
		return openScenarios([fileSource(name, async () => file)], options);
	}
	if (isSimulation(name)) {
		const request = { kind: "simulation", name, files: [{ file, name }] } as const;
		return openScenarios([{ name, request: async () => request }], options);
	}
	if (id === undefined) return openRecords({ file, name }, options);
	const map = await fetched(mapNameOf(id));
	const request: ConvertRequest = {
		kind: "argoverse2",
		file,
		name,
		map: map && { file: map, name: mapNameOf(id) },
	};
	return openScenarios([{ name: id, request: async () => request }], options);
}
