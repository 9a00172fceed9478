import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { BevError } from "../../web/src/index.js";
import { limitMemory } from "../../web/src/model/onnx.js";
import { Model } from "../../web/src/model.js";
import { STUB_CONFIG } from "../../web/test/support/configs.js";
import { hostileModels } from "../support/hostile-models.js";
import { velocityModel } from "../support/onnx-model.js";
import { openPage, STRICT_CSP, serve, useServers } from "./harness.js";

const at = (path: string): string =>
	fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** ONNX Runtime Web, with lock file scripts/node/tensors. */
const PACKAGES = at("build/tensors/node_modules");

const started = useServers({
	server: () => {
		if (!existsSync(PACKAGES))
			throw new Error("build/tensors is not installed: run scripts/build tensors");
		return serve({}, { "/packages/": `${PACKAGES}/`, "/tests/": at("tests/browser/") });
	},
});

const FILES = 500;

/** A good file between so many others says that they have left nothing behind. */
const GOOD_EVERY = 25;

/** Codes that say what is wrong with a file; "internal" is none. */
const CODES = ["corrupt_chunk", "unsupported", "invalid_argument", "out_of_memory"];

function array(data: Float32Array | Float64Array, shape: readonly number[]) {
	return { data, shape, dtype: data instanceof Float32Array ? "<f4" : "<f8" };
}

const SAMPLE = {
	world_from_agent: array(Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1), [3, 3]),
	centroid: array(new Float64Array(2), [2]),
	yaw: array(new Float64Array(1), []),
	history_positions: array(
		Float32Array.from({ length: 22 }, (_, i) => (i % 2 === 0 ? -i / 2 : 0)),
		[11, 2],
	),
	image: array(new Float32Array(4 * 32 * 32).fill(0.5), [4, 32, 32]),
};

const OPTIONS = {
	name: "a.onnx",
	runtime: pathToFileURL(`${PACKAGES}/onnxruntime-web/dist/ort.node.min.mjs`),
};

/** Opens a file and predicts; returns an error's code, or what was predicted. */
async function outcome(bytes: Uint8Array): Promise<string> {
	try {
		using model = await Model.open(bytes, OPTIONS);
		const { positions, confidences } = await model.predict(SAMPLE);
		const areFinite = [...positions, ...confidences].every(Number.isFinite);
		return areFinite ? "finite" : "not finite";
	} catch (error) {
		if (!(error instanceof BevError)) return String(error);
		if (!error.message.startsWith("a.onnx: ")) return error.message;
		return error.code;
	}
}

describe("browser/model-hostile", () => {
	it(`${FILES} damaged files end in errors with a code, or in finite futures`, async () => {
		limitMemory();
		const good = velocityModel(4);
		const counts = new Map<string, number>();
		for (const [i, { kind, bytes }] of hostileModels(FILES).entries()) {
			const found = await outcome(bytes);
			expect([...CODES, "finite"], `file ${i}, ${kind}`).toContain(found);
			counts.set(found, (counts.get(found) ?? 0) + 1);
			if (i % GOOD_EVERY === 0) expect(await outcome(good)).toBe("finite");
		}
		expect(await outcome(good)).toBe("finite");
		// The files reach all stages.
		for (const code of ["corrupt_chunk", "unsupported", "invalid_argument", "finite"])
			expect(counts.get(code) ?? 0, code).toBeGreaterThan(5);
		console.log([...counts].map((one) => one.join(" ")).join(", "));
	});

	it("a page goes on after each kind, and asks for nothing that a file names", async () => {
		const { server, browser } = started;
		server.csp = STRICT_CSP;
		const { page } = await openPage(browser, server);
		const files = hostileModels(18).map(({ bytes }, i) => {
			server.put(`/bad/${i}.onnx`, bytes);
			return `/bad/${i}.onnx`;
		});
		server.put("/good.onnx", velocityModel(4, { past: 3 }));
		const given = ["/tiny.zarr", STUB_CONFIG, [...files, "/good.onnx"]];
		const args = given.map((one) => JSON.stringify(one)).join(", ");
		const said = await page.evaluate<string[]>(
			`import("/tests/model.page.js").then((it) => it.outcomes(${args}))`,
		);
		expect(said.pop()).toBe("predicted");
		for (const [i, text] of said.entries()) {
			expect([...CODES, "predicted"], `${i}: ${text}`).toContain(text.split(":")[0]);
		}
		const asked = server.log.map(({ path }) => path);
		expect(asked.filter((path) => /secret|passwd|onnx\.data/.test(path))).toEqual([]);
	});
});
