import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

/** Returns scene, frame and metres across of each picture. */
const pictures = (page: Page): Promise<readonly (number | undefined)[][]> =>
	page.locator(".picture > bev-scene-view").evaluateAll((all) =>
		all.map((one) => {
			const { state } =
				(one as HTMLElementTagNameMap["bev-scene-view"]).controller ?? {};
			return [state?.scene, state?.shown?.frame, state?.camera.span];
		}),
	);

describe("scenes side by side", () => {
	it("are in the link, and in step with the first", async () => {
		const { page, complaints } = await app.openTiny(suite, { link: "sb=1&z=50" });
		await expect
			.poll(() => pictures(page))
			.toEqual([
				[0, 0, 50],
				[1, 0, 50],
			]);
		expect(await findings(page)).toEqual([]);
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => {
			it.seek(2);
			it.setCamera({ ...it.state.camera, span: 70 });
			it.setThreshold(0.1);
		});
		await expect
			.poll(() => pictures(page))
			.toEqual([
				[0, 2, 70],
				[1, 2, 70],
			]);
		const link = await page.evaluate(() =>
			document.querySelector("bev-viewer")?.save(),
		);
		expect(new URLSearchParams(link).get("sb")).toBe("1");
		expect(complaints).toEqual([]);
	});

	it("move together, whichever is moved", async () => {
		const { page } = await app.openTiny(suite, { link: "sb=1&w=position" });
		await expect.poll(async () => (await pictures(page))[1]?.[1]).toBe(0);
		await page.locator(".picture > bev-scene-view.p2").hover();
		await page.mouse.wheel(0, 300);
		await expect
			.poll(async () => {
				const [one, two] = await pictures(page);
				return one?.[2] !== 60 && one?.[2] === two?.[2];
			})
			.toBe(true);
	});

	it("are opened from the menu, and closed", async () => {
		const { page } = await app.openTiny(suite);
		await page.getByRole("button", { name: "Layout", exact: true }).click();
		await page.getByRole("button", { name: "2 from here on" }).click();
		await expect.poll(async () => (await pictures(page)).length).toBe(2);
		await page.keyboard.press("Escape");
		const label = page.getByRole("group", { name: "Scene 1" });
		await label.getByRole("button", { name: "Open" }).click();
		await page.getByText("Scene 1 of 0–1").waitFor();
		const other = page.getByRole("group", { name: "Scene 0" });
		await other.getByRole("button", { name: "Close the picture of scene 0" }).click();
		await expect.poll(async () => (await pictures(page)).length).toBe(1);
	});

	it("go with the data set, and are one picture if they do not fit", async () => {
		const { page } = await app.openTiny(suite, { link: "sb=1", width: 360 });
		expect(await pictures(page)).toHaveLength(1);
		await page.setViewportSize({ width: 1280, height: 800 });
		await expect.poll(async () => (await pictures(page)).length).toBe(2);
		await (await app.controllerOf(page)).evaluate((it) => it.close());
		await expect.poll(async () => (await pictures(page)).length).toBe(1);
	});
});
