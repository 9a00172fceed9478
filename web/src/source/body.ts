import { Buffers } from "../buffers.js";

/** Shorter bodies are not worth the steps of a stream. */
const SHORTEST = 2 ** 16;
/** What a server says is longer is not taken on trust. */
const LONGEST = 2 ** 26;
/** Memory is so many bytes long, or a multiple. */
const STEP = 2 ** 18;
/** Bytes of memory that is kept for later bodies. */
const MOST_SPARE = 2 ** 25;

/**
 * Reads the bodies of answers into memory that is used again. The browser's own way gathers
 * the pieces in fresh memory, and then copies them into more of it.
 */
export class Bodies {
	readonly #spare = new Buffers(MOST_SPARE);

	/** The whole body; its memory is the caller's, to be given back or not. */
	async read(response: Response): Promise<Uint8Array<ArrayBuffer>> {
		const said = Number(response.headers.get("Content-Length"));
		const reader =
			said >= SHORTEST && said <= LONGEST ? byteReader(response) : undefined;
		if (!reader) return new Uint8Array(await response.arrayBuffer());
		// One byte more, for the read that finds the end; round, to serve for the next.
		const size = Math.ceil((said + 1) / STEP) * STEP;
		return readAll(reader, this.#spare.take(size));
	}

	/** Takes the memory of a body that nobody looks at any more. */
	recycle({ buffer }: Uint8Array<ArrayBuffer>): void {
		if (buffer.byteLength > SHORTEST) this.#spare.give(buffer);
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

async function readAll(
	reader: ReadableStreamBYOBReader,
	into: ArrayBuffer,
): Promise<Uint8Array<ArrayBuffer>> {
	let memory = into;
	let length = 0;
	for (;;) {
		const { done, value } = await reader.read(new Uint8Array(memory, length));
		if (!value) throw new Error("the body was given up by somebody else");
		memory = value.buffer;
		length += value.length;
		if (done) return new Uint8Array(memory, 0, length);
		if (length === memory.byteLength) memory = twice(memory);
	}
}

/** What was compressed on its way is longer than was said. */
function twice(full: ArrayBuffer): ArrayBuffer {
	const larger = new Uint8Array(2 * full.byteLength);
	larger.set(new Uint8Array(full));
	return larger.buffer;
}
