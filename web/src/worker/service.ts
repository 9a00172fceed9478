import type { CoreModule } from "../core/core.js";
import { withCache } from "../source/cache/cached-source.js";
import { FetchSource } from "../source/fetch-source.js";
import { Host } from "./host.js";
import { PageSource } from "./page-source.js";
import { type FromWorker, type Progress, type ToWorker, toWire } from "./protocol.js";
import { Turns } from "./turns.js";

export interface ServiceOptions {
	readonly post: (message: FromWorker, transfer?: Transferable[]) => void;
	readonly instantiate: (module: WebAssembly.Module) => Promise<CoreModule>;
}

type Asked = Extract<ToWorker, { type: "ask" }>;

/** Minimum interval between statistics messages during reads. */
const STATS_EVERY_MS = 50;

/** The worker's side of the protocol. */
export class Service {
	readonly #options: ServiceOptions;
	readonly #asked = new Map<number, AbortController>();
	readonly #turns = new Turns<Asked>((asked) => void this.#answer(asked));
	readonly #page: PageSource;
	#host: Host | undefined;
	#lastStats = 0;

	constructor(options: ServiceOptions) {
		this.#options = options;
		this.#page = new PageSource((message) => options.post(message));
	}

	receive(message: ToWorker): void {
		switch (message.type) {
			case "init":
				this.#init(message);
				break;
			case "ask":
				this.#asked.set(message.id, new AbortController());
				for (const buffer of message.spare) this.#host?.recycle(buffer);
				this.#turns.push(message);
				break;
			case "abort":
				this.#asked.get(message.id)?.abort();
				break;
			case "ping":
				this.#options.post({ type: "pong" });
				break;
			case "forget-failures":
				this.#host?.forgetFailures(message.key);
				break;
			default:
				this.#page.receive(message);
		}
	}

	#init({
		module,
		byteBudget,
		missing,
		statistics,
		source,
		archive,
	}: Extract<ToWorker, { type: "init" }>): void {
		this.#host = new Host({
			createCore: () => this.#options.instantiate(module),
			source:
				source.kind === "url"
					? withCache(new FetchSource(source.url, source.settings), source.cacheLimit)
					: this.#page,
			archive,
			byteBudget,
			missing,
			statistics,
			onRead: (stats) => {
				const now = performance.now();
				if (now - this.#lastStats < STATS_EVERY_MS) return;
				this.#lastStats = now;
				this.#options.post({ type: "stats", stats: stats() });
			},
			onWaiting: (stats) => this.#options.post({ type: "stats", stats }),
		});
	}

	async #answer({ id, query, prefetch }: Asked): Promise<void> {
		const signal = this.#asked.get(id)?.signal;
		try {
			signal?.throwIfAborted();
			const onProgress = (progress: Progress): void =>
				this.#options.post({ type: "progress", id, progress });
			const asked = this.#host?.run(query, { signal, prefetch, onProgress });
			const answer = await asked;
			if (!answer) throw new Error("message before init");
			const { result } = answer;
			this.#options.post({ type: "answer", id, answer }, result ? [result.buffer] : []);
		} catch (error) {
			if (!signal?.aborted) {
				this.#options.post({ type: "failure", id, error: toWire(error) });
			}
		} finally {
			this.#asked.delete(id);
		}
	}
}
