import { type Bodies, BodyTooLong, readBody } from "./body.js";
import { unlessAborted } from "./gate.js";

/** One HTTP exchange, body included. */
export interface Exchange {
	readonly response: Response;
	readonly bytes: Uint8Array<ArrayBuffer>;
}

export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

export interface ExchangeOptions {
	readonly fetch: Fetch;
	readonly init: RequestInit;
	/** Longest silence, before the answer or between two pieces of its body. */
	readonly timeoutMs: number;
	/** Most bytes of an answer's body. */
	readonly limitOf?: ((response: Response) => number) | undefined;
	readonly signal?: AbortSignal | undefined;
	/** Reads the body, where `fetch` is the browser's own: any other's may be no good stream. */
	readonly bodies?: Bodies | undefined;
}

/** An exchange that failed. */
export class ExchangeError extends Error {
	/** The status, if the answer's head came in. */
	readonly status: number | undefined;
	/** Whether it was ended for silence. */
	readonly isSilence: boolean;

	constructor(cause: unknown, status: number | undefined, isSilence: boolean) {
		const said = (cause as { cause?: unknown } | undefined)?.cause ?? cause;
		super(said instanceof Error ? said.message : String(said), { cause });
		this.status = status;
		this.isSilence = isSilence;
	}
}

/**
 * Fetches `url` with its body. Rejects with the reason of an abort, with a BodyTooLong, else
 * with an ExchangeError: where `fetch` or the body fails, and after `timeoutMs` of silence.
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
		const what = status === undefined ? "no answer within" : "the body stopped for";
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
		control.abort(error); // ends a body that is still coming in
		if (error instanceof BodyTooLong) throw error;
		throw new ExchangeError(error, status, isSilence);
	} finally {
		clearTimeout(timer);
		signal?.removeEventListener("abort", abort);
	}
}

/**
 * Whether an answer is a web page where data was asked for: some servers send their start
 * page or an error page with status 200. The type alone proves nothing, for some call
 * every file without an extension `text/html`.
 */
export function isWebPage({ response, bytes }: Exchange): boolean {
	if (!/\bx?html\b/i.test(response.headers.get("Content-Type") ?? "")) return false;
	const head = new TextDecoder().decode(bytes.subarray(0, 256));
	return /^\s*<(!doctype|html|head|body|\?xml|!--)/i.test(head);
}
