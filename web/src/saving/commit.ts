import type { AbortOptions, LoadOptions } from "../api.js";
import { BevError } from "../base/errors.js";
import type { Handle } from "../core/core.js";
import type { Source } from "../source/source.js";
import { archived } from "./archive.js";
import { loadCore, objectOf } from "./core.js";
import { type Destination, MemoryStore, type ObjectStore } from "./destination.js";
import { alone } from "./locks.js";
import {
	type AllParts,
	attributesOf,
	discardAll,
	existingAt,
	notReplaceable,
	type Place,
	readPart,
	withAllParts,
} from "./parts.js";

/** Bytes of chunks that are written at the same time, or the largest chunk. */
const MAX_WRITING = 2 ** 26;

/** Prefix of the keys of the data set that is appended to. */
const BASE = "base/";

/** Options of `commitParts`. */
export interface CommitOptions extends AbortOptions {
	/** Where rows were collected; default: what the destination suggests. */
	readonly parts?: ObjectStore | undefined;
	/** The module's URL, its bytes, or a compiled module; default: the package's file. */
	readonly wasm?: LoadOptions["wasm"];
}

/** Uploads or writes in progress, limited in number and bytes. */
class Writes {
	readonly #pending = new Set<Promise<void>>();
	#bytes = 0;
	#failure: { readonly error: unknown } | undefined;

	constructor(readonly concurrency: number) {}

	/** Starts `work` when there is room. Rejects if an earlier one has failed. */
	async add(bytes: number, work: () => Promise<void>): Promise<void> {
		const isFull = (): boolean =>
			this.#pending.size >= this.concurrency ||
			(this.#pending.size > 0 && this.#bytes + bytes > MAX_WRITING);
		while (isFull()) await Promise.race(this.#pending);
		this.#check();
		this.#bytes += bytes;
		const done = work()
			.catch((error: unknown) => {
				this.#failure ??= { error };
			})
			.finally(() => {
				this.#bytes -= bytes;
				this.#pending.delete(done);
			});
		this.#pending.add(done);
	}

	/** Resolves when nothing is in progress; rejects if anything has failed. */
	async settled(): Promise<void> {
		while (this.#pending.size > 0) await Promise.all(this.#pending);
		this.#check();
	}

	#check(): void {
		if (this.#failure) throw this.#failure.error;
	}
}

/** A commit and what it reads. */
interface Joining {
	readonly place: Place;
	readonly commit: Handle<"Commit">;
	/** The data set that is at the destination. */
	readonly found: Source | undefined;
	readonly signal: AbortSignal | undefined;
}

async function readBase(
	{ found, place, signal }: Joining,
	key: string,
): Promise<Uint8Array> {
	const bytes = await found?.read(key, { signal });
	if (bytes) return bytes;
	const message = `${place.destination.name}: ${key}: not found`;
	throw new BevError("missing_key", message, { key });
}

/** Writes the data set: chunks side by side, then documents one after the other. */
async function write(joining: Joining, destination: Destination): Promise<void> {
	const { place, commit, signal } = joining;
	const { core } = place;
	const writes = new Writes(destination.concurrency ?? 1);
	try {
		while (!core.run("commit_is_complete", { commit })) {
			signal?.throwIfAborted();
			for (const key of core.run("commit_missing", { commit })) {
				const bytes = key.startsWith(BASE)
					? await readBase(joining, key.slice(BASE.length))
					: await readPart(place, key, { signal });
				core.run("commit_supply", { commit, key, bytes });
			}
			const object = objectOf(core.run("commit_next", { commit }));
			if (!object) continue;
			const { key, bytes } = object;
			const isDocument = /(^|\/)(\.z[a-z]+|zarr\.json)$/.test(key);
			if (isDocument) await writes.settled();
			await writes.add(bytes.length, () => destination.put(key, bytes, { signal }));
			if (isDocument) await writes.settled();
		}
		await writes.settled();
		await destination.publish({ signal });
	} catch (error) {
		await writes.settled().catch(() => {});
		await destination.discard?.().catch(() => {});
		throw error;
	}
}

async function publish(
	place: Place,
	{ settings, manifests }: AllParts,
	signal: AbortSignal | undefined,
): Promise<number> {
	const { core, destination } = place;
	const found = await existingAt(place, signal);
	const attributes = await attributesOf(found, destination, signal);
	const given = { settings, zattrs: attributes, where: destination.name };
	const commit = core.run("commit", given);
	try {
		for (const manifest of manifests) core.run("commit_add", { commit, manifest });
		if (core.run("commit_is_published", { commit }))
			return core.run("commit_rows", { commit });
		if (found && !destination.replaces) throw notReplaceable(destination.name);
		const to = destination.archive ? archived(destination, core) : destination;
		await to.begin({ replace: found !== undefined, signal });
		await write({ place, commit, found, signal }, to);
		return core.run("commit_rows", { commit });
	} finally {
		core.release(commit);
	}
}

/** As `commitParts`, with the module loaded. */
export function commitAt(
	place: Place,
	signal: AbortSignal | undefined,
): Promise<number> {
	const { destination, store } = place;
	// Commits of other parts to this destination wait
	return alone(`bevscope-commit-${destination.name}`, () =>
		withAllParts(place, async (parts) => {
			if (!parts) {
				throw new BevError("not_found", `${destination.name}: no saved parts`);
			}
			const rows = await publish(place, parts, signal);
			await store.clear();
			return rows;
		}),
	);
}

/**
 * Joins what savers have collected for a destination, in the order of their numbers, and
 * publishes the data set. Returns its number of rows. Readers see the previous data set,
 * or none, until then. A failed or interrupted call can be repeated.
 *
 * @throws BevError `not_found` if there are no parts; `invalid_argument` while savers are
 * running, and for a saver that has not finished; `changed` if another data set was
 * published since the savers began; `corrupt_chunk` for damaged objects
 */
export async function commitParts(
	destination: Destination,
	{ parts = destination.parts?.(), signal, wasm }: CommitOptions = {},
): Promise<number> {
	const core = await loadCore(wasm);
	return commitAt({ core, destination, store: parts ?? new MemoryStore() }, signal);
}

/**
 * Removes the rows that savers of a destination have collected and not committed.
 *
 * @throws BevError `invalid_argument` while savers are running
 */
export async function discardParts(
	destination: Destination,
	parts: ObjectStore | undefined = destination.parts?.(),
): Promise<void> {
	if (parts) await discardAll(destination, parts);
}
