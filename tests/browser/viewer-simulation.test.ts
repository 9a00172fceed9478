import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { simulationLog } from "../../web/test/support/simulation-log.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer(() => ({
	objects: new Map([["/data/ab.msgpack.xz", simulationLog()]]),
}));

let top = "";
beforeEach(() => {
	top = mkdtempSync(join(tmpdir(), "bevscope-"));
});
afterEach(() => rmSync(top, { recursive: true }));

function scene(step: number): string {
	const time = 1e6 + 1e5 * step;
	const box = { pose: [664010, 3999000, 0.5], size: [1.9, 4.5] };
	const world = { vehicles: [{ id: "0a", speed: 3, box }] };
	return JSON.stringify({
		...{ timestamp_us: time, ego: { pose: [664000 + step, 3999000, 0] }, world },
	});
}

async function drop(page: Page, files: Readonly<Record<string, string | Uint8Array>>) {
	const paths = Object.entries(files).map(([name, content]) => {
		const path = join(top, name);
		writeFileSync(path, content);
		return path;
	});
	await app.dropFiles(page, paths);
}

async function shown(page: Page): Promise<void> {
	await app.settled(page);
	await page.getByRole("switch", { name: "Vehicles 1" }).waitFor();
}

describe("simulations of nuPlan", () => {
	it("open when a log or the scenes of each step are dropped, and by a URL", async () => {
		const { page } = await app.openApp(suite);
		await drop(page, { "ab.msgpack.xz": simulationLog() });
		await shown(page);
		await drop(page, { "1.json": scene(1), "0.json": scene(0) });
		await shown(page);
		const link = "v=1&src=/data/ab.msgpack.xz";
		const { page: linked } = await app.openApp(suite, { link });
		await shown(linked);
	});

	it("join open scenes of their log as a rollout, dropped or named in a link", async () => {
		const { page } = await app.openApp(suite, { link: "v=1&src=/data/ab.msgpack.xz" });
		await shown(page);
		await drop(page, { "cd.msgpack.xz": simulationLog() });
		await page.getByText("idm: opened as a rollout; see Rollout").waitFor();
		const section = page.getByRole("region", { name: "Rollout" });
		await section.getByText("Road users hit").waitFor();
		await section.getByText("Plan in this frame").waitFor();
		expect(await section.getByRole("alert").count()).toBe(0);
		// A rollout that was read is not saved again.
		const save = section.getByRole("button", { name: "Save rollout" });
		expect(await save.count()).toBe(0);
		// Of another log, or without one, it opens by itself.
		await drop(page, { "1.json": scene(1), "0.json": scene(0) });
		await page.getByText(/names no log.*; opened by itself/).waitFor();
		await shown(page);
		const ro = "v=1&src=/data/ab.msgpack.xz&ro=/data/ab.msgpack.xz";
		const { page: linked } = await app.openApp(suite, { link: ro });
		await linked.getByRole("tab", { name: "Rollout" }).click();
		await linked.getByText("Road users hit").waitFor();
	});
});
