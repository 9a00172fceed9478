// Reads the whole array over HTTP in a page: bytes only, this package, zarrita. All
// three have equally many requests in flight and release each chunk before the next.
import { FetchStore, open, registry } from "zarrita";
import type * as Bevscope from "../../web/src/index.js";
import { differences } from "./chunks.js";
import { ARRAY, collectGarbage, type Times } from "./common.js";

/** Concurrent requests: a browser's limit per host over HTTP 1.1. */
const WIDTH = 6;
/** A budget for the chunks in flight only: the other readers cache none. */
const LITTLE = { byteBudget: 2 ** 24 };

export class HttpBench {
	readonly #lib: typeof Bevscope;
	/** The data set's URL, and that of its records as plain bytes. */
	readonly #town: string;
	readonly #plain: string;

	constructor(lib: typeof Bevscope, town: string, plain: string) {
		this.#lib = lib;
		this.#town = town;
		this.#plain = plain;
	}

	/** Returns the number of bytes that the two readers decode differently. */
	async wrong(): Promise<number> {
		const dataset = await this.#lib.ChunkedDataset.open(this.#town);
		const theirs = await this.#openTheirs();
		const record = theirs.shape[1] ?? 0;
		let wrong = 0;
		await inParallel(chunksOf(dataset.agents), async (i) => {
			const { begin, end } = rowsOf(dataset.agents, i);
			const columns: Bevscope.Columns = await dataset.agents.rows(begin, end);
			const { data } = await theirs.getChunk([i, 0]);
			const records = (data as Uint8Array).subarray(0, (end - begin) * record);
			const arrays = columns.names.map((name) => columns.column(name));
			wrong += differences(arrays, records, record);
		});
		dataset.close();
		return wrong;
	}

	/** Runs each case once, in rotating order; data sets are opened before measuring. */
	async round(i: number): Promise<Times> {
		const cases = [
			["bare", () => this.#bare()],
			["bevscope", () => this.#ours()],
			["zarrita", () => this.#theirs()],
		] as const;
		const times: Record<string, readonly number[]> = {};
		for (let k = 0; k < cases.length; k += 1) {
			const [name, run] = cases[(i + k) % cases.length] ?? cases[0];
			await collectGarbage();
			times[name] = [await run()];
		}
		return times;
	}

	async #bare(): Promise<number> {
		const dataset = await this.#lib.ChunkedDataset.open(this.#town);
		const count = chunksOf(dataset.agents);
		dataset.close();
		return timed(count, async (chunk) => {
			const response = await fetch(`${this.#town}/${ARRAY}/${chunk}`);
			await response.arrayBuffer();
		});
	}

	async #ours(): Promise<number> {
		const dataset = await this.#lib.ChunkedDataset.open(this.#town, LITTLE);
		const { agents } = dataset;
		const ms = await timed(chunksOf(agents), async (chunk) => {
			const { begin, end } = rowsOf(agents, chunk);
			const columns = await agents.rows(begin, end);
			columns.release();
		});
		dataset.close();
		return ms;
	}

	async #theirs(): Promise<number> {
		const array = await this.#openTheirs();
		const count = Math.ceil((array.shape[0] ?? 0) / (array.chunks[0] ?? 1));
		return timed(count, async (chunk) => {
			await array.getChunk([chunk, 0]);
		});
	}

	/** Loads the decoder before measuring. */
	async #openTheirs() {
		await registry.get("blosc")?.();
		const store = new FetchStore(`${this.#plain}/${ARRAY}`);
		return open.v2(store, { kind: "array", attrs: false });
	}
}

function chunksOf({ length, chunks }: Bevscope.StructuredArray): number {
	return Math.ceil(length / (chunks[0] ?? 1));
}

function rowsOf({ length, chunks }: Bevscope.StructuredArray, chunk: number) {
	const rows = chunks[0] ?? 1;
	return { begin: chunk * rows, end: Math.min((chunk + 1) * rows, length) };
}

async function timed(
	count: number,
	work: (i: number) => Promise<void>,
): Promise<number> {
	const start = performance.now();
	await inParallel(count, work);
	return performance.now() - start;
}

/** Calls `work` with 0 to `count - 1`, with as many concurrent calls as requests. */
async function inParallel(
	count: number,
	work: (i: number) => Promise<void>,
): Promise<void> {
	let next = 0;
	const worker = async (): Promise<void> => {
		while (next < count) {
			const i = next;
			next += 1;
			await work(i);
		}
	};
	await Promise.all(Array.from({ length: WIDTH }, worker));
}
