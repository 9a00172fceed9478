import { describe, expect, it } from "vitest";
import {
	fieldsOf,
	hasTables,
	joinOf,
	type SensorTable,
	settingsIn,
} from "../../../src/elements/sensors/sensor-tables.js";
import type { ReaderColumn } from "../../../src/reader/explanation.js";

const column = (name: string, dtype: string, more: Partial<ReaderColumn> = {}) =>
	({ name, dtype, shape: [], level: "row", stored: true, ...more }) as ReaderColumn;
const image = (name: string) => column(name, "|u1", { kind: "image", shape: [null] });
const array = (name: string, dtype: string, ...shape: (number | null)[]) =>
	column(name, dtype, { kind: "array", shape });
const table = (name: string, ...columns: ReaderColumn[]): SensorTable => ({
	...{ name, rows: 12, columns },
});
const SETTINGS = settingsIn({});

describe("sensor-tables", () => {
	it("finds images, and points: rows of at least two floats", () => {
		const rows = table(
			"rows",
			image("front"),
			column("depth", "|u1", { kind: "npy", shape: [null, null] }),
			array("lidar", "<f4", null, 4),
			array("radar", "<f8", null, 2),
			array("ids", "<i8", null, 2),
			array("times", "<f4", null),
			array("boxes", "<f4", null, 4, 2),
			column("place", "<f4", { shape: [2] }),
		);
		expect(fieldsOf([rows], SETTINGS).map(({ name, kind }) => [name, kind])).toEqual([
			["front", "image"],
			["lidar", "points"],
			["radar", "points"],
		]);
	});

	it("names the table if several have such fields", () => {
		const all = [table("a", image("front")), table("b", image("front")), table("c")];
		expect(fieldsOf(all, SETTINGS).map(({ name }) => name)).toEqual([
			"a/front",
			"b/front",
		]);
	});

	it("joins by stored integers, otherwise by row if there is one per frame", () => {
		const frame_index = column("frame_index", "<i8");
		expect(joinOf(table("t", column("timestamp", "<u8"), frame_index), 12)).toBe(
			"frame_index",
		);
		expect(joinOf(table("t", column("timestamp", "<u8")), 12)).toBe("timestamp");
		expect(joinOf(table("t", column("timestamp", "<f8")), 12)).toBe("row");
		expect(joinOf(table("t", { ...frame_index, stored: false }), 11)).toBeUndefined();
		expect(joinOf(table("t", column("frame_index", "<i8", { shape: [2] })), 11)).toBe(
			undefined,
		);
	});

	it("takes settings from the attributes, or from a saved data set's additional", () => {
		const bevscope_sensors = { tolerance: 0.01, world: ["lidar"] };
		for (const attrs of [{ bevscope_sensors }, { additional: { bevscope_sensors } }]) {
			const settings = settingsIn(attrs);
			expect(settings.tolerance).toBe(0.01);
			const [lidar] = fieldsOf([table("t", array("lidar", "<f4", null, 3))], settings);
			expect(lidar?.inWorld).toBe(true);
		}
	});

	it.each([null, 7, [], { tolerance: -1, world: "lidar" }, { tolerance: "1" }])(
		"ignores settings that are %j",
		(bevscope_sensors) => {
			const { tolerance, world } = settingsIn({ bevscope_sensors });
			expect([tolerance, world.size]).toEqual([0.05, 0]);
		},
	);

	it("recognizes data sets that describe tables", () => {
		expect(hasTables({ bevscope_fields: { version: 1, tables: {} } })).toBe(true);
		expect(hasTables({ labels: [] })).toBe(false);
		expect(hasTables(undefined)).toBe(false);
	});
});
