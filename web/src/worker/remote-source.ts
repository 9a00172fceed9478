import { unlessAborted } from "../source/gate.js";
import type { ReadOptions, Source } from "../source/source.js";
import type { FromWorker, SourceQuestion, SourceReply } from "./protocol.js";
import { fromWire } from "./wire-error.js";

type Answered = Exclude<SourceReply, { type: "unread" }>;

interface Pending {
	resolve(reply: Answered): void;
	reject(reason: unknown): void;
}

/** A source that lives on another thread, where a `SourceServer` answers for it. */
export class RemoteSource implements Source {
	readonly #post: (question: SourceQuestion) => void;
	readonly #pending = new Map<number, Pending>();
	#nextId = 0;

	constructor(post: (question: SourceQuestion) => void) {
		this.#post = post;
	}

	async read(key: string, options: ReadOptions = {}): Promise<Uint8Array | undefined> {
		const { range, signal, required = true } = options;
		const id = this.#nextId++;
		const reply = await this.#ask({ type: "read", id, key, range, required }, signal);
		return reply.type === "bytes" ? reply.bytes : undefined;
	}

	async size(key: string, signal?: AbortSignal): Promise<number | undefined> {
		const id = this.#nextId++;
		const reply = await this.#ask({ type: "measure", id, key }, signal);
		return reply.type === "size" ? reply.size : undefined;
	}

	/** Takes a reply; other messages are none of its business. */
	receive(reply: SourceReply | FromWorker): void {
		if (!isReply(reply)) return;
		const pending = this.#pending.get(reply.id);
		this.#pending.delete(reply.id);
		if (reply.type === "unread") pending?.reject(fromWire(reply.error));
		else pending?.resolve(reply);
	}

	/** Rejects everything under way: no reply will come. */
	fail(reason: unknown): void {
		for (const { reject } of this.#pending.values()) reject(reason);
		this.#pending.clear();
	}

	async #ask(
		message: Exclude<SourceQuestion, { type: "unwanted" }>,
		signal: AbortSignal | undefined,
	): Promise<Answered> {
		const { id } = message;
		const reply = new Promise<Answered>((resolve, reject) => {
			this.#pending.set(id, { resolve, reject });
		});
		this.#post(message);
		try {
			return await unlessAborted(reply, signal);
		} finally {
			if (this.#pending.delete(id)) this.#post({ type: "unwanted", id });
		}
	}
}

function isReply(message: SourceReply | FromWorker): message is SourceReply {
	return ["bytes", "size", "unread"].includes(message.type);
}
