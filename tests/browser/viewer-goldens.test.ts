import { describe, expect, it } from "vitest";
import { GOLDENS } from "../support/goldens.js";

import { withGoldens } from "./tour.js";
import * as app from "./viewer-harness.js";

describe.skipIf(!GOLDENS)("the viewer on a recorded scene", () => {
	const suite = app.useViewer(() => withGoldens({}));

	it("finds the map in the parent folder and colours controlled lanes", async () => {
		const link = "v=1&src=/l5/scenes/single_scene.zarr&f=90";
		const { page, complaints } = await app.openApp(suite, { link });
		await app.settled(page);
		await page.getByText("25 of 72 agents in this frame").waitFor();
		await page.getByRole("switch", { name: "Lanes 68" }).waitFor();
		await page.getByRole("switch", { name: "Crosswalks 7" }).waitFor();
		const letters = page.locator("bev-light-list .letter");
		expect((await letters.allTextContents()).sort()).toEqual(["G", "R", "Y"]);
		expect(complaints).toEqual([]);
	});

	it("buffers the scene and plays at 8x without stalling", async () => {
		const link = "v=1&src=/l5/scenes/single_scene.zarr";
		const { page } = await app.openApp(suite, { link });
		await app.settled(page);
		await app.buffered(page, 248);
		const stalls = await page.evaluate(async () => {
			const controller = document.querySelector("bev-viewer")?.controller;
			if (!controller) throw new Error("there is no viewer");
			let stalled = 0;
			controller.store.subscribe((state) => {
				if (state.stalled) stalled += 1;
			});
			controller.setSpeed(8);
			controller.play();
			while (controller.state.playing)
				await new Promise((done) => setTimeout(done, 20));
			return stalled;
		});
		expect(stalls).toBe(0);
		expect(await app.stateOf(page)).toMatchObject({ frame: 247, shown: 247 });
	});
});
