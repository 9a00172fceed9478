import { Buffers } from "../arrays/buffers.js";

/** Shorter bodies are read in pieces. */
const SHORTEST = 2 ** 16;
/** Larger Content-Lengths are not trusted for allocation. */
const LONGEST = 2 ** 26;
/** Buffer sizes are multiples of this. */
const STEP = 2 ** 18;
/** Maximum bytes of pooled buffers. */
const MAX_SPARE = 2 ** 25;

export interface BodyOptions {
	/** Maximum length of the body in bytes. */
	readonly limit: number;
	/** Called for each piece received. */
	readonly onPiece: () => void;
}

const UNLIMITED: BodyOptions = { limit: Number.POSITIVE_INFINITY, onPiece: () => {} };

/** Thrown for a body above the limit. */
export class BodyTooLong extends Error {}

/**
 * Reads response bodies into pooled memory. The browser's own methods collect the
 * pieces in new memory and then copy them into more new memory.
 */
export class Bodies {
	readonly #spare = new Buffers(MAX_SPARE);

	/** Returns the whole body. The caller owns its memory and may recycle it. */
	async read(
		response: Response,
		options: BodyOptions = UNLIMITED,
	): Promise<Uint8Array<ArrayBuffer>> {
		const said = Number(response.headers.get("Content-Length"));
		const reader =
			said >= SHORTEST && said <= LONGEST ? byteReader(response) : undefined;
		if (!reader) return readBody(response, options);
		// One byte more for the read that finds the end; rounded up so that later bodies
		// fit.
		const size = Math.ceil((said + 1) / STEP) * STEP;
		return readInto(reader, this.#spare.take(size), options);
	}

	/** Returns the memory of a body that is no longer used. */
	recycle({ buffer }: Uint8Array<ArrayBuffer>): void {
		if (buffer.byteLength > SHORTEST) this.#spare.give(buffer);
	}
}

/** Reads a body in pieces, or at once if a custom `fetch` provides no stream. */
export async function readBody(
	response: Response,
	{ limit, onPiece }: BodyOptions,
): Promise<Uint8Array<ArrayBuffer>> {
	const stream = response.body;
	if (typeof stream?.getReader !== "function") {
		const bytes = new Uint8Array(await response.arrayBuffer());
		if (bytes.length > limit) throw tooLong(limit);
		return bytes;
	}
	const reader = stream.getReader();
	const pieces: Uint8Array[] = [];
	let length = 0;
	for (;;) {
		const { done, value } = await reader.read();
		if (done) return joined(pieces, length);
		onPiece();
		pieces.push(value);
		length += value.length;
		if (length > limit) throw tooLong(limit, reader);
	}
}

/**
 * Returns undefined if there is no body or it is not a byte stream, as in older
 * browsers.
 */
function byteReader({ body }: Response): ReadableStreamBYOBReader | undefined {
	try {
		return body?.getReader({ mode: "byob" });
	} catch {
		return undefined;
	}
}

async function readInto(
	reader: ReadableStreamBYOBReader,
	into: ArrayBuffer,
	{ limit, onPiece }: BodyOptions,
): Promise<Uint8Array<ArrayBuffer>> {
	let memory = into;
	let length = 0;
	for (;;) {
		const { done, value } = await reader.read(new Uint8Array(memory, length));
		if (!value) throw new Error("body: cancelled by another caller");
		onPiece();
		memory = value.buffer;
		length += value.length;
		if (length > limit) throw tooLong(limit, reader);
		if (done) return new Uint8Array(memory, 0, length);
		if (length === memory.byteLength) memory = twice(memory);
	}
}

function joined(
	pieces: readonly Uint8Array[],
	length: number,
): Uint8Array<ArrayBuffer> {
	const whole = new Uint8Array(length);
	let at = 0;
	for (const piece of pieces) {
		whole.set(piece, at);
		at += piece.length;
	}
	return whole;
}

/** Doubles the buffer: a compressed body is longer than its Content-Length. */
function twice(full: ArrayBuffer): ArrayBuffer {
	const larger = new Uint8Array(2 * full.byteLength);
	larger.set(new Uint8Array(full));
	return larger.buffer;
}

function tooLong(limit: number, reader?: ReadableStreamGenericReader): BodyTooLong {
	const error = new BodyTooLong(`body too long (expected at most ${limit} bytes)`);
	reader?.cancel(error).catch(() => {});
	return error;
}
