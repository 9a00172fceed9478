import { beforeAll, describe, expect, it } from "vitest";
import {
	inOneStore,
	type SensorRow,
	sensorDataset,
} from "../../../../tests/support/sensor-dataset.js";
import { TINY, tinyDataset } from "../../../../tests/support/tiny-dataset.js";
import { frameRows } from "../../../src/elements/sensors/frame-rows.js";
import { readTables } from "../../../src/elements/sensors/sensor-tables.js";
import { ChunkedDataset, MemorySource } from "../../../src/index.js";

const FRAMES = TINY.scenes * TINY.framesPerScene;
const { signal } = new AbortController();

let frames: ChunkedDataset;
beforeAll(async () => {
	frames = await ChunkedDataset.open(new MemorySource(tinyDataset()));
	return () => frames.close();
});

/** Returns the rows of both scenes' frames. */
async function rowsOf(
	rows: readonly SensorRow[],
	join: readonly ("frame_index" | "timestamp")[],
	tolerance = 0.05,
): Promise<number[][]> {
	using tables = await ChunkedDataset.open(
		new MemorySource(await sensorDataset({ rows, join })),
	);
	const [table] = await readTables(tables, signal);
	if (!table) throw new Error("there is no table");
	const options = { frames, tables, tolerance, signal };
	const found = [0, 1].map((scene) => frameRows(table, scene, options));
	return (await Promise.all(found)).map((one) => [...one]);
}

const time = (frame: number) => TINY.start + BigInt(Math.round(frame * 1e9)) / 10n;

describe("frame-rows", () => {
	it("joins by frame_index, and says which frames have no row or several", async () => {
		const rows = [7, 0, 3, 5, 7, 11].map((frame) => ({ frame }));
		expect(await rowsOf(rows, ["frame_index"])).toEqual([
			[1, -1, -1, 2, -1, 3],
			[-1, -2, -1, -1, -1, 5],
		]);
	});

	it("joins by the nearest timestamp within the tolerance", async () => {
		const rows = [4.4, 0.3, 1.6, 2.2, 2.1, 9].map((frame) => ({
			frame: 0,
			timestamp: time(frame),
		}));
		expect(await rowsOf(rows, ["timestamp"])).toEqual([
			[1, -1, 4, -1, 0, -1],
			[-1, -1, -1, 5, -1, -1],
		]);
		expect((await rowsOf(rows, ["timestamp"], 0))[1]).toEqual([-1, -1, -1, 5, -1, -1]);
		expect((await rowsOf(rows, ["timestamp"], 0.1))[0]).toEqual([1, 2, 4, 3, 0, 0]);
	});

	it("prefers frame_index to timestamp", async () => {
		const rows = [{ frame: 2, timestamp: time(0) }];
		const [first] = await rowsOf(rows, ["frame_index", "timestamp"]);
		expect(first).toEqual([-1, -1, 0, -1, -1, -1]);
	});

	it("takes rows in order if there is one per frame, and refuses other numbers", async () => {
		const rows = Array.from({ length: FRAMES }, (_, frame) => ({ frame }));
		expect(await rowsOf(rows, [])).toEqual([
			[0, 1, 2, 3, 4, 5],
			[6, 7, 8, 9, 10, 11],
		]);
		await expect(rowsOf(rows.slice(1), [])).rejects.toThrow(
			"rows: rows belong to no frames (found 11 rows of 12 frames, expected one row per frame, or an integer field frame_index or timestamp)",
		);
	});

	it("reads tables in the store of the frames, too", async () => {
		const rows = [{ frame: 8 }, { frame: 1 }];
		const objects = inOneStore(tinyDataset(), await sensorDataset({ rows }));
		using dataset = await ChunkedDataset.open(new MemorySource(objects));
		const [table] = await readTables(dataset, signal);
		expect(table?.name).toBe("rows");
		if (!table) return;
		const options = { frames: dataset, tables: dataset, tolerance: 0, signal };
		expect([...(await frameRows(table, 1, options))]).toEqual([-1, -1, 0, -1, -1, -1]);
	});
});
