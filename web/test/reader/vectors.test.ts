import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hashOf, type StreamVector } from "../../../tests/support/stream-hash.js";
import { tinyDataset } from "../../../tests/support/tiny-dataset.js";
import { ChunkedDataset, MemorySource } from "../../src/index.js";

const FILE = new URL("../../../tests/vectors/reader.json", import.meta.url);
const { vectors } = JSON.parse(readFileSync(FILE, "utf8")) as {
	vectors: StreamVector[];
};

describe("reader/vectors", () => {
	for (const { plan, ...expected } of vectors) {
		it(`${JSON.stringify(plan)} reads what other hosts read`, async () => {
			using dataset = await ChunkedDataset.open(new MemorySource(tinyDataset()));
			for (const batch of [1, 5, 256]) {
				using reader = dataset.reader({ ...plan, batch });
				expect(await hashOf(reader)).toEqual(expected);
			}
		});
	}
});
