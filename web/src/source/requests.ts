import { BevError, type BevErrorOptions, type ErrorCode } from "../base/errors.js";
import { Bodies, BodyTooLong } from "./body.js";
import { isDocument } from "./document.js";
import {
	type FetchSettings,
	type FetchSourceOptions,
	type Job,
	type Sending,
	SLACK,
	Transient,
} from "./fetch-job.js";
import { type Exchange, type ExchangeError, exchange, type Fetch } from "./http.js";
import { isFinal, isTransient } from "./retry.js";

/** Sends the single requests of a FetchSource. Does not check the responses. */
export class Requests {
	readonly #options: FetchSourceOptions;
	readonly #isForeign: boolean;
	readonly #bodies: Bodies | undefined;
	/** Keys whose bytes were damaged: the browser's cache may contain the same bytes. */
	readonly #damaged = new Set<string>();

	/** @param isForeign whether the browser hides what the server does not expose */
	constructor(options: FetchSourceOptions, isForeign: boolean) {
		this.#options = options;
		this.#isForeign = isForeign;
		this.#bodies = options.fetch ? undefined : new Bodies();
	}

	recycle(bytes: Uint8Array<ArrayBuffer>): void {
		this.#bodies?.recycle(bytes);
	}

	/** Makes reads of `key` bypass the browser's cache until it is trusted again. */
	distrust(key: string): void {
		this.#damaged.add(key);
	}

	trust(key: string): void {
		this.#damaged.delete(key);
	}

	/**
	 * Sends a request. Throws failures that a retry cannot fix: an abort, a body above
	 * the limit.
	 */
	async send(job: Job, sending: Sending): Promise<Exchange | Transient> {
		const { ranged, limit } = sending;
		const { range, signal, url } = job;
		const { fetch: own, timeoutMs = 30_000 } = this.#options;
		const plain: Fetch = (address, given) => fetch(address, given);
		const asked = ranged && range ? range.end - range.begin + SLACK : limit;
		try {
			return await exchange(url, {
				fetch: own ?? plain,
				init: requestOf(job, {
					...this.#options,
					ranged,
					isForeign: this.#isForeign,
					isDamaged: this.#damaged.has(job.key),
				}),
				timeoutMs,
				signal,
				limitOf: ({ status }) => (status === 206 ? Math.min(asked, limit) : limit),
				bodies: this.#bodies,
			});
		} catch (thrown) {
			signal?.throwIfAborted();
			return failed(job, sending, thrown, this.#isForeign ? CORS : "");
		}
	}
}

/** Advice for an answer of another origin that the browser hides. */
const CORS = " (CORS: the server must allow GET, and expose Content-Range)";

function failed(
	job: Job,
	sending: Sending,
	thrown: unknown,
	advice: string,
): Transient {
	const { status, cause, message, isSilence } = thrown as ExchangeError;
	const isOpaque = status === undefined && !isSilence;
	const error = jobError(job, message + (isOpaque ? advice : ""), { cause, status });
	if (cause instanceof BodyTooLong) {
		if (sending.isTrial) return new Transient(error);
		throw error;
	}
	if (isFinal(message)) throw error;
	return new Transient(error, null, isOpaque);
}

/** Converts an HTTP status to a failure. Throws it if a retry cannot fix it. */
export function refused(
	job: Job,
	{ status, statusText, headers }: Response,
): Transient {
	const after = headers.get("Retry-After");
	const asks = after === null ? "" : `(Retry-After: ${after.slice(0, 40)})`;
	const said = ["HTTP", status, statusText, asks].filter(Boolean).join(" ");
	const error = jobError(job, said);
	if (!isTransient(status)) throw error;
	return new Transient(error, after);
}

/** Returns an error that names the object. */
export function jobError(
	{ key, url, status }: Job,
	said: string,
	more: BevErrorOptions = {},
	code: ErrorCode = "network",
): BevError {
	const at = { key, url: url.href, status };
	return new BevError(code, `${key}: ${said}`, { ...at, ...more });
}

export interface RequestSettings
	extends Pick<FetchSettings, "headers" | "credentials"> {
	readonly ranged: boolean;
	/** Whether it is cross-origin: a conditional request costs a preflight there. */
	readonly isForeign: boolean;
	/** Whether the bytes read before were damaged. */
	readonly isDamaged: boolean;
}

/** Returns the request that a job sends. */
export function requestOf(
	{ key, known, range, fresh }: Job,
	{
		ranged,
		isForeign,
		isDamaged,
		credentials = "same-origin",
		...given
	}: RequestSettings,
): RequestInit {
	const headers = new Headers(given.headers);
	const part = ranged && range !== undefined;
	if (part) headers.set("Range", `bytes=${range.begin}-${range.end - 1}`);
	const { etag, modified } = (!isForeign && known) || {};
	if (etag) headers.set("If-None-Match", etag);
	if (modified) headers.set("If-Modified-Since", modified);
	// In a browser's cache, concurrent ranges of one object wait for each other.
	if (part || fresh || known) {
		return {
			headers,
			credentials,
			cache: "no-store",
			...(known && { method: "HEAD" }),
		};
	}
	if (isDamaged) return { headers, credentials, cache: "reload" };
	// Stale documents would not describe the chunks that are there now.
	return { headers, credentials, ...(isDocument(key) && { cache: "no-cache" }) };
}
