import { describe, expect, it } from "vitest";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

describe("the health badge", () => {
	it("counts faults, tells their causes and reads again", async () => {
		const source = app.TINY_SOURCE;
		suite.server.fault({ match: /tiny\.zarr\/agents\/4$/, truncateTo: 10 });
		const { page } = await app.openApp(suite, { link: `v=1&src=${source}&f=5` });
		await page.getByText("Corrupt chunk").waitFor();
		const badge = page.getByRole("button", { name: "1 fault in the data" });
		await badge.waitFor();
		// The cause is told once over the picture, and once in the card.
		expect(await page.locator(".notice").count()).toBe(0);
		await badge.click();
		const card = page.getByRole("group", { name: "Health of the data" });
		await card
			.getByText(/agents\/4/)
			.first()
			.waitFor();
		expect(await findings(page)).toEqual([]);
		suite.server.reset();
		await card.getByRole("button", { name: "Retry" }).first().click();
		await expect.poll(async () => (await app.stateOf(page)).shown).toBe(5);
		await expect.poll(async () => (await app.stateOf(page)).notices).toEqual([]);
		await badge.waitFor({ state: "detached" });
	});

	it("keeps faults that an action cannot push away, and lets dismiss them", async () => {
		suite.server.put("/data/notes.json", "[]");
		const { page } = await app.openTiny(suite);
		const badge = page.getByRole("button", { name: "1 fault in the data" });
		await badge.waitFor();
		await page.keyboard.press("Tab");
		await badge.focus();
		await page.keyboard.press("Enter");
		const card = page.getByRole("group", { name: "Health of the data" });
		await card.getByText("notes.json is not shown").waitFor();
		await card.getByRole("button", { name: "Dismiss" }).click();
		await badge.waitFor({ state: "detached" });
	});

	it("is in the bar of a small viewer, too", async () => {
		suite.server.put("/data/notes.json", "[]");
		const { page } = await app.openTiny(suite, { width: 360, height: 740 });
		await page.getByRole("button", { name: "1 fault in the data" }).click();
		const card = page.getByRole("group", { name: "Health of the data" });
		const box = await card.boundingBox();
		expect(box?.x).toBeGreaterThanOrEqual(0);
		expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(360);
	});
});

describe("outcomes", () => {
	it("are one toast with a number when repeated", async () => {
		const { page } = await app.openMade(suite);
		const copy = page.getByRole("button", { name: "Copy link" });
		for (let k = 0; k < 3; k += 1) await copy.click();
		const toast = page.locator(".notice");
		expect(await toast.count()).toBe(1);
		expect((await toast.textContent())?.trim()).toMatch(/^Not copied.*× 3$/s);
	});

	it("go by themselves, but not under the pointer", async () => {
		const { page } = await app.openMade(suite);
		await page.clock.install();
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => it.notify("Done"));
		const toast = page.locator(".notice");
		await toast.hover();
		await page.clock.fastForward(60_000);
		expect(await toast.count()).toBe(1);
		await page.mouse.move(5, 5);
		await page.clock.fastForward(60_000);
		await toast.waitFor({ state: "detached" });
	});
});

describe("the list of keys", () => {
	it("is printed alone", async () => {
		const { page, complaints } = await app.openTiny(suite);
		await page.addInitScript(() => {
			window.print = () => {
				const { body, title } = document;
				const tops = top as (Window & { printed?: string }) | null;
				if (tops) tops.printed = `${title}: ${body.textContent}`;
				dispatchEvent(new Event("afterprint"));
			};
		});
		await page.reload();
		await app.settled(page);
		await app.focusPicture(page);
		await page.keyboard.press("?");
		await page.getByRole("button", { name: "Print" }).click();
		const printed = await page.evaluate(() => String(Reflect.get(window, "printed")));
		expect(printed).toMatch(/^bevscope: keyboard and gestures: /);
		expect(printed).toContain("Undo a change of view");
		expect(await page.locator("bev-help iframe").count()).toBe(0);
		expect(complaints).toEqual([]);
	});
});
