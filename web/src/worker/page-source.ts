import { remember } from "../source/remember.js";
import type { Absence, ReadOptions, Source } from "../source/source.js";
import { unlessAborted } from "../source/unless-aborted.js";
import { type FromWorker, fromWire, type ToWorker } from "./protocol.js";

/** Maximum number of remembered answers. */
const MAX_ABSENT = 1000;

type Reply = Extract<ToWorker, { type: "bytes" | "size" | "unread" }>;

type Answered = Exclude<Reply, { type: "unread" }>;

interface Pending {
	resolve(reply: Answered): void;
	reject(reason: unknown): void;
}

/** The worker's proxy of a source on the page. */
export class PageSource implements Source {
	readonly #post: (message: FromWorker) => void;
	readonly #pending = new Map<number, Pending>();
	/** The page's last answers that an object is absent. */
	readonly #absent = new Map<string, Absence>();
	#nextId = 0;

	constructor(post: (message: FromWorker) => void) {
		this.#post = post;
	}

	async read(key: string, options: ReadOptions = {}): Promise<Uint8Array | undefined> {
		const { range, signal, required = true } = options;
		const id = this.#nextId++;
		const reply = await this.#ask({ type: "read", id, key, range, required }, signal);
		if (reply.type !== "bytes") return undefined;
		if (reply.absence) remember(this.#absent, key, reply.absence, MAX_ABSENT);
		return reply.bytes;
	}

	async size(key: string, signal?: AbortSignal): Promise<number | undefined> {
		const id = this.#nextId++;
		const reply = await this.#ask({ type: "measure", id, key }, signal);
		return reply.type === "size" ? reply.size : undefined;
	}

	absence(key: string): Absence | undefined {
		return this.#absent.get(key);
	}

	forget(key: string): void {
		this.#post({ type: "forget", key });
	}

	receive(reply: Reply): void {
		const pending = this.#pending.get(reply.id);
		this.#pending.delete(reply.id);
		if (reply.type === "unread") pending?.reject(fromWire(reply.error));
		else pending?.resolve(reply);
	}

	async #ask(
		message: Extract<FromWorker, { type: "read" | "measure" }>,
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
