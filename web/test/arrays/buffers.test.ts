import { describe, expect, it } from "vitest";
import { Buffers } from "../../src/arrays/buffers.js";

describe("buffers", () => {
	it("returns the smallest kept buffer that fits, once", () => {
		const buffers = new Buffers();
		const [small, large] = [new ArrayBuffer(100), new ArrayBuffer(200)];
		buffers.give(large);
		buffers.give(small);
		expect(buffers.take(90)).toBe(small);
		expect(buffers.take(90)).toBe(large);
		expect(buffers.take(90).byteLength).toBe(90);
	});

	it("returns the most recent of equal buffers", () => {
		const buffers = new Buffers();
		const [first, last] = [new ArrayBuffer(100), new ArrayBuffer(100)];
		buffers.give(first);
		buffers.give(last);
		expect(buffers.take(100)).toBe(last);
		expect(buffers.take(100)).toBe(first);
	});

	it("does not waste a large buffer on a small result", () => {
		const buffers = new Buffers();
		buffers.give(new ArrayBuffer(1000));
		expect(buffers.take(10).byteLength).toBe(10);
		expect(buffers.bytes).toBe(1000);
	});

	it("keeps few buffers and bytes, the newest first", () => {
		const buffers = new Buffers();
		for (let i = 1; i <= 20; i += 1) buffers.give(new ArrayBuffer(i));
		expect(buffers.bytes).toBe(13 + 14 + 15 + 16 + 17 + 18 + 19 + 20);
		buffers.give(new ArrayBuffer(193 * 2 ** 20));
		expect(buffers.bytes).toBe(0);
	});

	it("does not keep transferred buffers", () => {
		const buffers = new Buffers();
		const gone = new ArrayBuffer(8);
		structuredClone(gone, { transfer: [gone] });
		buffers.give(gone);
		expect(buffers.take(0)).not.toBe(gone);
	});
});
