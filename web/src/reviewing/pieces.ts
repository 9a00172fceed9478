import { unlessAborted } from "../source/unless-aborted.js";

/** Maximum bytes per piece. Reading can be cancelled between two pieces. */
const PIECE_BYTES = 2 ** 17;

/** A file's text, the file, or a response that contains it. */
export type BytesFrom = string | Blob | Response;

export function isBytes(from: unknown): from is BytesFrom {
	return typeof from === "string" || from instanceof Blob || from instanceof Response;
}

/** Returns the bytes, and their number if it is known. */
export function opened(from: BytesFrom): {
	readonly stream: ReadableStream<Uint8Array>;
	readonly all: number | undefined;
} {
	if (from instanceof Response) {
		const stream = from.body ?? new Blob().stream();
		return { stream, all: lengthOf(from.headers) };
	}
	const blob = typeof from === "string" ? new Blob([from]) : from;
	return { stream: blob.stream(), all: blob.size };
}

/**
 * Returns the content length; undefined for a compressed response, whose header counts
 * compressed bytes.
 */
function lengthOf(headers: Headers): number | undefined {
	if (headers.get("Content-Encoding")) return undefined;
	const length = Number(headers.get("Content-Length") ?? Number.NaN);
	return Number.isSafeInteger(length) ? length : undefined;
}

/**
 * Yields the bytes of `stream` in order. Cancels the stream if the caller stops or
 * `signal` aborts.
 */
export async function* piecesOf(
	stream: ReadableStream<Uint8Array>,
	signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
	const reader = stream.getReader();
	let ended = false;
	try {
		for (;;) {
			const { value, done } = await unlessAborted(reader.read(), signal);
			if (done) break;
			for (let at = 0; at < value.length; at += PIECE_BYTES) {
				yield value.subarray(at, at + PIECE_BYTES);
			}
		}
		ended = true;
	} finally {
		if (!ended) reader.cancel(signal.reason).catch(() => {}); // the stream itself failed
	}
}
