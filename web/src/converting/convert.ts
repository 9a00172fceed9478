import { BevError } from "../base/errors.js";
import type { Core, Handle } from "../core/core.js";
import { bytesOf, naming, wholeOf } from "./files.js";
import type {
	Converted,
	ConvertRequest,
	ForecastRows,
	ForecastsRequest,
	ListsRequest,
	LogAnswer,
	LogRequest,
	RecordsRequest,
	SupplyRequest,
} from "./protocol.js";
import { readInteraction } from "./tracks.js";
import { readNuscenes, tagsIn } from "./version.js";

/** Bytes before the content of a TFRecord. */
const HEAD_BYTES = 12;

const MAX_RECORDS = 1_000_000;

/** Key of a log's map in requests. */
const MAP = "map";

/**
 * Returns the first byte of each record of a TFRecord file, and the end of the last.
 * Reads only the records' lengths.
 */
export async function recordLimits(
	core: Core,
	{ file, name }: RecordsRequest,
): Promise<number[]> {
	return naming(name, async () => {
		const limits = [0];
		for (let at = 0; at < file.size; limits.push(at)) {
			if (limits.length > MAX_RECORDS) {
				throw new BevError("limit_exceeded", `more than ${MAX_RECORDS} records`);
			}
			const head = await bytesOf(file, at, at + HEAD_BYTES);
			at += core.run("record_size", { head, offset: at });
		}
		if (limits.length === 1) throw new BevError("not_found", "no scenarios found");
		return limits;
	});
}

/** Returns the paths of the scenarios that a folder of ScenarioNet lists. */
export function listedFiles(
	core: Core,
	{ name, summary, mapping }: ListsRequest,
): Promise<readonly string[]> {
	const read = async (file: Blob | undefined) => {
		return file && new Uint8Array(await wholeOf(file));
	};
	return naming(name, async () => {
		const lists = { summary: await read(summary), mapping: await read(mapping) };
		const files = core.run("scenarionet_files", lists);
		if (files.length === 0) throw new BevError("not_found", "no scenarios found");
		return files;
	});
}

/** A log of nuPlan that is open, and the latest request. */
interface OpenLog {
	readonly log: Handle<"LogFile">;
	request: LogRequest;
	/** Of the scene that is being read. */
	converter: Handle<"Converter"> | undefined;
}

/** The logs of cores, each of which has one and reads one scene at a time. */
const logs = new WeakMap<Core, OpenLog>();

function endScene(core: Core, open: OpenLog): void {
	if (open.converter !== undefined) core.release(open.converter);
	open.converter = undefined;
}

function closeLog(core: Core): void {
	const open = logs.get(core);
	if (!open) return;
	logs.delete(core);
	endScene(core, open);
	core.release(open.log);
}

/** Opens a log in place of another one; that of the previous request is kept. */
function openLog(core: Core, request: LogRequest): OpenLog {
	const { name, size, map } = request;
	const before = logs.get(core);
	const { request: last } = before ?? {};
	const isSame =
		last?.name === name && last.size === size && last.map?.size === map?.size;
	if (before && isSame) return before;
	closeLog(core);
	const log = core.run("log_file", { name, size });
	const open: OpenLog = { log, request, converter: undefined };
	logs.set(core, open);
	if (map) core.run("log_map", { log, size: map.size });
	return open;
}

/** Begins to read what is wanted of a log. */
export function startLog(core: Core, request: LogRequest): Promise<LogAnswer> {
	const open = openLog(core, request);
	endScene(core, open);
	open.request = request;
	return readOn(core);
}

/** Reads on with the bytes that were missing. */
export function supplyLog(core: Core, { parts }: SupplyRequest): Promise<LogAnswer> {
	const open = logs.get(core);
	if (!open) throw new BevError("internal", "no log is being read");
	for (const { ofMap, begin, bytes } of parts) {
		const file = ofMap ? MAP : "";
		core.run("log_supply", { log: open.log, file, offset: begin, bytes });
	}
	return readOn(core);
}

/** Reads on, until bytes are missing or the answer is known. */
async function readOn(core: Core): Promise<LogAnswer> {
	const open = logs.get(core);
	if (!open) throw new BevError("internal", "no log is being read");
	const { name } = open.request;
	try {
		return await naming(name, () => {
			const missing = missingOf(core, open).map(({ key, begin, end }) => {
				return { ofMap: key === MAP, begin, end };
			});
			if (missing.length > 0) return { missing };
			const answer = answerOf(core, open);
			endScene(core, open);
			return answer;
		});
	} catch (error) {
		closeLog(core);
		throw error;
	}
}

/** Returns the ranges that a log's request needs next; none if it can be answered. */
function missingOf(core: Core, open: OpenLog) {
	const { log, request } = open;
	if (request.wish === "names") return core.run("log_missing", { log });
	if (request.wish === "tags") return core.run("log_missing_tags", { log });
	open.converter ??= core.run("converter", { file: request.name });
	const { converter } = open;
	return core.run("read_nuplan", { converter, log, scene: request.wish });
}

function answerOf(core: Core, { log, request, converter }: OpenLog): LogAnswer {
	if (request.wish === "names") {
		const names = core.run("log_scenes", { log });
		const times = core.run("log_times", { log });
		return { scenes: { names, times, scanned: core.run("log_scanned", { log }) } };
	}
	if (request.wish === "tags") return { tags: tagsIn(core.run("log_tags", { log })) };
	if (converter !== undefined) return { converted: finished(core, converter) };
	throw new BevError("internal", "no scene is being read");
}

/** Reads the wanted scenarios' rows of a submission. */
export function forecastsOf({
	file,
	name,
	scenarios,
}: ForecastsRequest): Promise<ForecastRows> {
	return naming(name, async () => {
		const { forecastRows } = await import("./forecasts.js");
		return forecastRows(await wholeOf(file), scenarios);
	});
}

async function readWaymo(
	core: Core,
	converter: Handle<"Converter">,
	{ file, begin, end, index }: Extract<ConvertRequest, { kind: "waymo" }>,
): Promise<void> {
	const record = await bytesOf(file, begin, end);
	core.run("read_waymo", { converter, record, offset: begin, index });
}

/** Reads a scenario that is a file. */
async function readWhole(
	core: Core,
	converter: Handle<"Converter">,
	request: Extract<ConvertRequest, { kind: "scenarionet" | "commonroad" }>,
): Promise<void> {
	const bytes = new Uint8Array(await wholeOf(request.file));
	if (request.kind === "commonroad")
		core.run("read_commonroad", { converter, xml: bytes, ego: request.ego });
	else core.run("read_scenarionet", { converter, pickle: bytes });
}

async function readArgoverse2(
	core: Core,
	converter: Handle<"Converter">,
	{ file, name, map }: Extract<ConvertRequest, { kind: "argoverse2" }>,
): Promise<void> {
	await naming(name, async () => {
		const { parquetColumns } = await import("./parquet.js");
		const content = await wholeOf(file);
		const required = core.run("argoverse2_columns", { required: true });
		const optional = core.run("argoverse2_columns", { required: false });
		const columns = await parquetColumns(content, required, optional);
		for (const column of columns) core.run("add_column", { converter, ...column });
		core.run("read_argoverse2", { converter });
	});
	if (!map) return;
	await naming(map.name, async () => {
		const json = new Uint8Array(await wholeOf(map.file));
		core.run("read_argoverse2_map", { converter, json });
	});
}

/** Returns the data set of the scenario that was read. */
function finished(core: Core, converter: Handle<"Converter">): Converted {
	const report = core.run("finish_conversion", { converter });
	const objects = core.run("converted_objects", { converter });
	return { objects: Object.entries(objects) as Converted["objects"], report };
}

/**
 * Converts a scenario to a data set in memory.
 *
 * @throws BevError that names the file
 */
export async function convert(core: Core, request: ConvertRequest): Promise<Converted> {
	const converter = core.run("converter", { file: request.name });
	try {
		if (request.kind === "argoverse2") await readArgoverse2(core, converter, request);
		else if (request.kind === "simulation") {
			const { readSimulation } = await import("./simulation.js");
			await readSimulation(core, converter, request);
			return finished(core, converter);
		} else {
			await naming(request.name, () => {
				if (request.kind === "waymo") return readWaymo(core, converter, request);
				if (request.kind === "interaction")
					return readInteraction(core, converter, request);
				if (request.kind === "nuscenes") return readNuscenes(core, converter, request);
				return readWhole(core, converter, request);
			});
		}
		return await naming(request.name, () => finished(core, converter));
	} finally {
		core.release(converter);
	}
}
