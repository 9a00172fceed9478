import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseUnischema, pickledSchema } from "../../src/parquet/unischema.js";

const FILE = new URL(
	"../../../tests/fixtures/parquet/petastorm/_common_metadata",
	import.meta.url,
);
const PICKLED = pickledSchema(new Uint8Array(readFileSync(FILE)));

describe("Petastorm's schema", () => {
	it("is found in a footer and read", async () => {
		const fields = await parseUnischema(PICKLED ?? new Uint8Array());
		const named = new Map(fields.map((field) => [field.name, field]));
		expect(fields).toHaveLength(23);
		expect(named.get("points")).toEqual({
			...{ name: "points", dtype: "float32", shape: [null, 3] },
			...{ codec: "NdarrayCodec", image: "", nullable: false },
		});
		expect(named.get("jpeg")).toMatchObject({
			codec: "CompressedImageCodec",
			image: "jpeg",
			shape: [32, 16, 3],
		});
		expect(named.get("price")).toMatchObject({
			dtype: "Decimal",
			codec: "ScalarCodec",
		});
	});

	it("is not in other footers", () => {
		expect(pickledSchema(new TextEncoder().encode("dataset-toolkit"))).toBeUndefined();
	});

	it("of other pickles is refused", async () => {
		for (const code of ["", "I7\n.", "(((((.", "cos\nsystem\n(S'ls'\ntR."]) {
			const refused = parseUnischema(new TextEncoder().encode(code));
			await expect(refused).rejects.toMatchObject({
				message: expect.stringMatching(/^Unischema: /),
				code: "invalid_metadata",
			});
		}
	});

	it("is read by a module that is given as a response, which stays readable", async () => {
		const wasm = new URL("../../src/wasm/bev_stream.wasm", import.meta.url);
		const headers = { "Content-Type": "application/wasm" };
		const response = new Response(readFileSync(wasm), { headers });
		const fields = await parseUnischema(PICKLED ?? new Uint8Array(), response);
		expect(fields).toHaveLength(23);
		expect(response.bodyUsed).toBe(false);
	});
});
