import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, it } from "vitest";
import {
	readScoreFiles,
	scoreFileKinds,
} from "../../../src/elements/futures/score-files.js";
import type { ScoreSource } from "../../../src/elements/futures/score-source.js";

type Columns = Parameters<typeof parquetWriteBuffer>[0]["columnData"];

const none = (): Promise<never> => Promise.reject(new Error("no scene is needed"));
const csv = (text: string, name = "m.csv"): File => new File([text], name);

async function read(...files: File[]): Promise<ScoreSource> {
	const [only] = await readScoreFiles(files);
	if (!only) throw new Error("no scores");
	return only;
}

const valuesOf = async (source: ScoreSource | undefined, id: string) => [
	...Array.from((await source?.scenario(id, none)) ?? []),
];

const text = (name: string, data: (string | null)[]) => {
	return { name, data, type: "STRING", nullable: true } as const;
};
const numbers = (name: string, data: (number | null)[]) => {
	return { name, data, type: "DOUBLE", nullable: true } as const;
};

/** A file as a program would write it. */
function parquet(name: string, columnData: readonly unknown[]): File {
	const bytes = parquetWriteBuffer({ columnData: columnData as Columns });
	return new File([bytes], `${name}.parquet`);
}

/** The columns of `bevscope score`. */
function scenarios(): File {
	return parquet("m", [
		{ name: "scenario_id", data: ["a", "b"], type: "STRING" },
		{ name: "agents", data: [4, 5], type: "INT32" },
		{ name: "evaluated", data: [3, 3], type: "INT32" },
		{ name: "ade", data: [2.5, Number.NaN], type: "DOUBLE" },
		numbers("min_ade", [1.5, null]),
	]);
}

/** Columns of nuPlan's `metrics/METRIC.parquet`, of two planners in two scenarios. */
function metric(name: string, scores: (number | null)[]): File {
	const all = (value: string) => scores.map(() => value);
	return parquet(name, [
		text("log_name", all("log")),
		text("scenario_name", ["s1", "s2", "s1", "s2"]),
		text("scenario_type", all("following_lane")),
		text("planner_name", ["idm", "idm", "net", "net"]),
		text("metric_computator", all("Statistics")),
		text("metric_statistics_name", all(name)),
		numbers("metric_score", scores),
		text("metric_score_unit", all("bool")),
		text(`${name}_stat_type`, all("BOOLEAN")),
		{
			...{ name: `${name}_stat_value`, data: [true, true, false, true] },
			type: "BOOLEAN",
		},
		text("least_stat_type", all("MIN")),
		numbers("least_stat_value", [1.5, 2.5, 3.5, 4.5]),
	]);
}

/** Columns of `aggregator_metric/*.parquet`, with rows of a type and of all scenarios. */
function aggregator(): File {
	return parquet("closed_loop_weighted_average", [
		text("scenario", ["s1", "s2", "following_lane", "final_score"]),
		text("log_name", ["log", "log", null, null]),
		text("scenario_type", ["a", "a", "a", "final_score"]),
		numbers("num_scenarios", [null, null, 2, 2]),
		text("planner_name", ["idm", "idm", "idm", "idm"]),
		text("aggregator_type", Array(4).fill("weighted_average")),
		numbers("ego_progress_along_expert_route", [0.5, null, 0.5, 0.5]),
		numbers("score", [0.25, 0.75, 0.5, 0.5]),
	]);
}

describe("elements/futures/score-files", () => {
	it("recognises files by their columns, not by their name", async () => {
		const files = [
			csv("scenario_id,agents,ade\na,1,2\n"),
			csv('\ufeff"scenario_id","ade"\r\na,2\r\n'),
			csv("scenario_id,x,y,ade\na,1,2,3\n"),
			csv("timestamp,track_id,conf_0\n"),
			csv(""),
			csv("planner_name,scenario_type,log_name,scenario_id,frames\n"),
			scenarios(),
			metric("ttc", [1, 1, 0, 1]),
			aggregator(),
		];
		expect(await scoreFileKinds(files)).toEqual([
			...["scenarios", "scenarios", "", "", "", "planners"],
			...["scenarios", "planners", "planners"],
		]);
	});

	it("reads scenarios from CSV and Parquet; missing values are NaN", async () => {
		const file = await read(
			csv('scenario_id,agents,ade,min_ade\r\n"a,""1""",4,2.5e-1,\r\nb,4,nan,1\r\n'),
		);
		expect([file.name, file.words, file.key]).toEqual(["m.csv", "m.csv", "file m.csv"]);
		expect(file.columns).toEqual(["agents", "ade", "min_ade"]);
		expect(file.ofFutures).toEqual([]);
		expect([...file.scenarios.keys()]).toEqual(['a,"1"', "b"]);
		expect(await valuesOf(file, 'a,"1"')).toEqual([4, 0.25, Number.NaN]);
		expect(await file.scenario("c", none)).toBeUndefined();
		expect(await file.futures("b", none)).toEqual([]);
		const other = await read(scenarios());
		expect(other.columns).toEqual(["agents", "evaluated", "ade", "min_ade"]);
		expect(await valuesOf(other, "a")).toEqual([4, 3, 2.5, 1.5]);
		expect(await valuesOf(other, "b")).toEqual([5, 3, Number.NaN, Number.NaN]);
	});

	it("reads futures, a row each", async () => {
		const file = await read(csv("scenario_id,rollout,ade\na,0,1\na,1,2\nb,0,3\n"));
		expect(file.columns).toEqual([]);
		expect(file.ofFutures).toEqual(["rollout", "ade"]);
		expect(file.scenarios.size).toBe(2);
		const rows = await file.futures("a", none);
		expect(rows.map((row) => Array.from(row))).toEqual([
			[0, 1],
			[1, 2],
		]);
		expect(await file.scenario("a", none)).toBeUndefined();
	});

	it("has a source for each planner, with the metrics of all files", async () => {
		const [idm, net, ...others] = await readScoreFiles([
			metric("ttc", [1, null, 0, 1]),
			metric("crash", [1, 0.5, 1, 1]),
			aggregator(),
		]);
		expect(others).toEqual([]);
		expect([idm?.key, net?.key]).toEqual(["planner idm", "planner net"]);
		expect(idm?.columns).toEqual([
			...["ttc", "least", "crash", "ego_progress_along_expert_route", "score"],
		]);
		expect(await valuesOf(idm, "s1")).toEqual([1, 1.5, 1, 0.5, 0.25]);
		const missing = [Number.NaN, 2.5, 0.5, Number.NaN, 0.75];
		expect(await valuesOf(idm, "s2")).toEqual(missing);
		expect(await valuesOf(net, "s1")).toEqual([0, 3.5, 1]);
		expect(idm?.scenarios.size).toBe(2);
	});

	it("reads what bevscope score writes of simulations, also infinite times", async () => {
		const found = await readScoreFiles([
			csv(
				"planner_name,log_name,scenario_id,frames,time\nidm,l,s,150,Infinity\n,l,t,1,2",
			),
		]);
		expect(found.map(({ name }) => name)).toEqual(["idm", "unnamed planner"]);
		expect(await valuesOf(found[0], "s")).toEqual([150, Number.POSITIVE_INFINITY]);
	});

	it("names what is wrong", async () => {
		await expect(read(csv("scenario_id,ade\na,bad\n"))).rejects.toMatchObject({
			code: "invalid_metadata",
			message: "m.csv: row 0, ade: not a number (found bad)",
		});
		const two = [metric("ttc", [1, null, 0, 1]), metric("ttc", [1, 1, 1, 1])];
		await expect(readScoreFiles(two)).rejects.toThrow(
			/ttc of net in scenario s1 differs between files .*; open one challenge at a time/,
		);
		const bytes = new Uint8Array(await scenarios().arrayBuffer());
		bytes.fill(0xff, bytes.length - 200, bytes.length - 8);
		await expect(read(new File([bytes], "m.parquet"))).rejects.toThrow(/^m\.parquet: /);
	});
});
