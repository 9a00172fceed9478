import { afterEach, describe, expect, it } from "vitest";
import { Converter } from "../../../src/converting/converter.js";
import {
	isOfNuplan,
	joinRun,
	type RunFiles,
} from "../../../src/elements/rollout/planner-run.js";
import { ChunkedDataset } from "../../../src/index.js";
import { MemorySource } from "../../../src/source/source.js";
import { simulationLog } from "../../support/simulation-log.js";

const open: { close(): void }[] = [];

afterEach(() => {
	for (const one of open.splice(0)) one.close();
});

/** Opens the log: three frames of the planner idm, from 1 s on, scenario ab12 of log1. */
async function recorded(): Promise<ChunkedDataset> {
	const converter = await Converter.start();
	open.push(converter);
	const files = [{ file: new Blob([simulationLog()]), name: "ab.msgpack.xz" }];
	const asked = { kind: "simulation", name: "ab", files } as const;
	const { objects } = await converter.ask(asked);
	const dataset = await ChunkedDataset.open(new MemorySource(objects));
	open.push(dataset);
	return dataset;
}

/** Serialized scenes at these times, of the ego vehicle driving along y, with a plan. */
function scenes(folder: string, ...times: number[]): RunFiles {
	const files = times.map((time, i) => {
		const states = [0, 1].map((k) => ({ pose: [664000, 3999000 + i + k, 0] }));
		const text = JSON.stringify({
			timestamp_us: time,
			ego: { pose: [664000, 3999000 + i, 0] },
			trajectories: {
				ego_predicted_trajectory: { states },
				ego_expert_trajectory: { states },
			},
		});
		return { file: new Blob([text]), name: `${i}.json` };
	});
	return { name: "scenes", folder, files };
}

async function joined(dataset: ChunkedDataset, run: RunFiles) {
	return joinRun(run, { dataset, shown: 0 }, new AbortController().signal);
}

describe("elements/rollout/planner-run", () => {
	it("joins a log with the scene of its log and time, and measures it", async () => {
		const dataset = await recorded();
		expect(isOfNuplan(dataset, 0)).toBe(true);
		const file = new Blob([simulationLog()]);
		const name = "ab.msgpack.xz";
		const run = await joined(dataset, { name, folder: "", files: [{ file, name }] });
		expect(run.name).toBe("idm");
		expect(run.scenes.map(({ scene, first_frame }) => [scene, first_frame])).toEqual([
			[0, 0],
		]);
		const [one] = run.scenes;
		const { data } = (await dataset.frames.rows(0, 3)).column("ego_translation");
		expect(Array.from(one?.ego_x ?? [])).toEqual([data[0], data[3], data[6]]);
		const planned = run.planned.get(0);
		expect(planned?.interpolated).toBe(0);
		expect(planned?.measures.timeToCollisionAhead).toHaveLength(3);
		expect(planned?.measures.egoIsComfortable).toBeNaN(); // of three frames
	});

	it("joins serialized scenes, whose folders name the log", async () => {
		const dataset = await recorded();
		const times = (await dataset.frames.rows(0, 3)).column("timestamp").data;
		const at = Array.from(times, (time) => Number(BigInt(time) / 1000n));
		const [first = 0, second = 0] = at;
		const run = await joined(dataset, scenes("net/stopping/log1/cd34", first, second));
		expect(run.name).toBe("net");
		expect(Array.from(run.scenes[0]?.ego_y ?? [])).toEqual([0, 1]);
		const planned = run.planned.get(0);
		expect(planned?.planFirst).toEqual(Uint32Array.of(0, 2, 4));
		expect(planned?.plan).toEqual(Float64Array.of(0, 0, 0, 1, 0, 1, 0, 2));
		expect(planned?.expert).toEqual(Float64Array.of(0, 0, 0, 1));
		expect(planned?.measures.noEgoAtFaultCollisions).toBeNaN();
		const between = [first - 50_000, first + 50_000, second + 50_000];
		const shifted = await joined(dataset, scenes("net/stopping/log1/x", ...between));
		expect(shifted.planned.get(0)?.interpolated).toBe(2);
	});

	it("names what does not match", async () => {
		const dataset = await recorded();
		const refused = async (folder: string, ...times: number[]): Promise<string> => {
			const error = await joined(dataset, scenes(folder, ...times)).catch(String);
			return typeof error === "string" ? error : "";
		};
		expect(await refused("net/stopping/log2/cd34", 1_000_000)).toMatch(
			/scenes: simulation of scenario cd34, of log log2: no open scene has its log and time/,
		);
		expect(await refused("net/stopping/log1/cd34", 99_000_000)).toMatch(
			/no open scene/,
		);
		expect(await refused("cd34", 1_000_000)).toMatch(/names no log/);
		expect(isOfNuplan({ attrs: { bevscope: { scenes: [{}] } } }, 0)).toBe(false);
	});
});
