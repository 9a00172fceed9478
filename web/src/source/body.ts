import { Buffers } from "../buffers.js";

/** Shorter bodies are gathered in pieces. */
const SHORTEST = 2 ** 16;
/** A length above is not taken on trust. */
const LONGEST = 2 ** 26;
/** Memory is so many bytes long, or a multiple. */
const STEP = 2 ** 18;
/** Bytes of memory that is kept for later bodies. */
const MOST_SPARE = 2 ** 25;

export interface BodyOptions {
	/** Most bytes accepted. */
	readonly limit: number;
	/** Called for each piece that comes in. */
	readonly onPiece: () => void;
}

const UNLIMITED: BodyOptions = { limit: Number.POSITIVE_INFINITY, onPiece: () => {} };

/** A body that is longer than accepted. */
export class BodyTooLong extends Error {}

/**
 * Reads the bodies of answers into memory that is used again. The browser's own way gathers
 * the pieces in fresh memory, and then copies them into more of it.
 */
export class Bodies {
	readonly #spare = new Buffers(MOST_SPARE);

	/** The whole body; its memory is the caller's, to be given back or not. */
	async read(
		response: Response,
		options: BodyOptions = UNLIMITED,
	): Promise<Uint8Array<ArrayBuffer>> {
		const said = Number(response.headers.get("Content-Length"));
		const reader =
			said >= SHORTEST && said <= LONGEST ? byteReader(response) : undefined;
		if (!reader) return readBody(response, options);
		// One byte more, for the read that finds the end; round, to serve for the next.
		const size = Math.ceil((said + 1) / STEP) * STEP;
		return readInto(reader, this.#spare.take(size), options);
	}

	/** Takes the memory of a body that nobody looks at any more. */
	recycle({ buffer }: Uint8Array<ArrayBuffer>): void {
		if (buffer.byteLength > SHORTEST) this.#spare.give(buffer);
	}
}

/** Reads a body in pieces; at once if a `fetch` of the caller's gives no stream. */
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

/** Undefined where bodies are no byte streams, as in older browsers, or there is none. */
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
		if (!value) throw new Error("the body was given up by somebody else");
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

/** A compressed body is longer than its Content-Length. */
function twice(full: ArrayBuffer): ArrayBuffer {
	const larger = new Uint8Array(2 * full.byteLength);
	larger.set(new Uint8Array(full));
	return larger.buffer;
}

function tooLong(limit: number, reader?: ReadableStreamGenericReader): BodyTooLong {
	const error = new BodyTooLong(`body longer than accepted (at most ${limit} bytes)`);
	reader?.cancel(error).catch(() => {});
	return error;
}
