import type { AbortOptions } from "../api.js";
import { BevError } from "../base/errors.js";
import type { FetchSource } from "../source/fetch-source.js";
import { Gate } from "../source/gate.js";
import type { Converter } from "./converter.js";
import type {
	Converted,
	LogAnswer,
	LogRange,
	LogRequest,
	LogScenes,
	NamedFile,
} from "./protocol.js";

/** Ranges that are read at the same time. */
const PARALLEL = 16;

/** A file of which ranges are read. */
export interface RangedFile {
	/** For messages and attributes. */
	readonly name: string;
	readonly size: number;
	/** Returns bytes [begin, end). */
	read(begin: number, end: number, signal?: AbortSignal): Promise<Uint8Array>;
}

/** A log of nuPlan, and its city's map. */
export interface LogFiles {
	readonly log: RangedFile;
	readonly map: RangedFile | undefined;
}

/** Scene `scene` of a log. */
export interface LogScene extends LogFiles {
	readonly kind: "log";
	readonly scene: number;
}

/** Returns a file of this machine. */
export function localFile({ file, name }: NamedFile): RangedFile {
	const read = async (begin: number, end: number) =>
		new Uint8Array(await file.slice(begin, end).arrayBuffer());
	return { name, size: file.size, read };
}

/** Returns the file `name` below a URL; undefined if it does not exist. */
export async function remoteFile(
	source: FetchSource,
	name: string,
	signal?: AbortSignal,
): Promise<RangedFile | undefined> {
	const range = { begin: 0, end: 1 };
	const first = await source.read(name, { range, signal, required: false });
	const size = first && (await source.size(name, signal));
	if (size === undefined) return undefined;
	return {
		name,
		size,
		read: async (begin, end, signal) => {
			const bytes = await source.read(name, { range: { begin, end }, signal });
			if (bytes) return bytes;
			throw new BevError("missing_key", `${name}: not found`);
		},
	};
}

/** The latest request of each converter, which answers one after the other. */
const turns = new WeakMap<Converter, Promise<unknown>>();

/** Asks for something of a log, and reads what that needs. */
function answered(
	converter: Converter,
	files: LogFiles,
	wish: LogRequest["wish"],
	options: AbortOptions,
): Promise<LogAnswer> {
	const before = turns.get(converter) ?? Promise.resolve();
	const turn = before
		.catch(() => {})
		.then(() => readWhile(converter, files, wish, options));
	turns.set(converter, turn);
	return turn;
}

async function readWhile(
	converter: Converter,
	{ log, map }: LogFiles,
	wish: LogRequest["wish"],
	{ signal }: AbortOptions,
): Promise<LogAnswer> {
	const sizes = { size: log.size, map: map && { name: map.name, size: map.size } };
	let answer: LogAnswer = await converter.ask(
		{ kind: "log", name: log.name, wish, ...sizes },
		{ signal },
	);
	const gate = new Gate(PARALLEL);
	const read = async (range: LogRange) => {
		const file = range.ofMap ? map : log;
		if (!file) throw new BevError("internal", "a log without map asks for one");
		const ticket = gate.enter();
		try {
			await ticket.turn;
			return { ...range, bytes: await file.read(range.begin, range.end, signal) };
		} finally {
			ticket.leave();
		}
	};
	while (answer.missing) {
		const parts = await Promise.all(answer.missing.map(read));
		answer = await converter.ask({ kind: "supply", parts }, { signal });
	}
	return answer;
}

/** Returns the names of a log's scenes, by time. */
export async function logScenes(
	converter: Converter,
	files: LogFiles,
	options: AbortOptions = {},
): Promise<LogScenes> {
	const { scenes } = await answered(converter, files, "names", options);
	return scenes ?? { names: [], times: new BigInt64Array(), scanned: [] };
}

/** Returns the tags of each of a log's scenes. */
export async function logTags(
	converter: Converter,
	files: LogFiles,
	options: AbortOptions = {},
): Promise<readonly (readonly string[])[]> {
	const { tags } = await answered(converter, files, "tags", options);
	return tags ?? [];
}

/** Converts a scene of a log. */
export async function convertLogScene(
	converter: Converter,
	{ scene, ...files }: Omit<LogScene, "kind">,
	options: AbortOptions = {},
): Promise<Converted> {
	const { converted } = await answered(converter, files, scene, options);
	if (converted) return converted;
	throw new BevError("internal", "a log answers without its scene");
}
