import type { CoreConvert, CoreWaymoConverter } from "../core-convert.js";
import { BevError } from "../errors.js";

/** Bytes before the content of a TFRecord. */
const HEAD_BYTES = 12;

/** The data set is in memory, about as large as the file. */
const MAX_FILE_BYTES = 2 ** 29;

/** The objects of a converted data set by key, and what was lost. */
export interface Converted {
	readonly objects: readonly (readonly [string, Uint8Array<ArrayBuffer>])[];
	/** JSON, see docs/other-data.md. */
	readonly report: string;
}

export interface ConvertOptions {
	/** Name of the file in messages and attributes. */
	readonly name: string;
	/** Called with the number of scenarios converted, and of all. */
	readonly onProgress: (done: number, of: number) => void;
}

/** Whether a file's name is that of TFRecords: `a.tfrecord`, `a.tfrecord-00000-of-00010`. */
export function isRecords(name: string): boolean {
	return /\.tfrecord(-[0-9a-z-]+)?$/i.test(name);
}

async function bytesOf(file: Blob, begin: number, end: number): Promise<Uint8Array> {
	return new Uint8Array(await file.slice(begin, end).arrayBuffer());
}

/** Returns the first byte of each record, and the end of the last. */
async function limitsOf(core: CoreConvert, file: Blob): Promise<number[]> {
	const limits = [0];
	for (let at = 0; at < file.size; limits.push(at)) {
		at += core.recordSize(await bytesOf(file, at, at + HEAD_BYTES), at);
	}
	return limits;
}

/**
 * Converts a TFRecord file of Waymo scenarios to a data set in memory.
 *
 * @throws BevError that names the file; `limit_exceeded` above 512 MiB
 */
export async function convertWaymo(
	core: CoreConvert,
	file: Blob,
	{ name, onProgress }: ConvertOptions,
): Promise<Converted> {
	if (file.size > MAX_FILE_BYTES) {
		throw new BevError(
			"limit_exceeded",
			`too large to convert here (found ${file.size} bytes, expected at most ${MAX_FILE_BYTES}); use bevscope convert waymo`,
		);
	}
	const limits = await limitsOf(core, file);
	const count = limits.length - 1;
	if (count === 0) throw new BevError("not_found", "no scenarios found");
	const converter = core.makeWaymoConverter(name, count > 1);
	try {
		for (let i = 0; i < count; i += 1) {
			const [begin = 0, end = 0] = limits.slice(i, i + 2);
			converter.add(await bytesOf(file, begin, end), begin);
			onProgress(i + 1, count);
		}
		return finished(converter);
	} finally {
		converter.delete();
	}
}

function finished(converter: CoreWaymoConverter): Converted {
	const report = converter.finish();
	const objects = converter.keys().map((key) => [key, converter.object(key)] as const);
	return { objects, report };
}
