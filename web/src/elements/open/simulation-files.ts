import { BevError } from "../../base/errors.js";
import { isSimulation } from "../../converting/names.js";
import type { ConvertRequest } from "../../converting/protocol.js";
import type { FileSource } from "../../source/file-source.js";
import { nameOf } from "./places.js";
import type { ScenarioSource } from "./scenario-set.js";

/** Levels of folders: simulation_log/PLANNER/TYPE/LOG/NAME. */
const DEPTH = 6;
const MAX_FOLDERS = 20_000;
/** Bytes of a document that tell what it is. */
export const HEAD = 4096;
/** Names of other data sets' files, whose folders are not searched. */
const OTHERS = /^(\.z|zarr\.json$)|\.(zip|db|tfrecord[-\w]*|parquet|pb)$/i;

/** Returns whether a document has serialized scenes of nuPlan, by its begin. */
export function areScenes(head: string): boolean {
	return (
		/^\s*[[{]/.test(head) &&
		/"ego"\s*:\s*\{/.test(head) &&
		/"timestamp_us"\s*:/.test(head)
	);
}

async function request(
	files: FileSource,
	name: string,
	paths: readonly string[],
): Promise<ConvertRequest> {
	const found: { file: Blob; name: string }[] = [];
	for (const path of paths) {
		const file = await files.file(path);
		if (!file) throw new BevError("not_found", `${path}: not found`);
		found.push({ file, name: nameOf(path) });
	}
	const folder = (paths[0] ?? "").replace(/\/?[^/]*$/, "");
	return { kind: "simulation", name, files: found, folder };
}

/** Returns the simulations in a folder: a source per compressed file, and one of scenes. */
async function simulationsAt(
	files: FileSource,
	folder: string,
	names: readonly string[],
): Promise<ScenarioSource[]> {
	const path = (name: string) => (folder === "" ? name : `${folder}/${name}`);
	const logs = names.filter(isSimulation).sort();
	const isStep = (name: string) => /^\d+\./.test(name);
	const sources = logs
		.filter((name) => !isStep(name))
		.map((name): ScenarioSource => {
			const id = name.replace(/\.(msgpack|pkl)\.xz$/i, "");
			return { name: id, request: () => request(files, id, [path(name)]) };
		});
	const documents = names.filter((name) => /\.json$/i.test(name)).sort();
	const [first] = documents;
	const head = first && (await (await files.file(path(first)))?.slice(0, HEAD).text());
	const scenes = [
		...logs.filter(isStep),
		...(head !== undefined && areScenes(head) ? documents : []),
	];
	if (scenes.length > 0) {
		const own = nameOf(folder) || (scenes[0] ?? "").replace(/\.json$/i, "");
		const paths = scenes.map(path);
		sources.push({ name: own, request: () => request(files, own, paths) });
	}
	return sources;
}

/**
 * Returns the simulations of nuPlan among the user's files: logs, and the serialized scenes
 * of each folder. Empty if there are none.
 */
export async function simulationsIn(files: FileSource): Promise<ScenarioSource[]> {
	const sources: ScenarioSource[] = [];
	let level = [""];
	let seen = 0;
	for (let depth = 0; depth < DEPTH && level.length > 0; depth += 1) {
		const next: string[] = [];
		for (const folder of level) {
			seen += 1;
			if (seen > MAX_FOLDERS) return sources;
			const at = folder === "" ? files : files.below(folder);
			const { files: names, folders } = await at.contents();
			if (names.some((name) => OTHERS.test(name))) continue;
			for (const one of await simulationsAt(files, folder, names)) sources.push(one);
			for (const name of [...folders].sort())
				if (!/\.zarr$/i.test(name))
					next.push(folder === "" ? name : `${folder}/${name}`);
		}
		level = next;
	}
	return sources;
}
