import { describe, expect, it } from "vitest";
import { velocityModel } from "../../../tests/support/onnx-model.js";
import { Model, type ModelTensors, type OnnxRuntime } from "../../src/model.js";

/** A subject at (100, 50), turned by a quarter to the left, as a sample. */
const POSE = {
	world_from_agent: array([0, -1, 100, 1, 0, 50, 0, 0, 1], [3, 3]),
	centroid: array([100, 50], [2]),
	yaw: array([1.5], []),
};

const SAMPLE = {
	...POSE,
	history_positions: array(new Float32Array([0, 0, -2, 0]), [2, 2], "<f4"),
	timestamp: array(new BigInt64Array([7n]), [], "<i8"),
};

type Data = Float64Array | Float32Array | BigInt64Array;

function array(values: readonly number[] | Data, shape: number[], dtype = "<f8") {
	const data = Array.isArray(values) ? Float64Array.from(values) : (values as Data);
	return { data, shape, dtype };
}

/** What a runtime was asked, and what it answers. */
interface Fake {
	readonly runtime: OnnxRuntime;
	readonly asked: ModelTensors[];
	released: number;
}

/** A runtime of one model; `answer` may throw. */
function runtimeOf(
	inputs: readonly object[],
	outputs: readonly object[],
	answer: (inputs: ModelTensors) => object,
): Fake {
	const fake: Fake = {
		asked: [],
		released: 0,
		runtime: {
			InferenceSession: {
				create: async () => ({
					inputMetadata: inputs.map((one) => ({ isTensor: true, ...one })),
					outputMetadata: outputs.map((one) => ({ isTensor: true, ...one })),
					run: async (given: ModelTensors) => {
						fake.asked.push(given);
						return answer(given);
					},
					release: async () => {
						fake.released += 1;
					},
				}),
			},
			Tensor: class {
				constructor(
					readonly type: string,
					readonly data: unknown,
					readonly dims: readonly number[],
				) {}
			},
		},
	};
	return fake;
}

const INPUT = { name: "history_positions", type: "float32", shape: ["batch", 2, 2] };
const OUTPUT = { name: "positions", type: "float32", shape: ["batch", 2, 2] };

const positions = (...data: number[]) => ({
	positions: { type: "float32", data: new Float32Array(data), dims: [1, 2, 2] },
});

async function rejection(promise: Promise<unknown>): Promise<string> {
	const error = await promise.then(
		() => undefined,
		(thrown) => thrown,
	);
	const kind = error instanceof DOMException ? error.name : error?.code;
	return `${kind}: ${error?.message}`;
}

describe("model", () => {
	it("binds inputs to keys of samples, and moves positions to the world", async () => {
		const { runtime, asked } = runtimeOf([INPUT], [OUTPUT], () =>
			positions(1, 0, 2, 0),
		);
		using model = await Model.open(new Uint8Array(4), { runtime, name: "a.onnx" });
		expect(model.contract).toMatchObject({
			name: "a.onnx",
			subject: "ego",
			vectorized: false,
			image: "none",
			modes: 1,
			steps: 2,
			assumed: { history_num_frames: 1, future_num_frames: 2 },
		});
		const found = await model.predict(SAMPLE);
		expect(asked[0]).toEqual({
			history_positions: {
				type: "float32",
				data: SAMPLE.history_positions.data,
				dims: [1, 2, 2],
			},
		});
		expect(found).toMatchObject({ modes: 1, steps: 2, yaws: undefined });
		expect([...found.positions]).toEqual([100, 51, 100, 52]);
		expect([...found.confidences]).toEqual([1]);
		for (const time of Object.values(found.times))
			expect(time).toBeGreaterThanOrEqual(0);
	});

	it("converts and normalises as the settings say", async () => {
		const input = { name: "past", type: "float64", shape: ["n", 2, 2] };
		const { runtime, asked } = runtimeOf([input], [OUTPUT], () =>
			positions(1, 0, 2, 0),
		);
		const settings = {
			format: "bevscope-model",
			version: 1,
			inputs: { past: "history_positions" },
			scale: { past: { mean: [-2, 0], std: [4, 1] } },
			units: 2,
		} as const;
		using model = await Model.open(new Uint8Array(4), { runtime, settings });
		const { positions: found } = await model.predict(SAMPLE);
		expect(asked[0]?.past?.data).toEqual(new Float64Array([0.5, 0, 0, 0]));
		expect([...found]).toEqual([100, 52, 100, 54]);
	});

	it("takes batches", async () => {
		const batch = {
			world_from_agent: array(
				[...(POSE.world_from_agent.data as Float64Array), 1, 0, 0, 0, 1, 0, 0, 0, 1],
				[2, 3, 3],
			),
			centroid: array([100, 50, 0, 0], [2, 2]),
			yaw: array([1.5, 0], [2]),
			history_positions: array(new Float32Array(8), [2, 2, 2], "<f4"),
		};
		const { runtime, asked } = runtimeOf([INPUT], [OUTPUT], () => ({
			positions: { data: new Float32Array([1, 0, 2, 0, 1, 0, 2, 0]), dims: [2, 2, 2] },
		}));
		using model = await Model.open(new Uint8Array(4), { runtime });
		const found = await model.predict(batch);
		expect(asked[0]?.history_positions?.dims).toEqual([2, 2, 2]);
		expect([...found.positions]).toEqual([100, 51, 100, 52, 1, 0, 2, 0]);
	});

	it("runs a batch in the only size that the model takes", async () => {
		const run = async (size: number, count: number) => {
			const of = (one: object) => ({ ...one, shape: [size, 2, 2] });
			// Positions are the inputs, of which each sample has its own.
			const { runtime, asked } = runtimeOf([of(INPUT)], [of(OUTPUT)], (inputs) => {
				const { data } = inputs.history_positions ?? { data: [] };
				const positions = Float32Array.from(data as Float32Array);
				return { positions: { data: positions, dims: [size, 2, 2] } };
			});
			const of_all = <V>(value: readonly V[]) =>
				Array.from({ length: count }, () => value).flat();
			const batch = {
				world_from_agent: array(of_all([1, 0, 0, 0, 1, 0, 0, 0, 1]), [count, 3, 3]),
				centroid: array(of_all([0, 0]), [count, 2]),
				yaw: array(of_all([0]), [count]),
				history_positions: array(
					Float32Array.from({ length: 4 * count }, (_, i) => i),
					[count, 2, 2],
					"<f4",
				),
			};
			using model = await Model.open(new Uint8Array(4), { runtime });
			expect(model.contract?.batch).toBe(size);
			const { positions: found } = await model.predict(batch);
			expect([...found]).toEqual(Array.from({ length: 4 * count }, (_, i) => i));
			if (count === 1) {
				const { history_positions, ...poses } = batch;
				const past = array(history_positions.data as Float32Array, [2, 2], "<f4");
				const alone = { ...POSE, ...poses, ...{ history_positions: past } };
				const sample = {
					...alone,
					world_from_agent: array([1, 0, 0, 0, 1, 0, 0, 0, 1], [3, 3]),
					centroid: array([0, 0], [2]),
					yaw: array([0], []),
				};
				expect([...(await model.predict(sample)).positions]).toEqual([0, 1, 2, 3]);
				asked.pop();
			}
			return asked.map((one) => one.history_positions?.dims[0]);
		};
		expect(await run(1, 3)).toEqual([1, 1, 1]);
		expect(await run(4, 3)).toEqual([4]);
		expect(await run(2, 5)).toEqual([2, 2, 2]);
		expect(await run(4, 1)).toEqual([4]);
	});

	it("takes inputs and gives outputs of 16 bits", async () => {
		const half = (one: object) => ({ ...one, type: "float16" });
		const { runtime, asked } = runtimeOf([half(INPUT)], [half(OUTPUT)], () => ({
			positions: {
				...{ type: "float16", dims: [1, 2, 2] },
				data: Uint16Array.of(0x3c00, 0, 0x4000, 0), // 1, 0, 2, 0
			},
		}));
		using model = await Model.open(new Uint8Array(4), { runtime });
		const { positions: found } = await model.predict(SAMPLE);
		expect(asked[0]?.history_positions).toMatchObject({
			...{ type: "float16", data: Uint16Array.of(0, 0, 0xc000, 0) },
		});
		expect([...found]).toEqual([100, 51, 100, 52]);
	});

	it("takes a function in place of a file", async () => {
		const given: ModelTensors[] = [];
		const ahead = async (inputs: ModelTensors) => {
			given.push(inputs);
			return {
				positions: {
					data: new Float64Array([1, 0, 2, 0, 3, 0, 4, 0]),
					dims: [1, 2, 2, 2],
				},
				scores: { data: new Float32Array([0, Math.log(3)]), dims: [1, 2] },
			};
		};
		using model = await Model.open(ahead);
		expect(model.name).toBe("ahead");
		expect(model.contract).toBeUndefined();
		const found = await model.predict(SAMPLE);
		expect(model.contract?.outputs).toEqual({
			positions: "positions",
			confidences: "scores",
			yaws: null,
		});
		expect(Object.keys(given[0] ?? {}).sort()).toEqual(Object.keys(SAMPLE).sort());
		expect(given[0]?.timestamp).toMatchObject({ type: "int64", dims: [1] });
		expect([...found.positions]).toEqual([100, 51, 100, 52, 100, 53, 100, 54]);
		expect(found.confidences[1]).toBeCloseTo(0.75);
	});

	it("says what a function did wrong", async () => {
		const model = await Model.open(() => ({
			out: { data: new Float32Array(3), dims: [3] },
		}));
		expect(await rejection(model.predict(SAMPLE))).toMatch(
			/^invalid_argument: .*: outputs: no positions \(found out float32 \(3\)/,
		);
		const failing = await Model.open(
			() => {
				throw new Error("no server");
			},
			{ name: "remote" },
		);
		expect(await rejection(failing.predict(SAMPLE))).toBe(
			"invalid_argument: remote: the function failed: no server",
		);
	});

	it("refuses a contract that is not understood, and frees the session", async () => {
		const fake = runtimeOf([{ ...INPUT, name: "xy" }], [OUTPUT], () => ({}));
		const opening = Model.open(new Uint8Array(4), { runtime: fake.runtime });
		expect(await rejection(opening)).toMatch(
			/^invalid_argument: model\.onnx: input xy: unknown \(found float32 \(batch, 2, 2\); known keys of this shape: .*history_positions/,
		);
		expect(fake.released).toBe(1);
	});

	it("reads settings from the file's metadata", async () => {
		const { runtime } = runtimeOf([INPUT], [OUTPUT], () => ({}));
		const metadata = {
			bevscope: '{"format": "bevscope-model", "version": 1, "name": "inside"}',
		};
		using inside = await Model.open(velocityModel(2, { metadata }), { runtime });
		expect(inside.contract?.name).toBe("inside");
		const settings = '{"format": "bevscope-model", "version": 1, "name": "given"}';
		const given = await Model.open(velocityModel(2, { metadata }), {
			runtime,
			settings,
		});
		expect(given.contract?.name).toBe("given");
		expect(
			await rejection(Model.open(velocityModel(2), { runtime, settings: "{" })),
		).toBe("invalid_argument: model.json: not JSON");
	});

	it("refuses outputs that are not finite, and goes on", async () => {
		let value = Number.NaN;
		const { runtime } = runtimeOf([INPUT], [OUTPUT], () => positions(value, 0, 0, 0));
		using model = await Model.open(new Uint8Array(4), { runtime });
		expect(await rejection(model.predict(SAMPLE))).toBe(
			"invalid_argument: model.onnx: positions: not finite in 1 of 1 samples",
		);
		value = 1;
		expect((await model.predict(SAMPLE)).steps).toBe(2);
	});

	it("names samples that do not fit", async () => {
		const { runtime } = runtimeOf([INPUT], [OUTPUT], () => positions(0, 0, 0, 0));
		using model = await Model.open(new Uint8Array(4), { runtime });
		expect(await rejection(model.predict(POSE))).toBe(
			"invalid_argument: model.onnx: input history_positions: no history_positions in the samples (found world_from_agent, centroid, yaw)",
		);
		const { yaw: _, ...rest } = SAMPLE;
		expect(await rejection(model.predict(rest))).toMatch(/samples: no array yaw/);
		expect(await rejection(model.predict({}))).toMatch(/expected arrays by key/);
		const long = array(new Float32Array(22), [11, 2], "<f4");
		expect(await rejection(model.predict({ ...SAMPLE, history_positions: long }))).toBe(
			"invalid_argument: model.onnx: input history_positions: shape does not match (found (batch, 2, 2), the samples have (11, 2))",
		);
	});

	it("gives the runtime's errors a code and the model's name", async () => {
		const said = async (message: string, at: "load" | "run") => {
			const { runtime } = runtimeOf([INPUT], [OUTPUT], () => {
				throw new Error(message);
			});
			const failing: OnnxRuntime = {
				...runtime,
				InferenceSession: { create: () => Promise.reject(new Error(message)) },
			};
			if (at === "load")
				return rejection(Model.open(new Uint8Array(4), { runtime: failing }));
			using model = await Model.open(new Uint8Array(4), { runtime });
			return await rejection(model.predict(SAMPLE));
		};
		expect(await said("Protobuf parsing failed", "load")).toBe(
			"corrupt_chunk: model.onnx: cannot be loaded: Protobuf parsing failed",
		);
		expect(await said("Foo is not a registered function/op", "load")).toMatch(
			/^unsupported: /,
		);
		expect(await said("no available backend found", "load")).toMatch(
			/^unsupported: .*wasm-unsafe-eval/,
		);
		expect(await said("std::bad_alloc", "run")).toMatch(/^out_of_memory: /);
		expect(await said("invalid dimensions", "run")).toBe(
			"invalid_argument: model.onnx: run failed: invalid dimensions",
		);
	});

	it("aborts, cancels and closes", async () => {
		let answer: (() => void) | undefined;
		const slow = () =>
			new Promise<ModelTensors>((resolve) => {
				answer = () => resolve(positions(0, 0, 0, 0) as unknown as ModelTensors);
			});
		const model = await Model.open(slow);
		const control = new AbortController();
		const aborted = model.predict(SAMPLE, control);
		const waiting = model.predict(SAMPLE);
		control.abort(new Error("enough"));
		await expect(aborted).rejects.toThrow("enough");
		model.cancel();
		expect(await rejection(waiting)).toBe("AbortError: slow: cancelled");
		answer?.();
		const later = model.predict(SAMPLE);
		await expect.poll(() => answer).toBeDefined();
		await new Promise((resolve) => setTimeout(resolve, 10));
		answer?.();
		expect((await later).steps).toBe(2);
		model.close();
		model.close();
		expect(await rejection(model.predict(SAMPLE))).toBe("closed: slow: closed");
		await expect(
			Model.open(slow, { signal: AbortSignal.abort(new Error("no")) }),
		).rejects.toThrow("no");
	});

	it("refuses other arguments, and files that are too large", async () => {
		expect(await rejection(Model.open(3 as never))).toMatch(
			/invalid_argument: model: invalid argument \(found 3/,
		);
		expect(
			await rejection(Model.open(new Uint8Array(4), { tiemout: 3 } as object)),
		).toMatch(/unknown option "tiemout"/);
		const large = Object.defineProperty(new Blob([]), "size", { value: 2 ** 30 });
		expect(await rejection(Model.open(large))).toBe(
			"limit_exceeded: model.onnx: too large (found 1073741824 bytes, expected at most 268435456)",
		);
	});
});
