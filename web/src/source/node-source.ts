import { BevError, ioError } from "../base/errors.js";
import { assertDocument, isDocument } from "./document.js";
import { isAbsent, type NodeFile, nodeFs, nodeModule } from "./node-files.js";
import type { Absence, ReadOptions, Source } from "./source.js";
import { absolute, below } from "./url.js";

/** Reads keys below a folder of Node's file system. */
export class NodeSource implements Source {
	/** The folder as a `file:` URL. */
	readonly url: URL;
	readonly #fs = nodeFs();

	constructor(url: string | URL) {
		this.url = absolute(url);
	}

	/** Reads a file, or a range cut at its end; undefined if it is absent. */
	async read(
		key: string,
		{ range, signal }: ReadOptions = {},
	): Promise<Uint8Array | undefined> {
		signal?.throwIfAborted();
		const size = await this.size(key);
		if (size === undefined) return undefined;
		if (isDocument(key)) assertDocument(key, size);
		const begin = Math.min(range?.begin ?? 0, size);
		const bytes = new Uint8Array(
			Math.max(0, Math.min(range?.end ?? size, size) - begin),
		);
		await this.#guard(key, async () => {
			const file = await this.#fs.open(below(this.url, key), "r");
			try {
				await fill(file, bytes, begin, key);
			} finally {
				await file.close();
			}
		});
		signal?.throwIfAborted();
		return bytes;
	}

	/** Returns a file's length; undefined if it is absent, or not a file. */
	async size(key: string): Promise<number | undefined> {
		const url = below(this.url, key);
		return this.#guard(key, async () => {
			const found = await this.#fs.stat(url);
			return found.isFile() ? found.size : undefined;
		});
	}

	/** Returns where an absent file was looked for. */
	absence(key: string): Absence | undefined {
		return key === "" ? undefined : { url: below(this.url, key).href };
	}

	/** Returns the paths of all files. */
	async keys(): Promise<string[]> {
		const found: string[] = [];
		const waiting = [""];
		for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
			const folder = at === "" ? this.url : below(this.url, at.slice(0, -1));
			for (const name of await this.#fs.readdir(folder)) {
				const key = at + name;
				const isFile = (await this.size(key)) !== undefined;
				if (isFile) found.push(key);
				else if (await this.#isFolder(key)) waiting.push(`${key}/`);
			}
		}
		return found;
	}

	async #isFolder(key: string): Promise<boolean> {
		const url = below(this.url, key);
		return (await this.#guard(key, () => this.#fs.stat(url)))?.isDirectory() ?? false;
	}

	async #guard<T>(key: string, work: () => Promise<T>): Promise<T | undefined> {
		try {
			return await work();
		} catch (error) {
			if (isAbsent(error)) return undefined;
			throw error instanceof BevError ? error : ioError(this.url.pathname, key, error);
		}
	}
}

/** Reads all of `bytes`. Throws `changed` if the file has become shorter. */
async function fill(
	file: NodeFile,
	bytes: Uint8Array,
	begin: number,
	key: string,
): Promise<void> {
	for (let done = 0; done < bytes.length; ) {
		const length = bytes.length - done;
		const { bytesRead } = await file.read(bytes, done, length, begin + done);
		if (bytesRead === 0) {
			const said = `${key}: file changed while it was read (found ${done} bytes, expected ${bytes.length})`;
			throw new BevError("changed", said, { key });
		}
		done += bytesRead;
	}
}

/**
 * Returns the `file:` URL that `from` names in Node: a path, or such a URL. Undefined for
 * other URLs, and in browsers.
 */
export function nodeUrl(from: string | URL): URL | undefined {
	const inPage = typeof document !== "undefined" || "location" in globalThis;
	const urls = inPage ? undefined : nodeModule("node:url");
	if (!urls) return undefined;
	const text = String(from);
	// A scheme has at least two letters: `C:\data` is a path.
	if (!/^[a-z][a-z0-9+.-]+:/i.test(text)) return urls.pathToFileURL(text);
	const url = absolute(from);
	if (url.protocol !== "file:") return undefined;
	if (url.host === "" || url.host === "localhost") return url;
	const said = `${url.href}: unsupported host (found ${url.host}, expected a local file)`;
	throw new BevError("invalid_argument", said);
}
