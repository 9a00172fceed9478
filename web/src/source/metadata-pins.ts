import { SharedTask } from "../shared-task.js";
import type { Tagged } from "./fetch-job.js";
import { hash } from "./kept/hash.js";
import { compare, difference, type Validator } from "./validator.js";

interface Pin {
	readonly validator: Validator;
	readonly hash: number;
}

/**
 * Notices that a data set was replaced after it was opened. Pins its metadata documents. An
 * object whose Last-Modified is later than the opening is a hint, upon which the documents
 * are read again: where one differs, the data set is another. Chunks that are added under
 * the same metadata are legitimate.
 *
 * Not detected: a server that sends no Last-Modified; objects replaced under metadata files
 * that stay as they are; objects replaced in the second of the opening, or, where `Date` is
 * hidden from another origin, by as much later as this machine's clock is ahead.
 */
export class MetadataPins {
	readonly #pins = new Map<string, Pin>();
	readonly #checking: SharedTask<string | undefined>;
	/** Milliseconds since 1970: later objects are a hint. */
	#since: number | undefined;
	#changed: string | undefined;

	/** @param reread reads a document past all caches; undefined where it is gone */
	constructor(
		reread: (key: string, signal: AbortSignal) => Promise<Tagged | undefined>,
	) {
		this.#checking = new SharedTask(async (signal) => {
			const all = [...this.#pins].map(async ([key, pin]) =>
				whatChanged(key, pin, await reread(key, signal)),
			);
			const found = (await Promise.all(all)).find((change) => change !== undefined);
			this.#checking.forget();
			this.#changed ??= found;
			return found;
		});
	}

	/** What changed, once that was found out. */
	get changed(): string | undefined {
		return this.#changed;
	}

	/** Pins a document that was read whole, the first time. */
	pin(key: string, { bytes, validator }: Tagged, date: string | null): void {
		this.#since ??= (date !== null && Date.parse(date)) || Date.now();
		if (!this.#pins.has(key)) this.#pins.set(key, { validator, hash: hash(bytes) });
	}

	/**
	 * Returns what changed, if the object seen is a hint and the documents bear it out. Where
	 * they cannot be read again, the next hint asks again.
	 */
	async check(
		{ modified }: Validator,
		signal: AbortSignal | undefined,
	): Promise<string | undefined> {
		const time = modified === undefined ? Number.NaN : Date.parse(modified);
		if (this.#since === undefined || !(time > this.#since)) return this.#changed;
		try {
			const found = await this.#checking.join(signal);
			if (!found) this.#since = Math.max(this.#since, time);
			return found;
		} catch {
			signal?.throwIfAborted();
			return undefined;
		}
	}
}

function whatChanged(
	key: string,
	pin: Pin,
	now: Tagged | undefined,
): string | undefined {
	if (!now) return `${key} is gone`;
	if (compare(pin.validator, now.validator) === "changed") {
		return `${key}: ${difference(pin.validator, now.validator)}`;
	}
	return hash(now.bytes) === pin.hash ? undefined : `${key}: other contents`;
}
