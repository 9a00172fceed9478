import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

/** Sets a slider like the keyboard, and waits until everything is read. */
async function slide(page: Page, name: string, value: number): Promise<void> {
	await page.getByLabel(name, { exact: true }).fill(String(value));
	await app.settled(page);
}

const kept = (page: Page) => page.locator(".kept b").textContent();

describe("filters", () => {
	it("keep agents with enough visible frames before and after", async () => {
		const { page, complaints } = await app.openTiny(suite, { link: "f=2&th=0" });
		const all = Number(await kept(page));
		expect(all).toBeGreaterThan(0);
		await page.getByText("Track length", { exact: true }).click();
		await slide(page, "History ≥", 3);
		await page
			.getByText(/^History ≥ 3 and future ≥ 0 frames hide all \d+ agents$/)
			.waitFor();
		expect(await kept(page)).toBe("0");
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => it.seek(3));
		await app.settled(page);
		await expect.poll(() => kept(page)).toBe(String(all));
		// Two more frames follow frame 3 of six.
		await slide(page, "Future ≥", 3);
		await expect.poll(() => kept(page)).toBe("0");
		await slide(page, "Future ≥", 2);
		await expect.poll(() => kept(page)).toBe(String(all));
		await expect.poll(() => page.url()).toContain("mh=3&mf=2");
		await page.reload();
		await app.settled(page);
		await expect.poll(() => kept(page)).toBe(String(all));
		await page.getByRole("button", { name: "Reset filters" }).click();
		await expect.poll(() => page.url()).not.toContain("mh=");
		await expect
			.poll(() => page.getByRole("button", { name: "Reset filters" }).count())
			.toBe(0);
		expect(complaints).toEqual([]);
	});

	it("are reported and not applied if track lengths cannot be read", async () => {
		const { page } = await app.openTiny(suite, { link: "th=0" });
		const all = await kept(page);
		const controller = await app.controllerOf(page);
		suite.server.fault({ match: /tiny\.zarr\/agents\//, status: 403 });
		await controller.evaluate((it) => it.setScene(1, 0));
		await page.getByText("Agents of frame 0 cannot be read").first().waitFor();
		await controller.evaluate((it) => it.setMinima(2, 0));
		// The failure over the picture names the cause; the notice follows when it is gone.
		await expect
			.poll(() => controller.evaluate((it) => it.state.notices.join("\n")))
			.toContain("Track lengths: read failed");
		await controller.evaluate((it) => it.setScene(0, 0));
		await page.getByRole("button", { name: /fault.* in the data/ }).click();
		await page.getByText("Track lengths", { exact: true }).waitFor();
		await page
			.getByText(/^read failed, minimum history and future are not applied: /)
			.waitFor();
		expect(all).not.toBe("0");
	});
});

describe("trails and futures", () => {
	it("have the chosen length, also in the link", async () => {
		const { page } = await app.openTiny(suite, { link: "f=4" });
		const reach = async (): Promise<number> => {
			const controller = await app.controllerOf(page);
			return controller.evaluate(
				({ state }) => (state.shown?.ego.trail.length ?? 0) / 2,
			);
		};
		expect(await reach()).toBe(5);
		await page.getByText("Trail and future length", { exact: true }).click();
		await slide(page, "Trail", 2);
		expect(await reach()).toBe(3);
		await page.getByRole("switch", { name: /^Trails 0\.2 s/ }).waitFor();
		await expect.poll(() => page.url()).toContain("lp=2");
		await page.reload();
		await app.settled(page);
		expect(await reach()).toBe(3);
	});
});
