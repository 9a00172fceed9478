import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReadOptions, Source } from "../../web/src/source/source.js";

/** Reads keys below a local folder, and records them. */
export class DirectorySource implements Source {
	readonly keys: string[] = [];
	readonly #folder: string;

	constructor(folder: string) {
		this.#folder = folder;
	}

	async read(
		key: string,
		{ range, signal }: ReadOptions = {},
	): Promise<Uint8Array | undefined> {
		this.keys.push(key);
		try {
			const bytes = await readFile(join(this.#folder, key), { signal });
			return new Uint8Array(bytes.subarray(range?.begin, range?.end));
		} catch (error) {
			if ((error as { code?: string }).code === "ENOENT") return undefined;
			throw error;
		}
	}
}
