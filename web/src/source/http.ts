import type { Bodies } from "./body.js";

/** One HTTP exchange, body included. */
export interface Exchange {
	readonly response: Response;
	readonly bytes: Uint8Array<ArrayBuffer>;
}

export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

export interface ExchangeOptions {
	readonly fetch: Fetch;
	readonly init: RequestInit;
	/** To the first byte of the answer; a body that comes in may take its time. */
	readonly timeoutMs: number;
	readonly signal?: AbortSignal | undefined;
	/** Reads the body, where `fetch` is the browser's own: any other's may be no good stream. */
	readonly bodies?: Bodies | undefined;
}

/** Fetches `url`. Rejects as `fetch` does, and on silence for longer than `timeoutMs`. */
export async function exchange(url: URL, options: ExchangeOptions): Promise<Exchange> {
	const { signal, timeoutMs } = options;
	signal?.throwIfAborted();
	const control = new AbortController();
	const abort = (): void => control.abort(signal?.reason);
	signal?.addEventListener("abort", abort, { once: true });
	const silent = (): void =>
		control.abort(new Error(`no answer within ${timeoutMs / 1000} s`));
	const timer = setTimeout(silent, timeoutMs);
	try {
		const init = { ...options.init, signal: control.signal };
		const response = await options.fetch(url, init);
		clearTimeout(timer);
		const { bodies } = options;
		if (bodies) return { response, bytes: await bodies.read(response) };
		return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
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
