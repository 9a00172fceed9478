import type { AbortOptions } from "../api.js";
import { BevError } from "../base/errors.js";
import type { Core } from "../core/core.js";
import type { Source } from "../source/source.js";
import { ZipSource } from "../source/zip-source.js";
import { type Destination, existsAlready, type ObjectStore } from "./destination.js";
import { alone, type LockMode, tryLock } from "./locks.js";

/** What happens to a data set that is at the destination. */
export type SaveMode = "create" | "append" | "replace";

/** Configuration and mode that the savers have agreed on. */
const SETTINGS = "settings.json";

/** Random name of the parts' locks: stores have no name that is unique. */
const LOCK = "lock";

/** The list of a part's objects. */
const JOURNAL = "manifest.json";

/** Prefix of the names of locks. */
const PREFIX = "bevscope-saving";

/** Returns the name of the lock that is held while a saver joins or ends. */
function joiningLock({ name }: Destination): string {
	return `${PREFIX}-join-${name}`;
}

/** Where savers collect rows, and where these are published. */
export interface Place {
	readonly core: Core;
	readonly destination: Destination;
	readonly store: ObjectStore;
}

/** A saver that joins. */
export interface Joining extends AbortOptions {
	/** The configuration, with all members. */
	readonly config: string;
	readonly mode: SaveMode;
	readonly saver: number;
}

function locked(name: string, reason: string): BevError {
	return new BevError("invalid_argument", `${name}: locked (${reason})`);
}

/** Returns an object's text; undefined if it is absent. */
export async function textOf(
	store: Pick<ObjectStore, "read">,
	key: string,
	options: AbortOptions = {},
): Promise<string | undefined> {
	const bytes = await store.read(key, options);
	return bytes && new TextDecoder().decode(bytes);
}

/** Returns the data set that is at a destination; undefined if nothing is. */
export async function existingAt(
	{ core, destination }: Pick<Place, "core" | "destination">,
	signal?: AbortSignal,
): Promise<Source | undefined> {
	const found = await destination.existing?.({ signal });
	if (!found || !destination.archive) return found;
	const size = (await found.size?.("", signal)) ?? 0;
	return new ZipSource(found, { key: "", size }, async () => core);
}

/** Returns the attributes of a data set; "" if there is none. */
export async function attributesOf(
	found: Source | undefined,
	{ name }: Destination,
	signal?: AbortSignal,
): Promise<string> {
	if (!found) return "";
	const text =
		(await textOf(found, ".zattrs", { signal })) ||
		(await textOf(found, "zarr.json", { signal }));
	if (text) return text;
	throw new BevError("invalid_argument", `${name}: not a data set written by a saver`);
}

async function firstSettings(
	place: Place,
	{ config, mode, signal }: Joining,
): Promise<string> {
	const { core, destination } = place;
	const { name } = destination;
	const found = await existingAt(place, signal);
	if (found && mode === "create") throw existsAlready(name);
	if (found && !destination.replaces) throw notReplaceable(name);
	const attributes = await attributesOf(found, destination, signal);
	return core.run("first_settings", { config, mode, zattrs: attributes, where: name });
}

/** Rejects because a data set cannot be replaced at once. */
export function notReplaceable(name: string): BevError {
	return new BevError(
		"unsupported",
		`${name}: cannot be replaced at once (expected a .zip, or mode create and an unused name)`,
	);
}

/** A saver's part: objects below its name, which one saver at a time writes. */
export class Part {
	readonly #place: Place;
	readonly #name: string;
	readonly #locks: (() => void)[];

	/**
	 * Joins the savers of a destination, or begins.
	 *
	 * @throws BevError `invalid_argument` for another configuration or mode than that of
	 * other savers, for a number in use, and while the parts are committed
	 */
	static join(place: Place, joining: Joining): Promise<Part> {
		return alone(joiningLock(place.destination), () => Part.#join(place, joining));
	}

	static async #join(place: Place, joining: Joining): Promise<Part> {
		const { core, store, destination } = place;
		const { config, mode, saver, signal } = joining;
		const name = core.run("part_name", { saver });
		if ((await textOf(store, SETTINGS, { signal })) === undefined) {
			const first = await firstSettings(place, joining);
			await put(store, LOCK, crypto.getRandomValues(new Uint32Array(4)).join("-"));
			await put(store, SETTINGS, first);
		}
		const shared = await lockParts(place, "shared");
		// A commit has removed the parts meanwhile
		if (!shared) return Part.#join(place, joining);
		try {
			const { settings } = shared;
			core.run("check_settings", { settings, config, mode, where: destination.name });
			const own = await tryLock(`${shared.lock}-${name}`, "exclusive");
			if (own) return new Part(place, name, [own, shared.release]);
			throw locked(destination.name, `another saver has the number ${saver}`);
		} catch (error) {
			shared.release();
			throw error;
		}
	}

	private constructor(place: Place, name: string, locks: (() => void)[]) {
		this.#place = place;
		this.#name = name;
		this.#locks = locks;
	}

	/** Reads the part's journal; undefined if it has none. */
	journal(options: AbortOptions): Promise<string | undefined> {
		return textOf(this.#place.store, `${this.#name}/${JOURNAL}`, options);
	}

	writeJournal(text: string): Promise<void> {
		return put(this.#place.store, `${this.#name}/${JOURNAL}`, text);
	}

	read(key: string, options: AbortOptions): Promise<Uint8Array> {
		return readPart(this.#place, `${this.#name}/${key}`, options);
	}

	put(key: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
		return this.#place.store.put(`${this.#name}/${key}`, bytes);
	}

	remove(key: string): Promise<void> {
		return this.#place.store.remove(`${this.#name}/${key}`);
	}

	/** Removes the part, and what the savers have agreed on if it was the only one. */
	async clear(): Promise<void> {
		const { core, store, destination } = this.#place;
		await store.remove(`${this.#name}/${JOURNAL}`); // first: no journal without objects
		await store.clear(this.#name);
		this.release();
		await alone(joiningLock(destination), async () => {
			const names = await store.list();
			if (names.some((name) => core.run("is_part", { name }))) return;
			const all = await lockParts(this.#place, "exclusive").catch(() => undefined);
			if (all) await store.clear();
			all?.release();
		});
	}

	/** Lets others commit, or use this saver's number. */
	release(): void {
		for (const release of this.#locks.splice(0)) release();
	}
}

async function put(store: ObjectStore, key: string, text: string): Promise<void> {
	await store.put(key, new TextEncoder().encode(text));
}

/** Reads an object of a part. */
export async function readPart(
	{ store, destination }: Place,
	key: string,
	options: AbortOptions,
): Promise<Uint8Array> {
	const bytes = await store.read(key, options);
	if (bytes) return bytes;
	throw new BevError("missing_key", `${destination.name}: ${key}: not found`, { key });
}

/** A lock of all parts. */
interface PartsLock {
	readonly settings: string;
	readonly lock: string;
	readonly release: () => void;
}

/** Locks the parts as they are; returns undefined if there are none. */
async function lockParts(
	{ store, destination }: Pick<Place, "store" | "destination">,
	mode: LockMode,
): Promise<PartsLock | undefined> {
	for (;;) {
		const id = await textOf(store, LOCK);
		if (id === undefined || !(await store.read(SETTINGS))) return undefined;
		const lock = `${PREFIX}-${id}`;
		const release = await tryLock(lock, mode);
		if (!release) {
			const isShared = mode === "shared";
			throw locked(
				destination.name,
				isShared ? "the data set is being committed" : "savers are running",
			);
		}
		const settings = await textOf(store, SETTINGS);
		const isSame = settings !== undefined && (await textOf(store, LOCK)) === id;
		if (isSame) return { settings, lock, release };
		release(); // removed before it was locked
	}
}

/** What a commit needs. */
export interface AllParts {
	readonly settings: string;
	/** Journals of all parts. */
	readonly manifests: readonly string[];
}

async function allJournals({ core, store, destination }: Place): Promise<string[]> {
	const out: string[] = [];
	for (const name of await store.list()) {
		if (!core.run("is_part", { name })) continue;
		const text = await textOf(store, `${name}/${JOURNAL}`);
		if (text === undefined) {
			throw new BevError(
				"invalid_argument",
				`${destination.name}: part ${name} has no journal (resume and finish its saver, or abort it)`,
			);
		}
		out.push(text);
	}
	return out;
}

/**
 * Runs `work` with all parts while no saver runs; without them, if there are none.
 *
 * @throws BevError `invalid_argument` while savers are running
 */
export async function withAllParts<T>(
	place: Place,
	work: (parts: AllParts | undefined) => Promise<T>,
): Promise<T> {
	const held = await lockParts(place, "exclusive");
	if (!held) return work(undefined);
	try {
		const { settings } = held;
		return await work({ settings, manifests: await allJournals(place) });
	} finally {
		held.release();
	}
}

/** Removes all parts. */
export async function discardAll(
	destination: Destination,
	store: ObjectStore,
): Promise<void> {
	const held = await lockParts({ destination, store }, "exclusive");
	await store.clear();
	held?.release();
}
