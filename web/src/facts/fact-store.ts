import { byteLengthOf, type PackedResult } from "../arrays/result.js";
import { CacheFiles } from "../source/cache/cache-files.js";
import { CacheStorage } from "../source/cache/cache-storage.js";
import { bytesOf, encode, parse } from "../source/cache/record.js";
import { FACTS_NAME, type Storage } from "../source/cache/storage.js";
import { hashOfText } from "../source/validator.js";
import type { ObjectState } from "./chunk-states.js";

/** Version of the layout of kept facts. */
const LAYOUT = 2;

/** Kept facts, and the states of the chunks that they were computed from. */
interface StoredFacts {
	readonly packed: PackedResult;
	readonly chunks: readonly ObjectState[];
}

/** Maximum bytes of kept facts of an origin's data sets. */
const STORED_LIMIT = 2 ** 26;

/** Maximum bytes of a data set's facts in memory. */
const MEMORY_LIMIT = 2 ** 26;

/**
 * Kept facts of one data set, by part: in memory and, if the data set has an identity,
 * in the browser's storage. Entries that are damaged, or of another version or state of
 * the data set, count as absent.
 */
export class FactStore {
	/** Version of the definitions, and the map. */
	readonly name: string;
	readonly #identity: string | undefined;
	readonly #files: CacheFiles | undefined;
	/** Least recently used first. */
	readonly #memory = new Map<number, PackedResult>();
	#bytes = 0;

	private constructor(
		name: string,
		identity: string | undefined,
		files: CacheFiles | undefined,
	) {
		this.name = name;
		this.#identity = identity;
		this.#files = files;
	}

	/**
	 * @param identity undefined to keep facts in memory only
	 * @param storage undefined if there is none
	 */
	static async open(
		name: string,
		identity: string | undefined,
		storage?: Storage,
	): Promise<FactStore> {
		const found =
			identity === undefined
				? undefined
				: (storage ?? (await CacheStorage.open(FACTS_NAME)));
		const files = found && new CacheFiles(found, STORED_LIMIT);
		return new FactStore(name, identity, files);
	}

	/** Whether facts are kept in the browser's storage. */
	get isStored(): boolean {
		return this.#files !== undefined;
	}

	/**
	 * Returns the facts of a part.
	 *
	 * @param isCurrent whether chunks still have these states; otherwise stored facts
	 * count as absent
	 */
	async read(
		begin: number,
		end: number,
		isCurrent: (chunks: readonly ObjectState[]) => Promise<boolean>,
	): Promise<PackedResult | undefined> {
		const held = this.#memory.get(begin);
		if (held) {
			this.#hold(begin, held);
			return held;
		}
		const stored = await this.#stored(begin, end);
		if (!stored) return undefined;
		if (!(await isCurrent(stored.chunks))) {
			this.#files?.remove(nameOf(this.#keyOf(begin, end)));
			return undefined;
		}
		this.#hold(begin, stored.packed);
		return stored.packed;
	}

	/** @param chunks undefined to keep the facts in memory only */
	write(
		begin: number,
		end: number,
		packed: PackedResult,
		chunks: readonly ObjectState[] | undefined,
	): void {
		this.#hold(begin, packed);
		if (!this.#files || !chunks) return;
		const of = this.#keyOf(begin, end);
		const bytes = bytesFrom({ packed, chunks });
		const { record } = encode({ of, begin: 0, validator: {}, metadata: 0 }, bytes);
		this.#files.append(nameOf(of), record, () => {});
	}

	/** Resolves when all queued writes have ended. */
	async settled(): Promise<void> {
		await this.#files?.settled();
	}

	#keyOf(begin: number, end: number): string {
		return JSON.stringify([LAYOUT, this.name, this.#identity, begin, end]);
	}

	async #stored(begin: number, end: number): Promise<StoredFacts | undefined> {
		const of = this.#keyOf(begin, end);
		const found = await this.#files?.use(nameOf(of), async (file) => {
			const placed = (await parse(file)).filter(({ head }) => head.of === of).at(-1);
			const bytes = placed && (await bytesOf(file, placed));
			return (bytes && storedFrom(bytes)) ?? "damaged";
		});
		if (found !== "damaged") return found;
		this.#files?.remove(nameOf(of));
		return undefined;
	}

	#hold(begin: number, packed: PackedResult): void {
		this.#bytes -= this.#memory.get(begin)?.buffer.byteLength ?? 0;
		this.#memory.delete(begin);
		this.#memory.set(begin, packed);
		this.#bytes += packed.buffer.byteLength;
		for (const [other, { buffer }] of this.#memory) {
			if (this.#bytes <= MEMORY_LIMIT || other === begin) break;
			this.#memory.delete(other);
			this.#bytes -= buffer.byteLength;
		}
	}
}

function nameOf(key: string): string {
	return hashOfText(key).toString(36);
}

/** Returns the arrays' layout as JSON, its length before it, and their bytes. */
function bytesFrom({ packed, chunks }: StoredFacts): Uint8Array<ArrayBuffer> {
	const { arrays, buffer } = packed;
	const layout = new TextEncoder().encode(JSON.stringify({ arrays, chunks }));
	const ends = arrays.map((array) => array.byteOffset + byteLengthOf(array));
	const size = Math.max(0, ...ends); // the buffer may be longer
	const bytes = new Uint8Array(4 + layout.length + size);
	new DataView(bytes.buffer).setUint32(0, layout.length, true);
	bytes.set(layout, 4);
	bytes.set(new Uint8Array(buffer, 0, size), 4 + layout.length);
	return bytes;
}

/** The inverse of `bytesFrom`; undefined if the bytes are not from it. */
function storedFrom(bytes: Uint8Array<ArrayBuffer>): StoredFacts | undefined {
	try {
		const length = new DataView(bytes.buffer).getUint32(0, true);
		const layout = new TextDecoder().decode(bytes.subarray(4, 4 + length));
		const { arrays, chunks } = JSON.parse(layout) as Pick<PackedResult, "arrays"> &
			Pick<StoredFacts, "chunks">;
		return { packed: { arrays, buffer: bytes.slice(4 + length).buffer }, chunks };
	} catch {
		return undefined;
	}
}
