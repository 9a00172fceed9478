import { Attempts } from "./attempts.js";
import { isDocument, listedIn } from "./document.js";
import {
	type FetchReadOptions,
	type FetchSettings,
	type FetchSourceOptions,
	type Job,
	type Sending,
	type Tagged,
	Transient,
	WHOLE,
} from "./fetch-job.js";
import { DEFAULT_RETRY, delayBefore, pause, type RetryPolicy, Waits } from "./retry.js";
import { HiddenAbsence, type Seen } from "./server-traits.js";
import type { Absence, Source, Waiting } from "./source.js";
import { absolute, below, fetchable } from "./url.js";
import type { Validator } from "./validator.js";

/** Minimum wait that is reported. */
const TOLD_MS = 1000;

/**
 * Reads keys below a URL. 404 means absent; any other failure rejects with a BevError
 * that has `url`, `key` and `status`. Temporary failures (408, 425, 429, 5xx, network
 * errors, a body that stops) are retried with growing delays.
 *
 * If another origin sends no CORS headers with its 404, it looks like an outage. An
 * optional key with such a response counts as absent only if the consolidated metadata
 * does not list it, or if keys that cannot exist fail in the same way; `presumedAbsent`
 * lists it then. See HiddenAbsence.
 *
 * An object that changes while it is read is an error, and so is a data set whose
 * metadata changes; MetadataPins documents what is detected. A new source reads the new
 * state.
 *
 * Sends requests at once: SharedReads limits how many an engine has in flight.
 */
export class FetchSource implements Source {
	/** URL below which keys are read. */
	readonly url: URL;
	/**
	 * Optional keys that are presumed absent, because their responses were unreadable.
	 */
	readonly presumedAbsent: string[];
	readonly #options: FetchSourceOptions;
	readonly #retry: RetryPolicy;
	readonly #attempts: Attempts;
	readonly #requiredReads = new Set<Promise<unknown>>();
	readonly #waits = new Waits();
	readonly #absence: HiddenAbsence;
	/**
	 * Whether the source is cross-origin: the browser hides what the server does not
	 * expose.
	 */
	readonly #isForeign: boolean;
	/** A required key that was readable. */
	#control: Job | undefined;
	/** The consolidated metadata, if it was requested. */
	#consolidated: Promise<Tagged | undefined> | undefined;

	constructor(url: string | URL, options: FetchSourceOptions = {}) {
		this.url = fetchable(absolute(url), options.fetch !== undefined);
		const here = globalThis.origin;
		this.#isForeign = here !== undefined && here !== this.url.origin;
		this.#options = options;
		this.#retry = { ...DEFAULT_RETRY, ...options.retry };
		this.#absence = new HiddenAbsence(
			(signal) => this.#probe(signal),
			(signal) => this.#isUp(signal),
		);
		this.#attempts = new Attempts(options, this.#isForeign, {
			retries: this.#retry.retries,
			aside: (key, signal) => this.#aside(key, signal),
			reread: (key, signal) => this.#retried(this.#aside(key, signal), WHOLE),
			shown: () => this.#absence.shown(),
		});
		this.presumedAbsent = this.#attempts.presumed;
	}

	/**
	 * Arguments of an equal source in a worker; undefined if it uses a custom `fetch`.
	 */
	get portable():
		| {
				/** URL of the source. */
				url: string;
				/** Its options. */
				settings: FetchSettings;
		  }
		| undefined {
		const { fetch, ...settings } = this.#options;
		return fetch ? undefined : { url: this.url.href, settings };
	}

	/** The longest wait in progress that the server requested. */
	get waiting(): Waiting | undefined {
		return this.#waits.longest;
	}

	/**
	 * Calls `listener` when `waiting` changes; returns a function that unsubscribes.
	 */
	onWaiting(listener: () => void): () => void {
		return this.#waits.onChange(listener);
	}

	/** Reads an object, or a range; undefined if it is absent and not required. */
	async read(
		key: string,
		options: FetchReadOptions = {},
	): Promise<Uint8Array | undefined> {
		const { range, signal, required = true, onState } = options;
		signal?.throwIfAborted();
		const job: Job = { key, url: this.addressOf(key), range, signal, required };
		this.#attempts.requireUnchanged(job);
		const reading = this.#tagged(job);
		if (this.#isForeign && key === ".zmetadata") this.#consolidated = reading;
		const tagged = await reading;
		if (tagged) onState?.(tagged.validator);
		return tagged?.bytes;
	}

	/** Returns the server's last answer that an object is absent, if it is known. */
	absence(key: string): Absence | undefined {
		const status = this.#attempts.absent.get(key);
		return status === undefined ? undefined : { url: this.addressOf(key).href, status };
	}

	/** Reuses the memory of bytes that this source returned. */
	recycle(bytes: Uint8Array<ArrayBuffer>): void {
		this.#attempts.requests.recycle(bytes);
	}

	/** Does not reuse earlier responses for `key`, whose bytes were damaged. */
	forget(key: string): void {
		this.#attempts.forget(key);
	}

	/**
	 * Returns a source for another URL. On the same origin it has the same options;
	 * headers, credentials and a custom `fetch` are not used on other origins.
	 */
	at(url: string | URL, addresses?: FetchSettings["addresses"]): FetchSource {
		const { fetch, headers, credentials, ...rest } = this.#options;
		const isOwn = absolute(url).origin === this.url.origin;
		const options = isOwn ? { ...rest, fetch, headers, credentials } : rest;
		const given = Object.entries({ ...options, addresses });
		return new FetchSource(
			url,
			Object.fromEntries(given.filter(([, value]) => value !== undefined)),
		);
	}

	/** Returns the URL of `key`. */
	addressOf(key: string): URL {
		const given = this.#options.addresses?.[key];
		return given === undefined ? below(this.url, key) : new URL(given);
	}

	/** Returns an object's length; undefined if the object is absent. */
	async size(key: string, signal?: AbortSignal): Promise<number | undefined> {
		const { states } = this.#attempts;
		const known = states.length(key);
		if (known !== undefined) return known;
		const length = (await this.fetchState(key, {}, signal))?.length;
		if (length !== undefined && (await this.#endsAt(key, length, signal))) {
			states.noteLength(key, length);
			return length;
		}
		let first: Validator | undefined;
		const onState = (state: Validator): void => {
			first = state;
		};
		await this.read(key, { range: { begin: 0, end: 1 }, signal, onState });
		return first?.length;
	}

	/**
	 * Returns the server's current state of an object without reading it; `known` itself
	 * if it is unchanged. Undefined if the server does not report it. The request is sent
	 * once, because a failing HEAD is not a failure of the data.
	 */
	async fetchState(
		key: string,
		known: Validator,
		signal?: AbortSignal,
	): Promise<Validator | undefined> {
		const url = this.addressOf(key);
		const job = { key, url, range: undefined, signal, required: true, known };
		return this.#attempts.state(job);
	}

	/**
	 * Whether an object of another origin ends at `length`: the browser hides there that
	 * the answer to HEAD was compressed, but not its length.
	 */
	async #endsAt(key: string, length: number, signal?: AbortSignal): Promise<boolean> {
		if (!this.#isForeign || length === 0) return true;
		const range = { begin: length - 1, end: length + 1 };
		const job = { ...this.#aside(key, signal), range };
		const how = { ...WHOLE, ranged: true };
		const answer = await this.#attempts.requests.send(job, how);
		return answer instanceof Transient || answer.bytes.length !== 2;
	}

	#tagged(job: Job): Promise<Tagged | undefined> {
		if (!this.#isForeign) return this.#retried(job); // its absence is never hidden
		return job.required ? this.#needed(job) : this.#optional(job);
	}

	async #needed(job: Job): Promise<Tagged | undefined> {
		const reading = this.#retried(job);
		this.#requiredReads.add(reading);
		try {
			const bytes = await reading;
			if (!this.#control || isDocument(job.key)) this.#control = job;
			return bytes;
		} finally {
			this.#requiredReads.delete(reading);
		}
	}

	/**
	 * Reads like `#retried`, and collects evidence of absence while responses are hidden.
	 */
	async #optional(job: Job): Promise<Tagged | undefined> {
		let supported = 0;
		let failed: Transient | undefined;
		for (let attempt = 0; ; attempt += 1) {
			const outcome = await this.#attempts.next(job, attempt, failed);
			if (!(outcome instanceof Transient)) return outcome;
			failed = outcome;
			let isHidden = false;
			if (outcome.isOpaque) {
				// Required keys of the same round may still be pending.
				await Promise.allSettled(this.#requiredReads);
				const listed = await this.#isListed(job.key);
				if (listed === false) return undefined;
				isHidden = !listed && (await this.#absence.supported(job.signal));
			}
			supported += Number(isHidden);
			const { retries } = this.#retry;
			if (attempt >= retries && HiddenAbsence.isProven(supported, retries + 1)) {
				return this.#attempts.presume(job);
			}
			// While other keys are readable, growing delays are useless.
			await this.#pause(job, isHidden && attempt < retries ? 0 : attempt, outcome);
		}
	}

	/**
	 * Returns whether the consolidated metadata lists a document; undefined if unknown.
	 */
	async #isListed(key: string): Promise<boolean | undefined> {
		if (key === ".zmetadata" || !isDocument(key)) return undefined;
		const consolidated = await this.#consolidated?.catch(() => undefined);
		return consolidated && listedIn(consolidated.bytes, key);
	}

	/** Requests a key that does not exist. */
	async #probe(signal: AbortSignal): Promise<Seen> {
		const key = `.bevscope-${Math.random().toString(36).slice(2)}`;
		const { requests } = this.#attempts;
		const answer = await requests.send(this.#aside(key, signal), WHOLE);
		return answer instanceof Transient && answer.isOpaque ? "nothing" : "answer";
	}

	/** Returns whether a key that was readable before still is. */
	async #isUp(signal: AbortSignal): Promise<boolean> {
		const key = this.#control?.key;
		return key !== undefined && this.#attempts.isReadable(key, signal);
	}

	#aside(key: string, signal: AbortSignal | undefined): Job {
		const url = this.addressOf(key);
		return { key, url, range: undefined, signal, required: true, fresh: true };
	}

	/** Reads, and repeats temporary failures. `sending` is the same for each attempt. */
	async #retried(job: Job, sending?: Sending): Promise<Tagged | undefined> {
		let failed: Transient | undefined;
		for (let attempt = 0; ; attempt += 1) {
			const outcome = await (sending
				? this.#attempts.run(job, sending)
				: this.#attempts.next(job, attempt, failed));
			if (!(outcome instanceof Transient)) return outcome;
			failed = outcome;
			await this.#pause(job, attempt, outcome);
		}
	}

	/** Waits before the next attempt; throws after the last one. */
	async #pause(
		{ key, signal }: Job,
		attempt: number,
		failed: Transient,
	): Promise<void> {
		const wait = delayBefore(attempt, this.#retry, failed.retryAfter);
		if (wait === undefined) throw failed.error;
		const work = (): Promise<void> => pause(wait, signal);
		const isTold = failed.retryAfter !== null && wait >= TOLD_MS;
		await (isTold ? this.#waits.during(key, wait, work) : work());
	}
}
