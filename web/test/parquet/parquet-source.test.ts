import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, it } from "vitest";
import { ChunkedDataset, type DatasetReader, openParquet } from "../../src/index.js";

const FIXTURE = new URL("../../../tests/fixtures/parquet/", import.meta.url);
const DATA = fileURLToPath(new URL("data", FIXTURE));

interface Expected {
	readonly chunk_rows: number;
	readonly readers: readonly {
		readonly options: Readonly<Record<string, unknown>>;
		readonly columns: Readonly<Record<string, string>>;
		readonly excluded: number;
	}[];
	readonly arrays: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const EXPECTED: Expected = JSON.parse(
	readFileSync(new URL("expected.json", FIXTURE), "utf8"),
);

/** Returns a reader's options for Python's. */
function optionsOf({ shard, order, seed, ...rest }: Record<string, unknown>) {
	const [index, count] = (shard as number[] | undefined) ?? [0, 1];
	return {
		from: "rows",
		...rest,
		order: { mode: order ?? "none", seed: seed ?? 0 },
		shard: { index, count },
	} as object;
}

/** Returns the hashes of what a reader yields, as make.py has them. */
async function hashesOf(reader: DatasetReader): Promise<Record<string, string>> {
	const hashes = new Map<string, ReturnType<typeof createHash>>();
	const texts = new Map<string, string[]>();
	for await (const batch of reader) {
		for (const name of batch.names) {
			const { data, dtype } = batch.column(name);
			if (dtype === "utf8") {
				const strings = batch.columns.strings(name) as string[];
				texts.set(name, [...(texts.get(name) ?? []), ...strings]);
				continue;
			}
			const hash = hashes.get(name) ?? createHash("sha256");
			hashes.set(name, hash);
			const { buffer, byteOffset, byteLength } = data;
			hash.update(new Uint8Array(buffer, byteOffset, byteLength));
		}
		batch.release();
	}
	for (const [name, all] of texts)
		hashes.set(name, createHash("sha256").update(all.join("\0")));
	return Object.fromEntries(
		[...hashes].map(([name, hash]) => [name, hash.digest("hex")]),
	);
}

/** A file of one column, as a file of the page. */
function fileOf(name: string, data: number[]): File {
	const buffer = parquetWriteBuffer({
		columnData: [{ name: "x", data, type: "DOUBLE", nullable: false }],
		rowGroupSize: 4,
	});
	return new File([buffer], name);
}

async function valuesOf(
	dataset: ChunkedDataset,
	options: object = {},
): Promise<number[]> {
	const found: number[] = [];
	for await (const batch of dataset.reader({ from: "rows", ...options })) {
		found.push(...(batch.column("x").data as Float64Array));
		batch.release();
	}
	return found;
}

describe("parquet data sets", () => {
	it.each(EXPECTED.readers)(
		"have the rows and orders that Python finds: $options",
		async ({ options, columns, excluded }) => {
			using dataset = await ChunkedDataset.open(DATA);
			const rows = await dataset.array("rows");
			expect(rows.chunks).toEqual([EXPECTED.chunk_rows]);
			using reader = dataset.reader(optionsOf(options));
			expect(await hashesOf(reader)).toEqual(columns);
			expect(reader.diagnostics?.piecesExcluded).toBe(excluded);
		},
	);

	it.each(Object.entries(EXPECTED.arrays))(
		"have the fields of variable length that Python finds: %s",
		async (name, expected) => {
			using dataset = await ChunkedDataset.open(fileURLToPath(new URL(name, FIXTURE)));
			const found: Record<string, string> = {};
			for await (const batch of dataset.reader({ from: "rows", batch: 1000 })) {
				for (const one of batch.names) {
					const { buffer, byteOffset, byteLength } = batch.column(one).data;
					const bytes = new Uint8Array(buffer, byteOffset, byteLength);
					found[one] = createHash("sha256").update(bytes).digest("hex");
				}
			}
			expect(Object.keys(found).length).toBeGreaterThan(20);
			expect(expected).toMatchObject(found);
		},
	);

	it("are files of a page, one or in folders", async () => {
		using one = await ChunkedDataset.open(fileOf("a.parquet", [1, 2, 3, 4, 5]));
		expect(await valuesOf(one)).toEqual([1, 2, 3, 4, 5]);
		const files = new Map([
			["k=2/b.parquet", fileOf("b.parquet", [3])],
			["k=1/a.parquet", fileOf("a.parquet", [1, 2])],
			["_SUCCESS", new Blob([])],
		]);
		using many = await ChunkedDataset.open(files);
		expect(await valuesOf(many)).toEqual([1, 2, 3]);
		expect(await valuesOf(many, { where: "k == 2" })).toEqual([3]);
	});

	it("are lists of files in their order", async () => {
		const files = ["west/year=2021/2", "north/year=2019/0"];
		using dataset = await openParquet(
			files.map((one) => `${DATA}/city=${one}.parquet`),
		);
		const rows: bigint[] = [];
		for await (const batch of dataset.reader({ from: "rows", fields: ["row"] }))
			rows.push(...(batch.column("row").data as BigInt64Array));
		expect([rows[0], rows[230], rows.length]).toEqual([2000n, 0n, 460]);
	});

	it("tell which columns are no fields", async () => {
		const buffer = parquetWriteBuffer({
			columnData: [
				{ name: "x", data: [1, 2], type: "DOUBLE", nullable: false },
				{ name: "a/b", data: [1, 2], type: "INT32", nullable: false },
			],
		});
		using dataset = await ChunkedDataset.open(new File([buffer], "a.parquet"));
		expect(dataset.attrs.parquet).toMatchObject({
			files: 1,
			columns: [
				{ name: "x" },
				{ name: "a/b", refused: expect.stringContaining("slash") },
			],
		});
	});

	it("have null values", async () => {
		const buffer = parquetWriteBuffer({
			columnData: [{ name: "x", data: [1, null, 3], type: "DOUBLE", nullable: true }],
		});
		using dataset = await ChunkedDataset.open(new File([buffer], "a.parquet"));
		expect(await valuesOf(dataset)).toEqual([1, 0, 3]);
		expect(await valuesOf(dataset, { where: "x.valid" })).toEqual([1, 3]);
	});

	it("name file, row group and column of damage", async () => {
		const file = fileOf("a.parquet", [1, 2, 3, 4, 5, 6, 7, 8]);
		const bytes = new Uint8Array(await file.arrayBuffer());
		bytes.fill(0xff, 4, 40);
		using dataset = await ChunkedDataset.open(new File([bytes], "a.parquet"));
		await expect(valuesOf(dataset)).rejects.toMatchObject({
			code: "corrupt_chunk",
			message: expect.stringContaining("a.parquet: row group 0, column x: "),
		});
	});

	it("refuse other files", async () => {
		const refused = async (file: File) =>
			expect(ChunkedDataset.open(file)).rejects.toMatchObject({
				code: "corrupt_chunk",
			});
		await refused(new File(["no"], "a.parquet"));
		await refused(new File(["PAR1".repeat(5)], "a.parquet"));
		const bytes = new Uint8Array(await fileOf("a.parquet", [1]).arrayBuffer());
		await refused(new File([bytes.subarray(bytes.length - 20)], "a.parquet"));
		bytes.fill(0x7f, bytes.length - 60, bytes.length - 8);
		await refused(new File([bytes], "a.parquet"));
		await expect(openParquet(new Map())).rejects.toMatchObject({ code: "not_found" });
	});

	it("must have the same columns", async () => {
		const buffer = parquetWriteBuffer({
			columnData: [{ name: "x", data: [1], type: "INT32", nullable: false }],
		});
		const files = [fileOf("a.parquet", [1]), new File([buffer], "b.parquet")];
		await expect(ChunkedDataset.open(files)).rejects.toMatchObject({
			code: "invalid_metadata",
			message: expect.stringContaining("b.parquet: column x: type differs"),
		});
	});

	it("have windows across row groups", async () => {
		using dataset = await ChunkedDataset.open(DATA);
		const window = { past: 1, future: 1, step: 2, time: "row", maxGap: 2 };
		const reader = dataset.reader({ from: "rows", window, fields: ["row"] });
		const rows: number[][] = [];
		for await (const batch of reader) {
			const { data, shape } = batch.column("row");
			expect(shape.slice(1)).toEqual([3]);
			for (let i = 0; i < data.length; i += 3)
				rows.push(Array.from(data.slice(i, i + 3), Number));
			batch.release();
		}
		// Three files of 230 rows, of which the first and last two have no whole window.
		expect(rows).toHaveLength(3 * 226);
		expect(rows[0]).toEqual([0, 2, 4]);
		expect(rows.at(-1)).toEqual([2225, 2227, 2229]);
	});

	it("compare text of a given length", async () => {
		const file = fileURLToPath(new URL("ragged.parquet", FIXTURE));
		using dataset = await openParquet(file, { text: { text: 7 } });
		const reader = dataset.reader({ from: "rows", where: 'text = "\u00e9\u00e97"' });
		expect(await reader.count()).toBe(1);
		using short = await openParquet(file, { text: { text: 3 } });
		await expect(
			short.reader({ from: "rows", fields: ["text"] }).count(),
		).resolves.toBe(100);
		const read = async () => {
			for await (const batch of short.reader({ from: "rows", fields: ["text"] }))
				batch.release();
		};
		await expect(read()).rejects.toMatchObject({
			message: expect.stringContaining("column text: a text is too long"),
		});
		const refused = (text: object) => openParquet(file, { text: text as never });
		await expect(refused({ maybe: 3 })).rejects.toMatchObject({
			code: "invalid_argument",
		});
		await expect(refused({ other: 3 })).rejects.toMatchObject({ code: "not_found" });
		await expect(refused({ text: 0 })).rejects.toMatchObject({
			code: "invalid_argument",
		});
	});

	it("leave folders of zarr to zarr", async () => {
		const files = new Map([
			[".zgroup", new Blob(['{"zarr_format": 2}'])],
			["a.parquet", fileOf("a.parquet", [1])],
		]);
		using dataset = await ChunkedDataset.open(files);
		expect(dataset.attrs.parquet).toBeUndefined();
	});

	it("have a fixture whose files are listed here", () => {
		expect(readdirSync(DATA)).toEqual(["city=north", "city=south", "city=west"]);
	});
});
