import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../support/engines.js";
import { GOLDENS } from "../support/goldens.js";
import { openPage, STRICT_CSP, serve, useServers } from "./harness.js";

// WebGPU on the processor, as Chromium emulates it.

const at = (path: string): string =>
	fileURLToPath(new URL(`../../${path}`, import.meta.url));

const PACKAGES = at("build/tensors/node_modules");

const FLAGS = [
	"--no-sandbox",
	"--enable-unsafe-webgpu",
	"--enable-features=Vulkan,WebGPU",
	"--use-webgpu-adapter=swiftshader",
	"--use-vulkan=swiftshader",
];

interface Run {
	readonly model: string;
	readonly config: string;
	readonly data: string;
	readonly places: readonly (readonly number[])[];
}

const VECTORS = JSON.parse(readFileSync(at("tests/vectors/model.json"), "utf8")) as {
	readonly models: Readonly<Record<string, string>>;
	readonly runs: readonly Run[];
};

const started = useServers(
	{
		server: () => {
			if (!existsSync(PACKAGES))
				throw new Error("build/tensors is not installed: run scripts/build tensors");
			const models = Object.entries(VECTORS.models).map(([name, bytes]) => [
				`/${name}.onnx`,
				Buffer.from(bytes, "base64"),
			]);
			return serve(Object.fromEntries(models), {
				"/packages/": `${PACKAGES}/`,
				"/tests/": at("tests/browser/"),
			});
		},
	},
	() => chromium.launch({ executablePath: CHROMIUM, args: FLAGS, headless: true }),
);

interface Predicted {
	readonly positions: readonly number[];
}

interface Used {
	readonly provider: string;
	readonly why?: string;
}

describe.skipIf(!GOLDENS)("browser/model-webgpu", () => {
	it("computes what WebAssembly does, nearly; and is used only if it is asked for", async () => {
		const { server, browser } = started;
		server.csp = STRICT_CSP;
		const { page } = await openPage(browser, server);
		const text = readFileSync(`${GOLDENS}/manifest.json`, "utf8");
		const { configs } = JSON.parse(text) as { configs: Record<string, object> };
		const by = async (run: Run, options: object) => {
			const given = [`/${run.model}.onnx`, `/goldens/${run.data}`, configs[run.config]];
			const args = [...given, run.places.slice(0, 2), options]
				.map((one) => JSON.stringify(one))
				.join(", ");
			const call = (what: string) =>
				page.evaluate<unknown>(
					`import("/tests/model.page.js").then((it) => it.${what})`,
				);
			const found = (await call(`atPlaces(${args})`)) as Predicted[];
			return { found, used: (await call("used()")) as Used };
		};
		const run = VECTORS.runs.find((one) => one.model === "raster") as Run;
		const wasm = await by(run, {});
		expect(wasm.used).toEqual({ provider: "wasm" });
		// An emulated graphics card compiles for seconds.
		const gpu = await by(run, { provider: "webgpu", timeout: 100_000 });
		expect(gpu.used).toEqual({ provider: "webgpu" });
		for (const [i, { positions }] of gpu.found.entries()) {
			const wanted = wasm.found[i]?.positions ?? [];
			expect(positions).toHaveLength(wanted.length);
			const off = positions.map((value, k) => Math.abs(value - (wanted[k] ?? 0)));
			expect(Math.max(...off)).toBeLessThan(1e-2);
		}
	});
});
