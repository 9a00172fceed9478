import type { CoreModule } from "../core.js";
import { FetchSource } from "../source/fetch-source.js";
import { keeping } from "../source/kept/keeping.js";
import type { Source } from "../source/source.js";
import { Host } from "./host.js";
import type { FromWorker, Progress, SourceLocation, ToWorker } from "./protocol.js";
import { type OtherWorker, RelievedSource } from "./relieved-source.js";
import { RemoteSource } from "./remote-source.js";
import { SourceServer } from "./source-server.js";
import { toWire } from "./wire-error.js";

export interface ServiceOptions {
	readonly post: (message: FromWorker, transfer?: Transferable[]) => void;
	readonly instantiate: (module: WebAssembly.Module) => Promise<CoreModule>;
	/** Starts another worker like this one. */
	readonly another: () => Promise<OtherWorker>;
}

/** A worker that fetches for another. */
interface Fetching {
	readonly source: FetchSource;
	readonly server: SourceServer;
}

/** Statistics while reads come in, at most this often. */
const STATS_EVERY_MS = 50;

/** The worker's side of the protocol. */
export class Service {
	readonly #options: ServiceOptions;
	readonly #asked = new Map<number, AbortController>();
	readonly #page: RemoteSource;
	#fetching: Fetching | undefined;
	#host: Host | undefined;
	#lastStats = 0;

	constructor(options: ServiceOptions) {
		this.#options = options;
		this.#page = new RemoteSource((message) => options.post(message));
	}

	receive(message: ToWorker): void {
		switch (message.type) {
			case "init":
				this.#init(message);
				break;
			case "ask":
				void this.#ask(message);
				break;
			case "abort":
				this.#asked.get(message.id)?.abort();
				break;
			case "recycle":
				this.#host?.recycle(message.buffer);
				break;
			case "fetch":
				this.#fetch(message);
				break;
			case "read":
			case "measure":
			case "unwanted":
				this.#fetching?.server.receive(message);
				break;
			case "spare":
				this.#fetching?.source.recycle(new Uint8Array(message.buffer));
				break;
			default:
				this.#page.receive(message);
		}
	}

	#init({
		module,
		byteBudget,
		source,
		archive,
	}: Extract<ToWorker, { type: "init" }>): void {
		this.#host = new Host({
			createCore: () => this.#options.instantiate(module),
			source: source.kind === "url" ? this.#fetchedFrom(source) : this.#page,
			archive,
			byteBudget,
			onRead: (stats) => {
				const now = performance.now();
				if (now - this.#lastStats < STATS_EVERY_MS) return;
				this.#lastStats = now;
				this.#options.post({ type: "stats", stats: stats() });
			},
		});
	}

	#fetchedFrom(place: Extract<SourceLocation, { kind: "url" }>): Source {
		const near = new FetchSource(place.url, place.settings);
		const kept = keeping(near, place.keptLimit);
		return kept === near ? new RelievedSource(near, this.#options.another) : kept;
	}

	#fetch({ url, settings }: Extract<ToWorker, { type: "fetch" }>): void {
		const source = new FetchSource(url, settings);
		const { post } = this.#options;
		this.#fetching = {
			source,
			server: new SourceServer({ source, post, givesAway: true }),
		};
	}

	async #ask({
		id,
		query,
		prefetch,
	}: Extract<ToWorker, { type: "ask" }>): Promise<void> {
		const control = new AbortController();
		this.#asked.set(id, control);
		try {
			const onProgress = (progress: Progress): void =>
				this.#options.post({ type: "progress", id, progress });
			const { signal } = control;
			const asked = this.#host?.run(query, { signal, prefetch, onProgress });
			const answer = await asked;
			if (!answer) throw new Error("asked before init");
			const { result } = answer;
			this.#options.post({ type: "answer", id, answer }, result ? [result.buffer] : []);
		} catch (error) {
			if (!control.signal.aborted) {
				this.#options.post({ type: "failure", id, error: toWire(error) });
			}
		} finally {
			this.#asked.delete(id);
		}
	}
}
