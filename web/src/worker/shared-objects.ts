import { SharedTask } from "../base/shared-task.js";
import type { Client, MakeObjects, ObjectIds, ObjectSharing } from "./client.js";
import { free } from "./remote-object.js";

/** Unused objects that are kept: those of a model's samples and of the raster. */
const MAX_IDLE = 2;

/** Objects of one key; made once, freed once. */
class Kept {
	readonly key: string;
	users = 0;
	readonly #client: Client;
	readonly #making: SharedTask<ObjectIds>;
	#ids: ObjectIds | undefined;

	constructor(client: Client, key: string, make: MakeObjects) {
		this.key = key;
		this.#client = client;
		this.#making = new SharedTask(async (signal) => {
			const ids = await make(client, signal);
			if (signal.aborted) freeAll(client, ids);
			else this.#ids = ids;
			return ids;
		});
	}

	get isMade(): boolean {
		return this.#ids !== undefined;
	}

	async ids(signal: AbortSignal | undefined): Promise<ObjectIds> {
		return this.#ids ?? this.#making.join(signal);
	}

	free(): void {
		freeAll(this.#client, this.#ids ?? {});
		this.#ids = undefined;
	}
}

function freeAll(client: Client, ids: ObjectIds): void {
	for (const id of Object.values(ids)) if (id !== undefined) free(client, id);
}

/** The objects that engines of one client share. */
class Pool {
	readonly #client: Client;
	#all: Kept[] = [];
	/** Number of engines. */
	members = 0;

	constructor(client: Client) {
		this.#client = client;
	}

	/** Counts a user; call `leave` once for it. */
	enter(key: string, make: MakeObjects): Kept {
		const known = this.#all.find((one) => one.key === key);
		const kept = known ?? new Kept(this.#client, key, make);
		if (!known) this.#all.push(kept);
		kept.users += 1;
		return kept;
	}

	leave(kept: Kept): void {
		kept.users -= 1;
		if (kept.users > 0) return;
		const isKnown = this.#all.includes(kept);
		this.forget(kept);
		if (!isKnown || !kept.isMade) kept.free();
		else this.#all.push(kept); // the last one used is the last one dropped
		this.dropIdle();
	}

	/** Makes the objects of this key again for the next user. */
	forget(kept: Kept): void {
		this.#all = this.#all.filter((one) => one !== kept);
	}

	/** Frees unused objects beyond the limit; all of them if there are no engines. */
	dropIdle(): void {
		const idle = this.#all.filter(({ users }) => users === 0);
		const count = this.members === 0 ? idle.length : idle.length - MAX_IDLE;
		for (const kept of idle.slice(0, Math.max(0, count))) {
			this.forget(kept);
			kept.free();
		}
	}
}

const pools = new WeakMap<Client, Pool>();

/**
 * Objects of one engine that other engines of the same client use as well, such as the
 * parsed map of edited data sets: the client makes the objects of a key once. Unused ones
 * are kept, so that the next engine finds them, and freed with the last engine.
 */
export class SharedObjects implements ObjectSharing {
	readonly #pool: Pool;
	/** What users of this engine hold, by the ids they were given. */
	readonly #held = new Map<ObjectIds, Kept>();
	#isClosed = false;

	constructor(client: Client) {
		const pool = pools.get(client) ?? new Pool(client);
		pools.set(client, pool);
		pool.members += 1;
		this.#pool = pool;
	}

	async take(key: string, make: MakeObjects, signal?: AbortSignal): Promise<ObjectIds> {
		const kept = this.#pool.enter(key, make);
		try {
			const held = { ...(await kept.ids(signal)) };
			if (this.#isClosed) this.#pool.leave(kept);
			else this.#held.set(held, kept);
			return held;
		} catch (error) {
			this.#pool.leave(kept);
			throw error;
		}
	}

	release(ids: ObjectIds): void {
		const kept = this.#held.get(ids);
		this.#held.delete(ids);
		if (kept) this.#pool.leave(kept);
	}

	forget(ids: ObjectIds): void {
		const kept = this.#held.get(ids);
		if (kept) this.#pool.forget(kept);
		this.release(ids);
	}

	/** Ends all uses of this engine. */
	close(): void {
		if (this.#isClosed) return;
		this.#isClosed = true;
		for (const ids of [...this.#held.keys()]) this.release(ids);
		this.#pool.members -= 1;
		this.#pool.dropIdle();
	}
}
