import type { Stats } from "../api.js";
import { BevError } from "../base/errors.js";
import { withCache } from "../source/cache/cached-source.js";
import type { Source } from "../source/source.js";
import { unlessAborted } from "../source/unless-aborted.js";
import type { AskOptions, Client, EngineSettings } from "./client.js";
import { instantiate } from "./core-module.js";
import { Host } from "./host.js";
import type { Answer, Query } from "./protocol.js";

/** The engine on the calling thread: for Node, and for browsers without workers. */
export class LocalClient implements Client {
	onStats: ((stats: Stats) => void) | undefined;
	readonly #host: Host;
	readonly #closed = new AbortController();

	constructor(source: Source, settings: EngineSettings) {
		const { module, byteBudget, missing, statistics, cacheLimit, archive } = settings;
		this.#host = new Host({
			createCore: () => instantiate(module),
			source: withCache(source, cacheLimit),
			archive,
			byteBudget,
			missing,
			statistics,
			onRead: (stats) => this.onStats?.(stats()),
			onWaiting: (stats) => this.onStats?.(stats),
		});
	}

	async ask(query: Query, options: AskOptions = {}): Promise<Answer> {
		this.#closed.signal.throwIfAborted();
		const asked = this.#host.run(query, options);
		const answer = await unlessAborted(asked, this.#closed.signal);
		this.onStats?.(answer.stats);
		return answer;
	}

	forgetFailures(key?: string): void {
		this.#host.forgetFailures(key);
	}

	/** Transfers the buffer, so that stale views are empty, as with a worker. */
	recycle(buffer: ArrayBuffer): void {
		this.#host.recycle(structuredClone(buffer, { transfer: [buffer] }));
	}

	close(): void {
		this.#closed.abort(new BevError("closed", "data set: closed"));
		this.#host.close();
	}
}
