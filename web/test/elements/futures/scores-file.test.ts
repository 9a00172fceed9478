import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, it } from "vitest";
import type { ScoreSource } from "../../../src/elements/futures/score-source.js";
import { isScores, readScores } from "../../../src/elements/futures/scores-file.js";

const read = (text: string): Promise<ScoreSource> =>
	readScores(new Blob([text]), "m.csv");
const none = (): Promise<never> => Promise.reject(new Error("no scene is needed"));

/** The columns of `bevscope score`, as a program would write them to Parquet. */
function parquet(): Blob {
	const numbers = (name: string, data: number[]) => ({ name, data, type: "DOUBLE" });
	const counts = (name: string, data: number[]) => ({ name, data, type: "INT32" });
	const columnData = [
		{ name: "scenario_id", data: ["a", "b"], type: "STRING" },
		counts("agents", [4, 5]),
		counts("evaluated", [3, 3]),
		numbers("ade", [2.5, Number.NaN]),
		{ name: "min_ade", data: [1.5, null], type: "DOUBLE", nullable: true },
	] as Parameters<typeof parquetWriteBuffer>[0]["columnData"];
	return new Blob([parquetWriteBuffer({ columnData })]);
}

describe("elements/futures/scores-file", () => {
	it("recognises scores by their columns, not by their name", async () => {
		const is = (text: string) => isScores(new Blob([text]));
		expect(await is("scenario_id,agents,ade\na,1,2\n")).toBe(true);
		expect(await is('\ufeff"scenario_id","ade"\r\na,2\r\n')).toBe(true);
		expect(await is("scenario_id,x,y,ade\na,1,2,3\n")).toBe(false);
		expect(await is("timestamp,track_id,conf_0\n")).toBe(false);
		expect(await is("")).toBe(false);
		expect(await isScores(parquet())).toBe(true);
	});

	it("reads scenarios from CSV, also quoted; missing values are NaN", async () => {
		const file = await read(
			'scenario_id,agents,ade,min_ade\r\n"a,""1""",4,2.5e-1,\r\n\r\nb,4,nan,-NaN\r\n',
		);
		expect(file.name).toBe("m.csv");
		expect(file.words).toBe("m.csv");
		expect(file.columns).toEqual(["agents", "ade", "min_ade"]);
		expect(file.ofFutures).toEqual([]);
		expect([...file.scenarios.keys()]).toEqual(['a,"1"', "b"]);
		expect(await file.scenario('a,"1"', none)).toEqual([4, 0.25, Number.NaN]);
		expect(await file.scenario("b", none)).toEqual([4, Number.NaN, Number.NaN]);
		expect(await file.scenario("c", none)).toBeUndefined();
		expect(await file.futures("b", none)).toEqual([]);
	});

	it("reads Parquet likewise", async () => {
		const file = await readScores(parquet(), "m.parquet");
		expect(file.columns).toEqual(["agents", "evaluated", "ade", "min_ade"]);
		expect(await file.scenario("a", none)).toEqual([4, 3, 2.5, 1.5]);
		expect(await file.scenario("b", none)).toEqual([5, 3, Number.NaN, Number.NaN]);
	});

	it("reads futures, a row each", async () => {
		const file = await read("scenario_id,rollout,ade\na,0,1\na,1,2\nb,0,3\n");
		expect(file.columns).toEqual([]);
		expect(file.ofFutures).toEqual(["rollout", "ade"]);
		expect(file.scenarios.size).toBe(2);
		expect(await file.futures("a", none)).toEqual([
			[0, 1],
			[1, 2],
		]);
		expect(await file.scenario("a", none)).toBeUndefined();
	});

	it.each([
		["a,bad", "m.csv: row 0, ade: not a number (found bad)"],
		["a,0x10", "m.csv: row 0, ade: not a number (found 0x10)"],
		["a,1e999", "m.csv: row 0, ade: not a number (found 1e999)"],
		["a, ", "m.csv: row 0, ade: not a number (found  )"],
		["a,1\na,2", "m.csv: row 1: scenario a is repeated"],
		["a,1\n\nb,2,3", "m.csv: line 4: wrong number of fields (found 3, expected 2)"],
	])("refuses %j", async (rows, message) => {
		const wrong = read(`scenario_id,ade\n${rows}\n`);
		await expect(wrong).rejects.toMatchObject({ code: "invalid_metadata", message });
	});

	it("names a damaged Parquet file", async () => {
		const bytes = new Uint8Array(await parquet().arrayBuffer());
		bytes.fill(0xff, bytes.length - 200, bytes.length - 8);
		const wrong = readScores(new Blob([bytes]), "m.parquet");
		await expect(wrong).rejects.toThrow(/^m\.parquet: /);
	});
});
