import { deflateSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { columnarCopy } from "../../../tests/support/columnar-dataset.js";
import { tinyDataset } from "../../../tests/support/tiny-dataset.js";
import { ChunkedDataset, MemorySource } from "../../src/index.js";

const VALUES = Float64Array.of(1.5, -2, 1e300);
const STORED = new Uint8Array(VALUES.buffer.slice(0));
/** A URL on which no server listens. */
const NOWHERE = "https://gone.test/stream.wasm";

function json(value: unknown): Uint8Array {
	return new TextEncoder().encode(JSON.stringify(value));
}

function zarray(compressor: unknown): Uint8Array {
	return json({
		zarr_format: 2,
		shape: [3],
		chunks: [3],
		dtype: "<f8",
		order: "C",
		fill_value: 0,
		filters: null,
		compressor,
	});
}

/** The tiny data set with an additional array `extra` of VALUES. */
function withExtra(compressor: unknown, chunk: Uint8Array): MemorySource {
	const objects = new Map(tinyDataset());
	objects.set("extra/.zarray", zarray(compressor));
	objects.set("extra/0", chunk);
	return new MemorySource(objects);
}

/** A version 3 store that consists of one array of VALUES. */
const VERSION3 = new MemorySource({
	"zarr.json": json({
		zarr_format: 3,
		node_type: "array",
		shape: [3],
		data_type: "float64",
		chunk_grid: { name: "regular", configuration: { chunk_shape: [3] } },
		chunk_key_encoding: { name: "default" },
		codecs: [{ name: "bytes", configuration: { endian: "little" } }],
		fill_value: 0,
	}),
	"c/0": STORED,
});

async function valuesOf(dataset: ChunkedDataset, path: string): Promise<unknown> {
	const array = await dataset.array(path);
	return (await array.rows()).column("").data;
}

/** Returns all numbers of a frame as text. */
function textOf(frame: unknown): string {
	return JSON.stringify(frame, (_, value) =>
		typeof value === "bigint" ? String(value) : value,
	);
}

describe("engines", () => {
	afterEach(() => {
		vi.unstubAllGlobals();
	});

	it("L5Kit's data is read without the module of every format", async () => {
		const fetched = vi.fn();
		vi.stubGlobal("fetch", fetched);
		const source = new MemorySource(tinyDataset());
		const load = { streamWasm: NOWHERE };
		using dataset = await ChunkedDataset.open(source, { load });
		expect((await dataset.frame(0, 0)).agents.length).toBe(3);
		expect(fetched).not.toHaveBeenCalled();
	});

	it("stored statistics are asked for by readers, unless the option says no", async () => {
		const source = new MemorySource(tinyDataset());
		const read = vi.spyOn(source, "read");
		const key = ".bevscope/statistics.json";
		for (const statistics of [true, false]) {
			read.mockClear();
			using dataset = await ChunkedDataset.open(source, { statistics });
			expect(await dataset.reader({ where: "yaw > -4" }).count()).toBeGreaterThan(0);
			expect(read.mock.calls.some(([asked]) => asked === key)).toBe(statistics);
		}
	});

	it("a version 3 store is opened by that module", async () => {
		using dataset = await ChunkedDataset.open(VERSION3);
		expect(dataset.description.format).toBe("zarr-v3");
		expect(await valuesOf(dataset, "")).toEqual(VALUES);
	});

	it("a columnar copy is a data set, opened by that module", async () => {
		using records = await ChunkedDataset.open(new MemorySource(tinyDataset()));
		const copy = new MemorySource(columnarCopy(tinyDataset()));
		using columns = await ChunkedDataset.open(copy);
		expect(textOf(await columns.frame(1, 2))).toBe(textOf(await records.frame(1, 2)));
		expect(columns.description.arrays.agents).toMatchObject({
			shape: records.description.arrays.agents?.shape,
			dtype: records.description.arrays.agents?.dtype,
		});
		const streams = [];
		for (const dataset of [records, columns]) {
			using reader = dataset.reader({ where: "centroid[1] > 15", batch: 5 });
			const stream = [];
			for await (const batch of reader) {
				stream.push(batch.names.map((name) => [...batch.columns.column(name).data]));
			}
			streams.push(stream);
		}
		expect(streams[0]).toHaveLength(5);
		expect(streams[1]).toEqual(streams[0]);
	});

	it("a module that cannot be loaded is reported with its URL", async () => {
		vi.stubGlobal("fetch", async () => new Response(null, { status: 404 }));
		const opened = ChunkedDataset.open(VERSION3, { load: { streamWasm: NOWHERE } });
		await expect(opened).rejects.toMatchObject({ code: "network" });
	});

	it("an array with another codec is read beside the others", async () => {
		const source = withExtra({ id: "zlib", level: 1 }, deflateSync(STORED));
		using dataset = await ChunkedDataset.open(source);
		expect(await valuesOf(dataset, "extra")).toEqual(VALUES);
		expect(await valuesOf(dataset, "extra")).toEqual(VALUES);
		expect((await dataset.frame(1, 2)).agents.length).toBe(3);
	});

	it("a codec of neither module is unsupported, by name", async () => {
		using dataset = await ChunkedDataset.open(withExtra({ id: "lzma" }, STORED));
		await expect(dataset.array("extra")).rejects.toMatchObject({
			code: "unsupported",
			message: expect.stringContaining('"lzma"'),
		});
	});

	it("a chunk whose codec differs from its metadata is unsupported", async () => {
		const chunk = new Uint8Array(40);
		chunk.set([2, 1, 0x80, 8]); // Zstandard
		new Uint32Array(chunk.buffer).set([24, 24, 40, 20], 1);
		const blosc = { id: "blosc", cname: "lz4", clevel: 5, shuffle: 0, blocksize: 0 };
		using dataset = await ChunkedDataset.open(withExtra(blosc, chunk));
		const array = await dataset.array("extra");
		await expect(array.rows()).rejects.toMatchObject({
			code: "unsupported",
			message: expect.stringContaining("zstd"),
		});
	});
});
