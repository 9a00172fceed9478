import { isDocument } from "../document.js";
import type { Tagged } from "../fetch-job.js";
import { FetchSource } from "../fetch-source.js";
import type { Absence, ByteRange, ReadOptions, Source, Waiting } from "../source.js";
import { compare, hash, hashOfText, type Validator } from "../validator.js";
import { CacheFiles } from "./cache-files.js";
import { CacheStorage } from "./cache-storage.js";
import { CachedObject, type Part } from "./cached-object.js";
import { holeIn } from "./cached-ranges.js";
import { OpfsStorage } from "./opfs-storage.js";
import type { RecordHead } from "./record.js";
import type { Storage } from "./storage.js";

/**
 * Caches chunks in the browser's storage between visits. Each object is revalidated
 * once, before its first use: the server reports it as unchanged, or, if it sends
 * neither ETag nor Last-Modified, its length and the metadata are the same. Objects
 * that are not validated, lost ranges, and metadata at every visit are fetched.
 */
export class CachedSource implements Source {
	readonly #source: FetchSource;
	readonly #open: () => Promise<Storage | undefined>;
	readonly #limit: number;
	readonly #objects = new Map<string, CachedObject>();
	#files: Promise<CacheFiles | undefined> | undefined;
	/** Hashes of the documents read so far. */
	readonly #documents = new Map<string, number>();
	#cachedBytes = 0;

	/**
	 * @param open called at the first read; returns `undefined` if there is no storage
	 */
	constructor(
		source: FetchSource,
		open: () => Promise<Storage | undefined>,
		limit: number,
	) {
		this.#source = source;
		this.#open = open;
		this.#limit = limit;
	}

	get presumedAbsent(): readonly string[] {
		return this.#source.presumedAbsent;
	}

	get waiting(): Waiting | undefined {
		return this.#source.waiting;
	}

	onWaiting(listener: () => void): () => void {
		return this.#source.onWaiting(listener);
	}

	/** Bytes read from the cache instead of the network. */
	get cachedBytes(): number {
		return this.#cachedBytes;
	}

	async read(key: string, options: ReadOptions = {}): Promise<Uint8Array | undefined> {
		this.#files ??= this.#openFiles();
		const files = await this.#files;
		if (!files) return this.#source.read(key, options);
		if (isDocument(key)) return this.#document(key, options);
		const object = this.#object(files, key);
		await object.confirm(options.range, options.signal);
		return this.#complete(object, key, options);
	}

	size(key: string, signal?: AbortSignal): Promise<number | undefined> {
		return this.#source.size(key, signal);
	}

	absence(key: string): Absence | undefined {
		return this.#source.absence(key);
	}

	recycle(bytes: Uint8Array<ArrayBuffer>): void {
		this.#source.recycle(bytes);
	}

	forget(key: string): void {
		this.#objects.get(key)?.remove();
		this.#objects.delete(key);
		this.#source.forget(key);
	}

	/** Resolves when all queued writes have ended. */
	async settled(): Promise<void> {
		await (await this.#files)?.settled();
	}

	async #openFiles(): Promise<CacheFiles | undefined> {
		const storage = await this.#open().catch(() => undefined);
		return storage && new CacheFiles(storage, this.#limit);
	}

	async #document(key: string, options: ReadOptions): Promise<Uint8Array | undefined> {
		const bytes = await this.#source.read(key, options);
		if (bytes) this.#documents.set(key, hash(bytes) ^ hashOfText(key));
		return bytes;
	}

	/**
	 * Combined hash of all documents, independent of their order; undefined if there are
	 * none, as for an archive.
	 */
	get #metadata(): number | undefined {
		if (this.#documents.size === 0) return undefined;
		return [...this.#documents.values()].reduce((all, one) => all ^ one, 0);
	}

	#object(files: CacheFiles, key: string): CachedObject {
		const known = this.#objects.get(key);
		if (known) return known;
		const object = new CachedObject({
			files,
			address: this.#address(key),
			judge: (head, now) => this.#isCurrent(head, now),
			fetchState: (validator, signal) =>
				this.#source.fetchState(key, validator, signal),
		});
		this.#objects.set(key, object);
		return object;
	}

	/**
	 * Whether a record is valid. Without a validator, equal lengths and equal metadata
	 * are required.
	 */
	#isCurrent({ validator, metadata }: RecordHead, now: Validator): boolean {
		const state = compare(validator, now);
		if (state !== "unknown") return state === "same";
		const lengths = validator.length !== undefined && now.length !== undefined;
		return lengths && metadata !== undefined && metadata === this.#metadata;
	}

	/**
	 * Reads cached parts and fetches the rest; fetches everything if storage lost a part.
	 */
	async #complete(
		object: CachedObject,
		key: string,
		options: ReadOptions,
	): Promise<Uint8Array | undefined> {
		const range = cut(options.range, object.length);
		if (!range) return this.#fetch(object, key, options);
		const parts = await object.parts(range);
		const hole = holeIn(range, parts);
		if (!hole) {
			const bytes = await this.#join(object, range, parts);
			if (bytes) return bytes;
		} else if (hole.end - hole.begin < range.end - range.begin) {
			const { state } = object;
			const fetched = await this.#fetch(object, key, { ...options, range: hole });
			if (!fetched) return undefined;
			const isFull = fetched.length === hole.end - hole.begin;
			const isSame = object.state === state;
			const rest = { begin: hole.begin, bytes: fetched };
			const bytes = isFull && isSame && (await this.#join(object, range, parts, rest));
			if (bytes) return bytes;
		}
		return this.#fetch(object, key, options);
	}

	/**
	 * Joins cached parts, and bytes fetched between them, to `range`. Returns undefined
	 * if storage has lost a part. `parts` were determined before any await, so that other
	 * readers cannot change the coverage.
	 */
	async #join(
		object: CachedObject,
		range: ByteRange,
		parts: readonly Part[],
		fetched?: { readonly begin: number; readonly bytes: Uint8Array },
	): Promise<Uint8Array | undefined> {
		const end = fetched && fetched.begin + fetched.bytes.length;
		const used = parts.filter(
			(part) => !fetched || !end || part.end <= fetched.begin || part.begin >= end,
		);
		const whole = new Uint8Array(range.end - range.begin);
		const cached = used.reduce((sum, part) => sum + part.end - part.begin, 0);
		if (cached + (fetched?.bytes.length ?? 0) !== whole.length) return undefined;
		if (!(await object.copy(used, whole, range.begin))) return undefined;
		if (fetched) whole.set(fetched.bytes, fetched.begin - range.begin);
		this.#cachedBytes += cached;
		return whole;
	}

	async #fetch(
		object: CachedObject,
		key: string,
		options: ReadOptions,
	): Promise<Uint8Array | undefined> {
		let state: Validator = {};
		const onState = (seen: Validator): void => {
			state = seen;
		};
		const bytes = await this.#source.read(key, { ...options, onState });
		if (!bytes) return undefined;
		this.#keep(object, { bytes, validator: state }, options.range?.begin ?? 0);
		return bytes;
	}

	#keep(object: CachedObject, { bytes, validator }: Tagged, begin: number): void {
		object.saw(validator);
		if (bytes.length === 0 || Object.keys(validator).length === 0) return;
		const tells = validator.etag !== undefined || validator.modified !== undefined;
		const metadata = tells ? undefined : this.#metadata;
		if (!tells && metadata === undefined) return;
		object.keep({ begin, metadata }, bytes, validator);
	}

	#address(key: string): string {
		const { origin, pathname } = this.#source.addressOf(key);
		return origin + pathname;
	}
}

/**
 * Cuts `range` at the object's end. Returns undefined if neither range nor length is
 * known.
 */
function cut(
	range: ByteRange | undefined,
	length: number | undefined,
): ByteRange | undefined {
	if (length === undefined) return range;
	const { begin, end } = range ?? { begin: 0, end: length };
	return { begin, end: Math.max(begin, Math.min(end, length)) };
}

/** Opens the best storage of this thread; undefined if there is none. */
export async function openStorage(): Promise<Storage | undefined> {
	return (await OpfsStorage.open()) ?? (await CacheStorage.open());
}

/**
 * Adds a persistent cache of `limit` bytes to `source`. Returns `source` itself without
 * a limit, or if it does not read URLs.
 */
export function withCache(source: Source, limit: number | undefined): Source {
	const keeps = limit !== undefined && source instanceof FetchSource;
	return keeps ? new CachedSource(source, openStorage, limit) : source;
}
