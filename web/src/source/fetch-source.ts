import { BevError, type BevErrorOptions, messageOf } from "../errors.js";
import { Bodies } from "./body.js";
import { judgePartial } from "./content-range.js";
import { type Job, type Outcome, type Tagged, Transient } from "./fetch-job.js";
import type { FetchSettings, FetchSourceOptions } from "./fetch-options.js";
import { Gate } from "./gate.js";
import { type Exchange, exchange, type Fetch, isWebPage } from "./http.js";
import {
	DEFAULT_RETRY,
	delayBefore,
	isTransient,
	pause,
	type RetryPolicy,
} from "./retry.js";
import { type ByteRange, type ReadOptions, type Source, slice } from "./source.js";
import { absolute, below } from "./url.js";
import { compare, describe, type Validator, validatorOf } from "./validator.js";

/**
 * Requests in flight at a time: more than browsers send a host over HTTP/1, so that the
 * next goes out while this thread is busy with what came in.
 */
const MOST_IN_FLIGHT = 16;

/** Origins that answered a range with the whole object. */
const ignoresRanges = new Set<string>();

/**
 * Reads keys below a URL. 404 is absence; every other failure rejects with a BevError that
 * has `url`, `key` and `status`. What may pass (408, 425, 429, 5xx, the network) is tried
 * again, with growing pauses.
 *
 * A server of another origin that sends no CORS headers with its 404 looks like an outage.
 * So keys with `required: false` are not tried again after such a failure, and it counts
 * as absence once a required key could be read; `presumedAbsent` lists them.
 *
 * An object that changes while it is read in parts is an error: a data set is never put
 * together of two states of it. Another source reads the new one.
 */
export class FetchSource implements Source {
	readonly url: URL;
	readonly presumedAbsent: string[] = [];
	readonly #options: FetchSourceOptions;
	readonly #retry: RetryPolicy;
	readonly #gate = new Gate(MOST_IN_FLIGHT);
	readonly #bodies: Bodies | undefined;
	readonly #requiredReads = new Set<Promise<unknown>>();
	/** Whether the browser hides what the server does not expose. */
	readonly #isForeign: boolean;
	#reached = false;
	/** The last object read whole for the sake of a range; its other ranges come soon. */
	#last: (Tagged & { readonly key: string }) | undefined;
	/** Of objects that were read in parts. */
	readonly #states = new Map<string, Validator>();

	constructor(url: string | URL, options: FetchSourceOptions = {}) {
		this.url = absolute(url);
		const here = globalThis.origin;
		this.#isForeign = here !== undefined && here !== this.url.origin;
		this.#options = options;
		this.#bodies = options.fetch ? undefined : new Bodies();
		this.#retry = { ...DEFAULT_RETRY, ...options.retry };
	}

	/** What makes an equal source elsewhere, or undefined where a function is involved. */
	get portable(): { url: string; settings: FetchSettings } | undefined {
		const { fetch, ...settings } = this.#options;
		return fetch ? undefined : { url: this.url.href, settings };
	}

	async read(key: string, options: ReadOptions = {}): Promise<Uint8Array | undefined> {
		return (await this.readTagged(key, options))?.bytes;
	}

	/** As `read`, with what the answer says of the object's state. */
	async readTagged(
		key: string,
		options: ReadOptions = {},
	): Promise<Tagged | undefined> {
		const { range, signal, required = true } = options;
		const job: Job = { key, url: below(this.url, key), range, signal, required };
		if (!this.#isForeign) return this.#queued(job); // its absence is never hidden
		return required ? this.#needed(job) : this.#optional(job);
	}

	recycle(bytes: Uint8Array<ArrayBuffer>): void {
		this.#bodies?.recycle(bytes);
	}

	/** Reads below another address, in the same way. */
	at(url: string | URL): FetchSource {
		return new FetchSource(url, this.#options);
	}

	/** Bytes of an object, or undefined where there is none. */
	async size(key: string, signal?: AbortSignal): Promise<number | undefined> {
		const known = this.#states.get(key)?.length;
		if (known !== undefined) return known;
		const length = (await this.look(key, {}, signal))?.length;
		if (length !== undefined) return length;
		const first = await this.readTagged(key, { range: { begin: 0, end: 1 }, signal });
		return first?.validator.length;
	}

	/**
	 * What the server says of an object now, without reading it: `known` itself where it
	 * says that nothing changed. Undefined where it does not say.
	 */
	async look(
		key: string,
		known: Validator,
		signal?: AbortSignal,
	): Promise<Validator | undefined> {
		const url = below(this.url, key);
		const job: Job = { key, url, range: undefined, signal, required: true, known };
		const seen = await this.#gate.run(
			() => this.#attempts(job, () => this.#glance(job)),
			signal,
		);
		if (seen) this.#states.set(key, seen);
		return seen;
	}

	async #needed(job: Job): Promise<Tagged | undefined> {
		const reading = this.#queued(job);
		this.#requiredReads.add(reading);
		try {
			const bytes = await reading;
			this.#reached = true;
			return bytes;
		} finally {
			this.#requiredReads.delete(reading);
		}
	}

	async #optional(job: Job): Promise<Tagged | undefined> {
		try {
			return await this.#queued(job);
		} catch (error) {
			if (!(error instanceof BevError) || !this.#isOpaque(error)) throw error;
			// The required keys of the same round may still be on their way.
			await Promise.allSettled(this.#requiredReads);
			if (!this.#reached) throw error;
			this.presumedAbsent.push(job.key);
			return undefined;
		}
	}

	/** Whether `error` may be an answer that another origin did not let us see. */
	#isOpaque(error: BevError): boolean {
		if (!this.#isForeign) return false;
		return error.code === "network" && error.status === undefined;
	}

	#queued(job: Job): Promise<Tagged | undefined> {
		const attempt = (): Promise<Outcome> => {
			const ranged = job.range !== undefined && !ignoresRanges.has(job.url.origin);
			return this.#attempt(job, ranged);
		};
		return this.#gate.run(() => this.#attempts(job, attempt), job.signal);
	}

	async #attempts<T>(job: Job, work: () => Promise<T | Transient>): Promise<T> {
		for (let attempt = 0; ; attempt += 1) {
			const outcome = await work();
			if (!(outcome instanceof Transient)) return outcome;
			const wait = delayBefore(attempt, this.#retry, outcome.retryAfter);
			const hopeless = !job.required && this.#isOpaque(outcome.error);
			if (wait === undefined || hopeless) throw outcome.error;
			await pause(wait, job.signal);
		}
	}

	async #attempt(job: Job, ranged: boolean): Promise<Outcome> {
		const { key, range, url } = job;
		if (range && this.#last?.key === key) return cut(this.#last, range);
		const answer = await this.#send(job, ranged);
		if (answer instanceof Transient) return answer;
		const { response, bytes } = answer;
		if (this.#isAbsent(response.status)) return undefined;
		if (response.status === 416 && ranged) return this.#attempt(job, false);
		if (!response.ok) return this.#refused(job, response);
		if (isWebPage(answer)) return this.#page(job, response);
		if (response.status === 206 && range) return this.#partial(job, range, answer);
		const validator = validatorOf(response, bytes.length);
		if (!range) return { bytes, validator };
		this.#note(job, validator);
		if (ranged) ignoresRanges.add(url.origin);
		this.#last = { key, bytes, validator };
		return cut(this.#last, range);
	}

	/** A conditional request, but to another origin, which that would cost a preflight. */
	async #glance(job: Job): Promise<Validator | undefined | Transient> {
		const answer = await this.#send(job, false);
		if (answer instanceof Transient) return answer;
		const { status, headers } = answer.response;
		if (status === 304) return job.known;
		if (isTransient(status)) return this.#refused(job, answer.response);
		if (status !== 200) return undefined;
		const length = headers.get("Content-Length");
		return validatorOf(answer.response, length === null ? undefined : Number(length));
	}

	/** Refuses an object that is not what it was when other parts of it were read. */
	#note(job: Job, seen: Validator): void {
		const known = this.#states.get(job.key);
		if (known && compare(known, seen) === "changed") {
			const said = `changed on the server while it was read: ${describe(seen)}, was ${describe(known)}; open the data set again`;
			throw this.#error("network", job, said, {});
		}
		this.#states.set(job.key, { ...known, ...seen });
	}

	async #send(job: Job, ranged: boolean): Promise<Exchange | Transient> {
		const { range, signal, url } = job;
		const {
			fetch: own,
			credentials = "same-origin",
			timeoutMs = 30_000,
		} = this.#options;
		const headers = new Headers(this.#options.headers);
		const part = ranged && range !== undefined;
		if (part) headers.set("Range", `bytes=${range.begin}-${range.end - 1}`);
		const { etag, modified } = (!this.#isForeign && job.known) || {};
		if (etag) headers.set("If-None-Match", etag);
		if (modified) headers.set("If-Modified-Since", modified);
		const asks = job.known && ({ method: "HEAD", cache: "no-store" } as const);
		// Through a browser's own cache, ranges of one object wait for each other.
		const uncached = part && ({ cache: "no-store" } as const);
		const init = { headers, credentials, ...uncached, ...asks };
		try {
			const plain: Fetch = (address, given) => fetch(address, given);
			const how = { fetch: own ?? plain, init, timeoutMs, signal };
			return await exchange(url, { ...how, bodies: this.#bodies });
		} catch (cause) {
			signal?.throwIfAborted();
			const said = (cause as { cause?: unknown }).cause ?? cause;
			return new Transient(this.#error("network", job, messageOf(said), { cause }));
		}
	}

	#isAbsent(status: number): boolean {
		return (
			status === 404 || (status === 403 && this.#options.forbiddenIsAbsent === true)
		);
	}

	#refused(job: Job, response: Response): Transient {
		const { status, statusText } = response;
		const said = `HTTP ${status} ${statusText}`.trim();
		const error = this.#error("network", job, said, { status });
		if (!isTransient(status)) throw error;
		return new Transient(error, response.headers.get("Retry-After"));
	}

	#page(job: Job, { status }: Response): undefined {
		if (!job.required) {
			this.presumedAbsent.push(job.key);
			return undefined;
		}
		const said = "the server answered with a web page, expected data";
		throw this.#error("network", job, said, { status });
	}

	#partial(job: Job, range: ByteRange, answer: Exchange): Outcome | Promise<Outcome> {
		const { bytes, response } = answer;
		const header = response.headers.get("Content-Range");
		const verdict = judgePartial(range, bytes.length, header);
		if (verdict.kind === "good") {
			const validator = validatorOf(response, bytes.length);
			this.#note(job, validator);
			return { bytes, validator };
		}
		if (verdict.kind === "unclear") return this.#attempt(job, false);
		const said = `${verdict.found}, expected bytes ${range.begin}-${range.end - 1}`;
		return new Transient(
			this.#error("network", job, said, { status: response.status }),
		);
	}

	#error(
		code: "network",
		{ key, url }: Job,
		said: string,
		more: BevErrorOptions,
	): BevError {
		return new BevError(code, `${key}: ${said}`, { key, url: url.href, ...more });
	}
}

function cut({ bytes, validator }: Tagged, range: ByteRange): Tagged {
	return { bytes: slice(bytes, range).slice(), validator };
}
