import type { Core, Handle } from "../core/core.js";
import { unlessAborted } from "../source/unless-aborted.js";
import type { ArrayStore } from "./array-store.js";

/** See `writable_next`. */
interface Request {
	readonly kind: "read" | "replace" | "remove" | "list" | "lock" | "unlock";
	readonly id: number;
	readonly key: string;
	readonly name?: string;
	readonly exclusive?: boolean;
	readonly tag?: string;
}

/** Reads that run side by side. */
const MAX_READS = 16;

/** Name of the lock on a store's consolidated metadata. */
const CONSOLIDATED = ".zmetadata";

/** Does what the core asks for while it works on an array. */
export class ArrayHost {
	readonly #store: ArrayStore;
	readonly #path: string;
	readonly #core: Core;
	readonly #array: Handle<"Writable">;
	readonly #held = new Map<number, () => void>();

	constructor(store: ArrayStore, path: string, core: Core, array: Handle<"Writable">) {
		this.#store = store;
		this.#path = path;
		this.#core = core;
		this.#array = array;
	}

	/** Answers until the work is done. Locks are released in any case. */
	async run(signal: AbortSignal | undefined): Promise<void> {
		try {
			for (;;) {
				const text = this.#core.run("writable_next", { array: this.#array });
				const requests = JSON.parse(text) as Request[];
				if (requests.length === 0) return;
				await this.#answer(requests, signal);
			}
		} finally {
			for (const release of this.#held.values()) release();
			this.#held.clear();
		}
	}

	/** Reads side by side, everything else in order. */
	async #answer(
		requests: readonly Request[],
		signal: AbortSignal | undefined,
	): Promise<void> {
		for (let at = 0; at < requests.length; ) {
			signal?.throwIfAborted();
			let end = at;
			while (requests[end]?.kind === "read" && end - at < MAX_READS) end += 1;
			if (end === at) end += 1;
			const group = requests.slice(at, end);
			await Promise.all(group.map((request) => this.#one(request, signal)));
			at = end;
		}
	}

	async #one(request: Request, signal: AbortSignal | undefined): Promise<void> {
		const { kind, id, key } = request;
		const own = { array: this.#array, request: id };
		switch (kind) {
			case "read": {
				const { bytes, tag = "" } = await this.#store.read(key, signal);
				const found = bytes && { bytes };
				this.#core.run("writable_supply", { ...own, tag, ...found });
				return;
			}
			case "replace": {
				const bytes = this.#core.run("writable_content", own);
				const content = bytes as Uint8Array<ArrayBuffer>;
				const replaced = await this.#store.replace(key, content, request.tag);
				if (!this.#store.lock)
					this.#core.run("writable_replaced", { ...own, replaced });
				return;
			}
			case "remove":
				return this.#store.remove(key);
			case "list": {
				const found = (await this.#store.list?.(key)) ?? [];
				const keys = found.map((object) => object.key);
				const sizes = Float64Array.from(found, ({ size }) => size);
				this.#core.run("writable_listed", { ...own, keys, sizes });
				return;
			}
			case "lock":
				return this.#lock(request, signal);
			case "unlock":
				this.#held.get(id)?.();
				this.#held.delete(id);
		}
	}

	/** A lock that arrives after an abort is released at once. */
	async #lock(request: Request, signal: AbortSignal | undefined): Promise<void> {
		const { id, key, name = "", exclusive = false } = request;
		const isConsolidated = key === "" && this.#path !== "";
		const own = isConsolidated ? CONSOLIDATED : name;
		const waiting = this.#store.lock?.(key, own, exclusive);
		if (!waiting) return;
		try {
			this.#held.set(id, await unlessAborted(waiting, signal));
		} catch (error) {
			waiting.then(
				(release) => release(),
				() => {},
			);
			throw error;
		}
	}
}
