import { describe, expect, it } from "vitest";
import { Buffers } from "../../src/buffers.js";
import { pack } from "../../src/worker/pack.js";
import { array } from "../support/packed.js";

describe("worker/pack", () => {
	it("copies every array into one buffer, each aligned", () => {
		const memory = new Uint8Array(32).fill(9);
		memory.set([1, 2, 3], 5);
		const bytes = new Uint8Array(memory.buffer, 5, 3);
		const arrays = [array("a", bytes), array("b", Float64Array.of(1.5, -2), [1, 2])];
		const { arrays: placed, buffer } = pack(arrays, new Buffers());
		expect(placed.map(({ name, view, shape }) => [name, view, shape])).toEqual([
			["a", "Uint8Array", [3]],
			["b", "Float64Array", [1, 2]],
		]);
		expect([...new Uint8Array(buffer, placed[0]?.byteOffset, 3)]).toEqual([1, 2, 3]);
		expect([...new Float64Array(buffer, placed[1]?.byteOffset, 2)]).toEqual([1.5, -2]);
		memory.fill(0);
		expect(new Uint8Array(buffer)[0]).toBe(1);
	});

	it("packs nothing into nothing", () => {
		expect(pack([], new Buffers()).buffer.byteLength).toBe(0);
		const empty = pack([array("none", new Float64Array())], new Buffers());
		expect(empty.arrays[0]).toMatchObject({ byteOffset: 0, length: 0 });
	});
});
