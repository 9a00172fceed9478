import { type Bodies, readBody } from "./body.js";
import { unlessAborted } from "./unless-aborted.js";

/** One HTTP exchange, including the body. */
export interface Exchange {
	readonly response: Response;
	readonly bytes: Uint8Array<ArrayBuffer>;
}

export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

export interface ExchangeOptions {
	readonly fetch: Fetch;
	readonly init: RequestInit;
	/**
	 * Maximum time without data, before the response or between two pieces of its body.
	 */
	readonly timeoutMs: number;
	/** Returns the maximum body length of a response in bytes. */
	readonly limitOf?: ((response: Response) => number) | undefined;
	readonly signal?: AbortSignal | undefined;
	/**
	 * Reads the body. Only for the browser's own `fetch`: a custom one may return no byte
	 * stream.
	 */
	readonly bodies?: Bodies | undefined;
}

/** Thrown if an exchange fails. */
export class ExchangeError extends Error {
	/** Status, if the response headers were received. */
	readonly status: number | undefined;
	/** Whether it timed out. */
	readonly isSilence: boolean;

	constructor(cause: unknown, status: number | undefined, isSilence: boolean) {
		const said = (cause as { cause?: unknown } | undefined)?.cause ?? cause;
		super(said instanceof Error ? said.message : String(said), { cause });
		this.status = status;
		this.isSilence = isSilence;
	}
}

/**
 * Fetches `url` with its body. Rejects with the reason of an abort, or with an
 * ExchangeError if `fetch` or the body fails, with cause BodyTooLong for a body above
 * the limit, or after `timeoutMs` without data.
 */
export async function exchange(url: URL, options: ExchangeOptions): Promise<Exchange> {
	const { signal, timeoutMs, bodies } = options;
	signal?.throwIfAborted();
	const control = new AbortController();
	const abort = (): void => control.abort(signal?.reason);
	signal?.addEventListener("abort", abort, { once: true });
	let status: number | undefined;
	let isSilence = false;
	const silent = (): void => {
		isSilence = true;
		const what = status === undefined ? "no response within" : "body stalled for";
		control.abort(new Error(`${what} ${timeoutMs / 1000} s`));
	};
	let timer = setTimeout(silent, timeoutMs);
	const onPiece = (): void => {
		clearTimeout(timer);
		timer = setTimeout(silent, timeoutMs);
	};
	const work = async (): Promise<Exchange> => {
		const init = { ...options.init, signal: control.signal };
		const response = await options.fetch(url, init);
		status = response.status;
		onPiece();
		const limit = options.limitOf?.(response) ?? Number.POSITIVE_INFINITY;
		const how = { limit, onPiece };
		const reading = bodies ? bodies.read(response, how) : readBody(response, how);
		return { response, bytes: await reading };
	};
	try {
		return await unlessAborted(work(), control.signal);
	} catch (error) {
		signal?.throwIfAborted();
		control.abort(error); // cancels the rest of the body
		throw new ExchangeError(error, status, isSilence);
	} finally {
		clearTimeout(timer);
		signal?.removeEventListener("abort", abort);
	}
}
