import { afterEach, describe, expect, it, vi } from "vitest";
import { tinyDataset } from "../../../tests/support/tiny-dataset.js";
import { ChunkedDataset, MemorySource } from "../../src/index.js";
import {
	Model,
	type ModelTensors,
	type SimulateOptions,
	simulate,
} from "../../src/model.js";
import { STUB_CONFIG } from "../support/configs.js";
import { keptObjects } from "../support/kept-objects.js";

/** Two scenes of eight frames: everything moves 1 m east in each. */
const FRAMES = 8;

function open(): Promise<ChunkedDataset> {
	const size = { scenes: 2, framesPerScene: FRAMES, rowsPerChunk: 4 };
	return ChunkedDataset.open(new MemorySource(tinyDataset(size)), {
		load: { worker: false },
	});
}

/** Moves each subject by 2 m to the left, as a model without yaws. */
const left = ({ yaw }: ModelTensors) => {
	const [count = 0] = yaw?.dims ?? [];
	const data = Float64Array.from({ length: 2 * count }, (_, i) => 2 * (i % 2));
	return { positions: { data, dims: [count, 1, 2] } };
};

/** Moves each subject by `metres` ahead. */
const ahead =
	(metres: number) =>
	({ yaw }: ModelTensors) => {
		const [count = 0] = yaw?.dims ?? [];
		const data = Float64Array.from({ length: 2 * count }, (_, i) =>
			i % 2 === 0 ? metres : 0,
		);
		return {
			positions: { data, dims: [count, 1, 2] },
			yaws: { data: new Float64Array(count), dims: [count, 1, 1] },
		};
	};

const OPTIONS = { config: STUB_CONFIG, scenes: [0], start: 2 } as const;

async function rejection(promise: Promise<unknown>): Promise<string> {
	const error = await promise.then(
		() => undefined,
		(thrown) => thrown,
	);
	return `${error?.code ?? error?.name}: ${error?.message}`;
}

afterEach(() => vi.restoreAllMocks());

describe("model/simulate", () => {
	it("drives the ego vehicle; agents are the log's", async () => {
		using dataset = await open();
		const told: number[] = [];
		const [scene, ...others] = await simulate(dataset, {
			...OPTIONS,
			predict: ahead(3),
			onProgress: ({ done, of }) => {
				told.push(done, of);
			},
		});
		expect(others).toEqual([]);
		expect(scene).toMatchObject({ scene: 0, firstFrame: 2 });
		expect([...(scene?.ego.x ?? [])]).toEqual([2, 5, 8, 11, 14, 17]);
		expect([...(scene?.ego.yaw ?? [])]).toEqual([0, 0, 0, 0, 0, 0]);
		expect([...(scene?.agents?.x ?? [])].slice(-3)).toEqual([7, 7, 7]);
		expect(scene?.timestamps?.length).toBe(6);
		expect(told).toEqual([1, 6, 2, 6, 3, 6, 4, 6, 5, 6, 6, 6]);
	});

	it("drives cars near the ego vehicle, and turns to the motion without yaws", async () => {
		using dataset = await open();
		const [scene] = await simulate(dataset, {
			...OPTIONS,
			...{ predict: left, steps: 3, ego: "log", agents: "model" },
			...{ closeDistance: 11, farDistance: 100 },
		});
		expect([...(scene?.ego.x ?? [])]).toEqual([2, 3, 4]);
		// Track 1 is 10 m north; it goes 2 m north, and from there 2 m west.
		const { trackId, x, y, yaw } = scene?.agents ?? {};
		const car = [0, 3, 6];
		expect(car.map((row) => trackId?.[row])).toEqual([1n, 1n, 1n]);
		expect(car.slice(0, 2).map((row) => [x?.[row], y?.[row]])).toEqual([
			[2, 10],
			[2, 12],
		]);
		// The yaw is a float32.
		expect(x?.[6]).toBeCloseTo(0, 6);
		expect(y?.[6]).toBeCloseTo(12, 6);
		expect(yaw?.[3]).toBeCloseTo(Math.PI / 2, 6);
	});

	it("simulates several scenes, all frames by default", async () => {
		using dataset = await open();
		const scenes = await simulate(dataset, {
			config: JSON.stringify(STUB_CONFIG),
			...{ predict: ahead(0), scenes: new Set([1, 0]) },
		});
		expect(scenes.map(({ scene }) => scene)).toEqual([1, 0]);
		expect(scenes.map(({ ego }) => ego.x.length)).toEqual([FRAMES, FRAMES]);
	});

	it("begins without a history, or with recorded frames", async () => {
		using dataset = await open();
		const seen: number[][] = [];
		const predict = (inputs: ModelTensors) => {
			const { data } = inputs.history_availabilities ?? { data: [] };
			seen.push(Array.from(data as Float32Array));
			return ahead(1)(inputs);
		};
		await simulate(dataset, { ...OPTIONS, predict, steps: 3 });
		const options = { ...OPTIONS, predict, steps: 3, history: 9 };
		const [scene] = await simulate(dataset, options);
		expect(seen.map((one) => one.reduce((sum, flag) => sum + flag, 0))).toEqual([
			...[1, 2],
			...[3, 3],
		]);
		expect(scene?.firstFrame).toBe(2);
		expect([...(scene?.ego.x ?? [])]).toEqual([2, 3, 4]);
	});

	it("gives what is simulated so far", async () => {
		using dataset = await open();
		const lengths: (number | undefined)[] = [];
		await simulate(dataset, {
			...{ ...OPTIONS, predict: ahead(1), steps: 3 },
			onProgress: async ({ scenes }) => {
				lengths.push((await scenes())[0]?.ego.x.length);
			},
		});
		expect(lengths).toEqual([1, 2, 3]);
	});

	it("is aborted in any frame, and frees everything", async () => {
		const kept = keptObjects();
		using dataset = await open();
		const run = (options: Partial<SimulateOptions>) =>
			simulate(dataset, { ...OPTIONS, predict: ahead(1), agents: "model", ...options });
		await run({});
		expect(kept()).toBe(0);
		for (let frame = 1; frame <= 6; frame += 1) {
			const control = new AbortController();
			const { signal } = control;
			const inProgress = run({
				signal,
				onProgress: ({ done }) => {
					if (done === frame) control.abort(new Error(`in ${frame}`));
				},
			});
			expect(await rejection(inProgress)).toBe(`Error: in ${frame}`);
			expect(kept()).toBe(0);
		}
		for (let call = 1; call <= 10; call += 1) {
			const control = new AbortController();
			const { signal } = control;
			let calls = 0;
			const inside = run({
				signal,
				predict: (inputs) => {
					calls += 1;
					if (calls === call) control.abort(new Error(`in call ${call}`));
					return ahead(1)(inputs);
				},
			});
			expect(await rejection(inside)).toBe(`Error: in call ${call}`);
			expect(kept()).toBe(0);
		}
		const signal = AbortSignal.abort(new Error("before"));
		expect(await rejection(run({ signal }))).toBe("Error: before");
		await run({});
		expect(kept()).toBe(0);
	});

	it("frees everything after an error, which names the model", async () => {
		const kept = keptObjects();
		using dataset = await open();
		const failing = () => {
			throw new Error("no server");
		};
		using model = await Model.open(failing, { name: "remote" });
		expect(await rejection(simulate(dataset, { ...OPTIONS, model }))).toBe(
			"invalid_argument: remote: the function failed: no server",
		);
		const predict = ahead(Number.NaN);
		expect(await rejection(simulate(dataset, { ...OPTIONS, predict }))).toMatch(
			/^invalid_argument: .*: positions: not finite in 1 of 1 samples$/,
		);
		expect(kept()).toBe(0);
	});

	it("drives through scenes with a patch, and leaves nothing of them", async () => {
		using dataset = await open();
		const edits = [{ op: "move", scene: 0, track: "ego", by: [0, 5] }] as const;
		const patch = { format: "bevscope-patch", version: 1, edits } as const;
		const options = { ...OPTIONS, predict: ahead(1) };
		const [log] = await simulate(dataset, options);
		const kept = keptObjects();
		const [scene] = await simulate(dataset, { ...options, patch });
		expect(Array.from(scene?.ego.x ?? [])).toEqual(Array.from(log?.ego.x ?? []));
		const moved = Array.from(log?.ego.y ?? [], (y) => y + 5);
		expect(Array.from(scene?.ego.y ?? [])).toEqual(moved);
		const [again] = await simulate(dataset, {
			...options,
			patch: JSON.stringify(patch),
		});
		expect(again?.ego.y).toEqual(scene?.ego.y);
		expect(kept()).toBe(0);
	});

	it("refuses what is not there", async () => {
		using dataset = await open();
		const said = (options: object) =>
			rejection(
				simulate(dataset, { ...OPTIONS, predict: left, ...options } as SimulateOptions),
			);
		expect(await said({ start: 9 })).toMatch(/^invalid_argument: simulation: ends at/);
		expect(await said({ start: 9, history: 3 })).toBe(
			"out_of_range: simulate: start: frame 9 is out of range (count 8)",
		);
		expect(await said({ steps: 0, history: 1 })).toBe(
			"invalid_argument: simulation: steps must not be 0",
		);
		expect(await said({ scenes: [] })).toMatch(/needs at least one scene/);
		expect(await said({ scenes: [0, 0] })).toMatch(/must not repeat/);
		expect(await said({ scenes: [7] })).toMatch(/^out_of_range/);
		expect(await said({ ego: "ai" })).toBe(
			'invalid_argument: simulate: ego: invalid argument (found "ai", expected model or log)',
		);
		expect(await said({ predict: undefined })).toMatch(/expected a model or predict/);
		expect(await said({ predict: 3 })).toMatch(/expected a function/);
		expect(await said({ model: {} })).toMatch(/expected a Model/);
		expect(await said({ config: undefined })).toMatch(/simulate: config: missing/);
		expect(await said({ config: {} })).toMatch(/^missing_key: config: raster_params/);
		expect(await said({ patch: {} })).toMatch(/^invalid_argument: patch: format/);
		expect(await said({ edits: [] })).toMatch(/unknown option "edits"/);
	});
});
