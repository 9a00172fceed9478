import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { serve } from "./harness.js";

const at = (path: string): string =>
	fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Does what `npm install` would do in the example's folder. */
async function install(example: string): Promise<void> {
	const link = at(`${example}/node_modules/bevscope`);
	if (existsSync(link)) return;
	await mkdir(at(`${example}/node_modules`), { recursive: true });
	await symlink(at("web"), link, "dir");
}

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
});
