import { describe, expect, it } from "vitest";
import { tinyDataset } from "../../tests/support/tiny-dataset.js";
import { ChunkedDataset, MemorySource } from "../src/index.js";
import { onnxTensor, tfTensor } from "../src/tensor.js";

const source = (data: Parameters<typeof onnxTensor>[0]["data"], dtype: string) => ({
	data,
	dtype,
	shape: [data.length],
});

describe("tensor", () => {
	it("columns of a batch become tensors of the same values and shape", async () => {
		using dataset = await ChunkedDataset.open(new MemorySource(tinyDataset()));
		const window = { past: 1, future: 1 };
		const fields = ["centroid", "velocity", "track_id", "kept"];
		using reader = dataset.reader({ fields, window, batch: 4 });
		for await (const batch of reader) {
			const centroid = batch.column("centroid");
			const tensor = onnxTensor(centroid);
			expect(tensor.type).toBe("float64");
			expect(tensor.dims).toEqual([4, 3, 2]);
			expect(tensor.data).toBe(centroid.data);
			expect(onnxTensor(batch.column("track_id")).type).toBe("uint64");
			expect(onnxTensor(batch.column("kept")).type).toBe("bool");
			const [data, shape, dtype] = tfTensor(centroid);
			expect({ shape, dtype }).toEqual({ shape: [4, 3, 2], dtype: "float32" });
			expect(Array.from(data)).toEqual(Array.from(centroid.data, Number));
			expect(tfTensor(batch.column("velocity"))[0]).toBe(batch.column("velocity").data);
			const [tracks, , type] = tfTensor(batch.column("track_id"));
			expect(type).toBe("int32");
			expect(Array.from(tracks.slice(0, 3))).toEqual([1, 1, 1]);
			expect(tfTensor(batch.column("kept"))[2]).toBe("bool");
			break;
		}
	});

	it("integers beyond int32 are refused for TensorFlow.js", () => {
		for (const value of [2n ** 31n, 2n ** 63n + 1n]) {
			expect(() => tfTensor(source(BigUint64Array.of(value), "<u8"))).toThrow(
				`tensor: value ${value} is out of range (expected an int32)`,
			);
		}
		expect(() => tfTensor(source(Uint32Array.of(2 ** 32 - 1), "<u4"))).toThrow("int32");
		const least = BigInt64Array.of(-(2n ** 31n));
		expect(Array.from(tfTensor(source(least, "<i8"))[0])).toEqual([-(2 ** 31)]);
	});

	it("text, times and complex numbers are unsupported", () => {
		const numbers = Float32Array.of(1, 2);
		for (const dtype of ["utf8", "<M8[ns]", "<c8"]) {
			for (const convert of [onnxTensor, tfTensor]) {
				expect(() => convert(source(numbers, dtype))).toThrow(
					`tensor: unsupported dtype (found ${dtype}, expected numbers or booleans)`,
				);
			}
		}
	});
});
