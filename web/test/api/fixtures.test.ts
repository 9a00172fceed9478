import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Core } from "../../src/core/core.js";
import { ChunkedDataset, MemorySource } from "../../src/index.js";
import { compile } from "../../src/loading/compile.js";
import { ZipSource } from "../../src/source/zip-source.js";
import { instantiate } from "../../src/worker/core-module.js";

const PREFIX = "expected/";

function archive(name: string): Uint8Array<ArrayBuffer> {
	const path = new URL(`../../../tests/fixtures/${name}`, import.meta.url);
	return Uint8Array.from(readFileSync(path));
}

/** Returns the paths below the prefix in the archive's directory. */
function arraysIn(bytes: Uint8Array): string[] {
	const entries = Buffer.from(bytes).toString("latin1").split("PK");
	const names = entries.filter((entry) => entry.startsWith("\u0001\u0002"));
	return names
		.map((entry) => entry.slice(44))
		.filter((name) => name.startsWith(PREFIX))
		.map((name) => name.slice(PREFIX.length));
}

/** Returns a function that reads files below `expected/` in the archive. */
async function expectedOf(
	bytes: Uint8Array,
): Promise<(path: string) => Promise<Uint8Array>> {
	const { module } = await compile(undefined, "every");
	const core = new Core(await instantiate(module));
	const place = { key: "zip", size: bytes.length };
	const zip = new ZipSource(new MemorySource({ zip: bytes }), place, async () => core);
	return async (path) => (await zip.read(PREFIX + path)) ?? new Uint8Array();
}

describe("api/fixtures", () => {
	it.each([
		["version3.zip", "zarr-v3", 18],
		["filters.zip", "zarr-v2", 12],
	])(
		"every array of %s reads as it was made",
		async (name, format, count) => {
			const bytes = archive(name);
			const expected = await expectedOf(bytes);
			using dataset = await ChunkedDataset.open(new File([bytes], name));
			expect(dataset.description.format).toBe(format);
			const paths = arraysIn(bytes);
			expect(paths).toHaveLength(count);
			for (const path of paths) {
				const array = await dataset.array(path);
				const { bytes: got } = await array.records();
				expect(Buffer.compare(got, await expected(path)), path).toBe(0);
			}
		},
		30_000,
	);

	it("a few rows of a shard read its index and one chunk", async () => {
		const bytes = archive("version3.zip");
		const expected = await expectedOf(bytes);
		using dataset = await ChunkedDataset.open(new File([bytes], "version3.zip"));
		const before = dataset.stats;
		const array = await dataset.array("shards_long");
		const { bytes: got } = await array.records(600, 620);
		expect(got).toEqual((await expected("shards_long")).slice(600 * 8, 620 * 8));
		const { stats } = dataset;
		expect(stats.requests - before.requests).toBe(2);
		expect(stats.bytes - before.bytes).toBeLessThan(2000);
	});
});
