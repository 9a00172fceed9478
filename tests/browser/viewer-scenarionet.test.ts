import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pickled } from "../../web/tools/examples/pickle.mjs";
import { scenarionetPickle } from "../../web/tools/examples/scenarionet.mjs";
import * as app from "./viewer-harness.js";

const SCENARIO = scenarionetPickle();
const MAPPING = pickled({ "a.pkl": "", "b.pkl": "part" });

const suite = app.useViewer(() => ({
	objects: new Map([
		["/data/set/dataset_mapping.pkl", MAPPING],
		["/data/set/a.pkl", SCENARIO],
		["/data/set/part/b.pkl", SCENARIO],
	]),
}));

let top = "";
beforeEach(() => {
	top = mkdtempSync(join(tmpdir(), "bevscope-"));
});
afterEach(() => rmSync(top, { recursive: true }));

function put(name: string, content: Uint8Array): string {
	const path = join(top, name);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, content);
	return path;
}

async function shown(page: Page, scenes: string): Promise<void> {
	await page.getByText(scenes).waitFor();
	await app.settled(page);
	await page.getByRole("switch", { name: "Lanes 20" }).waitFor();
	await page.getByRole("img", { name: "Predictions begin after frame 10" }).waitFor();
}

describe("scenarios of ScenarioNet", () => {
	it("open when a file is dropped, with map and lights, under the strict policy", async () => {
		const { page, complaints } = await app.openApp(suite);
		await app.dropFiles(page, [put("sd_example.pkl", SCENARIO)]);
		await shown(page, "Scene 0, the only one");
		await page.getByRole("switch", { name: "Traffic lights 4" }).waitFor();
		await page.getByRole("button", { name: "Car 2, focal," }).waitFor();
		expect(complaints).toEqual([]);
	});

	it("open when their folder is dropped, those that it lists", async () => {
		const { page } = await app.openApp(suite);
		put("set/dataset_mapping.pkl", MAPPING);
		put("set/a.pkl", SCENARIO);
		put("set/other.pkl", SCENARIO);
		put("set/part/b.pkl", SCENARIO);
		await app.dropFiles(page, [join(top, "set")]);
		await shown(page, "Scene 0 of 0–1");
	});

	it("open by the URL of a file, or of a folder's list", async () => {
		for (const [address, scenes] of [
			["/data/set/part/b.pkl", "Scene 0, the only one"],
			["/data/set/dataset_mapping.pkl", "Scene 0 of 0–1"],
		] as const) {
			const { page } = await app.openApp(suite, { link: `v=1&src=${address}` });
			await shown(page, scenes);
		}
	});

	it("are refused with the name of what a pickle wants to call", async () => {
		const { page } = await app.openApp(suite);
		const evil = "\x80\x04cposix\nsystem\nX\x02\0\0\0id\x85R.";
		const bytes = Uint8Array.from(evil, (one) => one.charCodeAt(0));
		await app.dropFiles(page, [put("evil.pkl", bytes)]);
		await page
			.getByRole("heading", { name: "This scenario cannot be opened" })
			.waitFor();
		await page.getByText("posix.system is not admitted").first().waitFor();
	});
});
