import { afterEach, describe, expect, it, vi } from "vitest";
import { TINY, tinyDataset } from "../../../tests/support/tiny-dataset.js";
import { ChunkedDataset, MemorySource } from "../../src/index.js";
import {
	Model,
	type ModelTensors,
	type PredictionProgress,
	type PredictScenesOptions,
	predictScenes,
} from "../../src/model.js";
import { loadTools } from "../../src/tools.js";
import { STUB_CONFIG } from "../support/configs.js";
import { keptObjects } from "../support/kept-objects.js";

/** Two scenes of eight frames: everything moves 1 m east in each. */
const FRAMES = 8;
const ALL = 2 * FRAMES;

function open(): Promise<ChunkedDataset> {
	const size = { scenes: 2, framesPerScene: FRAMES, rowsPerChunk: 4 };
	return ChunkedDataset.open(new MemorySource(tinyDataset(size)), {
		load: { worker: false },
	});
}

const timeOf = (frame: number): bigint => TINY.start + BigInt(frame) * TINY.step;

/** Two modes of two steps: ahead, and twice as fast; less sure of that. */
const ahead = ({ yaw }: ModelTensors) => {
	const [count = 0] = yaw?.dims ?? [];
	const each = [1, 0, 2, 0, 2, 0, 4, 0];
	const data = Float64Array.from({ length: 8 * count }, (_, i) => each[i % 8] ?? 0);
	const sure = Float32Array.from(
		{ length: 2 * count },
		(_, i) => [0.75, 0.25][i % 2] ?? 0,
	);
	return {
		positions: { data, dims: [count, 2, 2, 2] },
		confidences: { data: sure, dims: [count, 2] },
	};
};

async function run(options: PredictScenesOptions = {}) {
	using dataset = await open();
	const given = options.model ? {} : { predict: ahead };
	return await predictScenes(dataset, { config: STUB_CONFIG, ...given, ...options });
}

async function rejection(promise: Promise<unknown>): Promise<string> {
	const error = await promise.then(
		() => undefined,
		(thrown) => thrown,
	);
	return `${error?.code ?? error?.name}: ${error?.message}`;
}

afterEach(() => vi.restoreAllMocks());

describe("model/predict-scenes", () => {
	it("predicts the ego vehicle in all frames, as a set of predictions", async () => {
		const set = await run();
		expect(set).toMatchObject({ modes: 2, steps: 2 });
		expect([...set.timestamps]).toEqual(
			Array.from({ length: ALL }, (_, frame) => timeOf(frame)),
		);
		expect([...set.track_ids]).toEqual(Array.from({ length: ALL }, () => -1n));
		expect(set.coords.length).toBe(ALL * 8);
		for (const [i, wanted] of [1, 0, 2, 0, 2, 0, 4, 0].entries())
			expect(set.coords[8 + i]).toBeCloseTo(wanted, 9);
		expect([...set.confidences.slice(0, 2)]).toEqual([0.75, 0.25]);
		// Ranking and files take it.
		const tools = await loadTools();
		const csv = tools.writePredictions(set, set.steps, set.modes);
		expect(csv.split("\r\n").length).toBe(ALL + 2);
		const again = tools.readPredictions(csv, set.modes);
		expect(again.timestamps).toEqual(set.timestamps);
		expect(tools.review(set).shape).toMatchObject({ size: ALL, modes: 2, steps: 2 });
	});

	it("predicts some scenes, and every n-th frame", async () => {
		const set = await run({ scenes: [1], every: 3 });
		expect([...set.timestamps]).toEqual([0, 3, 6].map((f) => timeOf(FRAMES + f)));
	});

	it("predicts agents, the nearest first, or both", async () => {
		const subject = "agents";
		const agents = await run({ scenes: new Set([0]), every: 5, subject });
		expect([...agents.track_ids]).toEqual([1n, 2n, 3n, 1n, 2n, 3n]);
		expect([...agents.timestamps].map((time) => time - TINY.start)).toEqual([
			...[0n, 0n, 0n],
			...[5n * TINY.step, 5n * TINY.step, 5n * TINY.step],
		]);
		const both = await run({ scenes: [0], every: 5, subject: "both" });
		expect([...both.track_ids]).toEqual([-1n, 1n, 2n, 3n, -1n, 1n, 2n, 3n]);
	});

	it("tells how far it is, with the predictions of whole frames", async () => {
		const told: number[][] = [];
		const sizes: number[] = [];
		await run({
			subject: "both",
			onProgress: (progress) => {
				told.push([progress.done, progress.of]);
				sizes.push(progress.predictions().timestamps.length);
			},
		});
		expect(told).toEqual(Array.from({ length: ALL }, (_, i) => [i + 1, ALL]));
		expect(sizes).toEqual(Array.from({ length: ALL }, (_, i) => 4 * (i + 1)));
	});

	it("is cancelled anywhere, and resumes without gaps and doubles", async () => {
		const kept = keptObjects();
		for (const subject of ["ego", "both"] as const) {
			const whole = await run({ subject });
			// At most 4, 8 and 4 frames of the ego vehicle are a batch.
			for (let stops = 1; stops <= 2; stops += 1) {
				const control = new AbortController();
				let last: PredictionProgress | undefined;
				let batches = 0;
				const first = run({
					subject,
					signal: control.signal,
					onProgress: (progress) => {
						last = progress;
						batches += 1;
						if (batches === stops) control.abort(new Error("stop"));
					},
				});
				expect(await rejection(first)).toBe("Error: stop");
				const before = last?.predictions().timestamps.length ?? 0;
				expect(before).toBeGreaterThan(0);
				expect(before).toBeLessThan(whole.timestamps.length);
				const done: number[] = [];
				const rest = await run({
					subject,
					resume: last,
					onProgress: (progress) => void done.push(progress.done),
				});
				expect(rest).toEqual(whole);
				expect(done[0]).toBeGreaterThan(last?.done ?? 0);
				// What was cancelled stays as it was.
				expect(last?.predictions().timestamps.length).toBe(before);
			}
		}
		expect(kept()).toBe(0);
	});

	it("is cancelled while the model computes, and frees everything", async () => {
		const kept = keptObjects();
		for (let call = 1; call <= 4; call += 1) {
			const control = new AbortController();
			let calls = 0;
			const predict = (inputs: ModelTensors) => {
				calls += 1;
				if (calls === call) control.abort(new Error("in a call"));
				return ahead(inputs);
			};
			const { signal } = control;
			expect(await rejection(run({ predict, signal, subject: "both" }))).toBe(
				"Error: in a call",
			);
		}
		const signal = AbortSignal.abort(new Error("before"));
		expect(await rejection(run({ signal }))).toBe("Error: before");
		const predict = () => Promise.reject(new Error("no server"));
		expect(await rejection(run({ predict }))).toMatch(
			/^invalid_argument: .*: the function failed: no server$/,
		);
		await vi.waitFor(() => expect(kept()).toBe(0));
	});

	it("waits for the caller between batches", async () => {
		let isWaiting = false;
		const predict = (inputs: ModelTensors) => {
			expect(isWaiting).toBe(false);
			return ahead(inputs);
		};
		await run({
			...{ predict, scenes: [0], subject: "agents" },
			onProgress: async () => {
				isWaiting = true;
				await new Promise((resolve) => setTimeout(resolve, 2));
				isWaiting = false;
			},
		});
	});

	it("refuses what does not fit", async () => {
		expect(await rejection(run({ every: 0 }))).toMatch(/every: .*expected at least 1/);
		expect(await rejection(run({ subject: "all" as never }))).toMatch(
			/subject: .*expected ego, agents or both/,
		);
		expect(await rejection(run({ config: undefined }))).toMatch(
			/^invalid_argument: predictScenes: config: missing/,
		);
		expect(await rejection(run({ scenes: [7] }))).toMatch(/^out_of_range: /);
		expect(await rejection(run({ evry: 2 } as object))).toMatch(
			/unknown option "evry"/,
		);
		expect(await rejection(run({ resume: { done: 1 } as never }))).toMatch(
			/resume: .*expected what onProgress received/,
		);
		let last: PredictionProgress | undefined;
		await run({
			scenes: [0],
			onProgress: (progress) => {
				last = progress;
			},
		});
		expect(await rejection(run({ resume: last }))).toMatch(
			/resume: .*expected progress of 16 frames/,
		);
		const settings = { format: "bevscope-model", version: 1, step_time: 0.5 } as const;
		using slow = await Model.open(ahead, { settings, name: "slow" });
		expect(await rejection(run({ model: slow }))).toMatch(
			/^invalid_argument: slow: predictions cannot be compared with frames: /,
		);
		const labels = { ...settings, step_time: 0.1, labels: ["CARR"] };
		using misspelt = await Model.open(ahead, { settings: labels });
		using dataset = await open();
		const first = { model: misspelt, config: STUB_CONFIG, scenes: [0] };
		await predictScenes(dataset, { ...first, every: 8 });
		expect(
			await rejection(predictScenes(dataset, { ...first, subject: "agents" })),
		).toBe("invalid_argument: labels: unknown label CARR (did you mean CAR?)");
	});

	it("refuses a model whose sizes change", async () => {
		let calls = 0;
		const predict = (inputs: ModelTensors) => {
			calls += 1;
			const { positions } = ahead(inputs);
			const [count = 0] = positions.dims;
			return {
				positions: {
					...positions,
					dims: calls > 1 ? [count, 4, 1, 2] : [count, 2, 2, 2],
				},
			};
		};
		expect(await rejection(run({ predict }))).toBe(
			"invalid_argument: predictions: sizes change (found 4 modes of 1 steps, expected 2 of 2 as before)",
		);
	});
});
