import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseUnischema, pickledSchema } from "../../src/parquet/unischema.js";

const FILE = new URL(
	"../../../tests/fixtures/parquet/petastorm/_common_metadata",
	import.meta.url,
);
const PICKLED = pickledSchema(new Uint8Array(readFileSync(FILE)));

describe("Petastorm's schema", () => {
	it("is found in a footer and read", () => {
		const fields = parseUnischema(PICKLED ?? new Uint8Array());
		const named = new Map(fields.map((field) => [field.name, field]));
		expect(fields).toHaveLength(23);
		expect(named.get("points")).toEqual({
			...{ name: "points", dtype: "float32", shape: [null, 3] },
			...{ codec: "NdarrayCodec", image: "" },
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

	it("of other or damaged pickles is refused, or read", () => {
		const refused = (code: Uint8Array) =>
			expect(() => parseUnischema(code)).toThrow(/^Unischema: /);
		refused(new Uint8Array());
		refused(new TextEncoder().encode("I7\n."));
		refused(new TextEncoder().encode("(((((."));
		refused(new TextEncoder().encode("cos\nsystem\n(S'ls'\ntR."));
		const good = PICKLED ?? new Uint8Array();
		let state = 7;
		const random = (below: number): number => {
			state = (state * 1103515245 + 12345) % 2 ** 31;
			return state % below;
		};
		for (let i = 0; i < 2000; i += 1) {
			const damaged = good.slice(0, 1 + random(good.length));
			damaged[random(damaged.length)] = random(256);
			try {
				parseUnischema(damaged);
			} catch (error) {
				expect(error).toMatchObject({ code: "invalid_metadata" });
			}
		}
	});
});
