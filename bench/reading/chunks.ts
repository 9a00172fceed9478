// Compares decoding of a chunk of records, and of a few rows of a chunk in memory,
// between the module and numcodecs.js on the same bytes. Runs in a page and under Node.
import Blosc from "numcodecs/blosc";
import type { Core, CoreArray, Handle } from "../../web/src/core/core.js";
import { ARRAY, type Times } from "./common.js";

/** Reads an object of the data set; undefined if absent. */
export type Read = (key: string) => Promise<Uint8Array | undefined>;

const TWO_FIELDS = ["centroid", "yaw"];
/** Rows of a frame. */
const FEW = 84;
/** Calls per round. */
const REPEATS = 5;
/** More than the cache of decoded blocks holds, so that each read decodes. */
const RESIDENT_CHUNKS = 50;
const BUDGET = 2 ** 28;

interface Options {
	readonly begin: number;
	readonly end: number;
	readonly fields?: readonly string[];
}

export class ChunkBench {
	readonly chunks: readonly Uint8Array[];
	readonly #core: Core;
	readonly #metadata = new Map<string, Uint8Array | undefined>();
	readonly #codec: ReturnType<typeof Blosc.fromConfig>;
	readonly #rows: number;
	readonly #record: number;
	readonly #resident: Handle<"Engine">;
	#reads = 0;

	private constructor(core: Core, meta: Metadata, chunks: Uint8Array[]) {
		this.#core = core;
		this.#codec = Blosc.fromConfig(meta.compressor);
		this.#rows = meta.chunks[0] ?? 0;
		this.#record = recordSize(chunks);
		this.chunks = chunks;
		this.#resident = core.run("engine", { byte_budget: BUDGET });
	}

	/** Reads whole chunks of the array, and the metadata that an engine needs. */
	static async create(core: Core, read: Read): Promise<ChunkBench> {
		const text = await read(`${ARRAY}/.zarray`);
		const meta = JSON.parse(new TextDecoder().decode(text)) as Metadata;
		const whole = Math.floor((meta.shape[0] ?? 0) / (meta.chunks[0] ?? 1));
		const chunks: Uint8Array[] = [];
		while (chunks.length < Math.min(whole, RESIDENT_CHUNKS)) {
			const chunk = await read(`${ARRAY}/${chunks.length}`);
			if (!chunk) throw new Error(`${ARRAY}/${chunks.length}: not there`);
			chunks.push(chunk);
		}
		const bench = new ChunkBench(core, meta, chunks);
		await bench.#readMetadata(read);
		bench.#open(bench.#resident);
		chunks.forEach((chunk, i) => {
			bench.#supply(bench.#resident, `${ARRAY}/${i}`, chunk);
		});
		return bench;
	}

	/**
	 * Returns the number of column bytes that differ from the other decoder's records,
	 * over all chunks.
	 */
	async wrong(): Promise<number> {
		let wrong = 0;
		for (let i = 0; i < this.chunks.length; i += 1) {
			const records = await this.#codec.decode(this.chunks[i] as Uint8Array);
			const rows = { begin: i * this.#rows, end: (i + 1) * this.#rows };
			const query = this.#rowsOf(this.#resident, rows);
			if (this.#core.missing(query).length > 0) throw new Error("not resident");
			wrong += differences(this.#core.build(query), records, this.#record);
			this.#core.release(query);
		}
		return wrong;
	}

	/** Makes a few calls of each case, alternating, on one of the chunks. */
	async round(i: number): Promise<Times> {
		const which = i % this.chunks.length;
		const chunk = this.chunks[which] as Uint8Array;
		const rows = { begin: which * this.#rows, end: (which + 1) * this.#rows };
		const records = new Uint8Array(await this.#codec.decode(chunk));
		const target = new Uint8Array(records.length);
		const times = new Map<string, number[]>();
		const note = (name: string, ms: number): void => {
			times.set(name, [...(times.get(name) ?? []), ms]);
		};
		for (let k = 0; k < REPEATS; k += 1) {
			note("columns", this.#decode(chunk, rows));
			note("two", this.#decode(chunk, { ...rows, fields: TWO_FIELDS }));
			note("few", this.#readFew({}));
			note("few of two", this.#readFew({ fields: TWO_FIELDS }));
			const start = performance.now();
			await this.#codec.decode(chunk);
			note("numcodecs", performance.now() - start);
			note(
				"memcpy",
				timed(() => target.set(records)),
			);
		}
		return Object.fromEntries(times);
	}

	/** Decodes the chunk to views with a new engine. */
	#decode(chunk: Uint8Array, options: Options): number {
		const core = this.#core;
		const engine = core.run("engine", { byte_budget: BUDGET });
		this.#open(engine);
		const ms = timed(() => {
			const query = this.#rowsOf(engine, options);
			for (const { key } of core.missing(query)) this.#supply(engine, key, chunk);
			use(core.build(query));
			core.release(query);
		});
		core.release(engine);
		return ms;
	}

	/**
	 * Reads a few rows of each resident chunk, never of a recently read block; returns the
	 * time per read.
	 */
	#readFew(options: { fields?: readonly string[] }): number {
		const begin = this.#reads * 1129 + ((this.#reads * 131) % 1000);
		this.#reads += 1;
		const ms = timed(() => {
			for (let chunk = 0; chunk < this.chunks.length; chunk += 1) {
				const row = chunk * this.#rows + (begin % (this.#rows - FEW));
				const rows = { begin: row, end: row + FEW };
				const query = this.#rowsOf(this.#resident, { ...rows, ...options });
				if (this.#core.missing(query).length > 0) throw new Error("not resident");
				use(this.#core.build(query));
				this.#core.release(query);
			}
		});
		return ms / this.chunks.length;
	}

	async #readMetadata(read: Read): Promise<void> {
		const core = this.#core;
		const engine = core.run("engine", { byte_budget: BUDGET });
		const query = core.run("open", { engine });
		for (const { key } of core.missing(query)) this.#metadata.set(key, await read(key));
		core.release(query);
		core.release(engine);
	}

	#open(engine: Handle<"Engine">): void {
		const core = this.#core;
		const query = core.run("open", { engine });
		for (const { key } of core.missing(query)) {
			const bytes = this.#metadata.get(key);
			if (bytes) this.#supply(engine, key, bytes);
			else core.run("supply_absent", { engine, key });
		}
		core.build(query);
		core.release(query);
		core.run("describe", { engine }); // as when opening a data set
	}

	#rowsOf(engine: Handle<"Engine">, options: Options): Handle<"Query"> {
		return this.#core.run("rows", { engine, array: ARRAY, ...options });
	}

	#supply(engine: Handle<"Engine">, key: string, bytes: Uint8Array): void {
		this.#core.run("supply", { engine, key, begin: -1, end: -1, bytes });
	}
}

interface Metadata {
	readonly shape: readonly number[];
	readonly chunks: readonly number[];
	readonly compressor: Parameters<typeof Blosc.fromConfig>[0];
}

/** Returns the record size in the chunk's Blosc header. */
function recordSize([chunk]: readonly Uint8Array[]): number {
	return chunk?.[3] ?? 0;
}

function timed(work: () => void): number {
	const start = performance.now();
	work();
	return performance.now() - start;
}

/** Checks that there is a result: a call without result is not measured. */
function use(arrays: readonly CoreArray[]): void {
	if ((arrays[0]?.data.length ?? 0) === 0) throw new Error("nothing was read");
}

/** Returns how many column bytes differ from the records or are missing. */
export function differences(
	arrays: readonly Pick<CoreArray, "data">[],
	records: Uint8Array,
	record: number,
): number {
	const rows = records.length / record;
	let wrong = 0;
	let offset = 0;
	for (const { data } of arrays) {
		const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
		const size = bytes.length / rows;
		for (let row = 0; row < rows; row += 1) {
			const at = row * record + offset;
			for (let k = 0; k < size; k += 1) {
				wrong += bytes[row * size + k] === records[at + k] ? 0 : 1;
			}
		}
		offset += size;
	}
	return wrong + rows * Math.abs(offset - record);
}
