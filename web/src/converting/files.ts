import { BevError, toBevError } from "../base/errors.js";

/** Far above any scenario's files, which have some 100 kB. */
const MAX_FILE_BYTES = 2 ** 28;

/** Runs `work`; its errors name the file. */
export async function naming<T>(name: string, work: () => T | Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		const { code, message } = toBevError(error);
		throw new BevError(code, `${name}: ${message}`, { cause: error });
	}
}

export async function bytesOf(
	file: Blob,
	begin: number,
	end: number,
): Promise<Uint8Array> {
	return new Uint8Array(await file.slice(begin, end).arrayBuffer());
}

export async function wholeOf(file: Blob): Promise<ArrayBuffer> {
	if (file.size > MAX_FILE_BYTES) {
		throw new BevError(
			"limit_exceeded",
			`too large (found ${file.size} bytes, expected at most ${MAX_FILE_BYTES})`,
		);
	}
	return file.arrayBuffer();
}
