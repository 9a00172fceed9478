import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { tinyDataset } from "../../../tests/support/tiny-dataset.js";
import { zipOf } from "../../../tests/support/zip.js";
import { ChunkedDataset } from "../../src/index.js";
import { NodeSource, nodeUrl } from "../../src/source/node-source.js";

let top = "";
beforeEach(async () => {
	top = await mkdtemp(join(tmpdir(), "bev-node-"));
});
afterEach(async () => {
	vi.unstubAllGlobals();
	await rm(top, { recursive: true });
});

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

/** Writes the tiny data set to a folder and returns its path. */
async function tinyFolder(name: string): Promise<string> {
	const folder = join(top, name);
	for (const [key, object] of tinyDataset()) {
		await mkdir(join(folder, key, ".."), { recursive: true });
		await writeFile(join(folder, key), object);
	}
	return folder;
}

describe("source/node-source", () => {
	it("reads files, ranges and lengths", async () => {
		await writeFile(join(top, "a b%20#.bin"), bytes(1, 2, 3, 4));
		const source = new NodeSource(pathToFileURL(top));
		const key = "a b%20#.bin";
		expect(await source.read(key)).toEqual(bytes(1, 2, 3, 4));
		expect(await source.read(key, { range: { begin: 1, end: 3 } })).toEqual(
			bytes(2, 3),
		);
		expect(await source.read(key, { range: { begin: 3, end: 9 } })).toEqual(bytes(4));
		expect(await source.read(key, { range: { begin: 7, end: 9 } })).toEqual(bytes());
		expect(await source.size(key)).toBe(4);
	});

	it("answers undefined for absent files and for folders", async () => {
		await mkdir(join(top, "folder"));
		await writeFile(join(top, "file"), bytes(1));
		const source = new NodeSource(pathToFileURL(top));
		for (const key of ["absent", "folder", "file/below"]) {
			expect(await source.read(key)).toBeUndefined();
			expect(await source.size(key)).toBeUndefined();
		}
	});

	it("rejects keys that leave the folder", async () => {
		const source = new NodeSource(pathToFileURL(join(top, "x")));
		for (const key of ["../secret", "a/../../secret", "", "a//b"]) {
			await expect(source.read(key)).rejects.toMatchObject({
				code: "invalid_argument",
			});
		}
	});

	it("reports other failures as io, and too large documents", async () => {
		await symlink(join(top, "loop"), join(top, "loop"));
		await writeFile(join(top, ".zattrs"), "");
		await truncate(join(top, ".zattrs"), 2 ** 26 + 1);
		const source = new NodeSource(pathToFileURL(top));
		await expect(source.read("loop")).rejects.toMatchObject({
			code: "io",
			key: "loop",
		});
		await expect(source.read(".zattrs")).rejects.toMatchObject({
			code: "invalid_metadata",
		});
	});

	it("stops with the signal's reason", async () => {
		const reason = new Error("enough");
		const source = new NodeSource(pathToFileURL(top));
		const read = source.read("a", { signal: AbortSignal.abort(reason) });
		await expect(read).rejects.toBe(reason);
	});

	it("opens data sets by path and by file: URL", async () => {
		const folder = await tinyFolder("tiny set.zarr");
		for (const from of [folder, pathToFileURL(folder), pathToFileURL(folder).href]) {
			using dataset = await ChunkedDataset.open(from);
			expect((await dataset.scene(1)).host).toBe("host-1");
		}
	});

	it("opens archives, and files beside a data set", async () => {
		const folder = await tinyFolder("tiny.zarr");
		await writeFile(join(top, "set.zip"), zipOf(tinyDataset()));
		using dataset = await ChunkedDataset.open(join(top, "set.zip"));
		expect(dataset.scenes.length).toBe(2);
		await writeFile(join(top, "m.pb"), bytes());
		using beside = await ChunkedDataset.open(folder);
		expect(await beside.map("../m.pb", "../absent.json")).toBeUndefined();
		await writeFile(join(top, "meta.json"), "no JSON");
		await expect(beside.map("../m.pb", "../meta.json")).rejects.toMatchObject({
			code: "invalid_metadata",
		});
	});

	it("names absent and unsuitable paths", async () => {
		const absent = join(top, "absent.zarr");
		await expect(ChunkedDataset.open(absent)).rejects.toMatchObject({
			code: "not_found",
			message: `${absent}: not found`,
		});
		await expect(ChunkedDataset.open(top)).rejects.toMatchObject({
			code: "missing_key",
			message: `${pathToFileURL(top)}: no zarr store (expected .zgroup, .zmetadata, .zarray or zarr.json)`,
		});
		await expect(ChunkedDataset.open("")).rejects.toMatchObject({
			code: "invalid_argument",
			message:
				'data set: invalid argument (found "", expected a URL, or a path in Node)',
		});
		await writeFile(join(top, "a.txt"), bytes());
		await expect(ChunkedDataset.open(join(top, "a.txt"))).rejects.toMatchObject({
			code: "invalid_argument",
		});
	});

	it("takes paths in Node only, and leaves other URLs alone", () => {
		expect(nodeUrl("https://h.test/x")).toBeUndefined();
		expect(nodeUrl("s3://b/x")).toBeUndefined();
		expect(nodeUrl("a/b.zarr")?.pathname).toBe(join(process.cwd(), "a/b.zarr"));
		expect(() => nodeUrl("file://host/x")).toThrow(/found host, expected a local file/);
		vi.stubGlobal("location", { href: "https://page.test/" });
		expect(nodeUrl("a/b.zarr")).toBeUndefined();
		expect(nodeUrl("file:///x")).toBeUndefined();
	});
});
