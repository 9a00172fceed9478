import { describe, expect, it } from "vitest";
import { Bodies } from "../../src/source/body.js";

const LONG = 100_000;

function long(length: number): Uint8Array<ArrayBuffer> {
	return Uint8Array.from({ length }, (_, i) => i % 251);
}

function answer(body: BodyInit | null, length: number | undefined): Response {
	const headers = new Headers();
	if (length !== undefined) headers.set("Content-Length", String(length));
	return new Response(body, { headers });
}

/** Compares without reporting the contents of large arrays. */
function same(found: Uint8Array, expected: Uint8Array): boolean {
	return found.length === expected.length && found.every((x, i) => x === expected[i]);
}

/** Returns a body like `fetch`: bytes arrive in pieces of varying size. */
function pieces(bytes: Uint8Array, size: number): ReadableStream {
	let at = 0;
	return new ReadableStream({
		type: "bytes",
		pull(controller) {
			const piece = bytes.slice(at, at + size);
			at += piece.length;
			if (piece.length > 0) return controller.enqueue(piece);
			controller.close();
			controller.byobRequest?.respond(0);
		},
	});
}

describe("source/body", () => {
	it("reads a long body in pieces", async () => {
		const bytes = long(LONG);
		const read = await new Bodies().read(answer(pieces(bytes, 7777), LONG));
		expect(same(read, bytes)).toBe(true);
	});

	it("reuses recycled memory, and only that", async () => {
		const bodies = new Bodies();
		const first = await bodies.read(answer(long(3 * LONG), 3 * LONG));
		const second = await bodies.read(answer(long(LONG), LONG));
		expect(second.buffer.byteLength).toBe(2 ** 18);
		bodies.recycle(first);
		const third = await bodies.read(answer(long(LONG), LONG));
		expect(third.buffer.byteLength).toBe(2 ** 19);
		expect(same(third, long(LONG))).toBe(true);
		expect(same(second, long(LONG))).toBe(true);
	});

	it("reads a body longer or shorter than Content-Length", async () => {
		const bytes = long(LONG);
		for (const said of [65_536, LONG - 1, LONG + 1, 3 * LONG]) {
			const read = await new Bodies().read(answer(pieces(bytes, 30_000), said));
			expect(same(read, bytes)).toBe(true);
		}
	});

	it("ignores an implausible Content-Length", async () => {
		for (const said of [undefined, -1, 2 ** 27, 2 ** 52, Number.NaN]) {
			const read = await new Bodies().read(answer(long(LONG), said));
			expect(same(read, long(LONG))).toBe(true);
		}
	});

	it("reads bodies that are not byte streams, and empty ones", async () => {
		const plain = new ReadableStream({
			start(controller) {
				controller.enqueue(long(LONG));
				controller.close();
			},
		});
		const bodies = new Bodies();
		expect(same(await bodies.read(answer(plain, LONG)), long(LONG))).toBe(true);
		await expect(bodies.read(answer(null, LONG))).resolves.toHaveLength(0);
	});

	it("rejects a truncated body", async () => {
		let pulls = 0;
		const broken = new ReadableStream({
			type: "bytes",
			pull(controller) {
				pulls += 1;
				if (pulls < 3) controller.enqueue(long(1000));
				else controller.error(new TypeError("terminated"));
			},
		});
		await expect(new Bodies().read(answer(broken, LONG))).rejects.toThrow("terminated");
	});
});
