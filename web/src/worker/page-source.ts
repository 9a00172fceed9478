import { unlessAborted } from "../source/gate.js";
import type { ReadOptions, Source } from "../source/source.js";
import type { FromWorker, ToWorker } from "./protocol.js";
import { fromWire } from "./wire-error.js";

type Reply = Extract<ToWorker, { type: "bytes" | "unread" }>;

interface Pending {
	resolve(bytes: Uint8Array | undefined): void;
	reject(reason: unknown): void;
}

/** Inside the worker: a source that lives on the page. */
export class PageSource implements Source {
	readonly #post: (message: FromWorker) => void;
	readonly #pending = new Map<number, Pending>();
	#nextId = 0;

	constructor(post: (message: FromWorker) => void) {
		this.#post = post;
	}

	async read(key: string, options: ReadOptions = {}): Promise<Uint8Array | undefined> {
		const { range, signal, required = true } = options;
		const id = this.#nextId++;
		const reply = new Promise<Uint8Array | undefined>((resolve, reject) => {
			this.#pending.set(id, { resolve, reject });
		});
		this.#post({ type: "read", id, key, range, required });
		try {
			return await unlessAborted(reply, signal);
		} finally {
			if (this.#pending.delete(id)) this.#post({ type: "unwanted", id });
		}
	}

	receive(reply: Reply): void {
		const pending = this.#pending.get(reply.id);
		this.#pending.delete(reply.id);
		if (reply.type === "bytes") pending?.resolve(reply.bytes);
		else pending?.reject(fromWire(reply.error));
	}
}
