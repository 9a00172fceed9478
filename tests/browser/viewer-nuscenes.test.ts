import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
	NUSCENES_FILES as FILES,
	nuscenesPrediction as prediction,
	NUSCENES_VERSION as VERSION,
} from "../support/nuscenes-predictions.js";
import { zipOf } from "../support/zip.js";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer(() => {
	const encoder = new TextEncoder();
	const objects = [...FILES].map(([path, text]) => {
		return [`/data/nuscenes/${path}`, encoder.encode(text)] as const;
	});
	return { objects: new Map(objects) };
});

let top = "";
beforeEach(() => {
	top = mkdtempSync(join(tmpdir(), "bevscope-"));
});
afterEach(() => rmSync(top, { recursive: true }));

/** Writes the example, each path as `placed` moves it. Returns the folder. */
function put(placed: (path: string) => string = (path) => path): string {
	for (const [path, text] of FILES) {
		const file = join(top, placed(path));
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
	}
	return top;
}

async function shown(page: Page): Promise<void> {
	await page.getByText("Scene 0 of 0–1").waitFor();
	await app.settled(page);
	await page.getByText("boston-seaport").first().waitFor();
}

const lanes = (page: Page): Promise<void> =>
	page.getByRole("switch", { name: "Lanes 20" }).waitFor();

describe("versions of nuScenes", () => {
	it("open with their maps when the folder around both is dropped", async () => {
		const { page, complaints } = await app.openApp(suite);
		await app.dropFiles(page, [
			join(
				put((path) => `nuscenes/${path}`),
				"nuscenes",
			),
		]);
		await shown(page);
		await lanes(page);
		expect(await findings(page)).toEqual([]);
		expect(complaints).toEqual([]);
	});

	it("open when version and maps are dropped together", async () => {
		const { page } = await app.openApp(suite);
		put();
		await app.dropFiles(page, [join(top, VERSION), join(top, "maps")]);
		await shown(page);
		await lanes(page);
	});

	it("open without a map when only the tables are dropped", async () => {
		const { page } = await app.openApp(suite);
		put();
		await app.dropFiles(page, [join(top, VERSION)]);
		await shown(page);
		const controller = await app.controllerOf(page);
		const map = () => controller.evaluate(({ state }) => state.mapState);
		await expect.poll(map).toBe("absent");
	});

	it("open by their URL, and scenes follow from tables read once", async () => {
		const link = `v=1&src=/data/nuscenes/${VERSION}`;
		const { page } = await app.openApp(suite, { link });
		await shown(page);
		await lanes(page);
		const count = () =>
			suite.server.log.filter(({ path }) => path.endsWith("sample_annotation.json"))
				.length;
		const before = count();
		await page.getByRole("button", { name: "Next scene" }).click();
		await page.getByText("Scene 1 of 0–1").waitFor();
		await app.settled(page);
		await lanes(page);
		expect(count()).toBe(before);
	});

	it("are a choice if a folder has several", async () => {
		const { page } = await app.openApp(suite);
		put((path) => path.replace(VERSION, "v1.0-mini"));
		put((path) => path.replace(VERSION, "v1.0-trainval"));
		await app.dropFiles(page, [top]);
		await page.getByRole("button", { name: "v1.0-trainval" }).click();
		await shown(page);
		await lanes(page);
	});

	it("are refused with table, record and field of what is invalid", async () => {
		const { page } = await app.openApp(suite);
		put();
		const path = join(top, VERSION, "scene.json");
		writeFileSync(path, '[{"token": "a", "name": "b", "log_token": "c"}]');
		await app.dropFiles(page, [join(top, VERSION)]);
		await page
			.getByRole("heading", { name: "This scenario cannot be opened" })
			.waitFor();
		await page
			.getByText("scene.json: record 0: log_token: not in table log")
			.first()
			.waitFor();
	});
});

describe("predictions for nuScenes", () => {
	it("are predictions of each frame if they are dropped as JSON", async () => {
		const link = `v=1&src=/data/nuscenes/${VERSION}`;
		const { page } = await app.openApp(suite, { link });
		await shown(page);
		const file = join(top, "predictions.json");
		writeFileSync(file, JSON.stringify([prediction(2, 2), prediction(4, 4)]));
		await app.dropFiles(page, [file]);
		await app.openTab(page, "Predictions");
		const controller = await app.controllerOf(page);
		const size = () => controller.evaluate(({ state }) => state.review.shape?.size);
		await expect.poll(size).toBe(2);
	});

	it("are drawn and measured at their sample if a zip is dropped", async () => {
		const link = `v=1&src=/data/nuscenes/${VERSION}`;
		const { page, complaints } = await app.openApp(suite, { link });
		await shown(page);
		const made = [prediction(2, 2), prediction(2, 4), prediction(4, 4)];
		const absent = { ...prediction(2, 4), instance: "instance-9-9" };
		const file = join(top, "predictions.zip");
		const text = Buffer.from(JSON.stringify([...made, absent]));
		writeFileSync(
			file,
			zipOf([["submission.json", text]], () => true),
		);
		await app.dropFiles(page, [file]);
		await app.openTab(page, "Predictions");
		const panel = page.getByRole("region", { name: "Submission predictions.zip" });
		// Until frame 2 there are none; the first ones are shown.
		await panel.getByText(/2 modes of 1 agent, .*predicted in frame 2/).waitFor();
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => it.seek(7));
		await panel.getByText(/2 modes of 2 agents, .*predicted in frame 4/).waitFor();
		// The challenge also asks for the cyclist.
		await panel.getByText("agents missing: 1 (scene-0/7)").waitFor();
		const values = () =>
			controller.evaluate(({ state }) => {
				const { here } = state.futures?.sets[0] ?? {};
				return [here?.firstStep, ...(here?.measures.ade ?? [])];
			});
		await expect.poll(values).toHaveLength(3);
		const [first, best, beside] = await values();
		expect(first).toBe(5);
		expect(best).toBeCloseTo(0, 3);
		expect(beside).toBeCloseTo(3, 3);
		expect(await findings(page)).toEqual([]);
		// A prediction is not a scenario: there is nothing to rank.
		expect(await page.getByRole("button", { name: "Rank scenarios" }).count()).toBe(0);
		await controller.evaluate((it) => it.setScene(1));
		await panel.getByText("This scene is not in the submission.").waitFor();
		expect(complaints).toEqual([]);
	});
});
