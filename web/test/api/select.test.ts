import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AxisSelection, ChunkedDataset, MemorySource } from "../../src/index.js";

const text = new TextEncoder();

function described(shape: number[], chunks: number[], dtype: unknown): Uint8Array {
	const rest = { zarr_format: 2, compressor: null, filters: null, order: "C" };
	return text.encode(
		JSON.stringify({ ...rest, shape, chunks, dtype, fill_value: null }),
	);
}

/** grid: 4 x 5 in chunks of 2 x 3, with values 10 row + column. */
function objects(): Record<string, Uint8Array> {
	const out: Record<string, Uint8Array> = {
		".zgroup": text.encode('{"zarr_format": 2}'),
		"grid/.zarray": described([4, 5], [2, 3], "<i4"),
		"words/.zarray": described([2, 2], [2, 2], "|S2"),
		"words/0.0": text.encode("a\0bbc\0\0\0"),
		"pairs/.zarray": described(
			[2, 1],
			[2, 1],
			[
				["k", "<i2"],
				["v", "<f2", [2]],
			],
		),
		"pairs/0.0": new Uint8Array(Uint16Array.of(7, 0x3c00, 0xc000, 9, 0x3800, 0).buffer),
	};
	for (const [r, c] of [
		[0, 0],
		[0, 1],
		[1, 0],
		[1, 1],
	] as const) {
		const chunk = Int32Array.from(
			{ length: 6 },
			(_, i) => 10 * (2 * r + Math.floor(i / 3)) + 3 * c + (i % 3),
		);
		out[`grid/${r}.${c}`] = new Uint8Array(chunk.buffer);
	}
	return out;
}

describe("api/select", () => {
	let dataset: ChunkedDataset;
	beforeAll(async () => {
		dataset = await ChunkedDataset.open(new MemorySource(objects()));
	});
	afterAll(() => dataset.close());

	it("supports indices and slices like NumPy", async () => {
		const grid = await dataset.array("grid");
		const box = await grid.select([{ step: -2 }, { begin: 1, end: -1 }]);
		expect(box).toMatchObject({ shape: [2, 3], dtype: "<i4" });
		expect(box.data).toEqual(Int32Array.of(31, 32, 33, 11, 12, 13));
		const column = await grid.select([null, -1]);
		expect(column.shape).toEqual([4]);
		expect(column.data).toEqual(Int32Array.of(4, 14, 24, 34));
		const one = await grid.select([-4, 2]);
		expect([one.shape, [...one.data]]).toEqual([[], [2]]);
		const all = await grid.select();
		expect(all.shape).toEqual([4, 5]);
		const none = await grid.select([{ begin: 9 }]);
		expect([none.shape, none.data.length]).toEqual([[0, 5], 0]);
	});

	it("reads only the box's chunks", async () => {
		const asked: string[] = [];
		const memory = new MemorySource(objects());
		using fresh = await ChunkedDataset.open({
			read: (key, options) => {
				asked.push(key);
				return memory.read(key, options);
			},
		});
		await (await fresh.array("grid")).select([{ begin: 2 }, 3]);
		expect(asked.filter((key) => /grid\/\d/.test(key))).toEqual(["grid/1.1"]);
	});

	it("returns text as strings, and a field of records", async () => {
		const words = await dataset.array("words");
		const turned = await words.select([{ step: -1 }]);
		expect(turned).toMatchObject({ shape: [2, 2], dtype: "utf8" });
		expect(turned.strings()).toEqual(["c", "", "a", "bb"]);
		const pairs = await dataset.array("pairs");
		using values = await pairs.select([1, 0], { field: "v" });
		expect([values.shape, [...values.data]]).toEqual([[2], [0.5, 0]]);
		await expect(pairs.select([0])).rejects.toMatchObject({
			code: "invalid_argument",
			message: "pairs: box requires one field (found 2)",
		});
	});

	it("selects along a field's own axes", async () => {
		const pairs = await dataset.array("pairs");
		const picked = async (axes: AxisSelection[]) => {
			using box = await pairs.select(axes, { field: "v" });
			return [box.shape, [...box.data]];
		};
		expect(await picked([null, 0, 1])).toEqual([[2], [-2, 0]]);
		expect(await picked([{ step: -1 }, 0, { step: -1 }])).toEqual([
			[2, 2],
			[0, 0.5, -2, 1],
		]);
		expect(await picked([1, 0, 0])).toEqual([[], [0.5]]);
		expect(await picked([null, null, { begin: 2 }])).toEqual([[2, 1, 0], []]);
		for (const [axes, message] of [
			[[0, 0, 2], "pairs: axis 2: index 2 is out of range (count 2)"],
			[[0, 0, 0, 0], "pairs: too many axes (found 4, expected at most 3)"],
		] as const)
			await expect(picked([...axes])).rejects.toMatchObject({ message });
	});

	it("rejects selections that do not fit the array", async () => {
		const grid = await dataset.array("grid");
		await expect(grid.select([4])).rejects.toMatchObject({
			code: "out_of_range",
			message: "grid: axis 0: index 4 is out of range (count 4)",
		});
		for (const axes of [[0, 0, 0], [{ step: 0 }], [0.5], [{ end: 2 ** 60 }]]) {
			await expect(grid.select(axes)).rejects.toMatchObject({
				code: "invalid_argument",
			});
		}
	});
});
