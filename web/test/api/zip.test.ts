import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { tinyDataset } from "../../../tests/support/tiny-dataset.js";
import { zipOf } from "../../../tests/support/zip.js";
import { ChunkedDataset, FetchSource } from "../../src/index.js";

const objects = tinyDataset();

/** The tiny data set below `folder`, every second kind of object deflated. */
function archive(folder: string): Uint8Array<ArrayBuffer> {
	const members = [...objects].map(([key, bytes]) => [folder + key, bytes] as const);
	return zipOf(members, (name) => /agents|zarray/.test(name));
}

async function columns(dataset: ChunkedDataset): Promise<unknown[]> {
	const agents = await dataset.agents.rows(2, 33, { step: 5, fields: ["centroid"] });
	const frame = await dataset.frame(1, 4);
	return [agents.column("centroid").data, frame.ego.translation, frame.agents.corners];
}

describe("api/zip", () => {
	it.each(["", "tiny.zarr/", "a/b/"])(
		"a dropped archive reads as the folder, with the store in %j",
		async (folder) => {
			using plain = await ChunkedDataset.open({
				read: async (key) => objects.get(key)?.slice(),
			});
			const file = new File([archive(folder)], "tiny.zip");
			using dataset = await ChunkedDataset.open(file);
			expect(await columns(dataset)).toEqual(await columns(plain));
			expect(dataset.stats.absentChunks).toBe(0);
		},
	);

	it("over HTTP it takes three more rounds of ranges", async () => {
		const bytes = archive("tiny.zarr/");
		const asked: string[] = [];
		const fetch = async (_: URL, init: RequestInit): Promise<Response> => {
			const range = new Headers(init.headers).get("Range");
			asked.push(range ? "range" : (init.method ?? "GET"));
			if (!range) {
				return new Response(null, {
					headers: { "Content-Length": String(bytes.length) },
				});
			}
			const [begin = 0, last = 0] = range.slice(6).split("-").map(Number);
			const part = bytes.slice(begin, last + 1);
			const end = begin + part.length - 1;
			const headers = { "Content-Range": `bytes ${begin}-${end}/${bytes.length}` };
			return new Response(part, { status: 206, headers });
		};
		const source = new FetchSource("https://h.test/data/tiny.zip?signed", { fetch });
		using dataset = await ChunkedDataset.open(source);
		const documents = [...objects.keys()].filter((key) => key.includes(".z")).length;
		expect(asked[0]).toBe("HEAD");
		expect(asked.slice(1).every((one) => one === "range")).toBe(true);
		expect(asked.length).toBeLessThanOrEqual(3 + documents);
		await columns(dataset);
	});

	it("reads the named data set of several", async () => {
		const objects = (frames: number) => [...tinyDataset({ framesPerScene: frames })];
		const members = [4, 6].flatMap((frames) =>
			objects(frames).map(
				([key, bytes]) => [`a/${frames}.zarr/${key}`, bytes] as const,
			),
		);
		const file = new File([zipOf(members)], "several.zip");
		const counts = ["a/6.zarr", "/a/4.zarr/", undefined].map(async (folder) => {
			using dataset = await ChunkedDataset.open(file, { folder });
			return dataset.frames.length;
		});
		expect(await Promise.all(counts)).toEqual([12, 8, 8]);
		await expect(ChunkedDataset.open(file, { folder: "b" })).rejects.toMatchObject({
			code: "missing_key",
		});
	});

	it("a non-archive and an archive without a data set are typed errors", async () => {
		const open = (bytes: Uint8Array<ArrayBuffer>) =>
			ChunkedDataset.open(new File([bytes], "x.zip"));
		const damaged = archive("").fill(0xff, -22);
		await expect(open(damaged)).rejects.toMatchObject({ code: "corrupt_chunk" });
		await expect(open(new Uint8Array())).rejects.toMatchObject({
			code: "corrupt_chunk",
		});
		await expect(open(zipOf([["a", new Uint8Array(3)]]))).rejects.toMatchObject({
			code: "missing_key",
			message: "x.zip: no zarr store (expected .zgroup, .zarray or zarr.json)",
		});
	});

	it("a corrupt member is an error of its chunk only", async () => {
		const bytes = archive("");
		const place = Buffer.from(bytes).indexOf("frames/0") + 12;
		bytes[place] = (bytes[place] ?? 0) ^ 1;
		using dataset = await ChunkedDataset.open(new File([bytes], "x.zip"));
		await expect(dataset.frame(0, 0)).rejects.toMatchObject({ code: "corrupt_chunk" });
		await expect(dataset.agents.rows(0, 3)).resolves.toBeDefined();
	});

	it("reads an archive with leading bytes, such as a self-extracting one", async () => {
		using plain = await ChunkedDataset.open({
			read: async (key) => objects.get(key)?.slice(),
		});
		const stub = new TextEncoder().encode("#!/bin/sh\nexit 1\n".repeat(5000));
		const file = new File([stub, archive("tiny.zarr/")], "tiny.zip");
		using dataset = await ChunkedDataset.open(file);
		expect(await columns(dataset)).toEqual(await columns(plain));
	});

	it("stops inflating a document longer than its archive states", async () => {
		const blanks = new Uint8Array(2 ** 25).fill(32);
		const bomb = zipOf(
			[...objects].map(([key, bytes]) => [key, key === ".zattrs" ? blanks : bytes]),
			(name) => name === ".zattrs",
		);
		const view = new DataView(bomb.buffer);
		const entry = Buffer.from(bomb).lastIndexOf("PK\x01\x02", -23);
		for (
			let at = entry;
			at > 0;
			at = Buffer.from(bomb).lastIndexOf("PK\x01\x02", at - 1)
		) {
			if (view.getUint32(at + 24, true) === blanks.length)
				view.setUint32(at + 24, 100, true);
		}
		await expect(ChunkedDataset.open(new File([bomb], "b.zip"))).rejects.toMatchObject({
			code: "corrupt_chunk",
			message: expect.stringContaining(".zattrs: too long (expected 100 bytes)"),
		});
	});

	it("stops inflating a chunk longer than its array states", async () => {
		const packed = new Map(objects);
		const meta = JSON.parse(new TextDecoder().decode(objects.get("agents/.zarray")));
		const zlib = { ...meta, compressor: { id: "zlib", level: 9 } };
		packed.set("agents/.zarray", new TextEncoder().encode(JSON.stringify(zlib)));
		packed.set("agents/0", deflateSync(new Uint8Array(2 ** 25)));
		expect(packed.get("agents/0")?.length).toBeLessThan(50_000);
		using dataset = await ChunkedDataset.open({
			read: async (key) => packed.get(key)?.slice(),
		});
		await expect(dataset.agents.rows(0, 3)).rejects.toMatchObject({
			code: "corrupt_chunk",
			message: expect.stringContaining("agents/0"),
		});
		await expect(dataset.frames.rows(0, 3)).resolves.toBeDefined();
	});

	it("rejects a document that inflates above the limit", async () => {
		const members = [...objects].filter(([key]) => key !== ".zattrs");
		const blanks = new Uint8Array(2 ** 26 + 1).fill(32);
		const bomb = zipOf([...members, [".zattrs", blanks]], (name) => name === ".zattrs");
		expect(bomb.length).toBeLessThan(500_000);
		await expect(
			ChunkedDataset.open(new File([bomb], "bomb.zip")),
		).rejects.toMatchObject({
			code: "invalid_metadata",
			key: ".zattrs",
			message:
				".zattrs: document too large (found 67108865 bytes, expected at most 67108864)",
		});
	});
});
