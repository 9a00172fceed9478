import { BevError, type BevErrorOptions, messageOf } from "../errors.js";
import { judgePartial } from "./content-range.js";
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

/** Options that can cross to a worker. */
export interface FetchSettings {
	headers?: Readonly<Record<string, string>> | undefined;
	credentials?: RequestCredentials | undefined;
	/** Takes 403 for absence: object stores answer so where listing is not allowed. */
	forbiddenIsAbsent?: boolean | undefined;
	retry?: Partial<RetryPolicy> | undefined;
	/** To the first byte of an answer. Default 30 s. */
	timeoutMs?: number | undefined;
}

export interface FetchSourceOptions extends FetchSettings {
	/** In place of the global `fetch`; the reads then happen where it was made. */
	fetch?: Fetch | undefined;
}

/** Requests in flight at a time: what browsers allow a host over HTTP/1, and two. */
const MOST_IN_FLIGHT = 8;

/** Origins that answered a range with the whole object. */
const ignoresRanges = new Set<string>();

interface Job {
	readonly key: string;
	readonly url: URL;
	readonly range: ByteRange | undefined;
	readonly signal: AbortSignal | undefined;
	readonly required: boolean;
}

/** A failure that may pass. */
class Transient {
	constructor(
		readonly error: BevError,
		readonly retryAfter: string | null = null,
	) {}
}

type Outcome = Uint8Array | undefined | Transient;

/**
 * Reads keys below a URL. 404 is absence; every other failure rejects with a BevError that
 * has `url`, `key` and `status`. What may pass (408, 425, 429, 5xx, the network) is tried
 * again, with growing pauses.
 *
 * A server of another origin that sends no CORS headers with its 404 looks like an outage.
 * So keys with `required: false` are not tried again after such a failure, and it counts
 * as absence once a required key could be read; `presumedAbsent` lists them.
 */
export class FetchSource implements Source {
	readonly url: URL;
	readonly presumedAbsent: string[] = [];
	readonly #options: FetchSourceOptions;
	readonly #retry: RetryPolicy;
	readonly #gate = new Gate(MOST_IN_FLIGHT);
	readonly #requiredReads = new Set<Promise<unknown>>();
	#reached = false;
	/** The last object read whole for the sake of a range; its other ranges come soon. */
	#last: { readonly key: string; readonly bytes: Uint8Array } | undefined;

	constructor(url: string | URL, options: FetchSourceOptions = {}) {
		this.url = absolute(url);
		this.#options = options;
		this.#retry = { ...DEFAULT_RETRY, ...options.retry };
	}

	/** What makes an equal source elsewhere, or undefined where a function is involved. */
	get portable(): { url: string; settings: FetchSettings } | undefined {
		const { fetch, ...settings } = this.#options;
		return fetch ? undefined : { url: this.url.href, settings };
	}

	async read(key: string, options: ReadOptions = {}): Promise<Uint8Array | undefined> {
		const { range, signal, required = true } = options;
		const job: Job = { key, url: below(this.url, key), range, signal, required };
		return required ? this.#needed(job) : this.#optional(job);
	}

	async #needed(job: Job): Promise<Uint8Array | undefined> {
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

	async #optional(job: Job): Promise<Uint8Array | undefined> {
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
		const here = globalThis.origin;
		if (here === undefined || here === this.url.origin) return false;
		return error.code === "network" && error.status === undefined;
	}

	#queued(job: Job): Promise<Uint8Array | undefined> {
		return this.#gate.run(() => this.#attempts(job), job.signal);
	}

	async #attempts(job: Job): Promise<Uint8Array | undefined> {
		for (let attempt = 0; ; attempt += 1) {
			const ranged = job.range !== undefined && !ignoresRanges.has(job.url.origin);
			const outcome = await this.#attempt(job, ranged);
			if (!(outcome instanceof Transient)) return outcome;
			const wait = delayBefore(attempt, this.#retry, outcome.retryAfter);
			const hopeless = !job.required && this.#isOpaque(outcome.error);
			if (wait === undefined || hopeless) throw outcome.error;
			await pause(wait, job.signal);
		}
	}

	async #attempt(job: Job, ranged: boolean): Promise<Outcome> {
		const { key, range, url } = job;
		if (range && this.#last?.key === key) return slice(this.#last.bytes, range).slice();
		const answer = await this.#send(job, ranged);
		if (answer instanceof Transient) return answer;
		const { response, bytes } = answer;
		if (this.#isAbsent(response.status)) return undefined;
		if (response.status === 416 && ranged) return this.#attempt(job, false);
		if (!response.ok) return this.#refused(job, response);
		if (isWebPage(answer)) return this.#page(job, response);
		if (response.status === 206 && range) return this.#partial(job, range, answer);
		if (!range) return bytes;
		if (ranged) ignoresRanges.add(url.origin);
		this.#last = { key, bytes };
		return slice(bytes, range).slice();
	}

	async #send(job: Job, ranged: boolean): Promise<Exchange | Transient> {
		const { range, signal, url } = job;
		const {
			fetch: own,
			credentials = "same-origin",
			timeoutMs = 30_000,
		} = this.#options;
		const headers = new Headers(this.#options.headers);
		if (ranged && range) headers.set("Range", `bytes=${range.begin}-${range.end - 1}`);
		const init = { headers, credentials };
		try {
			const plain: Fetch = (address, given) => fetch(address, given);
			return await exchange(url, { fetch: own ?? plain, init, timeoutMs, signal });
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
		if (verdict.kind === "good") return bytes;
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
