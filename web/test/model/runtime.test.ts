import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Model } from "../../src/model.js";

/** A runtime of a model that returns (1, 0); what its sessions do says the file's name. */
const runtime = (name: string, { create = "", run = "" } = {}): string => `
export const env = { wasm: {} };
export class Tensor {
	constructor(type, data, dims) { Object.assign(this, { type, data, dims }); }
}
export const InferenceSession = {
	async create(bytes, { executionProviders }) {
		${create}
		globalThis.made?.push("${name} " + executionProviders + " " + env.wasm.numThreads);
		const at = (name, shape) => [{ name, isTensor: true, type: "float32", shape }];
		return {
			inputMetadata: at("history_positions", ["n", 2, 2]),
			outputMetadata: at("positions", ["n", 1, 2]),
			async run() {
				${run}
				const data = Float32Array.of(1, 0);
				return { positions: { type: "float32", data, dims: [1, 1, 2] } };
			},
			async release() {},
		};
	},
};
`;

const WASM = "ort.wasm.min.mjs";
const WEBGPU = "ort.webgpu.min.mjs";
const CARD = { requestAdapter: async () => ({}) };

const array = (values: number[], shape: number[]) => ({
	...{ data: Float64Array.from(values), shape, dtype: "<f8" },
});
const SAMPLE = {
	world_from_agent: array([1, 0, 0, 0, 1, 0, 0, 0, 1], [3, 3]),
	centroid: array([0, 0], [2]),
	yaw: array([0], []),
	history_positions: { ...array([], [2, 2]), data: new Float32Array(4), dtype: "<f4" },
};

const folders: string[] = [];

/** Makes a folder of runtimes; returns its URL. */
function folderOf(files: Readonly<Record<string, string>>): URL {
	const folder = mkdtempSync(join(tmpdir(), "bevscope-"));
	folders.push(folder);
	for (const [name, text] of Object.entries(files))
		writeFileSync(join(folder, name), text);
	return pathToFileURL(`${folder}/`);
}

/** Opens a model, predicts, and returns the sessions and what the model says. */
async function used(
	files: Readonly<Record<string, string>>,
	gpu: object | undefined,
	provider?: "wasm" | "webgpu",
) {
	const made: string[] = [];
	vi.stubGlobal("made", made);
	vi.stubGlobal("navigator", { gpu });
	const options = { runtime: folderOf(files), worker: false, provider } as const;
	using model = await Model.open(new Uint8Array(4), options);
	const before = model.provider;
	const { positions } = await model.predict(SAMPLE);
	expect([...positions]).toEqual([1, 0]);
	return { made, before, after: model.provider, why: model.used?.why };
}

afterEach(() => {
	vi.unstubAllGlobals();
	for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const BOTH = { [WASM]: runtime("wasm"), [WEBGPU]: runtime("webgpu") };

describe("model/runtime", () => {
	it("without a graphics card, WebAssembly computes on one thread", async () => {
		const wasm = { before: "wasm", after: "wasm", made: ["wasm wasm 1"] };
		expect(await used(BOTH, undefined)).toEqual({ ...wasm, why: undefined });
		const none = { requestAdapter: async () => null };
		expect(await used(BOTH, none)).toEqual({ ...wasm, why: undefined });
		const emulated = { requestAdapter: async () => ({ isFallbackAdapter: true }) };
		expect(await used(BOTH, emulated)).toEqual({ ...wasm, why: undefined });
		expect(await used(BOTH, none, "webgpu")).toEqual({
			...wasm,
			why: "no graphics card",
		});
	});

	it("with one, WebGPU does, unless the page or the folder says otherwise", async () => {
		expect(await used(BOTH, CARD)).toMatchObject({
			...{ before: "webgpu", after: "webgpu", made: ["webgpu webgpu 1"] },
		});
		expect(await used(BOTH, CARD, "wasm")).toMatchObject({ made: ["wasm wasm 1"] });
		expect(await used({ [WASM]: runtime("wasm") }, CARD)).toMatchObject({
			...{ made: ["wasm wasm 1"], why: `no ${WEBGPU}` },
		});
		const emulated = { requestAdapter: async () => ({ isFallbackAdapter: true }) };
		expect(await used(BOTH, emulated, "webgpu")).toMatchObject({ after: "webgpu" });
	});

	it("a model that WebGPU refuses goes on by WebAssembly, which says why", async () => {
		const create = 'throw new Error("no kernel for Fly");';
		const refusing = { ...BOTH, [WEBGPU]: runtime("webgpu", { create }) };
		const refused = await used(refusing, CARD);
		expect(refused).toMatchObject({ before: "wasm", made: ["wasm wasm 1"] });
		expect(refused.why).toBe("model.onnx: cannot be loaded: no kernel for Fly");
		const run = 'throw new Error("device lost");';
		const losing = { ...BOTH, [WEBGPU]: runtime("webgpu", { run }) };
		const lost = await used(losing, CARD);
		expect(lost).toMatchObject({
			...{ before: "webgpu", after: "wasm", made: ["webgpu webgpu 1", "wasm wasm 1"] },
		});
		expect(lost.why).toBe("model.onnx: run failed: device lost");
	});

	it("is refused with a reason when nothing can be loaded", async () => {
		vi.stubGlobal("navigator", { gpu: CARD });
		const opening = Model.open(new Uint8Array(4), {
			...{ runtime: folderOf({}), worker: false },
		});
		await expect(opening).rejects.toThrow(
			/cannot be loaded from .*ort\.wasm\.min\.mjs/,
		);
		await expect(
			Model.open(new Uint8Array(4), { provider: "cuda" as never }),
		).rejects.toThrow(/model: provider: .*expected wasm or webgpu/);
	});
});
