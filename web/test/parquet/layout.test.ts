import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { chunkRowsOf, Layout, MAX_CHUNK_BYTES } from "../../src/parquet/layout.js";

interface Case {
	readonly name: string;
	readonly files: number[][];
	readonly row_bytes: number;
	readonly chunk_rows: number;
}

const VECTORS = new URL("../../../tests/vectors/parquet_layout.json", import.meta.url);
const CASES: Case[] = JSON.parse(readFileSync(VECTORS, "utf8"));

describe("parquet layout", () => {
	it.each(CASES)("has the vector that Python shares: $name", (one) => {
		expect(chunkRowsOf(one.files, one.row_bytes)).toBe(one.chunk_rows);
	});

	it("puts every row into one part", () => {
		const lengths = [7, 0, 64, 1, 50, 0, 0, 64, 3];
		for (const rows of [1, 7, 10, 64, 200]) {
			const layout = new Layout(lengths, rows);
			const found: [number, number][] = [];
			for (let chunk = 0; chunk < layout.chunks; chunk += 1) {
				let at = 0;
				for (const part of layout.parts(chunk)) {
					expect(part.at).toBe(at);
					at += part.end - part.begin;
					for (let row = part.begin; row < part.end; row += 1)
						found.push([part.group, row]);
				}
			}
			const expected = lengths.flatMap((length, group) =>
				Array.from({ length }, (_, row) => [group, row]),
			);
			expect(found).toEqual(expected);
		}
	});

	it("bounds chunks in bytes", () => {
		const rows = chunkRowsOf([[1000, 1000]], 2 ** 20);
		expect(rows * 2 ** 20).toBeLessThanOrEqual(MAX_CHUNK_BYTES);
	});
});
