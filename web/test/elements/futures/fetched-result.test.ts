import { parquetWriteBuffer } from "hyparquet-writer";
import { afterEach, describe, expect, it, vi } from "vitest";
import { futuresCsv } from "../../../../tests/support/own-futures.js";
import { smoothScenes, submission } from "../../../../tests/support/submission.js";
import {
	fetchResult,
	isResultAt,
} from "../../../src/elements/futures/fetched-result.js";
import type { FuturesController } from "../../../src/elements/futures/futures-controller.js";

const text = (value: string) => new TextEncoder().encode(value);

/** The columns of `bevscope score`, as a program would write them to Parquet. */
function parquet(): Uint8Array {
	const columnData = [
		{ name: "scenario_id", data: ["a", "b"], type: "STRING" },
		{ name: "evaluated", data: [1, 2], type: "INT32" },
		{ name: "ade", data: [2.5, 1], type: "DOUBLE" },
	] as Parameters<typeof parquetWriteBuffer>[0]["columnData"];
	return new Uint8Array(parquetWriteBuffer({ columnData }));
}

const FILES = new Map<string, Uint8Array>([
	["m.binproto", submission([{ id: "a", scenes: smoothScenes(2) }])],
	["rows.csv", futuresCsv("a", smoothScenes(2))],
	["scores.csv", text("scenario_id,ade\na,1\nb,2\n")],
	["scores.parquet", parquet()],
	["planners.csv", text("planner_name,scenario_id,score\nA,s,1\nB,s,2\n")],
	["predictions.csv", text("timestamp,track_id,conf_0\n1,2,1\n")],
]);

/** Serves the files by ranges; returns the URL of one. */
function served(name: string): URL {
	vi.stubGlobal(
		"fetch",
		async (_: URL, { headers }: { headers: { Range: string } }) => {
			const bytes = FILES.get(name) ?? new Uint8Array();
			const [, begin = 0, last = 0] = /(\d+)-(\d+)$/.exec(headers.Range) ?? [];
			const part = bytes.slice(Number(begin), Number(last) + 1);
			const range = { "Content-Range": `bytes ${begin}-${last}/${bytes.length}` };
			return new Response(part, { status: 206, headers: range });
		},
	);
	return new URL(`https://h.test/${name}`);
}

describe("elements/futures/fetched-result", () => {
	afterEach(() => vi.unstubAllGlobals());

	it.each([
		["m.binproto", ["submission m.binproto"]],
		["rows.csv", ["submission rows.csv"]],
		["scores.csv", ["scores.csv at /x, ade"]],
		["scores.parquet", ["scores.parquet at /x, evaluated ade"]],
		["planners.csv", ["A at /x, score", "B at /x, score"]],
		["predictions.csv", ["submission predictions.csv"]],
	])("opens %s as what it is", async (name, expected) => {
		const url = served(name);
		const opened: string[] = [];
		const futures = {
			add: async ({ file }) => {
				opened.push(`submission ${file.name}`);
			},
			addScores: ({ name, columns }, address) => {
				opened.push(`${name} at ${address}, ${columns.join(" ")}`);
			},
		} as Pick<FuturesController, "add" | "addScores">;
		await fetchResult(futures as FuturesController, url, "/x");
		expect(opened).toEqual(expected);
		expect(await isResultAt(url)).toBe(name !== "predictions.csv");
	});

	it("rejects if a file of scores is damaged", async () => {
		FILES.set("bad.csv", text("scenario_id,ade\na,bad\n"));
		const opening = fetchResult({} as FuturesController, served("bad.csv"), "/x");
		await expect(opening).rejects.toThrow("bad.csv: row 0, ade: not a number");
	});
});
