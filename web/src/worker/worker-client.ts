import type { Stats } from "../api.js";
import { BevError } from "../errors.js";
import { FetchSource } from "../source/fetch-source.js";
import { keeping } from "../source/kept/keeping.js";
import type { Source } from "../source/source.js";
import type { AskOptions, Client, EngineSettings } from "./client.js";
import type {
	Answer,
	FromWorker,
	Query,
	SourceLocation,
	ToWorker,
} from "./protocol.js";
import { SourceServer } from "./source-server.js";
import { fromWire } from "./wire-error.js";

interface Pending {
	readonly onProgress: AskOptions["onProgress"];
	resolve(answer: Answer): void;
	reject(reason: unknown): void;
}

/** The engine in a worker that has said it is ready. */
export class WorkerClient implements Client {
	onStats: ((stats: Stats) => void) | undefined;
	readonly #worker: Worker;
	readonly #source: Source;
	readonly #pending = new Map<number, Pending>();
	/** Of what the worker asks of the page. */
	readonly #server: SourceServer;
	#nextId = 0;
	#closed: BevError | undefined;

	constructor(worker: Worker, source: Source, settings: EngineSettings) {
		const { module, byteBudget, keptLimit, archive } = settings;
		const place = locate(source, keptLimit);
		this.#worker = worker;
		this.#source = place.kind === "page" ? keeping(source, keptLimit) : source;
		const post = this.#post.bind(this);
		this.#server = new SourceServer({ source: this.#source, post, givesAway: false });
		worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#receive(data);
		worker.onerror = (event) => {
			event.preventDefault();
			this.#end(new BevError("internal", `the worker failed: ${event.message}`));
		};
		this.#post({ type: "init", module, byteBudget, source: place, archive });
	}

	ask(query: Query, options: AskOptions = {}): Promise<Answer> {
		const { signal, prefetch = false, onProgress } = options;
		return new Promise((resolve, reject) => {
			if (this.#closed) return reject(this.#closed);
			if (signal?.aborted) return reject(signal.reason);
			const id = this.#nextId++;
			const abort = (): void => {
				this.#pending.delete(id);
				this.#post({ type: "abort", id });
				reject(signal?.reason);
			};
			signal?.addEventListener("abort", abort, { once: true });
			const settled = (): void => signal?.removeEventListener("abort", abort);
			this.#pending.set(id, {
				onProgress,
				resolve: (answer) => {
					settled();
					resolve(answer);
				},
				reject: (reason) => {
					settled();
					reject(reason);
				},
			});
			this.#post({ type: "ask", id, query, prefetch });
		});
	}

	recycle(buffer: ArrayBuffer): void {
		if (!this.#closed) this.#post({ type: "recycle", buffer }, [buffer]);
	}

	close(): void {
		this.#end(new BevError("invalid_argument", "the data set was closed"));
	}

	#end(reason: BevError): void {
		if (this.#closed) return;
		this.#closed = reason;
		this.#worker.terminate();
		for (const { reject } of this.#pending.values()) reject(reason);
		this.#server.abort(reason);
		this.#pending.clear();
	}

	#receive(message: FromWorker): void {
		switch (message.type) {
			case "answer":
				this.#report(message.answer.stats);
				this.#settle(message.id, (one) => one.resolve(message.answer));
				break;
			case "failure":
				this.#settle(message.id, (one) => one.reject(fromWire(message.error)));
				break;
			case "stats":
				this.#report(message.stats);
				break;
			case "progress":
				this.#pending.get(message.id)?.onProgress?.(message.progress);
				break;
			case "read":
			case "measure":
			case "unwanted":
				this.#server.receive(message);
				break;
			default: // "ready", said to whoever started the worker; and what workers say each other
		}
	}

	#settle(id: number, settle: (pending: Pending) => void): void {
		const pending = this.#pending.get(id);
		this.#pending.delete(id);
		if (pending) settle(pending); // else it was aborted meanwhile
	}

	/** The page adds what only its own source knows. */
	#report(stats: Stats): void {
		const presumedAbsent = this.#source.presumedAbsent ?? [];
		const known = [...stats.presumedAbsent, ...presumedAbsent];
		const keptBytes = stats.keptBytes + (this.#source.keptBytes ?? 0);
		this.onStats?.({ ...stats, keptBytes, presumedAbsent: known });
	}

	#post(message: ToWorker, transfer: Transferable[] = []): void {
		this.#worker.postMessage(message, transfer);
	}
}

/** Sources that are no more than an address are read from the worker itself. */
function locate(source: Source, keptLimit: number | undefined): SourceLocation {
	const portable = source instanceof FetchSource ? source.portable : undefined;
	return portable ? { kind: "url", ...portable, keptLimit } : { kind: "page" };
}
