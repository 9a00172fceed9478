import { BevError } from "../base/errors.js";
import { isDocument, listedIn, MAX_DOCUMENT_BYTES } from "./document.js";
import {
	cut,
	type FetchReadOptions,
	type FetchSettings,
	type FetchSourceOptions,
	type Job,
	type Outcome,
	type Sending,
	type Tagged,
	Transient,
	WHOLE,
} from "./fetch-job.js";
import type { Exchange } from "./http.js";
import { judge } from "./judge.js";
import { MetadataPins } from "./metadata-pins.js";
import { remember } from "./remember.js";
import { jobError, Requests, refused } from "./requests.js";
import { DEFAULT_RETRY, delayBefore, pause, type RetryPolicy, Waits } from "./retry.js";
import { HiddenAbsence, RangeSupport, type Seen } from "./server-traits.js";
import type { Absence, Source, Waiting } from "./source.js";
import { absolute, below, fetchable } from "./url.js";
import {
	type Contradiction,
	KnownValidators,
	type Validator,
	validatorOf,
} from "./validator.js";

/** Default maximum object size in bytes. */
const MAX_BYTES = 2 ** 31;

/**
 * The attempt that requests the whole object instead of a range, up to a maximum
 * length.
 */
const WHOLE_ATTEMPT = 2;
const MAX_WHOLE_BYTES = 2 ** 26;

/** Maximum number of absent objects whose status is remembered. */
const MAX_ABSENT = 1000;

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
	readonly presumedAbsent: string[] = [];
	readonly #options: FetchSourceOptions;
	readonly #retry: RetryPolicy;
	readonly #requests: Requests;
	readonly #requiredReads = new Set<Promise<unknown>>();
	readonly #ranges = new RangeSupport();
	readonly #waits = new Waits();
	readonly #absence: HiddenAbsence;
	readonly #pins: MetadataPins;
	/**
	 * Whether the source is cross-origin: the browser hides what the server does not
	 * expose.
	 */
	readonly #isForeign: boolean;
	/** A required key that was readable. */
	#control: Job | undefined;
	/** The consolidated metadata, if it was requested. */
	#consolidated: Promise<Tagged | undefined> | undefined;
	/**
	 * The last object read whole instead of a range; its other ranges are likely to
	 * follow.
	 */
	#last: (Tagged & { readonly key: string }) | undefined;
	readonly #states = new KnownValidators();
	#refusesHead = false;
	/** Statuses of absent objects, in order of the answers. */
	readonly #absent = new Map<string, number>();

	constructor(url: string | URL, options: FetchSourceOptions = {}) {
		this.url = fetchable(absolute(url), options.fetch !== undefined);
		const here = globalThis.origin;
		this.#isForeign = here !== undefined && here !== this.url.origin;
		this.#options = options;
		this.#requests = new Requests(options, this.#isForeign);
		this.#retry = { ...DEFAULT_RETRY, ...options.retry };
		this.#absence = new HiddenAbsence(
			(signal) => this.#probe(signal),
			(signal) => this.#isUp(signal),
		);
		this.#pins = new MetadataPins((key, signal) => this.#reread(key, signal));
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
		const { changed } = this.#pins;
		if (changed) throw this.#changed(job, changed);
		const reading = this.#tagged(job);
		if (this.#isForeign && key === ".zmetadata") this.#consolidated = reading;
		const tagged = await reading;
		if (tagged) onState?.(tagged.validator);
		return tagged?.bytes;
	}

	/** Returns the server's last answer that an object is absent, if it is known. */
	absence(key: string): Absence | undefined {
		const status = this.#absent.get(key);
		return status === undefined ? undefined : { url: this.addressOf(key).href, status };
	}

	/** Reuses the memory of bytes that this source returned. */
	recycle(bytes: Uint8Array<ArrayBuffer>): void {
		this.#requests.recycle(bytes);
	}

	/** Does not reuse earlier responses for `key`, whose bytes were damaged. */
	forget(key: string): void {
		if (this.#last?.key === key) this.#last = undefined;
		this.#requests.distrust(key);
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
		const known = this.#states.length(key);
		if (known !== undefined) return known;
		const length = (await this.fetchState(key, {}, signal))?.length;
		if (length !== undefined && (await this.#endsAt(key, length, signal))) {
			this.#states.noteLength(key, length);
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
	 * Whether an object of another origin ends at `length`: the browser hides there that
	 * the answer to HEAD was compressed, but not its length.
	 */
	async #endsAt(key: string, length: number, signal?: AbortSignal): Promise<boolean> {
		if (!this.#isForeign || length === 0) return true;
		const range = { begin: length - 1, end: length + 1 };
		const job = { ...this.#aside(key, signal), range };
		const answer = await this.#requests.send(job, { ...WHOLE, ranged: true });
		return answer instanceof Transient || answer.bytes.length !== 2;
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
		if (this.#refusesHead) return undefined;
		const url = this.addressOf(key);
		const job: Job = { key, url, range: undefined, signal, required: true, known };
		const seen = await this.#head(job);
		if (!seen) return undefined;
		const answered = { ...job, status: seen === known ? 304 : 200 };
		await this.#check(answered, seen);
		const { etag, modified } = seen;
		if (etag ?? modified) {
			const state = { ...(etag && { etag }), ...(modified && { modified }) };
			this.#refuse(answered, this.#states.note(key, state));
		}
		return seen;
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
			const outcome = await this.#attempt(job, this.#sending(job, attempt, failed));
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
				return this.#presume(job);
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

	#presume({ key }: Job): undefined {
		if (!this.presumedAbsent.includes(key)) this.presumedAbsent.push(key);
		return undefined;
	}

	/** Requests a key that does not exist. */
	async #probe(signal: AbortSignal): Promise<Seen> {
		const key = `.bevscope-${Math.random().toString(36).slice(2)}`;
		const answer = await this.#requests.send(this.#aside(key, signal), WHOLE);
		return answer instanceof Transient && answer.isOpaque ? "nothing" : "answer";
	}

	/** Returns whether a key that was readable before still is. */
	async #isUp(signal: AbortSignal): Promise<boolean> {
		return this.#control !== undefined && this.#isReadable(this.#control.key, signal);
	}

	/** Whether 403 means that an object is absent. */
	async #isAbsent({ key, signal }: Job): Promise<boolean> {
		if (!isDocument(key)) return false;
		const { isDescribed } = await import("./denied.js");
		return isDescribed(key, (other) => this.#isReadable(other, signal));
	}

	async #isReadable(key: string, signal: AbortSignal | undefined): Promise<boolean> {
		const answer = await this.#requests.send(this.#aside(key, signal), WHOLE);
		return !(answer instanceof Transient) && answer.response.ok;
	}

	/** Reads the current version of a document. */
	async #reread(key: string, signal: AbortSignal): Promise<Tagged | undefined> {
		return this.#retried(this.#aside(key, signal), WHOLE);
	}

	#aside(key: string, signal: AbortSignal | undefined): Job {
		const url = this.addressOf(key);
		return { key, url, range: undefined, signal, required: true, fresh: true };
	}

	/** Reads, and repeats temporary failures. `sending` is the same for each attempt. */
	async #retried(job: Job, sending?: Sending): Promise<Tagged | undefined> {
		let failed: Transient | undefined;
		for (let attempt = 0; ; attempt += 1) {
			const how = sending ?? this.#sending(job, attempt, failed);
			const outcome = await this.#attempt(job, how);
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

	/**
	 * Chooses how to send an attempt. One attempt reads the whole object if ranges may be
	 * the cause of the failure: if no response was visible, or a range was unusable because
	 * the server compresses it.
	 */
	#sending({ key, range }: Job, attempt: number, failed?: Transient): Sending {
		const isDoc = isDocument(key);
		const limit = this.#options.maxBytes ?? (isDoc ? MAX_DOCUMENT_BYTES : MAX_BYTES);
		if (!range) return { ranged: false, limit };
		const length = this.#states.length(key) ?? 0;
		const isLast = attempt === this.#retry.retries;
		const isCause = failed?.isOpaque || failed?.error.status === 206;
		if (isCause && attempt === WHOLE_ATTEMPT && !isLast && length <= MAX_WHOLE_BYTES) {
			return { ranged: false, limit: Math.min(limit, MAX_WHOLE_BYTES), isTrial: true };
		}
		return { ranged: this.#ranges.isWorthAsking(), limit };
	}

	async #attempt(asked: Job, sending: Sending): Promise<Outcome> {
		const { key, range } = asked;
		if (range && this.#last?.key === key) return cut(this.#last, range);
		const answer = await this.#requests.send(asked, sending);
		if (answer instanceof Transient) return answer;
		const { response } = answer;
		const job = { ...asked, status: response.status };
		const { verdict, problem } = judge(answer, {
			range: sending.ranged ? range : undefined,
			forbiddenIsAbsent: this.#options.forbiddenIsAbsent,
		});
		switch (verdict) {
			case "absent":
				return this.#noteAbsent(job);
			case "denied":
				if (await this.#isAbsent(job)) return this.#noteAbsent(job);
				break;
			case "ask-whole":
				return this.#askWhole(job, sending, problem);
			case "web-page":
				return this.#page(job);
			case "part":
				return this.#part(job, answer);
			case "whole":
				return this.#whole(job, sending, answer);
		}
		if (problem === undefined) return refused(job, response);
		return new Transient(jobError(job, problem));
	}

	#noteAbsent({ key, status = 404 }: Job): undefined {
		this.#absence.shown();
		remember(this.#absent, key, status, MAX_ABSENT);
	}

	/**
	 * Reads the object instead of a range. Only up to a limit if the server encodes
	 * ranges, because then every range costs the object.
	 */
	async #askWhole(job: Job, sending: Sending, problem?: string): Promise<Outcome> {
		const whole = { ...sending, ranged: false };
		if (problem === undefined) return this.#attempt(job, whole);
		const limit = Math.min(sending.limit, MAX_WHOLE_BYTES);
		const outcome = await this.#attempt(job, { ...whole, limit, isTrial: true });
		return outcome instanceof Transient
			? new Transient(jobError(job, problem))
			: outcome;
	}

	async #whole(
		job: Job,
		{ ranged }: Sending,
		{ response, bytes }: Exchange,
	): Promise<Tagged> {
		const { key, range } = job;
		this.#requests.trust(key);
		const tagged = { bytes, validator: validatorOf(response, bytes.length) };
		if (job.fresh) return tagged;
		this.#refuse(job, this.#states.noteWhole(key, tagged.validator));
		if (isDocument(key)) this.#pins.pin(key, tagged, response.headers.get("Date"));
		else await this.#check(job, tagged.validator);
		if (!range) return tagged;
		if (ranged) this.#ranges.ignored();
		this.#last = { key, ...tagged };
		return cut(this.#last, range);
	}

	/**
	 * Sends one conditional request; unconditional to another origin, where it would need
	 * a preflight.
	 */
	async #head(job: Job): Promise<Validator | undefined> {
		const answer = await this.#requests.send(job, WHOLE);
		if (answer instanceof Transient) return undefined;
		const { status, headers } = answer.response;
		if (status === 304) return job.known;
		if (status === 405 || status === 501) this.#refusesHead = true;
		if (status !== 200) return undefined;
		// The Content-Length of an encoded response is not the object's length.
		const said = headers.get("Content-Encoding") ? null : headers.get("Content-Length");
		return validatorOf(answer.response, said ? Number(said) : undefined);
	}

	/** Throws an error if a response contradicts an earlier one. */
	#refuse(job: Job, found: Contradiction | undefined): void {
		if (found?.isChange) throw this.#changed(job, found.how);
		if (found) throw jobError(job, `lengths differ (found ${found.how})`);
	}

	/** Throws `changed` if the object belongs to another version of the data set. */
	async #check(job: Job, seen: Validator): Promise<void> {
		const changed = await this.#pins.check(seen, job.signal);
		if (changed) throw this.#changed(job, changed);
	}

	#changed(job: Job, how: string): BevError {
		const said = `changed on the server (${how}); open the data set again`;
		const { key, status } = job;
		return new BevError("changed", `${key}: ${said}`, {
			key,
			url: job.url.href,
			status,
		});
	}

	#page(job: Job): undefined {
		if (!job.required) return this.#presume(job);
		throw jobError(job, "unexpected response (found a web page, expected data)");
	}

	async #part(job: Job, { response, bytes }: Exchange): Promise<Tagged> {
		this.#ranges.honoured();
		const validator = validatorOf(response, bytes.length);
		this.#refuse(job, this.#states.note(job.key, validator));
		await this.#check(job, validator);
		return { bytes, validator };
	}
}
