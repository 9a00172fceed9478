import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { FetchStore, get, open } from "zarrita";
import { columnarCopy } from "../../../tests/support/columnar-dataset.js";
import { FaultyServer } from "../../../tests/support/http-server.js";
import { tinyDataset } from "../../../tests/support/tiny-dataset.js";
import { DataSaver, toMap } from "../../src/save.js";
import { CONFIG, rowsOf } from "./rows.js";

vi.setConfig({ testTimeout: 60_000 });

/** Made by `scripts/build program`, or named by BEV_PROGRAM; "" if there is none. */
const PROGRAM =
	process.env.BEV_PROGRAM ??
	fileURLToPath(new URL("../../../build/release/bevscope", import.meta.url));

const SIZE = { scenes: 3, framesPerScene: 40, rowsPerChunk: 16 };

const folder = mkdtempSync(join(tmpdir(), "bev-zarrita-"));
const objects = new Map<string, Uint8Array>();
let server: FaultyServer;

beforeAll(async () => {
	for (const [key, bytes] of tinyDataset(SIZE)) {
		const path = join(folder, "records.zarr", key);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, bytes);
	}
	server = await FaultyServer.start({ folders: { "/": folder }, objects });
});

afterAll(async () => {
	await server.close();
	rmSync(folder, { recursive: true });
});

/** Returns all elements of an array as zarrita reads them over HTTP. */
async function read(path: string) {
	const location = new FetchStore(`${server.origin}/${path}`);
	const { data, shape } = await get(await open(location, { kind: "array" }));
	const { buffer, byteOffset, byteLength } = data as Uint8Array;
	return { shape, bytes: new Uint8Array(buffer, byteOffset, byteLength) };
}

interface Zarray {
	readonly dtype: string;
	readonly shape: readonly number[];
	readonly chunks: readonly number[];
}

interface Column extends Omit<Zarray, "chunks"> {
	readonly name: string;
	readonly bytes: Uint8Array;
}

/** Returns the fields of the records, without `bevscope copy`. */
function expectedColumns(): Column[] {
	const copy = columnarCopy(tinyDataset(SIZE));
	const text = new TextDecoder().decode(copy.get(".zmetadata"));
	const { metadata } = JSON.parse(text) as { metadata: Record<string, Zarray> };
	const arrays = Object.entries(metadata).filter(([key]) => key.endsWith("/.zarray"));
	return arrays.map(([key, { dtype, shape, chunks }]) => {
		const name = key.slice(0, -"/.zarray".length);
		const end = ".0".repeat(shape.length - 1);
		const count = Math.ceil((shape[0] ?? 0) / (chunks[0] ?? 1));
		const parts = Array.from({ length: count }, (_, i) =>
			copy.get(`${name}/${i}${end}`),
		);
		const all = Buffer.concat(parts as Uint8Array[]);
		const items = shape.reduce((a, b) => a * b, 1);
		const bytes = new Uint8Array(all.subarray(0, items * Number(dtype.slice(2))));
		return { name, dtype, shape, bytes };
	});
}

const COPIES = [
	{ format: 2, options: ["--codec", "none"] },
	{ format: 2, options: ["--codec", "zlib"] },
	{ format: 2, options: ["--codec", "zstd"] },
	{ format: 2, options: ["--codec", "blosc:zstd"] },
	{ format: 3, options: ["--zarr-format", "3"] },
	{ format: 3, options: ["--zarr-format", "3", "--codec", "gzip"] },
	{
		format: 3,
		options: ["--zarr-format", "3", "--codec", "blosc:lz4", "--shard", "1"],
	},
	{ format: 3, options: ["--zarr-format", "3", "--codec", "zstd", "--shard", "3"] },
];

describe("saving: zarrita", () => {
	it.skipIf(PROGRAM === "").each(COPIES)(
		"reads columns of version $format: $options",
		async (copy) => {
			const name = `${copy.options.join("_").replace(":", "-")}.zarr`;
			const target = join(folder, name);
			const chunks = ["--chunk", "agents=150,frames=50"];
			const source = join(folder, "records.zarr");
			const options = ["--columnar", ...chunks, ...copy.options];
			execFileSync(PROGRAM, ["copy", source, target, ...options], { stdio: "pipe" });
			let opened = 0;
			for (const column of expectedColumns()) {
				// Version 3 has no type of strings with a fixed length
				if (copy.format === 3 && column.dtype.startsWith("|S")) continue;
				const found = await read(`${name}/${column.name}`);
				expect(found, column.name).toEqual({
					shape: column.shape,
					bytes: column.bytes,
				});
				opened += 1;
			}
			expect(opened).toBe(copy.format === 3 ? 15 : 18);
		},
		60_000,
	);

	it.each([
		null,
		{ id: "zlib", level: 1 },
		{ id: "zstd", level: 3 },
		{ id: "lz4", acceleration: 1 },
		{ id: "blosc", cname: "zstd", clevel: 5, shuffle: 2 },
	])("reads what a saver has written: %o", async (compressor) => {
		const map = new Map<string, Uint8Array<ArrayBuffer>>();
		using saver = await DataSaver.open({ ...CONFIG, compressor }, toMap(map));
		const rows = rowsOf(0, 500);
		await saver.save(rows);
		await saver.commit();
		const name = `saved-${compressor?.id}.zarr`;
		for (const [key, bytes] of map) objects.set(`/${name}/${key}`, bytes);
		for (const [key, data] of Object.entries(rows)) {
			const { bytes } = await read(`${name}/${key}`);
			expect(bytes, key).toEqual(new Uint8Array(data.buffer, data.byteOffset));
		}
	});
});
