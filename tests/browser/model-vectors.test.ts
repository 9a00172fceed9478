import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { GOLDENS } from "../support/goldens.js";
import { openPage, STRICT_CSP, serve, useServers } from "./harness.js";

const at = (path: string): string =>
	fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** ONNX Runtime Web, with lock file scripts/node/tensors. */
const PACKAGES = at("build/tensors/node_modules");

/** A place: scene, frame and track; track -1 is the ego vehicle. */
type Place = readonly [scene: number, state: number, track: number];

interface Run {
	readonly name: string;
	readonly model: string;
	readonly config: string;
	readonly data: string;
	readonly places: readonly Place[];
	/** Float32: positions, then logits, of each place. */
	readonly outputs: string;
}

/** What Python's onnxruntime returns for the real L5Kit's samples: make_model.py. */
const VECTORS = JSON.parse(readFileSync(at("tests/vectors/model.json"), "utf8")) as {
	readonly modes: number;
	readonly steps: number;
	readonly models: Readonly<Record<string, string>>;
	readonly runs: readonly Run[];
};

const started = useServers({
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
});

/** What model.page.js returns of each place. */
interface Predicted {
	readonly positions: readonly number[];
	readonly confidences: readonly number[];
	/** From the subject to the world, and back. */
	readonly world_from_agent: readonly number[];
}

function configOf(name: string): object {
	const text = readFileSync(`${GOLDENS}/manifest.json`, "utf8");
	return (JSON.parse(text) as { configs: Record<string, object> }).configs[
		name
	] as object;
}

function floatsOf(text: string): Float32Array {
	const bytes = Uint8Array.from(Buffer.from(text, "base64"));
	return new Float32Array(bytes.buffer);
}

/** Moves positions to the world. */
function inWorld(positions: Float32Array, m: readonly number[]): number[] {
	const out: number[] = [];
	for (let i = 0; i < positions.length; i += 2) {
		const [x, y] = [positions[i] ?? 0, positions[i + 1] ?? 0];
		for (const r of [0, 3])
			out.push((m[r] ?? 0) * x + (m[r + 1] ?? 0) * y + (m[r + 2] ?? 0));
	}
	return out;
}

function softmax(logits: Float32Array): number[] {
	const greatest = Math.max(...logits);
	const all = Array.from(logits, (value) => Math.exp(value - greatest));
	const sum = all.reduce((a, b) => a + b);
	return all.map((value) => value / sum);
}

const greatest = (values: Iterable<number>): number => {
	let most = 0;
	for (const value of values) most = Math.max(most, Math.abs(value));
	return most;
};

const difference = (found: readonly number[], wanted: readonly number[]): number => {
	expect(found).toHaveLength(wanted.length);
	return greatest(found.map((value, i) => value - (wanted[i] ?? Number.NaN)));
};

describe.skipIf(!GOLDENS)("browser/model-vectors", () => {
	for (const kind of ["raster ego", "raster agent", "vector ego", "vector agent"]) {
		it(`${kind}: a page returns what Python's onnxruntime does`, async () => {
			const { server, browser } = started;
			server.csp = STRICT_CSP;
			const { page } = await openPage(browser, server);
			let worst = 0;
			let count = 0;
			for (const run of VECTORS.runs.filter(({ name }) => name === kind)) {
				const given = [`/${run.model}.onnx`, `/goldens/${run.data}`];
				const args = [...given, configOf(run.config), run.places];
				const called = args.map((one) => JSON.stringify(one)).join(", ");
				const found = await page.evaluate<Predicted[]>(
					`import("/tests/model.page.js").then((it) => it.atPlaces(${called}))`,
				);
				const outputs = floatsOf(run.outputs);
				const { modes, steps } = VECTORS;
				const size = 2 * modes * steps;
				const limit = 1e-5 * Math.max(1, greatest(outputs));
				expect(found).toHaveLength(run.places.length);
				for (const [i, one] of found.entries()) {
					const row = outputs.subarray(i * (size + modes), (i + 1) * (size + modes));
					const wanted = inWorld(row.subarray(0, size), one.world_from_agent);
					const off = difference(one.positions, wanted);
					expect(off, `${run.config} ${run.data} ${run.places[i]}`).toBeLessThan(limit);
					expect(off).toBeLessThan(1e-4);
					const sure = softmax(row.subarray(size));
					expect(difference(one.confidences, sure)).toBeLessThan(1e-5);
					worst = Math.max(worst, off / Math.max(1, greatest(outputs)));
					count += 1;
				}
			}
			expect(count).toBeGreaterThan(60);
			console.log(`${kind}: ${count} samples, to ${worst.toExponential(1)}`);
		});
	}
});
