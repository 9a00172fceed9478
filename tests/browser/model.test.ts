import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { Model, type ModelContract } from "../../web/src/model.js";
import { STUB_CONFIG } from "../../web/test/support/configs.js";
import { GOLDENS } from "../support/goldens.js";
import {
	endlessModel,
	imageModel,
	onnxFile,
	velocityModel,
} from "../support/onnx-model.js";
import { openPage, STRICT_CSP, serve, useServers } from "./harness.js";

const at = (path: string): string =>
	fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** ONNX Runtime Web, with lock file scripts/node/tensors. */
const PACKAGES = at("build/tensors/node_modules");

const started = useServers({
	server: () => {
		if (!existsSync(PACKAGES)) {
			throw new Error("build/tensors is not installed: run scripts/build tensors");
		}
		return serve({}, { "/packages/": `${PACKAGES}/`, "/tests/": at("tests/browser/") });
	},
});

const STEPS = 12;

interface Simulated {
	readonly poses: string;
	readonly last: readonly number[];
	readonly centre: readonly number[];
}

/** Closed loops of the native core. */
const UNROLLED = JSON.parse(readFileSync(at("tests/vectors/unroll.json"), "utf8")) as {
	readonly config: object;
	readonly scenes: readonly number[];
	readonly runs: readonly { readonly found: readonly Simulated[] }[];
};

/** The model of the vectors in float32. */
function formulaModel(): Uint8Array<ArrayBuffer> {
	const float = (name: string, dims: readonly number[], values: readonly number[]) => ({
		...{ name, type: "float32", dims, values },
	});
	return onnxFile({
		inputs: [{ name: "history_positions", type: "float32", dims: [undefined, 3, 2] }],
		outputs: [
			{ name: "positions", type: "float32", dims: [undefined, 1, 2] },
			{ name: "yaws", type: "float32", dims: [undefined, 1, 1] },
		],
		nodes: [
			["MatMul", ["last", "history_positions"], "moved"],
			["Mul", ["moved", "scale"], "scaled"],
			["Add", ["scaled", "offset"], "positions"],
			["MatMul", ["moved", "turn"], "turned"],
			["Add", ["turned", "bias"], "yaws"],
		],
		constants: [
			float("last", [1, 3], [0, -1, 0]),
			float("scale", [1, 2], [0.75, 0.5]),
			float("offset", [1, 2], [0.25, 0.0625]),
			float("turn", [2, 1], [0, 0.125]),
			float("bias", [1], [0.015625]),
		],
	});
}

/** L5Kit's boxes: one channel per frame for agents, and one for the ego vehicle. */
const CONFIG = {
	...STUB_CONFIG,
	model_params: {
		...STUB_CONFIG.model_params,
		history_num_frames: 1,
		future_num_frames: STEPS,
	},
	raster_params: {
		...STUB_CONFIG.raster_params,
		raster_size: [32, 32],
		map_type: "box_debug",
	},
};

interface Futures {
	readonly modes: number;
	readonly steps: number;
	readonly positions: readonly number[];
	readonly confidences: readonly number[];
}

interface Predictions {
	readonly contract: ModelContract;
	readonly alone: readonly Futures[];
	readonly batch: Futures;
	readonly samples: readonly Readonly<Record<string, readonly number[]>>[];
}

/** Calls a function of model.page.js in a page with a strict policy. */
async function inPage<T>(name: string, ...given: unknown[]): Promise<T> {
	const { server, browser } = started;
	server.csp = STRICT_CSP;
	const { page, complaints } = await openPage(browser, server);
	const called = `${name}(${given.map((one) => JSON.stringify(one)).join(", ")})`;
	const result = await page.evaluate<T>(
		`import("/tests/model.page.js").then((it) => it.${called})`,
	);
	expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
	return result;
}

function put(name: string, bytes: Uint8Array): string {
	started.server.put(name, bytes);
	return name;
}

const near = (found: readonly number[], wanted: readonly number[], error: number) => {
	expect(found).toHaveLength(wanted.length);
	for (const [i, value] of found.entries())
		expect(Math.abs(value - (wanted[i] ?? Number.NaN))).toBeLessThan(error);
};

describe("browser/model", () => {
	it.skipIf(!GOLDENS)("drives as the native loop, over 50 frames", async () => {
		const file = put("/formula.onnx", formulaModel());
		const { config, ...vectors } = UNROLLED;
		const found = await inPage<
			{
				readonly exact: Simulated[];
				readonly near: Simulated[];
			}[]
		>("simulations", "/goldens/multi_scene.zarr", config, file, vectors);
		for (const [i, { exact, near: close }] of found.entries()) {
			const wanted = vectors.runs[i]?.found ?? [];
			expect(exact.map(({ poses }) => poses)).toEqual(wanted.map(({ poses }) => poses));
			for (const [k, { last, centre }] of wanted.entries()) {
				near(close[k]?.last.slice(0, 2) ?? [], last.slice(0, 2), 1e-4);
				near(close[k]?.last.slice(2) ?? [], last.slice(2), 1e-5);
				near(close[k]?.centre ?? [], centre, 1e-4);
			}
		}
	});

	it("a model of histories predicts in the world, alone and in batches", async () => {
		const model = put("/velocity.onnx", velocityModel(STEPS, { past: 2 }));
		const url = `${started.server.origin}/tiny.zarr`;
		const { contract, alone, batch, samples } = await inPage<Predictions>(
			"predictions",
			...[url, CONFIG, model, [1, 2, 3]],
		);
		expect(contract).toMatchObject({
			name: "velocity.onnx",
			image: "none",
			modes: 1,
			steps: STEPS,
			inputs: [{ key: "history_positions", shape: "(n, 2, 2)" }],
		});
		for (const [i, { positions }] of alone.entries()) {
			const { history_positions: past, world_from_agent: m } = samples[i] as {
				[key: string]: number[];
			};
			const [x0, y0, x1, y1] = past as [number, number, number, number];
			const wanted = Array.from({ length: STEPS }, (_, k) => {
				const x = x0 + (k + 1) * (x0 - x1);
				const y = y0 + (k + 1) * (y0 - y1);
				const row = (r: number) =>
					(m?.[r] ?? 0) * x + (m?.[r + 1] ?? 0) * y + (m?.[r + 2] ?? 0);
				return [row(0), row(3)];
			}).flat();
			near(positions, wanted, 1e-4);
		}
		near(
			batch.positions,
			alone.flatMap(({ positions }) => positions),
			1e-4,
		);
	});

	it("a model of images has modes; the page and Node compute the same", async () => {
		const file = imageModel([4, 32], [3, STEPS]);
		const model = put("/image.onnx", file);
		const url = `${started.server.origin}/tiny.zarr`;
		const { contract, alone, samples } = await inPage<Predictions>(
			"predictions",
			...[url, CONFIG, model, [1, 4]],
		);
		expect(contract).toMatchObject({
			image: "f32",
			modes: 3,
			assumed: { history_num_frames: null, width: 32, height: 32 },
			outputs: { positions: "pred", confidences: "logits", yaws: null },
		});
		const runtime = pathToFileURL(`${PACKAGES}/onnxruntime-web/dist/ort.node.min.mjs`);
		using here = await Model.open(file, { runtime });
		for (const [i, found] of alone.entries()) {
			const shapes = { image: [4, 32, 32], world_from_agent: [3, 3], centroid: [2] };
			const arrays = Object.entries(samples[i] ?? {}).map(([key, values]) => {
				const data =
					key === "image" ? Float32Array.from(values) : Float64Array.from(values);
				const shape = shapes[key as keyof typeof shapes] ?? [];
				return [key, { data, shape, dtype: key === "image" ? "<f4" : "<f8" }];
			});
			const { history_positions: _, ...rest } = Object.fromEntries(arrays);
			const same = await here.predict(rest);
			expect(same.steps).toBe(STEPS);
			near(found.positions, [...same.positions], 1e-4);
			near(found.confidences, [...same.confidences], 1e-5);
			expect(found.confidences.reduce((a, b) => a + b)).toBeCloseTo(1);
		}
	});

	it("damaged and unsupported files are refused, and the next one opens", async () => {
		const good = velocityModel(STEPS, { past: 2 });
		const unknown = onnxFile({
			inputs: [{ name: "yaw", type: "float32", dims: [undefined] }],
			outputs: [{ name: "positions", type: "float32" }],
			nodes: [["Fly", ["yaw"], "positions"]],
		});
		const said = await inPage<string[]>("openings", [
			put("/text.onnx", new TextEncoder().encode("not a model")),
			put("/empty.onnx", new Uint8Array(0)),
			put("/half.onnx", good.slice(0, good.length / 2)),
			put("/unknown.onnx", unknown),
			"/absent.onnx",
			put("/good.onnx", good),
		]);
		const codes = said.map((text) => text.split(":").slice(0, 2).join(":"));
		expect(codes).toEqual([
			"corrupt_chunk: text.onnx",
			"corrupt_chunk: empty.onnx",
			"corrupt_chunk: half.onnx",
			"unsupported: unknown.onnx",
			"network: absent.onnx",
			"opened",
		]);
	});

	it("without the runtime, one sentence says what is missing", async () => {
		const model = put("/velocity.onnx", velocityModel(STEPS, { past: 2 }));
		const { browser, server } = started;
		const { page } = await openPage(browser, server);
		const [said] = await page.evaluate<string[]>(
			`import("/tests/model.page.js").then((it) => it.openings(["${model}"], { runtime: "/nowhere/" }))`,
		);
		expect(said).toMatch(
			/^network: ONNX Runtime Web: cannot be loaded from http.*\/nowhere\/ort\.wasm\.min\.mjs .*; copy the package's/,
		);
	});

	it("a model that does not end is ended, and the page goes on", async () => {
		const url = `${started.server.origin}/tiny.zarr`;
		const files = [
			put("/endless.onnx", endlessModel()),
			put("/velocity.onnx", velocityModel(STEPS, { past: 2 })),
		];
		const { said, steps } = await inPage<{ said: string[]; steps: number }>(
			"hanging",
			...[url, CONFIG, files],
		);
		const ended =
			"limit_exceeded: endless.onnx: no answer within 6000 ms; the model was ended";
		expect(said).toEqual([ended, ended, "AbortError: endless.onnx: cancelled"]);
		expect(steps).toBe(STEPS);
	});

	it("a function of the page predicts without the runtime", async () => {
		const url = `${started.server.origin}/tiny.zarr`;
		const { positions, centroid } = await inPage<{
			positions: number[];
			centroid: number[];
		}>("byFunction", url, CONFIG);
		near(positions, [...centroid, ...centroid], 1e-9);
		const asked = started.server.log.map(({ path }) => path);
		expect(asked.filter((path) => path.includes("onnxruntime"))).toEqual([]);
	});
});
