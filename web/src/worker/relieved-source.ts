import { BevError } from "../errors.js";
import type { FetchSource } from "../source/fetch-source.js";
import type { ReadOptions, Source } from "../source/source.js";
import type { FromWorker, ToWorker } from "./protocol.js";
import { RemoteSource } from "./remote-source.js";

/** Bytes of whole objects after which another worker, which takes a while to start, pays. */
const MUCH = 4 * 2 ** 20;

/** What is used of a worker that has said it is ready. */
export interface OtherWorker {
	onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
	onerror: ((event: ErrorEvent) => void) | null;
	postMessage(message: ToWorker, transfer: Transferable[]): void;
}

/** The other worker, and what it fetches. */
interface Relief {
	readonly worker: OtherWorker;
	readonly source: RemoteSource;
}

/**
 * Reads URLs, and has another worker fetch whole objects once it is clear that many are
 * read: what has come in is decoded here meanwhile. Parts of objects, which are small, and
 * all that a data set may do without are fetched here, and everything is where there can
 * be no other worker.
 */
export class RelievedSource implements Source {
	readonly #near: FetchSource;
	readonly #start: () => Promise<OtherWorker>;
	/** Bytes of whole objects that were fetched here. */
	#bytes = 0;
	#relief: Relief | undefined;
	/** Memory that the other worker gave. */
	readonly #borrowed = new WeakSet<ArrayBufferLike>();

	/** @param near one that is portable */
	constructor(near: FetchSource, start: () => Promise<OtherWorker>) {
		this.#near = near;
		this.#start = start;
	}

	get presumedAbsent(): readonly string[] {
		return this.#near.presumedAbsent;
	}

	async read(key: string, options: ReadOptions = {}): Promise<Uint8Array | undefined> {
		const { range, required = true } = options;
		if (range || !required) return this.#near.read(key, options);
		if (this.#relief) return this.#readFar(this.#relief, key, options);
		const bytes = await this.#near.read(key, options);
		const before = this.#bytes;
		this.#bytes += bytes?.length ?? 0;
		if (before < MUCH && this.#bytes >= MUCH) void this.#relieve();
		return bytes;
	}

	size(key: string, signal?: AbortSignal): Promise<number | undefined> {
		return this.#near.size(key, signal);
	}

	recycle(bytes: Uint8Array<ArrayBuffer>): void {
		const { buffer } = bytes;
		if (this.#borrowed.has(buffer)) {
			this.#relief?.worker.postMessage({ type: "spare", buffer }, [buffer]);
		} else this.#near.recycle(bytes);
	}

	/** What a worker that has failed cannot read is read here. */
	async #readFar(
		relief: Relief,
		key: string,
		options: ReadOptions,
	): Promise<Uint8Array | undefined> {
		try {
			const bytes = await relief.source.read(key, options);
			if (bytes) this.#borrowed.add(bytes.buffer);
			return bytes;
		} catch (error) {
			if (this.#relief === relief) throw error;
			return this.#near.read(key, options);
		}
	}

	async #relieve(): Promise<void> {
		const { portable } = this.#near;
		if (!portable) return;
		try {
			const worker = await this.#start();
			const source = new RemoteSource((question) => worker.postMessage(question, []));
			worker.onmessage = ({ data }) => source.receive(data);
			worker.onerror = (event) => {
				event.preventDefault();
				this.#relief = undefined;
				source.fail(new BevError("internal", `a worker failed: ${event.message}`));
			};
			worker.postMessage({ type: "fetch", ...portable }, []);
			this.#relief = { worker, source };
		} catch {
			// A policy or the browser allows no worker in a worker: this one goes on alone.
		}
	}
}
