import { BevError } from "../base/errors.js";
import type { Core, CoreRequest, Handle } from "../core/core.js";
import { bytesOf, naming, wholeOf } from "./files.js";
import type {
	Converted,
	ConvertRequest,
	ForecastRows,
	ForecastsRequest,
	ListsRequest,
	NamedFile,
	RecordsRequest,
	ScenesRequest,
} from "./protocol.js";
import { readNuscenes } from "./version.js";

/** Bytes before the content of a TFRecord. */
const HEAD_BYTES = 12;

const MAX_RECORDS = 1_000_000;

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

/** Opens a log of nuPlan for `work`, which reads its ranges by `read`. */
async function withLog<T>(
	core: Core,
	{ file, name }: NamedFile,
	work: (
		log: Handle<"LogFile">,
		read: (missing: () => readonly CoreRequest[]) => Promise<void>,
	) => Promise<T>,
): Promise<T> {
	const log = core.run("log_file", { name, size: file.size });
	try {
		return await work(log, async (missing) => {
			for (let [next] = missing(); next; [next] = missing()) {
				const { begin, end } = next;
				const bytes = await bytesOf(file, begin, end);
				core.run("log_supply", { log, offset: begin, bytes });
			}
		});
	} finally {
		core.release(log);
	}
}

/** Returns the names of the scenes in a log of nuPlan. */
export function scenesOf(
	core: Core,
	request: ScenesRequest,
): Promise<readonly string[]> {
	return naming(request.name, () =>
		withLog(core, request, async (log, read) => {
			await read(() => core.run("log_missing", { log }));
			return core.run("log_scenes", { log });
		}),
	);
}

async function readNuplan(
	core: Core,
	converter: Handle<"Converter">,
	request: Extract<ConvertRequest, { kind: "nuplan" }>,
): Promise<void> {
	const { map, scene } = request;
	await withLog(core, request, async (log, read) => {
		if (map) {
			const bytes = await naming(map.name, () => wholeOf(map.file));
			core.run("log_map", { log, bytes: new Uint8Array(bytes) });
		}
		await read(() => core.run("read_nuplan", { converter, log, scene }));
	});
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

async function readScenarionet(
	core: Core,
	converter: Handle<"Converter">,
	file: Blob,
): Promise<void> {
	const pickle = new Uint8Array(await wholeOf(file));
	core.run("read_scenarionet", { converter, pickle });
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

/**
 * Converts a scenario to a data set in memory.
 *
 * @throws BevError that names the file
 */
export async function convert(core: Core, request: ConvertRequest): Promise<Converted> {
	const converter = core.run("converter", { file: request.name });
	try {
		if (request.kind === "argoverse2") await readArgoverse2(core, converter, request);
		else {
			await naming(request.name, () => {
				if (request.kind === "waymo") return readWaymo(core, converter, request);
				if (request.kind === "nuplan") return readNuplan(core, converter, request);
				if (request.kind === "nuscenes") return readNuscenes(core, converter, request);
				return readScenarionet(core, converter, request.file);
			});
		}
		return await naming(request.name, () => {
			const report = core.run("finish_conversion", { converter });
			const objects = core.run("converted_objects", { converter });
			return { objects: Object.entries(objects) as Converted["objects"], report };
		});
	} finally {
		core.release(converter);
	}
}
