import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commonroadXml } from "../../web/tools/examples/commonroad.mjs";
import * as app from "./viewer-harness.js";

const SCENARIO = new TextEncoder().encode(commonroadXml());

const suite = app.useViewer(() => ({
	objects: new Map([["/data/ZAM_Example-1_1_T-1.xml", SCENARIO]]),
}));

let top = "";
beforeEach(() => {
	top = mkdtempSync(join(tmpdir(), "bevscope-"));
});
afterEach(() => rmSync(top, { recursive: true }));

function put(name: string, content: Uint8Array | string): string {
	const path = join(top, name);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, content);
	return path;
}

async function shown(page: Page, scenes: string): Promise<void> {
	await page.getByText(scenes).waitFor();
	await app.settled(page);
	await page.getByRole("switch", { name: "Lanes 20" }).waitFor();
	await page.getByRole("switch", { name: "Traffic lights 4" }).waitFor();
}

describe("scenarios of CommonRoad", () => {
	it("open when a file is dropped, with map and lights, under the strict policy", async () => {
		const { page, complaints } = await app.openApp(suite);
		await app.dropFiles(page, [put("renamed.xml", SCENARIO)]);
		await shown(page, "Scene 0, the only one");
		expect(complaints).toEqual([]);
	});

	it("open as scenes when their folder is dropped", async () => {
		const { page } = await app.openApp(suite);
		put("set/a.xml", SCENARIO);
		put("set/b.xml", SCENARIO);
		await app.dropFiles(page, [join(top, "set")]);
		await shown(page, "Scene 0 of 0–1");
	});

	it("open by their URL", async () => {
		const link = "v=1&src=/data/ZAM_Example-1_1_T-1.xml";
		const { page } = await app.openApp(suite, { link });
		await shown(page, "Scene 0, the only one");
	});

	it("open with the obstacle that the URL names as the ego vehicle", async () => {
		const src = "/data/ZAM_Example-1_1_T-1.xml%23ego=";
		const { page } = await app.openApp(suite, { link: `v=1&src=${src}1001` });
		await page.getByText("This scenario cannot be opened").first().waitFor();
		const why = page.getByText("no obstacle 1001 for the ego vehicle");
		const said = (await why.first().textContent()) ?? "";
		const [, first] = /expected one of (\d+)/.exec(said) ?? [];
		await page.goto(`${page.url().split("#")[0]}#v=1&src=${src}${first}`);
		await page.reload();
		await shown(page, "Scene 0, the only one");
		const controller = await app.controllerOf(page);
		expect(await controller.evaluate(({ state }) => state.shown?.ego.is_virtual)).toBe(
			false,
		);
	});

	it("are refused with the line of what is wrong", async () => {
		const { page } = await app.openApp(suite);
		const damaged = commonroadXml().replace("<duration>50<", "<duration>x<");
		await app.dropFiles(page, [put("damaged.xml", damaged)]);
		await page
			.getByRole("heading", { name: "This scenario cannot be opened" })
			.waitFor();
		await page.getByText("element duration: not a number").first().waitFor();
	});
});
