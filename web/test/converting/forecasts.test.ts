import { describe, expect, it } from "vitest";
import {
	argoverse2Forecasts,
	argoverse2Tracks,
	type ForecastRow,
} from "../../../tests/support/argoverse2.js";
import { forecastRows } from "../../src/converting/forecasts.js";

const row = (scenario: string, track: string, x: number): ForecastRow => ({
	...{ scenario, track, probability: 0.5 },
	path: [
		[x, 1],
		[x + 1, 2],
	],
});

const ROWS = [
	row("a", "7", 10),
	row("b", "7", 20),
	row("a", "8", 30),
	row("c", "9", 40),
];

describe("converting/forecasts", () => {
	it("are read for the wanted scenarios, in the file's order", async () => {
		for (const codec of ["SNAPPY", "UNCOMPRESSED"] as const) {
			const { buffer } = argoverse2Forecasts(ROWS, codec);
			const found = await forecastRows(buffer, ["a", "c", "none"]);
			expect(found.scenarios).toEqual(["a", "a", "c"]);
			expect(found.tracks).toEqual(["7", "8", "9"]);
			expect([...found.probabilities]).toEqual([0.5, 0.5, 0.5]);
			expect(found.steps).toBe(2);
			expect([...found.paths]).toEqual([
				...[10, 1, 11, 2],
				...[30, 1, 31, 2],
				...[40, 1, 41, 2],
			]);
			expect(found.all).toBe(4);
		}
		const none = await forecastRows(argoverse2Forecasts(ROWS).buffer, []);
		expect([none.paths.length, none.all]).toEqual([0, 4]);
	});

	it("an invalid value is an error that names column and row", async () => {
		const [first = row("a", "7", 0)] = ROWS;
		const read = (changed: Partial<ForecastRow>) =>
			forecastRows(argoverse2Forecasts([first, { ...first, ...changed }]).buffer, [
				"a",
			]);
		await expect(read({ probability: 1.5 })).rejects.toThrow(
			"column probability: row 1 is invalid (found 1.5, expected 0 to 1)",
		);
		await expect(read({ path: [[1, Number.NaN]] })).rejects.toThrow(
			"column predicted_trajectory_y: row 1 is invalid",
		);
		await expect(read({ path: [[1, 2]] })).rejects.toThrow(
			"column predicted_trajectory_x: row 1 is invalid (found 1 steps, expected 2)",
		);
		await expect(
			forecastRows(argoverse2Forecasts([{ ...first, path: [] }]).buffer, ["a"]),
		).rejects.toThrow("found 0 steps, expected 1 to 1000");
	});

	it("other files are refused", async () => {
		await expect(forecastRows(argoverse2Tracks("a").buffer, ["a"])).rejects.toThrow(
			"not forecasts of Argoverse 2: columns not found: probability,",
		);
		const { buffer } = new TextEncoder().encode("PAR1 but no Parquet");
		await expect(forecastRows(buffer, ["a"])).rejects.toMatchObject({
			code: "corrupt_chunk",
		});
		const whole = argoverse2Forecasts(ROWS);
		const cut = whole.slice(0, 60).buffer;
		await expect(forecastRows(cut, ["a"])).rejects.toMatchObject({
			code: "corrupt_chunk",
		});
	});
});
