import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

describe.each(["dark", "light"] as const)("axe finds nothing, %s", (theme) => {
	it("with nothing open", async () => {
		const { page } = await app.openApp(suite, { theme });
		await page.getByText("Drop a folder or .zip here").waitFor();
		expect(await findings(page)).toEqual([]);
	});

	it("with the agent table, then a record, then lists and help", async () => {
		const { page } = await app.openTiny(suite, { theme });
		expect(await findings(page)).toEqual([]);
		await page.getByRole("button", { name: "Label 3" }).click();
		await page.getByText("All fields").click();
		await page.getByText("All 17 labels").click();
		expect(await findings(page)).toEqual([]);
		await page.getByRole("button", { name: /^Scene 0 of 0–1$/ }).click();
		await page.getByRole("gridcell", { name: "host-1" }).waitFor();
		expect(await findings(page)).toEqual([]);
		await page.keyboard.press("Escape");
		await page.getByRole("button", { name: "Keyboard" }).click();
		expect(await findings(page)).toEqual([]);
	});

	it("with a raster, the export dialog and the list of anomalies", async () => {
		const { page } = await app.openTiny(suite, { theme, link: "t=ego" });
		await app.openTab(page, "Raster");
		await page.getByText("RGB of 22 channels").waitFor({ state: "attached" });
		expect(await findings(page)).toEqual([]);
		await page.getByRole("button", { name: "Export" }).click();
		await page.getByRole("button", { name: "Save PNG" }).waitFor();
		expect(await findings(page)).toEqual([]);
		await page.context().close();
		const { page: made } = await app.openMade(suite, { theme });
		await made.getByRole("button", { name: /^Quality/ }).click();
		expect(await findings(made)).toEqual([]);
	});

	it("with an error card", async () => {
		suite.server.fault({ match: /tiny\.zarr/, status: 404 });
		const { page } = await app.openApp(suite, {
			theme,
			link: `v=1&src=${app.TINY_SOURCE}`,
		});
		await page.getByRole("button", { name: "Try again" }).waitFor();
		expect(await findings(page)).toEqual([]);
	});

	it("on a phone, with a sheet open", async () => {
		const { page } = await app.openTiny(suite, {
			theme,
			width: 360,
			height: 740,
		});
		expect(await findings(page)).toEqual([]);
		await page.getByRole("button", { name: "Agents" }).click();
		expect(await findings(page)).toEqual([]);
	});

	it("while opening, asking and choosing other data", async () => {
		suite.server.fault({ match: /\.zgroup/, delayMs: 20_000 });
		const link = `v=1&src=${app.TINY_SOURCE}`;
		const { page } = await app.openApp(suite, { theme, link });
		await page.getByText("Opening tiny.zarr").waitFor();
		expect(await findings(page)).toEqual([]);
		await page.context().close();
		const { page: asked } = await app.openApp(suite, {
			theme,
			link: "v=1&src=https://other.example/a.zarr",
		});
		await asked.getByText("Open data from another site?").waitFor();
		expect(await findings(asked)).toEqual([]);
		await asked.context().close();
		suite.server.reset();
		const { page: choosing } = await app.openTiny(suite, { theme });
		await choosing.getByRole("button", { name: "Open", exact: true }).click();
		await choosing.getByRole("button", { name: "Back to the picture" }).waitFor();
		expect(await findings(choosing)).toEqual([]);
	});

	it("with an unreadable frame, all agents filtered out, and a notice", async () => {
		suite.server.fault({ match: /tiny\.zarr\/agents\/4$/, truncateTo: 10 });
		const { page } = await app.openApp(suite, {
			theme,
			link: `v=1&src=${app.TINY_SOURCE}&f=5&x=far`,
		});
		await page.getByText("Corrupt chunk").waitFor();
		await page.getByText("Link: ignored x=far", { exact: false }).waitFor();
		expect(await findings(page)).toEqual([]);
		await page.context().close();
		suite.server.reset();
		const { page: none } = await app.openTiny(suite, { theme, link: "th=1" });
		await none.getByText("hides all 3 agents").first().waitFor();
		expect(await findings(none)).toEqual([]);
	});

	it("with every plot, a section, a measurement and a recording in progress", async () => {
		const { page } = await app.openMade(suite, { theme });
		await app.buffered(page, 248);
		for (const name of ["Acceleration", "Yaw", "Yaw rate"]) {
			await page.getByRole("button", { name, exact: true }).click();
		}
		await page.getByRole("button", { name: "L3" }).first().click();
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => it.setSection({ begin: 20, end: 240 }));
		await page.getByRole("button", { name: "Measure" }).click();
		expect(await findings(page)).toEqual([]);
		await page.getByRole("button", { name: "Export" }).click();
		await page.getByRole("button", { name: "Save WebM" }).click();
		await page.getByRole("progressbar", { name: "Frames recorded" }).waitFor();
		expect(await findings(page)).toEqual([]);
	});

	it("in forced colours", async () => {
		const { page } = await app.openTiny(suite, {
			theme,
			forcedColors: true,
			link: "t=ego",
		});
		expect(await findings(page)).toEqual([]);
	});
});

describe("forced colours", () => {
	/** Returns the background and text decoration of the button `name`. */
	const look = (page: Page, role: "button" | "switch", name: string | RegExp) =>
		page
			.getByRole(role, { name })
			.first()
			.evaluate((button) => {
				const word = button.querySelector(".name") ?? button;
				return [
					getComputedStyle(button).backgroundColor,
					getComputedStyle(word).textDecorationLine,
				];
			});

	it("distinguish on and off by system colours", async () => {
		const { page } = await app.openTiny(suite, { forcedColors: true });
		await app.openCameras(page);
		const on = await look(page, "button", /^Follow$/);
		expect(on).not.toEqual(await look(page, "button", "Free"));
		expect(await look(page, "button", "Speed")).not.toEqual(
			await look(page, "button", "Yaw rate"),
		);
		const layer = () => look(page, "switch", /^Vehicles/);
		const before = await layer();
		await page.getByRole("switch", { name: /^Vehicles/ }).click();
		await expect.poll(layer).not.toEqual(before);
	});

	it("do not apply to data", async () => {
		const inBlue = (page: Page) =>
			page.evaluate(() => {
				const viewer = document.querySelector("bev-viewer");
				const canvas = viewer?.renderRoot.querySelector("bev-scene-view")?.canvas;
				const { width = 0, height = 0 } = canvas ?? {};
				const { data } =
					canvas?.getContext("2d")?.getImageData(0, 0, width, height) ?? {};
				return data?.filter((value, i) => i % 4 === 2 && value > 180).length ?? 0;
			});
		const forced = await app.openTiny(suite, {
			forcedColors: true,
			reducedMotion: true,
		});
		await app.still(forced.page);
		const there = await inBlue(forced.page);
		const free = await app.openTiny(suite, { reducedMotion: true });
		await app.still(free.page);
		expect(there).toBeGreaterThan(100);
		expect(there).toBe(await inBlue(free.page));
	});
});

describe("reduced motion", () => {
	/** Returns the number of animations while a data set is pending. */
	async function moving(reducedMotion: boolean): Promise<number> {
		suite.server.fault({ match: /\.zgroup/, delayMs: 20_000 });
		const link = `v=1&src=${app.TINY_SOURCE}`;
		const { page } = await app.openApp(suite, { link, reducedMotion });
		const bar = page.locator(".moving[role=progressbar]"); // progress is unknown
		return bar.evaluate((element) => element.getAnimations({ subtree: true }).length);
	}

	it("stops decorative motion", async () => {
		expect(await moving(false)).toBe(1);
		expect(await moving(true)).toBe(0);
	});

	it("moves the camera without easing", async () => {
		const { page } = await app.openTiny(suite, { reducedMotion: true });
		await app.still(page);
		await app.focusPicture(page);
		await page.evaluate(() => {
			const viewer = document.querySelector("bev-viewer");
			const canvas = viewer?.renderRoot.querySelector("bev-scene-view")?.canvas;
			const pictures = new Set([canvas?.toDataURL()]);
			const before = viewer?.camera;
			/** Longer than easing takes, plus some drawings. */
			const watch = async (): Promise<number> => {
				let [sent, count] = [Number.POSITIVE_INFINITY, 0];
				while (performance.now() < sent + 300 || count < 6) {
					const now = await new Promise(requestAnimationFrame);
					if (viewer?.camera === before) continue;
					sent = Math.min(sent, now);
					count += 1;
					pictures.add(canvas?.toDataURL());
				}
				return pictures.size;
			};
			Object.assign(window, { seen: watch() });
		});
		await page.keyboard.press("+");
		const seen = await page.evaluate(
			() => (window as unknown as { seen: Promise<number> }).seen,
		);
		expect(seen).toBe(2);
		expect((await app.stateOf(page)).camera.span).toBeLessThan(110);
	});
});
