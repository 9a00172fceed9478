import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { GOLDENS } from "../support/goldens.js";
import { TINY } from "../support/tiny-dataset.js";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const TOWN = fileURLToPath(new URL("../../build/town", import.meta.url));

/**
 * A rollout of scene 0 from frame 1 on: the ego vehicle moves 3 m per frame more to the
 * north, up to track 1, which is 10 m north of it.
 */
function rollout(name: string): string {
	const frames = [1, 2, 3, 4];
	const times = frames.map((k) => TINY.start + BigInt(k) * TINY.step);
	const ego = { x: frames, y: frames.map((k) => 3 * (k - 1)), yaw: [0, 0, 0, 0] };
	const agents = {
		counts: [1, 1, 1, 1],
		track_id: [1, 1, 1, 1],
		x: frames,
		y: [10, 10, 10, 10],
		...{ yaw: [0, 0, 0, 0], length: [4, 4, 4, 4], width: [2, 2, 2, 2] },
	};
	const scene = `{"scene":0,"timestamps":[${times}],"ego":${JSON.stringify(ego)},"agents":${JSON.stringify(agents)}}`;
	return `{"format":"bevscope-rollout","version":1,"name":"${name}","scenes":[${scene}]}`;
}

const suite = app.useViewer(() => ({
	folders: { "/town/": TOWN, ...(GOLDENS && { "/l5/scenes/": `${GOLDENS}/inputs` }) },
	objects: new Map([["/data/sim.json", rollout("drift")]]),
}));

/** Drops files with these texts onto the viewer. */
async function drop(page: Page, name: string, text: string) {
	await page.evaluate(
		([file, content]) => {
			const data = new DataTransfer();
			data.items.add(new File([content], file, { type: "application/json" }));
			document.querySelector("bev-viewer")?.dispatchEvent(
				new DragEvent("drop", {
					dataTransfer: data,
					bubbles: true,
					cancelable: true,
				}),
			);
		},
		[name, text] as const,
	);
}

const section = (page: Page) => page.getByRole("region", { name: "Rollout" });
const lane = (page: Page) => page.locator("bev-timeline .lane.rollout svg");
const picture = (page: Page) =>
	page.evaluate(() => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		return viewer?.renderRoot.querySelector("bev-scene-view")?.canvas?.toDataURL();
	});

describe("a rollout", () => {
	it("is opened by a drop, drawn, measured and closed", async () => {
		const { page, complaints } = await app.openTiny(suite);
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => it.seek(4));
		await app.still(page);
		const before = await picture(page);
		await drop(page, "sim.json", rollout("drift"));
		await section(page).getByText("drift", { exact: true }).waitFor();
		const row = section(page).getByRole("row", { name: /^Displacement/ });
		// 0, 3, 6 and 9 m from the recorded places.
		await expect.poll(() => row.textContent()).toMatch(/4\.50\s*9\.00/);
		await page.getByRole("tab", { name: "Rollout", exact: true }).waitFor();
		await app.still(page);
		expect(await picture(page)).not.toBe(before);
		await expect
			.poll(() => lane(page).getAttribute("aria-label"))
			.toContain(
				"Displacement of the rollout, from 0.00 to 9.00 m; collisions in 1 of 4",
			);
		expect(await findings(page)).toEqual([]);
		await page.getByRole("button", { name: "Close the rollout" }).click();
		await section(page).waitFor({ state: "detached" });
		await page.getByRole("tab", { name: "Predictions", exact: true }).waitFor();
		expect(await lane(page).count()).toBe(0);
		await app.still(page);
		expect(await picture(page)).toBe(before);
		expect(complaints).toEqual([]);
	});

	it("lists collisions, which seek and select by keys", async () => {
		const { page } = await app.openTiny(suite);
		await drop(page, "sim.json", rollout("drift"));
		const collision = section(page).getByRole("button", { name: /^Collision side/ });
		await collision.focus();
		await page.keyboard.press("Enter");
		const controller = await app.controllerOf(page);
		await expect
			.poll(() =>
				controller.evaluate(({ state }) => [state.frame, `${state.selection}`]),
			)
			.toEqual([4, "1"]);
	});

	it("is in the link, with the measure chosen by keys", async () => {
		const { page } = await app.openTiny(suite, { link: "ro=/data/sim.json" });
		await section(page).getByText("drift", { exact: true }).waitFor();
		const link = () =>
			page.evaluate(() => document.querySelector<Viewer>("bev-viewer")?.save());
		expect(await link()).toContain("ro=/data/sim.json");
		const speed = section(page).getByRole("button", { name: /^Speed/ });
		await speed.focus();
		await page.keyboard.press("Space");
		await expect.poll(() => speed.getAttribute("aria-pressed")).toBe("true");
		await expect
			.poll(() => lane(page).getAttribute("aria-label"))
			.toContain("Speed of the rollout");
	});

	it("that does not belong to the data set is reported, not drawn", async () => {
		const { page } = await app.openTiny(suite);
		await drop(page, "sim.json", rollout("drift").replace("684100", "684101"));
		await section(page).getByRole("alert").getByText("time stamps are not").waitFor();
		await drop(page, "bad.json", '{"format":"bevscope-rollout","version":1}');
		await section(page)
			.getByRole("alert")
			.getByText("bad.json: scenes: missing")
			.waitFor();
		expect(await lane(page).count()).toBe(0);
		expect(await findings(page)).toEqual([]);
	});

	it("can be arrays of a page", async () => {
		const { page } = await app.openTiny(suite);
		await page.evaluate(() => {
			const numbers = (...values: number[]) => Float64Array.from(values);
			document.querySelector("bev-viewer")?.setRollout(
				[
					{ scene: 1, ego: { x: numbers(0), y: numbers(0), yaw: numbers(0) } },
					{ scene: 0, ego: { x: numbers(4), y: numbers(3), yaw: numbers(0) } },
				],
				"mine",
			);
		});
		await section(page).getByText("mine", { exact: true }).waitFor();
		await section(page)
			.getByRole("row", { name: /^Displacement/ })
			.getByText("5.00")
			.first()
			.waitFor();
		await section(page).getByLabel("Go to a simulated scene").selectOption("Scene 1");
		const controller = await app.controllerOf(page);
		await expect.poll(() => controller.evaluate(({ state }) => state.scene)).toBe(1);
		await page.evaluate(() =>
			document.querySelector("bev-viewer")?.setRollout(undefined),
		);
		await section(page).waitFor({ state: "detached" });
	});

	it("of the town leaves the road where it is away from the lanes", async () => {
		const link = "v=1&src=/town/scenes/town.zarr&s=1&f=60";
		const { page, complaints } = await app.openApp(suite, { link });
		await app.settled(page);
		await page.evaluate(async () => {
			const viewer = document.querySelector("bev-viewer");
			const { dataset } = viewer?.controller?.state ?? {};
			const scenes = await dataset?.scenes.rows(1, 2);
			const [first = 0, end = 0] = Array.from(
				scenes?.column("frame_index_interval").data ?? [],
				Number,
			);
			const rows = await dataset?.frames.rows(first, end, {
				fields: ["ego_translation"],
			});
			const at = rows?.column("ego_translation").data as Float64Array;
			// 3 km east of the recorded places, from frame 100 on.
			const axis = (i: number, off: number) =>
				Float64Array.from(
					{ length: end - first },
					(_, k) => (at[3 * k + i] ?? 0) + (k < 100 ? 0 : off),
				);
			const yaw = new Float64Array(end - first);
			viewer?.setRollout([{ scene: 1, ego: { x: axis(0, 3000), y: axis(1, 0), yaw } }]);
		});
		const row = section(page).getByRole("row", { name: /^Displacement/ });
		await expect.poll(() => row.textContent()).toMatch(/3000\.00/);
		await expect
			.poll(() => lane(page).getAttribute("aria-label"))
			.toContain("Displacement of the rollout, from 0.00 to 3000.00 m");
		await section(page)
			.getByRole("button", { name: "Off the road, frames 100–247" })
			.click();
		await expect.poll(async () => (await app.stateOf(page)).shown).toBe(100);
		expect(await findings(page)).toEqual([]);
		expect(complaints).toEqual([]);
	});

	it.skipIf(!GOLDENS)("of a recorded scene that replays it has no errors", async () => {
		const link = "v=1&src=/l5/scenes/single_scene.zarr&f=5";
		const { page } = await app.openApp(suite, { link });
		await app.settled(page);
		await page.evaluate(async () => {
			const viewer = document.querySelector("bev-viewer");
			const { dataset } = viewer?.controller?.state ?? {};
			const rows = await dataset?.frames.rows(0, 248, { fields: ["ego_translation"] });
			const at = rows?.column("ego_translation").data as Float64Array;
			const axis = (i: number) =>
				Float64Array.from({ length: 248 }, (_, k) => at[3 * k + i] ?? 0);
			const yaw = new Float64Array(248);
			viewer?.setRollout([{ scene: 0, ego: { x: axis(0), y: axis(1), yaw } }]);
		});
		const row = section(page).getByRole("row", { name: /^Displacement/ });
		await expect.poll(() => row.textContent()).toMatch(/0\.00\s*0\.00/);
		await section(page).getByText("No collisions").waitFor();
	});
});
