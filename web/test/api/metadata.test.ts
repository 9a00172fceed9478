import { describe, expect, it } from "vitest";
import { tinyDataset } from "../../../tests/support/tiny-dataset.js";
import { BevError, ChunkedDataset, MemorySource } from "../../src/index.js";

const utf8 = new TextEncoder();
const textOf = (bytes: Uint8Array | undefined): string =>
	new TextDecoder().decode(bytes);

/** The tiny data set with one document replaced. */
function tinyWith(key: string, text: string): MemorySource {
	const objects = tinyDataset();
	objects.delete(".zmetadata");
	objects.set(key, utf8.encode(text));
	return new MemorySource(objects);
}

/** Replacements for a member of metadata. */
const VALUES: readonly unknown[] = [
	null,
	true,
	0,
	-1,
	1.5,
	1e308,
	"",
	"<f8",
	[],
	{},
	[[]],
	[null],
	[["a", "<f8"]],
	[["a", "<f8", 2]],
	[["a", "<f8", [2]]],
	[["a"]],
	{ id: "blosc" },
	"__proto__",
];

/** Returns copies of `tree` with one member, at any depth, replaced or removed. */
function* mutations(tree: unknown): Generator<unknown> {
	for (const value of VALUES) yield value;
	if (typeof tree !== "object" || tree === null) return;
	for (const [name, member] of Object.entries(tree)) {
		for (const changed of mutations(member)) {
			const copy = structuredClone(tree) as Record<string, unknown>;
			copy[name] = changed;
			yield copy;
		}
		if (Array.isArray(tree)) continue;
		const { [name]: _removed, ...rest } = tree as Record<string, unknown>;
		yield rest;
	}
}

describe("api/metadata", () => {
	it("reads attributes with NaN and Infinity, which zarr-python writes", async () => {
		const text =
			'{"labels": ["A", "B"], "x": NaN, "y": [-Infinity, Infinity], "z": "NaN"}';
		using dataset = await ChunkedDataset.open(tinyWith(".zattrs", text));
		expect(dataset.attrs).toMatchObject({
			x: "NaN",
			y: ["-Infinity", "Infinity"],
			z: "NaN",
		});
		expect((await dataset.frame(0, 0)).agents.length).toBe(3);
	});

	it("reads blosc without a cname as lz4, which is numcodecs' default", async () => {
		const meta = JSON.parse(textOf(tinyDataset().get("agents/.zarray")));
		const text = JSON.stringify({ ...meta, compressor: { id: "blosc" } });
		using dataset = await ChunkedDataset.open(tinyWith("agents/.zarray", text));
		expect(dataset.description.arrays.agents?.compressor).toMatchObject({
			id: "blosc",
		});
	});

	it("any document works or fails with a BevError", {
		timeout: 300_000,
	}, async () => {
		let refused = 0;
		let accepted = 0;
		for (const key of ["agents/.zarray", ".zattrs", ".zgroup"]) {
			const tree: unknown = JSON.parse(textOf(tinyDataset().get(key)) || "{}");
			let i = 0;
			for (const changed of mutations(tree)) {
				i += 1;
				if (i % 7 !== 0) continue; // all of them take minutes
				const text = JSON.stringify(changed);
				try {
					using dataset = await ChunkedDataset.open(tinyWith(key, text));
					await dataset.agents.rows(0, 2);
					accepted += 1;
				} catch (error) {
					expect(error, text).toBeInstanceOf(BevError);
					expect((error as BevError).code, text).not.toBe("internal");
					refused += 1;
				}
			}
		}
		expect(refused).toBeGreaterThan(20);
		expect(accepted).toBeGreaterThan(5);
	});
});
