import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { BevError } from "../../src/index.js";
import { ParquetSource } from "../../src/parquet/parquet-source.js";
import { FileSource } from "../../src/source/file-source.js";

const FILE = new URL("../../../tests/fixtures/parquet/ragged.parquet", import.meta.url);
const GOOD = readFileSync(FILE);
const FOOTER = GOOD.length - 8 - GOOD.readUInt32LE(GOOD.length - 8);

/** Reads all rows of a file, and its statistics. */
async function readAll(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
	const files = new FileSource(new Map([["a.parquet", new Blob([bytes])]]));
	const source = await ParquetSource.open(files, { keys: ["a.parquet"] });
	const text = new TextDecoder().decode(await source.read(".zmetadata"));
	const { metadata } = JSON.parse(text) as {
		metadata: Record<string, { shape: number[]; chunks: number[] }>;
	};
	for (const [key, { shape, chunks }] of Object.entries(metadata)) {
		const [length = 0, chunk = 1] = [shape?.[0], chunks?.[0]];
		if (!/^(rows|valid)\//.test(key)) continue;
		for (let i = 0; i < Math.min(5, length / chunk); i += 1)
			await source.read(key.replace(".zarray", String(i)));
	}
	await source.read(".bevscope/statistics.json");
}

it("damaged Parquet files are refused with a BevError, or read", async () => {
	let state = 5;
	const random = (below: number): number => {
		state = (state * 1103515245 + 12345) % 2 ** 31;
		return state % below;
	};
	let refused = 0;
	for (let round = 0; round < 200; round += 1) {
		const bytes = Uint8Array.from(GOOD);
		const [begin, end] = round % 2 ? [FOOTER, GOOD.length - 8] : [4, FOOTER];
		for (let i = random(3); i >= 0; i -= 1)
			bytes[begin + random(end - begin)] = random(256);
		await readAll(bytes).catch((error: unknown) => {
			expect(error).toBeInstanceOf(BevError);
			refused += 1;
		});
	}
	expect(refused).toBeGreaterThan(50);
}, 60_000);
