import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { tfrecords, waymoScenario } from "../support/waymo.js";

import * as app from "./viewer-harness.js";

const ONE = tfrecords(waymoScenario("a"));
const TWO = tfrecords(waymoScenario("a"), waymoScenario("b", 1010));

const suite = app.useViewer(() => ({
	objects: new Map([["/data/two.tfrecord-00000-of-00001", TWO]]),
}));

/** Writes a file and drops it on the centre of the page. */
async function dropped(page: Page, content: Uint8Array): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), "bevscope-"));
	try {
		const path = join(folder, "made-up.tfrecord");
		writeFileSync(path, content);
		await app.dropFiles(page, [path]);
		await page
			.getByText(/frame 0 of 0–5|wrong checksum/)
			.first()
			.waitFor();
	} finally {
		rmSync(folder, { recursive: true });
	}
}

describe("Waymo scenarios", () => {
	it("open when a file is dropped, with map and lights, under the strict policy", async () => {
		const { page, complaints } = await app.openApp(suite);
		const before = suite.server.log.length;
		await dropped(page, ONE);
		await app.settled(page);
		await page.getByText("Scene 0, the only one").waitFor();
		await page.getByText("3 of 3 agents in this frame").waitFor();
		await page.getByRole("switch", { name: "Lanes 2" }).waitFor();
		await page.getByRole("switch", { name: "Traffic lights 1" }).waitFor();
		await page.getByRole("img", { name: "Predictions begin after frame 2" }).waitFor();
		await page.getByRole("button", { name: "Car 7, focal," }).waitFor();
		await page.getByRole("button", { name: "Pedestrian 8, scored," }).waitFor();
		const asked = suite.server.log.slice(before).map(({ path }) => path);
		const files = (pattern: RegExp) => asked.filter((path) => pattern.test(path));
		expect(files(/\/bev_convert-[^/]+\.wasm$/)).toHaveLength(1);
		expect(files(/\/convert-worker-[^/]+\.js$/)).toHaveLength(1);
		expect(complaints).toEqual([]);
	});

	it("open by a URL, a scene each", async () => {
		const { page } = await app.openApp(suite);
		await page.getByLabel("Or open a URL").fill("/data/two.tfrecord-00000-of-00001");
		await page.keyboard.press("Enter");
		await page.getByText("Scene 0 of 0–1").waitFor();
		await app.settled(page);
	});

	it("are refused if a byte is damaged, with file and place", async () => {
		const { page } = await app.openApp(suite);
		const damaged = ONE.slice();
		damaged[200] = (damaged[200] ?? 0) ^ 1;
		await dropped(page, damaged);
		await page
			.getByText("made-up.tfrecord: record at byte 0: wrong checksum of the content")
			.first()
			.waitFor();
	});

	it("load nothing of the conversion for other data", async () => {
		const { page } = await app.openTiny(suite);
		await app.settled(page);
		const asked = suite.server.log.map(({ path }) => path);
		const last = asked.slice(asked.lastIndexOf("/app/index.html"));
		expect(last.filter((path) => /convert/.test(path))).toEqual([]);
	});
});
