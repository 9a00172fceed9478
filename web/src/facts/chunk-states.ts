import { FetchSource } from "../source/fetch-source.js";
import { FileSource } from "../source/file-source.js";
import type { Source } from "../source/source.js";
import { hash } from "../source/validator.js";
import type { Resolved } from "../source/zip-source.js";

/** Bytes of a file's beginning, middle and end that distinguish its content. */
const SAMPLE = 4096;

/**
 * An object's key and its state: ETag or Last-Modified, and length; of a file name, date,
 * size and a hash of some of its content, because copies and unpacked archives can have
 * the same date.
 */
export type ObjectState = readonly [key: string, state: string];

/** States of a data set's objects, each asked for once. */
export class ObjectStates {
	readonly #source: Source;
	readonly #asked = new Map<string, Promise<string | undefined>>();

	constructor(source: Source) {
		this.#source = source;
	}

	/** Returns the states of all objects; undefined if the source does not tell one. */
	async of(
		keys: readonly string[],
		signal: AbortSignal | undefined,
	): Promise<readonly ObjectState[] | undefined> {
		const states: ObjectState[] = [];
		const asked = keys.map((key) => this.#ask(key, signal));
		for (const [i, key] of keys.entries()) {
			const state = await asked[i];
			if (state === undefined) return undefined;
			states.push([key, state]);
		}
		return states;
	}

	/** Whether the objects still have these states. */
	async are(
		known: readonly ObjectState[],
		signal: AbortSignal | undefined,
	): Promise<boolean> {
		const now = await this.of(
			known.map(([key]) => key),
			signal,
		);
		return now?.every(([, state], i) => state === known[i]?.[1]) ?? false;
	}

	#ask(key: string, signal: AbortSignal | undefined): Promise<string | undefined> {
		const asked = this.#asked.get(key) ?? stateOf(this.#source, key, signal);
		this.#asked.set(key, asked);
		asked.catch(() => this.#asked.delete(key)); // aborted
		return asked;
	}
}

/** Returns the source whose objects have states: of an archive, the one that holds it. */
export function statedSource({ source, zip }: Resolved): Source {
	return zip?.holder ?? source;
}

async function sampleOf(file: Blob): Promise<number> {
	const last = Math.max(0, file.size - SAMPLE);
	const parts = [0, Math.floor(last / 2), last].map((begin) =>
		file.slice(begin, begin + SAMPLE),
	);
	return hash(new Uint8Array(await new Blob(parts).arrayBuffer()));
}

/** Returns an object's state; undefined if the source does not tell it. */
async function stateOf(
	source: Source,
	key: string,
	signal: AbortSignal | undefined,
): Promise<string | undefined> {
	try {
		if (source instanceof FetchSource) {
			const state = await source.fetchState(key, {}, signal);
			const { etag, modified, length } = state ?? {};
			return (etag ?? modified) ? JSON.stringify([etag, modified, length]) : undefined;
		}
		const file = source instanceof FileSource ? await source.file(key) : undefined;
		if (!(file instanceof File)) return undefined;
		return JSON.stringify([
			...[file.name, file.lastModified, file.size],
			await sampleOf(file),
		]);
	} catch {
		signal?.throwIfAborted();
		return undefined; // the search reports what cannot be read
	}
}
