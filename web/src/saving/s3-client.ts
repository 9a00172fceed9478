import { BevError, withoutSecrets } from "../base/errors.js";
import { delayBefore, isTransient, pause, type RetryPolicy } from "../source/retry.js";
import { unlessAborted } from "../source/unless-aborted.js";

/** A request to be signed. */
export interface SignRequest {
	/** HTTP method. */
	readonly method: "GET" | "PUT" | "POST" | "DELETE";
	/** Key of the object, relative to the data set's prefix. */
	readonly key: string;
	/** Query parameters that the signed URL must contain, e.g. those of a multipart upload. */
	readonly query: Readonly<Record<string, string>>;
	/** Headers that will be sent. They need not be signed. */
	readonly headers: Readonly<Record<string, string>>;
}

/** A signed request. */
export interface SignedRequest {
	/** URL with the query, and the signature if it is in the URL. */
	readonly url: string | URL;
	/** Headers to send in addition, e.g. `Authorization`. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of `toS3`. */
export interface S3Options {
	/** Name in messages; default `s3`. */
	readonly name?: string | undefined;
	/** Signs a request. It is called for every attempt, so that URLs may expire soon. */
	readonly sign: (request: SignRequest) => SignedRequest | Promise<SignedRequest>;
	/** Objects above this size are uploaded in parts of it; default 8 MiB, S3's minimum is 5 MiB. */
	readonly partSize?: number | undefined;
	/**
	 * Key, below the prefix, of a .zip that is written instead of an object per key. Unlike
	 * a prefix, it can be replaced and appended to.
	 */
	readonly zip?: string | undefined;
	/** Sends requests; default: `fetch`. */
	readonly fetch?: typeof fetch | undefined;
	/** Retries of a request after the first attempt; default 6. */
	readonly retries?: number | undefined;
	/** Delay before the first retry in milliseconds, doubled for each further one; default 250. */
	readonly retryDelay?: number | undefined;
	/** Limit of an attempt's duration in milliseconds; default two minutes. */
	readonly timeout?: number | undefined;
}

/** A request to S3. */
export interface S3Request {
	readonly method: SignRequest["method"];
	readonly key: string;
	readonly query?: SignRequest["query"];
	readonly headers?: SignRequest["headers"];
	readonly body?: Uint8Array<ArrayBuffer>;
	readonly signal?: AbortSignal | undefined;
}

/** An answer that was read completely. */
export interface Answer {
	readonly status: number;
	readonly etag: string | null;
	readonly contentRange: string | null;
	readonly retryAfter: string | null;
	readonly body: Uint8Array;
	/** Address of the request, without signature. */
	readonly url: string;
	text(): string;
}

/** Statuses that S3 returns while another request is in progress. */
const CONFLICT = 409;

const MAX_TEXT = 2 ** 16;

/** Sends signed requests, again after failures that may pass. Errors contain no signature. */
export class S3Client {
	readonly name: string;
	readonly #sign: S3Options["sign"];
	readonly #fetch: typeof fetch;
	readonly #policy: RetryPolicy;
	readonly #timeout: number;

	constructor({ name = "s3", sign, fetch: send, ...options }: S3Options) {
		const { retries = 6, retryDelay = 250, timeout = 120_000 } = options;
		this.name = name;
		this.#sign = sign;
		this.#fetch = send ?? ((...given) => fetch(...given));
		this.#policy = { retries, delayMs: retryDelay };
		this.#timeout = timeout;
	}

	/**
	 * Returns the answer, of any status that a retry would not change. A `Retry-After` of up
	 * to 30 s is the least wait before the next attempt. Rejects with `signal.reason` when
	 * aborted, and with code `network` if no answer arrives.
	 */
	async send(request: S3Request): Promise<Answer> {
		const { key, signal } = request;
		for (let attempt = 0; ; attempt += 1) {
			signal?.throwIfAborted();
			const answer = await this.#attempt(request);
			const isError = answer && hasError(request, answer);
			const passes = !answer || isError || isPassing(answer);
			if (!passes) return answer;
			const delay = delayBefore(attempt, this.#policy, answer?.retryAfter);
			if (delay === undefined) {
				if (answer) throw this.failure(key, answer);
				throw new BevError("network", `${this.name}: ${key}: no answer`, { key });
			}
			await pause(delay, signal);
		}
	}

	/** Returns the error of an answer, with S3's code. */
	failure(key: string, { status, url, text }: Answer): BevError {
		const code = /<Code>([A-Za-z0-9.]{1,100})<\/Code>/.exec(text())?.[1];
		const reason = code ? ` (${code})` : "";
		const message = `${this.name}: ${key}: HTTP ${status}${reason} (${url})`;
		return new BevError("network", message, { key, status, url });
	}

	/** Returns the answer; undefined if the connection failed. */
	async #attempt(request: S3Request): Promise<Answer | undefined> {
		const { signal } = request;
		const signed = await unlessAborted(this.#signed(request), signal);
		const control = new AbortController();
		const stop = (): void => control.abort();
		signal?.addEventListener("abort", stop, { once: true });
		const timer = setTimeout(stop, this.#timeout);
		try {
			signal?.throwIfAborted(); // aborted before there was a listener
			const exchange = this.#exchange(request, signed, control.signal);
			return await unlessAborted(exchange, control.signal);
		} catch {
			// The reason may contain the signed URL
			signal?.throwIfAborted();
			return undefined;
		} finally {
			clearTimeout(timer);
			signal?.removeEventListener("abort", stop);
		}
	}

	async #exchange(
		{ method, headers, body }: S3Request,
		signed: SignedRequest,
		signal: AbortSignal,
	): Promise<Answer> {
		const response = await this.#fetch(signed.url, {
			method,
			headers: { ...headers, ...signed.headers },
			body: body ?? null,
			redirect: "error",
			credentials: "omit",
			cache: "no-store",
			signal,
		});
		const bytes = new Uint8Array(await response.arrayBuffer());
		return {
			status: response.status,
			etag: response.headers.get("ETag"),
			contentRange: response.headers.get("Content-Range"),
			retryAfter: response.headers.get("Retry-After"),
			body: bytes,
			url: withoutSecrets(String(signed.url)),
			text: () => new TextDecoder().decode(bytes.subarray(0, MAX_TEXT)),
		};
	}

	async #signed(request: S3Request): Promise<SignedRequest> {
		const { method, key, query = {}, headers = {} } = request;
		let signed: SignedRequest;
		try {
			signed = await this.#sign({ method, key, query, headers });
		} catch (cause) {
			const message = `${this.name}: ${key}: sign failed`;
			throw new BevError("network", message, { key, cause });
		}
		if (/^https?:\/\/[^/]/.test(String(signed.url))) return signed;
		throw new BevError(
			"invalid_argument",
			`${this.name}: ${key}: sign returned no absolute URL`,
			{ key },
		);
	}
}

function isPassing({ status }: Answer): boolean {
	return isTransient(status) ? status !== 501 : status === CONFLICT;
}

/** Whether S3 reports a failure of a multipart upload's completion with status 200. */
function hasError({ method, query }: S3Request, answer: Answer): boolean {
	const completes = method === "POST" && query?.uploadId !== undefined;
	return completes && answer.status === 200 && /<Error>/.test(answer.text());
}
