import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { serve } from "./harness.js";

const at = (path: string): string =>
	fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Packages of the examples, and where they are installed. */
const PACKAGES = {
	bevscope: "web",
	"apache-arrow": "web/node_modules/apache-arrow",
	"@tensorflow/tfjs-backend-cpu":
		"build/tensors/node_modules/@tensorflow/tfjs-backend-cpu",
	"@tensorflow/tfjs-core": "build/tensors/node_modules/@tensorflow/tfjs-core",
	vega: "build/examples/node_modules/vega",
	"vega-lite": "build/examples/node_modules/vega-lite",
};

/** Does what `npm install` would do in the example's folder. */
async function install(example: string): Promise<void> {
	for (const [name, folder] of Object.entries(PACKAGES)) {
		const link = at(`${example}/node_modules/${name}`);
		if (existsSync(link)) continue;
		await mkdir(dirname(link), { recursive: true });
		await symlink(at(folder), link, "dir");
	}
}

/** Runs a program of examples/node with the town; returns its lines. */
async function run(program: string, ...words: string[]): Promise<string[]> {
	await install("examples/node");
	const args = [at(`examples/node/${program}`), TOWN, ...words];
	const { stdout } = await promisify(execFile)(process.execPath, args);
	return stdout.trim().split("\n");
}

const TOWN = at("build/town/scenes/town.zarr");

describe("examples", () => {
	it("node/frame.mjs prints a frame", async () => {
		const server = await serve();
		await install("examples/node");
		const args = [
			at("examples/node/frame.mjs"),
			`${server.origin}/tiny.zarr`,
			"1",
			"2",
		];
		const { stdout } = await promisify(execFile)(process.execPath, args);
		await server.close();
		expect(stdout.trim().split("\n")).toEqual([
			"2 scenes; at 1572643684800000000 ns the ego is at 2,0",
			"1 LABEL_3 10.0 m away",
			"2 LABEL_12 20.0 m away",
			"3 LABEL_14 30.0 m away",
		]);
	});

	it("node/samples.mjs prints targets of samples", async () => {
		const server = await serve();
		await install("examples/node");
		const script = at("examples/node/samples.mjs");
		const args = [script, `${server.origin}/tiny.zarr`];
		const { stdout } = await promisify(execFile)(process.execPath, args);
		await server.close();
		const [first = "", ...others] = stdout.trim().split("\n");
		expect(first).toMatch(/^4 samples: target_positions \(4,3,2\)/);
		expect(others).toHaveLength(2);
	});

	it("node/thumbnails.mjs writes a PNG of each scene", async () => {
		const folder = await mkdtemp(join(tmpdir(), "bevscope-thumbnails-"));
		await run("thumbnails.mjs", folder);
		for (const scene of [0, 1, 2, 3]) {
			const bytes = await readFile(join(folder, `${scene}.png`));
			expect(bytes.subarray(1, 4).toString()).toBe("PNG");
			expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([112, 112]);
		}
	});

	it("node/service.mjs answers with frames and with statuses of errors", async () => {
		await install("examples/node");
		const server = spawn(process.execPath, [at("examples/node/service.mjs"), TOWN]);
		try {
			const [said] = await once(server.stdout, "data");
			const ask = async (path: string) => {
				const answer = await fetch(`${String(said).trim()}${path}`);
				return [answer.status, await answer.json()];
			};
			const [status, body] = await ask("0/84");
			expect(status).toBe(200);
			expect(body.agents.length).toBeGreaterThan(10);
			expect(body.agents[0].centroid).toHaveLength(2);
			expect(await ask("9/0")).toMatchObject([404, { code: "out_of_range" }]);
			expect(await ask("x/0")).toMatchObject([400, { code: "invalid_argument" }]);
		} finally {
			server.kill();
		}
	});

	it("node/train.mjs learns on half of the rows", async () => {
		const [rows = "", ...epochs] = await run("train.mjs", "3");
		const [half = 0, all = 0] = rows.match(/\d+/g)?.map(Number) ?? [];
		expect(half).toBe(Math.ceil(all / 2));
		const losses = epochs.map((line) => Number(line.split(" ").at(-1)));
		expect(losses).toHaveLength(3);
		expect(losses[2]).toBeLessThan(losses[0] ?? 0);
	});

	it("node/chart.mjs draws bars", async () => {
		const folder = await mkdtemp(join(tmpdir(), "bevscope-chart-"));
		await run("chart.mjs", join(folder, "chart.svg"));
		const svg = await readFile(join(folder, "chart.svg"), "utf8");
		expect(svg).toMatch(/^<svg/);
		for (const name of ["VEHICLE", "PEDESTRIAN", "CYCLIST"])
			expect(svg).toContain(name);
		expect(svg.match(/role="graphics-symbol"/g)?.length).toBeGreaterThan(5);
	});
});
