import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, it } from "vitest";
import { GOLDENS } from "../../../tests/support/goldens.js";
import { type Column, parquetColumns } from "../../src/converting/parquet.js";

const GREATEST = 2n ** 63n - 1n;

const COLUMNS = {
	x: { data: [0.1, -2, 1e300], type: "DOUBLE" },
	n: { data: [GREATEST, -(2n ** 53n) - 1n, 0n], type: "INT64" },
	s: { data: ["", "Übergang", "b"], type: "STRING" },
} as const;

function written(
	columns: Readonly<Record<string, object>>,
	options: object = {},
): ArrayBuffer {
	const columnData = Object.entries(columns).map(([name, one]) => ({ name, ...one }));
	return parquetWriteBuffer({ columnData, ...options } as never);
}

/** Returns the values of columns by name. */
function valuesOf(columns: readonly Column[]): Record<string, unknown[]> {
	const values = ({ numbers, integers, text }: Column): unknown[] => {
		if (numbers) return [...numbers];
		if (!text) return [...(integers ?? [])];
		const offsets = Array.from(integers ?? [], Number);
		return offsets
			.slice(1)
			.map((end, i) => new TextDecoder().decode(text.slice(offsets[i], end)));
	};
	return Object.fromEntries(columns.map((column) => [column.name, values(column)]));
}

const EXPECTED = { x: [0.1, -2, 1e300], n: COLUMNS.n.data, s: COLUMNS.s.data };

describe("converting: Parquet", () => {
	it("decodes numbers, 64-bit integers and text exactly, in every codec", async () => {
		const gzip = (input: Uint8Array) => new Uint8Array(gzipSync(input));
		for (const options of [
			{ codec: "UNCOMPRESSED" },
			{ codec: "SNAPPY" },
			{ codec: "GZIP", compressors: { GZIP: gzip } },
			{ codec: "SNAPPY", rowGroupSize: 2 },
		]) {
			const file = written(COLUMNS, options);
			const columns = await parquetColumns(file, ["x", "n", "s"], []);
			expect(valuesOf(columns)).toEqual(EXPECTED);
		}
	});

	it("decodes dictionaries and columns of values that may be null", async () => {
		const repeated = Array.from({ length: 300 }, (_, i) => `city ${i % 3}`);
		const file = written({
			s: { data: repeated, type: "STRING", nullable: true },
			n: { data: repeated.map((_, i) => BigInt(i % 5)), type: "INT64", nullable: true },
		});
		const { s, n } = valuesOf(await parquetColumns(file, ["s", "n"], []));
		expect(s).toEqual(repeated);
		expect(n).toEqual(repeated.map((_, i) => BigInt(i % 5)));
	});

	it("leaves out other columns, and optional ones with null values", async () => {
		const optional = { data: [1n, null, 2n], type: "INT64" };
		const file = written({ ...COLUMNS, optional });
		const columns = await parquetColumns(file, ["x"], ["optional", "absent"]);
		expect(columns.map(({ name }) => name)).toEqual(["x"]);
	});

	it("rejects null values, types and codecs, with column and row", async () => {
		const refused = (columns: object, options: object = {}) =>
			expect(parquetColumns(written({ ...columns }, options), ["x"], [])).rejects;
		await refused({ x: { data: [1, null, 2], type: "DOUBLE" } }).toMatchObject({
			code: "invalid_metadata",
			message: "column x: null value in row 1",
		});
		await refused({ x: { data: [true, false] } }).toMatchObject({
			message: "column x: unsupported type BOOLEAN",
		});
		await refused({ x: { data: [new Date(0)], type: "TIMESTAMP" } }).toMatchObject({
			message: "column x: unsupported type INT64 TIMESTAMP_MILLIS",
		});
		const same = (input: Uint8Array) => input;
		await refused(
			{ x: { data: [1, 2] } },
			{ codec: "BROTLI", compressors: { BROTLI: same } },
		).toMatchObject({
			code: "unsupported",
			message: expect.stringMatching(/^column x: unsupported codec \(found BROTLI,/),
		});
	});

	it("rejects unsigned integers that no signed one holds", async () => {
		const schema = [
			{ name: "root", num_children: 1 },
			{
				name: "n",
				type: "INT64",
				converted_type: "UINT_64",
				repetition_type: "REQUIRED",
			},
		];
		const file = written({ n: { data: [1n, 2n ** 64n - 1n] } }, { schema });
		await expect(parquetColumns(file, ["n"], [])).rejects.toMatchObject({
			message: `column n: not a 64-bit signed integer in row 1 (found ${2n ** 64n - 1n})`,
		});
	});

	it("rejects cut files and damaged metadata", async () => {
		const whole = new Uint8Array(written(COLUMNS));
		const names = ["x", "n", "s"];
		for (const end of [0, 3, 20, whole.length - 9, whole.length - 1]) {
			await expect(
				parquetColumns(whole.slice(0, end).buffer, names, []),
			).rejects.toMatchObject({ code: "corrupt_chunk" });
		}
		const footer = new DataView(whole.buffer).getUint32(whole.length - 8, true);
		for (let at = whole.length - 8 - footer; at < whole.length; at += 1) {
			const damaged = whole.slice();
			damaged[at] = (damaged[at] ?? 0) ^ 0x55;
			// A changed name or statistic is not noticed here; all else has this class.
			await parquetColumns(damaged.buffer, names, []).catch((error) =>
				expect(error).toMatchObject({ name: "BevError" }),
			);
		}
	});

	it.skipIf(!GOLDENS)("decodes the published scenario", async () => {
		const id = "0a1e6f0a-1817-4a98-b02e-db8c9327d151";
		const content = readFileSync(`${GOLDENS}/argoverse2/scenario_${id}.parquet`);
		const names = ["track_id", "timestep", "position_x", "start_timestamp"];
		const columns = await parquetColumns(new Uint8Array(content).buffer, names, [
			"map_id",
		]);
		const { track_id, timestep, position_x, start_timestamp, map_id } =
			valuesOf(columns);
		expect(track_id).toHaveLength(2434);
		expect(track_id?.at(-1)).toBe("AV");
		expect(timestep?.at(-1)).toBe(109n);
		expect(position_x?.at(-1)).toBe(-428.6008051649256);
		expect(position_x?.at(-110)).toBe(-433.71031511630383);
		expect(start_timestamp?.[0]).toBe(315_986_559_459_579_000);
		expect(new Set(map_id)).toEqual(new Set([74806n]));
	});
});
