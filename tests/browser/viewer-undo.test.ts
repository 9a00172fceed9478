import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

const button = (page: Page, name: string) =>
	page.getByRole("button", { name, exact: true });

describe("undo and redo", () => {
	it("act by keys and buttons, and are announced", async () => {
		const { page } = await app.openTiny(suite);
		const controller = await app.controllerOf(page);
		const selection = () => controller.evaluate((it) => String(it.state.selection));
		expect(await button(page, "Undo").isDisabled()).toBe(true);
		await page.getByRole("button", { name: "Label 3" }).click();
		expect(await selection()).toBe("1");
		await button(page, "Undo").click();
		expect(await selection()).toBe("undefined");
		expect(await button(page, "Undo").isDisabled()).toBe(true);
		await app.focusPicture(page);
		await page.keyboard.press("Control+Shift+z");
		expect(await selection()).toBe("1");
		await page.keyboard.press("Control+z");
		expect(await selection()).toBe("undefined");
		await expect
			.poll(() => controller.evaluate((it) => it.state.announcement))
			.toBe("Undone: selection");
		await page.keyboard.press("Control+y");
		expect(await selection()).toBe("1");
	});

	it("take back a drag of the picture in one step", async () => {
		const { page } = await app.openTiny(suite);
		const controller = await app.controllerOf(page);
		const camera = () => controller.evaluate((it) => it.state.camera);
		const before = await camera();
		const box = await page.locator("bev-scene-view").first().boundingBox();
		if (!box) throw new Error("no picture");
		await page.mouse.move(box.x + 200, box.y + 200);
		await page.mouse.down();
		for (let k = 1; k <= 5; k += 1)
			await page.mouse.move(box.x + 200 + 8 * k, box.y + 200);
		await page.mouse.up();
		expect(await camera()).not.toEqual(before);
		await app.focusPicture(page);
		await page.keyboard.press("Control+z");
		expect(await camera()).toEqual(before);
		await expect.poll(() => button(page, "Undo").isDisabled()).toBe(true);
	});

	it("leave the text of a field to the browser", async () => {
		const { page } = await app.openTiny(suite);
		await page.getByRole("button", { name: "Label 3" }).click();
		await app.openTab(page, "Agents");
		const field = page.locator("bev-agent-table input").first();
		await field.fill("abc");
		await field.press("Control+z");
		const controller = await app.controllerOf(page);
		expect(await controller.evaluate((it) => String(it.state.selection))).toBe("1");
	});

	it("are commands, which name what they undo", async () => {
		const { page, complaints } = await app.openTiny(suite);
		await page.getByRole("button", { name: "Label 3" }).click();
		await app.focusPicture(page);
		await page.keyboard.press("Control+k");
		await page.getByRole("combobox", { name: "Command" }).fill("undo");
		expect(
			await page.getByRole("dialog").getByRole("option").allTextContents(),
		).toEqual(["Undo: selectionCtrl Z"]);
		await page.keyboard.press("Enter");
		const controller = await app.controllerOf(page);
		expect(await controller.evaluate((it) => it.state.selection)).toBeUndefined();
		expect(await findings(page)).toEqual([]);
		expect(complaints).toEqual([]);
	});
});

describe("the selections before", () => {
	it("are reached by < and >", async () => {
		const { page } = await app.openTiny(suite);
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => {
			for (const track of [1n, 2n, 3n]) it.select(track);
		});
		const selection = () => controller.evaluate((it) => String(it.state.selection));
		await app.focusPicture(page);
		await page.keyboard.press("<");
		expect(await selection()).toBe("2");
		await page.keyboard.press("<");
		expect(await selection()).toBe("1");
		await page.keyboard.press(">");
		expect(await selection()).toBe("2");
		await page.keyboard.press("Control+z");
		expect(await selection()).toBe("1");
	});
});
