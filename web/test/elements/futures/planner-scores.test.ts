import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, it } from "vitest";
import {
	isPlannerScores,
	readPlannerScores,
} from "../../../src/elements/futures/planner-scores.js";
import { isScores } from "../../../src/elements/futures/scores-file.js";

type Columns = Parameters<typeof parquetWriteBuffer>[0]["columnData"];
const none = (): Promise<never> => Promise.reject(new Error("no scene is needed"));

const text = (name: string, data: (string | null)[]) => {
	return { name, data, type: "STRING", nullable: true } as const;
};
const numbers = (name: string, data: (number | null)[]) => {
	return { name, data, type: "DOUBLE", nullable: true } as const;
};

function parquet(name: string, columnData: readonly unknown[]): File {
	return new File(
		[parquetWriteBuffer({ columnData: columnData as Columns })],
		`${name}.parquet`,
	);
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

describe("elements/futures/planner-scores", () => {
	it("recognises tables of nuPlan, and no other scores", async () => {
		const csv = (line: string) => new Blob([`${line}\n`]);
		const [score, all] = [metric("ttc", [1, 1, 0, 1]), aggregator()];
		for (const one of [score, all]) {
			expect(await isPlannerScores(one)).toBe(true);
			expect(await isScores(one)).toBe(false);
		}
		const written = "planner_name,scenario_type,log_name,scenario_id,frames";
		expect(await isPlannerScores(csv(written))).toBe(true);
		expect(await isPlannerScores(csv("scenario_id,ade"))).toBe(false);
	});

	it("has a source for each planner, with the metrics of all files", async () => {
		const files = [metric("ttc", [1, null, 0, 1]), metric("crash", [1, 0.5, 1, 1])];
		const [idm, net, ...others] = await readPlannerScores([...files, aggregator()]);
		expect(others).toEqual([]);
		expect([idm?.name, net?.name]).toEqual(["idm", "net"]);
		expect(idm?.columns).toEqual([
			...["ttc", "least", "crash", "ego_progress_along_expert_route", "score"],
		]);
		expect(await idm?.scenario("s1", none)).toEqual([1, 1.5, 1, 0.5, 0.25]);
		const missing = [Number.NaN, 2.5, 0.5, Number.NaN, 0.75];
		expect(await idm?.scenario("s2", none)).toEqual(missing);
		expect(net?.columns).toEqual(["ttc", "least", "crash"]);
		expect(await net?.scenario("s1", none)).toEqual([0, 3.5, 1]);
		expect(idm?.scenarios.size).toBe(2);
		expect(await idm?.scenario("final_score", none)).toBeUndefined();
	});

	it("refuses the files of two challenges together", async () => {
		const files = [metric("ttc", [1, null, 0, 1]), metric("ttc", [1, 1, 1, 1])];
		await expect(readPlannerScores(files)).rejects.toThrow(
			"ttc of net in scenario s1 differs between files (found 0 and 1); open one challenge at a time",
		);
		const [idm] = await readPlannerScores([files[0], files[0]] as File[]);
		expect(await idm?.scenario("s1", none)).toEqual([1, 1.5]);
	});

	it("reads the rows of bevscope score", async () => {
		const rows =
			"planner_name,scenario_type,log_name,scenario_id,frames,ego_is_comfortable\n" +
			"idm,a,log,s1,150,1\nidm,a,log,s2,150,nan\n";
		const [idm] = await readPlannerScores([new File([rows], "s.csv")]);
		expect(idm?.columns).toEqual(["frames", "ego_is_comfortable"]);
		expect(await idm?.scenario("s2", none)).toEqual([150, Number.NaN]);
	});

	it("names what is wrong", async () => {
		const csv = (rows: string) =>
			readPlannerScores([
				new File([`planner_name,scenario_id,frames\n${rows}`], "s.csv"),
			]);
		await expect(csv("idm,s1,x\n")).rejects.toThrow(
			"s.csv: row 0, frames: not a number (found x)",
		);
		await expect(csv("idm,s1,1\nidm,s1,2\n")).rejects.toThrow(
			/scenario s1 of idm is repeated/,
		);
		const bytes = new Uint8Array(await aggregator().arrayBuffer());
		bytes.fill(0xff, bytes.length - 200, bytes.length - 8);
		const damaged = readPlannerScores([new File([bytes], "m.parquet")]);
		await expect(damaged).rejects.toThrow(/^m\.parquet: /);
	});
});
