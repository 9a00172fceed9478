import type { Tagged } from "../fetch-job.js";
import type { FetchSource } from "../fetch-source.js";
import type { ByteRange, ReadOptions, Source } from "../source.js";
import { compare, type Validator } from "../validator.js";
import { hash, hashOfText } from "./hash.js";
import { KeptFiles } from "./kept-files.js";
import { covering, hole } from "./pieces.js";
import { bytesOf, encode, type Placed, parse } from "./record.js";
import type { Shelf } from "./shelf.js";

/** Bytes of an object that are on the shelf. */
type Piece = ByteRange & { readonly placed: Placed };

/** An object as the server had it last, and what is kept of that. */
interface Kept {
	readonly name: string;
	validator: Validator | undefined;
	pieces: Piece[];
}

/**
 * Reads through what is kept of a data set's chunks from one visit to the next. Each object
 * is confirmed once, before its first use: the server says that it is unchanged; or, where
 * it tells neither ETag nor Last-Modified, length and metadata are those of before. What was
 * not confirmed is fetched. Metadata is fetched every time.
 */
export class KeptSource implements Source {
	readonly #source: FetchSource;
	readonly #open: () => Promise<Shelf | undefined>;
	readonly #limit: number;
	readonly #objects = new Map<string, Promise<Kept>>();
	#files: Promise<KeptFiles | undefined> | undefined;
	/** Hashes of the documents so far. */
	readonly #documents = new Map<string, number>();
	#keptBytes = 0;

	/** @param open called at the first read; `undefined` where nothing can be kept */
	constructor(
		source: FetchSource,
		open: () => Promise<Shelf | undefined>,
		limit: number,
	) {
		this.#source = source;
		this.#open = open;
		this.#limit = limit;
	}

	get presumedAbsent(): readonly string[] {
		return this.#source.presumedAbsent;
	}

	/** Bytes that did not have to be fetched. */
	get keptBytes(): number {
		return this.#keptBytes;
	}

	async read(key: string, options: ReadOptions = {}): Promise<Uint8Array | undefined> {
		this.#files ??= this.#open().then((shelf) =>
			shelf ? new KeptFiles(shelf, this.#limit) : undefined,
		);
		const files = await this.#files;
		if (!files) return this.#source.read(key, options);
		if (isDocument(key)) return this.#document(key, options);
		const kept = await this.#confirmed(files, key, options.signal);
		return this.#complete(files, key, kept, options);
	}

	size(key: string, signal?: AbortSignal): Promise<number | undefined> {
		return this.#source.size(key, signal);
	}

	/** Resolves when all that was read is kept, as far as it can be. */
	async settled(): Promise<void> {
		await (await this.#files)?.settled();
	}

	async #document(key: string, options: ReadOptions): Promise<Uint8Array | undefined> {
		const bytes = await this.#source.read(key, options);
		if (bytes) this.#documents.set(key, hash(bytes) ^ hashOfText(key));
		return bytes;
	}

	/** Of all documents, in whatever order they came. */
	get #metadata(): number {
		return [...this.#documents.values()].reduce((all, one) => all ^ one, 0);
	}

	/** The object's state, asked for once; a failure is forgotten, to be asked again. */
	#confirmed(
		files: KeptFiles,
		key: string,
		signal: AbortSignal | undefined,
	): Promise<Kept> {
		const known = this.#objects.get(key);
		if (known) return known;
		const asked = this.#confirm(files, key, signal).catch((error) => {
			this.#objects.delete(key);
			throw error;
		});
		this.#objects.set(key, asked);
		return asked;
	}

	async #confirm(
		files: KeptFiles,
		key: string,
		signal: AbortSignal | undefined,
	): Promise<Kept> {
		const of = this.#address(key);
		const name = hashOfText(of).toString(36);
		const file = await files.read(name);
		const placed = file ? await parse(file) : [];
		const last = placed.filter(({ head }) => head.of === of).at(-1)?.head;
		if (!last) return { name, validator: undefined, pieces: [] };
		const { validator, metadata } = last;
		const seen = await this.#source.look(key, validator, signal);
		if (!seen || !this.#isSame(validator, metadata, seen)) {
			files.remove(name);
			return { name, validator: undefined, pieces: [] };
		}
		const same = placed.filter(({ head }) => {
			const state = compare(head.validator, validator);
			return head.of === of && state !== "changed" && head.metadata === metadata;
		});
		return { name, validator, pieces: same.map(pieceOf) };
	}

	#isSame(known: Validator, metadata: number | undefined, seen: Validator): boolean {
		const state = compare(known, seen);
		if (state !== "unknown") return state === "same";
		return metadata === this.#metadata && seen.length !== undefined;
	}

	/** Takes what is kept, fetches what is not, and keeps that as well. */
	async #complete(
		files: KeptFiles,
		key: string,
		kept: Kept,
		options: ReadOptions,
	): Promise<Uint8Array | undefined> {
		const range = cut(options.range, kept.validator?.length);
		const asked = range && hole(range, kept.pieces);
		if (range && !asked) {
			const bytes = await this.#assemble(files, kept, range);
			if (bytes) return bytes;
		}
		const saves = range && asked && asked.end - asked.begin < range.end - range.begin;
		const wanted = saves ? { ...options, range: asked } : options;
		const fetched = await this.#source.readTagged(key, wanted);
		if (!fetched) return undefined;
		const begin = wanted.range?.begin ?? 0;
		this.#keep(files, key, kept, fetched, begin);
		if (!saves) return fetched.bytes;
		const rest = await this.#assemble(files, kept, range, { begin, ...fetched });
		return rest ?? this.#source.read(key, options);
	}

	/** `range` out of pieces, one of which may just have been fetched. */
	async #assemble(
		files: KeptFiles,
		kept: Kept,
		range: ByteRange,
		fetched?: { readonly begin: number; readonly bytes: Uint8Array },
	): Promise<Uint8Array | undefined> {
		const whole = new Uint8Array(range.end - range.begin);
		const file = await files.read(kept.name);
		const put = (begin: number, bytes: Uint8Array): void => {
			const from = Math.max(range.begin - begin, 0);
			const to = Math.min(range.end - begin, bytes.length);
			if (from < to) whole.set(bytes.subarray(from, to), begin + from - range.begin);
		};
		const held = fetched ? outside(range, fetched) : [range];
		for (const part of held) {
			for (const { begin, placed } of covering(part, kept.pieces)) {
				const bytes = file && (await bytesOf(file, placed));
				if (!bytes) {
					kept.pieces = []; // removed or overwritten by another page
					return undefined;
				}
				put(begin, bytes);
			}
		}
		if (fetched) put(fetched.begin, fetched.bytes);
		this.#keptBytes += whole.length - (fetched?.bytes.length ?? 0);
		return whole;
	}

	#keep(
		files: KeptFiles,
		key: string,
		kept: Kept,
		{ bytes, validator }: Tagged,
		begin: number,
	): void {
		if (bytes.length === 0 || Object.keys(validator).length === 0) return;
		if (kept.validator && compare(kept.validator, validator) === "changed") {
			kept.pieces = [];
			files.remove(kept.name);
		}
		kept.validator = { ...kept.validator, ...validator };
		const tells = validator.etag !== undefined || validator.modified !== undefined;
		const metadata = tells ? undefined : this.#metadata;
		const head = { of: this.#address(key), begin, validator, metadata };
		const record = encode(head, bytes);
		const start = record.length - bytes.length;
		const placedHead = { ...head, end: begin + bytes.length, hash: hash(bytes) };
		files.append(kept.name, record, (at) => {
			kept.pieces.push(pieceOf({ head: placedHead, at: at + start }));
		});
	}

	#address(key: string): string {
		const { origin, pathname } = this.#source.url;
		return `${origin}${pathname.replace(/\/$/, "")}/${key}`;
	}
}

function pieceOf(placed: Placed): Piece {
	const { begin, end } = placed.head;
	return { begin, end, placed };
}

/** What is asked for, as far as the object goes; undefined where that is not known. */
function cut(
	range: ByteRange | undefined,
	length: number | undefined,
): ByteRange | undefined {
	if (length === undefined) return range;
	const { begin, end } = range ?? { begin: 0, end: length };
	return { begin, end: Math.max(begin, Math.min(end, length)) };
}

/** What of `range` is not in `fetched`. */
function outside(
	range: ByteRange,
	fetched: { readonly begin: number; readonly bytes: Uint8Array },
): ByteRange[] {
	const end = fetched.begin + fetched.bytes.length;
	return [
		{ begin: range.begin, end: Math.min(fetched.begin, range.end) },
		{ begin: Math.max(end, range.begin), end: range.end },
	].filter((part) => part.begin < part.end);
}

/** What says how chunks are to be read, and is read before any of them. */
function isDocument(key: string): boolean {
	const name = key.slice(key.lastIndexOf("/") + 1);
	return name.startsWith(".z") || name === "zarr.json";
}
