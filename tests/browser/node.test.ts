import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tinyDataset } from "../support/tiny-dataset.js";
import { serve } from "./harness.js";

const PACKAGE = new URL("../../web/dist/index.js", import.meta.url).href;

let folder = "";
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "bev-node-"));
	for (const [key, object] of tinyDataset()) {
		await mkdir(join(folder, key, ".."), { recursive: true });
		await writeFile(join(folder, key), object);
	}
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs a module that has `open`; returns the JSON it prints. The process must end. */
async function run(code: string, from: string): Promise<unknown> {
	const start = `import { ChunkedDataset } from ${JSON.stringify(PACKAGE)};
		const open = (options) => ChunkedDataset.open(${JSON.stringify(from)}, options);
		const print = (value) => console.log(JSON.stringify(value));`;
	const args = ["--input-type=module", "--eval", `${start}\n${code}`];
	const { stdout } = await promisify(execFile)(process.execPath, args);
	return JSON.parse(stdout);
}

describe("the package in Node", () => {
	it("reads a folder in a thread, and ends without close()", async () => {
		const code = `
			const dataset = await open();
			let agents = 0;
			for await (const frame of dataset.sceneFrames(1)) agents += frame.agents.length;
			print([dataset.capabilities, agents, (await dataset.scene(1)).host]);`;
		expect(await run(code, folder)).toEqual([
			{ worker: "thread", streaming: false, notes: [] },
			18,
			"host-1",
		]);
	});

	it("reads from a server in a thread", async () => {
		const server = await serve();
		const code = `
			const dataset = await open();
			const rows = await dataset.agents.take([5], { fields: ["track_id"] });
			print([dataset.capabilities.worker, Number(rows.column("track_id").data[0])]);`;
		expect(await run(code, `${server.origin}/tiny.zarr`)).toEqual(["thread", 3]);
		await server.close();
	});

	it("runs two readers at once in threads of their own", async () => {
		const code = `
			const dataset = await open();
			const rows = async (where) => {
				let items = 0;
				for await (const batch of dataset.reader({ where }).batches()) items += batch.length;
				return items;
			};
			print(await Promise.all([rows("track_id == 1"), rows("track_id >= 2")]));`;
		expect(await run(code, folder)).toEqual([12, 24]);
	});

	it("runs on the calling thread if asked to", async () => {
		const code = `
			const dataset = await open({ load: { worker: false } });
			print([dataset.capabilities.worker, dataset.scenes.length]);`;
		expect(await run(code, folder)).toEqual(["none", 2]);
	});
});
