import {
	type DataType,
	Table,
	Type,
	tableFromIPC,
	tableToIPC,
	type Vector,
} from "apache-arrow";
import { describe, expect, it } from "vitest";
import { Columns } from "../src/arrays/columns.js";
import { ResultArrays } from "../src/arrays/result.js";
import { toArrow, toArrowIPC } from "../src/arrow.js";
import type { CoreArray, TypedArray } from "../src/core/types.js";
import { array, packed, text } from "./support/packed.js";

function column(
	name: string,
	dtype: string,
	data: TypedArray,
	shape = [data.length],
): CoreArray {
	return { ...array(name, data, shape), dtype };
}

function columns(...arrays: CoreArray[]): Columns {
	return new Columns(new ResultArrays(packed(...arrays), () => {}));
}

/** Two records of each kind of field. */
function every(): Columns {
	return columns(
		column("id", "<u8", BigUint64Array.of(7n, 2n ** 63n)),
		column("i8", "<i8", BigInt64Array.of(-7n, 9n)),
		column("i4", "<i4", Int32Array.of(-3, 4)),
		column("u4", "<u4", Uint32Array.of(3, 2 ** 32 - 1)),
		column("i2", "<i2", Int16Array.of(-3, 4)),
		column("u2", "<u2", Uint16Array.of(3, 65535)),
		column("i1", "|i1", Int8Array.of(-3, 4)),
		column("flag", "|b1", Uint8Array.of(0, 1)),
		column("yaw", "<f4", Float32Array.of(0.5, -0.25)),
		column("centroid", "<f8", Float64Array.of(1, 2, 3, 4), [2, 2]),
		column("rotation", "<f8", Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8), [2, 2, 2]),
		column("phase", "<c8", Float32Array.of(1, 0, 0, 1)),
		column("time", "<M8[ns]", BigInt64Array.of(1_600_000_000_000_000_000n, 0n)),
		column("day", "<M8[D]", BigInt64Array.of(18_000n, 1n)),
		column("took", "<m8[us]", BigInt64Array.of(5n, 6n)),
		column("raw", "|V3", Uint8Array.of(1, 2, 3, 4, 5, 6)),
		...text("host", ["a", "h\u00f6st"]),
	);
}

function child(table: Table, name: string): Vector<DataType> {
	const found = table.getChild(name);
	if (!found) throw new Error(`no column ${name}`);
	return found;
}

/** Returns the memory of a column's innermost values. */
function memory(vector: Vector<DataType>): ArrayBufferLike {
	let [data] = vector.data;
	while (data?.children[0]) data = data.children[0];
	if (!data) throw new Error("no values");
	return data.values.buffer;
}

const plain = (vector: Vector<DataType>): unknown =>
	JSON.parse(JSON.stringify([...vector]));

describe("arrow", () => {
	it("has a column for each field, with NumPy's dtype as metadata", () => {
		const table = toArrow(every());
		expect(table.numRows).toBe(2);
		expect(table.schema.fields.map(({ name }) => name)).toEqual(every().names);
		for (const { name, metadata, nullable } of table.schema.fields) {
			expect(metadata.get("dtype")).toBe(every().column(name).dtype);
			expect(nullable).toBe(false);
		}
	});

	it("text with a shape is a list of strings in each row", () => {
		const made = columns(
			...text("names", ["a", "b", "c", "d"], [2, 2]),
			...text("grid", ["e", "", "g", "h", "i", "j", "k", "l"], [2, 2, 2]),
			...text("empty", [], [2, 0]),
			...text("one", ["m", "n"], [2, 1]),
		);
		const table = toArrow(made);
		expect(plain(child(table, "names"))).toEqual([
			["a", "b"],
			["c", "d"],
		]);
		expect(made.record(1).names).toEqual(["c", "d"]);
		expect(plain(child(table, "grid"))).toEqual([
			[
				["e", ""],
				["g", "h"],
			],
			[
				["i", "j"],
				["k", "l"],
			],
		]);
		expect(plain(child(table, "one"))).toEqual([["m"], ["n"]]);
		expect(table.numRows).toBe(2);
		const written = tableFromIPC(tableToIPC(table.select(["names", "grid", "one"])));
		expect(plain(child(written, "names"))).toEqual(plain(child(table, "names")));
	});

	it("text with a shape and without rows has none", () => {
		const table = toArrow(columns(...text("names", [], [0, 2])));
		expect(table.numRows).toBe(0);
		expect(plain(child(table, "names"))).toEqual([]);
	});

	it("shares the columns' memory", () => {
		const given = every();
		const table = toArrow(given);
		for (const name of given.names) {
			const { data } = given.column(name);
			expect(memory(child(table, name))).toBe(data.buffer);
		}
		const { data } = given.column("centroid");
		data[3] = 40;
		expect(plain(child(table, "centroid"))).toEqual([
			[1, 2],
			[3, 40],
		]);
	});

	it("returns numbers of each width", () => {
		const table = toArrow(every());
		expect([...child(table, "id")]).toEqual([7n, 2n ** 63n]);
		expect([...child(table, "i8")]).toEqual([-7n, 9n]);
		expect([...child(table, "u4")]).toEqual([3, 2 ** 32 - 1]);
		expect([...child(table, "i1")]).toEqual([-3, 4]);
		expect([...child(table, "flag")]).toEqual([0, 1]);
		expect([...child(table, "yaw")]).toEqual([0.5, -0.25]);
	});

	it("nests subarrays and complex numbers in fixed-size lists", () => {
		const table = toArrow(every());
		expect(plain(child(table, "rotation"))).toEqual([
			[
				[1, 2],
				[3, 4],
			],
			[
				[5, 6],
				[7, 8],
			],
		]);
		expect(plain(child(table, "phase"))).toEqual([
			[1, 0],
			[0, 1],
		]);
	});

	it("supports times in Arrow's units, text and raw bytes", () => {
		const table = toArrow(every());
		expect(child(table, "time").type.typeId).toBe(Type.Timestamp);
		expect(child(table, "time").get(0)).toBe(1_600_000_000_000);
		expect(child(table, "day").type.typeId).toBe(Type.Int);
		expect([...child(table, "took")]).toEqual([5n, 6n]);
		expect([...child(table, "host")]).toEqual(["a", "h\u00f6st"]);
		expect(child(table, "raw").get(1)).toEqual(Uint8Array.of(4, 5, 6));
	});

	it("round-trips through a file", () => {
		const table = toArrow(every());
		const again = tableFromIPC(tableToIPC(table, "file"));
		expect(again.schema.toString()).toBe(table.schema.toString());
		for (const { name } of table.schema.fields) {
			expect([...child(again, name)].map(String)).toEqual(
				[...child(table, name)].map(String),
			);
		}
	});

	it("as bytes, has the same columns as a stream and as a file", () => {
		const table = toArrow(every());
		for (const format of ["stream", "file"] as const) {
			const bytes = toArrowIPC(every(), format);
			const again = tableFromIPC(bytes);
			expect(again.schema.toString()).toBe(table.schema.toString());
			expect(again.toString()).toBe(table.toString());
			const isFile = new TextDecoder().decode(bytes.subarray(0, 6)) === "ARROW1";
			expect(isFile).toBe(format === "file");
		}
		expect(toArrowIPC(every())).toEqual(toArrowIPC(every(), "stream"));
	});

	it("as bytes, is a copy", () => {
		const given = every();
		const bytes = toArrowIPC(given);
		given.column("centroid").data.fill(0 as never);
		expect(plain(child(tableFromIPC(bytes), "centroid"))).toEqual([
			[1, 2],
			[3, 4],
		]);
	});

	it("may have no rows, and no columns", () => {
		const none = toArrow(
			columns(column("centroid", "<f8", new Float64Array(0), [0, 2])),
		);
		expect([none.numRows, none.numCols]).toEqual([0, 1]);
		expect([...child(none, "centroid")]).toEqual([]);
		expect(toArrow(columns())).toBeInstanceOf(Table);
	});
});
