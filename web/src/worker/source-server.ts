import type { Source } from "../source/source.js";
import type { SourceQuestion, SourceReply } from "./protocol.js";
import { toWire } from "./wire-error.js";

export interface SourceServerOptions {
	readonly source: Source;
	readonly post: (reply: SourceReply, transfer: Transferable[]) => void;
	/** Whether the source gives memory away: else it may keep it, or have cut it. */
	readonly givesAway: boolean;
}

/** Answers what a `RemoteSource` on another thread asks of a source on this one. */
export class SourceServer {
	readonly #options: SourceServerOptions;
	/** Questions under way. */
	readonly #asked = new Map<number, AbortController>();

	constructor(options: SourceServerOptions) {
		this.#options = options;
	}

	receive(question: SourceQuestion): void {
		switch (question.type) {
			case "read":
				void this.#read(question);
				break;
			case "measure":
				void this.#measure(question);
				break;
			case "unwanted":
				this.#asked.get(question.id)?.abort();
		}
	}

	/** Gives up everything under way. */
	abort(reason: unknown): void {
		for (const control of this.#asked.values()) control.abort(reason);
		this.#asked.clear();
	}

	#read(asked: Extract<SourceQuestion, { type: "read" }>): Promise<void> {
		const { id, key, range, required } = asked;
		const { source, givesAway } = this.#options;
		return this.#answer(id, async (signal) => {
			const read = await source.read(key, { range, required, signal });
			const bytes = givesAway ? read : read?.slice();
			return [{ type: "bytes", id, bytes }, bytes ? [bytes.buffer] : []];
		});
	}

	#measure({ id, key }: Extract<SourceQuestion, { type: "measure" }>): Promise<void> {
		return this.#answer(id, async (signal) => {
			const size = await this.#options.source.size?.(key, signal);
			return [{ type: "size", id, size }, []];
		});
	}

	/** A failure is an answer, too. */
	async #answer(
		id: number,
		find: (signal: AbortSignal) => Promise<[SourceReply, ArrayBufferLike[]]>,
	): Promise<void> {
		const control = new AbortController();
		this.#asked.set(id, control);
		try {
			const [reply, memory] = await find(control.signal);
			this.#options.post(reply, memory as ArrayBuffer[]);
		} catch (error) {
			this.#options.post({ type: "unread", id, error: toWire(error) }, []);
		} finally {
			this.#asked.delete(id);
		}
	}
}
