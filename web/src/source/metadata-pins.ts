import { SharedTask } from "../base/shared-task.js";
import type { Tagged } from "./fetch-job.js";
import { compare, difference, hash, type Validator } from "./validator.js";

interface Pin {
	readonly validator: Validator;
	readonly hash: number;
}

/**
 * Detects that a data set was replaced after it was opened. Pins its metadata
 * documents. If an object's Last-Modified is later than the opening, the documents are
 * read again; if one differs, the data set was replaced. Chunks may be added under
 * unchanged metadata.
 *
 * Not detected: servers that send no Last-Modified; objects replaced under unchanged
 * metadata files; objects replaced within the second of the opening. If `Date` is
 * hidden by another origin, that interval grows by the amount this machine's clock is
 * ahead.
 */
export class MetadataPins {
	readonly #pins = new Map<string, Pin>();
	readonly #checking: SharedTask<string | undefined>;
	/** Milliseconds since 1970; later objects trigger a check. */
	#since: number | undefined;
	#changed: string | undefined;

	/** @param reread reads a document past all caches; undefined if it is absent */
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

	/** Description of the change, if one was detected. */
	get changed(): string | undefined {
		return this.#changed;
	}

	/** Pins a document that was read whole; only its first version. */
	pin(key: string, { bytes, validator }: Tagged, date: string | null): void {
		this.#since ??= (date !== null && Date.parse(date)) || Date.now();
		if (!this.#pins.has(key)) this.#pins.set(key, { validator, hash: hash(bytes) });
	}

	/**
	 * Checks the documents if the object seen is later than the opening. Returns a
	 * description of the change, if any. If they cannot be read, the next such object
	 * triggers a new check.
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
	if (!now) return `${key}: not found`;
	if (compare(pin.validator, now.validator) === "changed") {
		return `${key}: ${difference(pin.validator, now.validator)}`;
	}
	return hash(now.bytes) === pin.hash ? undefined : `${key}: contents differ`;
}
