import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { velocityModel } from "../support/onnx-model.js";
import { tinyDataset } from "../support/tiny-dataset.js";
import { findings } from "./axe.js";
import { RUNTIME } from "./tour.js";
import * as app from "./viewer-harness.js";

/** A scene of 40 frames. */
const LONG = "/data/long.zarr";

const suite = app.useViewer(() => {
	if (!existsSync(RUNTIME))
		throw new Error("build/tensors is not installed: run scripts/build tensors");
	const objects = new Map<string, Uint8Array | string>();
	const size = { scenes: 1, framesPerScene: 40, rowsPerChunk: 64 };
	for (const [key, bytes] of tinyDataset(size)) objects.set(`${LONG}/${key}`, bytes);
	return { folders: { "/app/ort/": RUNTIME }, objects };
});

/** Drops a model of constant velocity on the page. */
async function drop(page: Page): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), "bevscope-"));
	try {
		const path = join(folder, "velocity.onnx");
		writeFileSync(path, velocityModel(20));
		await app.dropFiles(page, [path]);
		await model(page).getByText("Live", { exact: true }).waitFor();
	} finally {
		rmSync(folder, { recursive: true });
	}
}

const model = (page: Page) => page.getByRole("region", { name: "Model" });
const rollout = (page: Page) => page.getByRole("region", { name: "Rollout" });
const lane = (page: Page) => page.locator("bev-timeline .lane.rollout svg");

/** Number of frames and of objects drawn of the rollout. */
async function shown(page: Page) {
	const controller = await app.controllerOf(page);
	return controller.evaluate(({ state }) => ({
		frames: state.rollout?.report?.frames,
		drawn: state.simulated.length,
	}));
}

async function openLong(link: string, options: app.OpenOptions = {}) {
	const at = `v=1&src=${LONG}&${link}`;
	const opened = await app.openApp(suite, { ...options, link: at });
	await app.settled(opened.page);
	return opened;
}

describe("unrolling a model", () => {
	it("makes a rollout that is compared and saved", async () => {
		const { page, complaints } = await openLong("f=12");
		await drop(page);
		const steps = model(page).getByLabel("Frames");
		await steps.fill("10");
		await steps.press("Enter");
		await model(page).getByText("Unrolled 11 frames from frame 12").waitFor();
		await rollout(page).getByText("velocity.onnx, from frame 12").waitFor();
		await expect.poll(() => shown(page)).toMatchObject({ frames: 11 });
		expect((await shown(page)).drawn).toBeGreaterThan(1);
		// The log moves at constant velocity, too.
		const row = rollout(page).getByRole("row", { name: /^Displacement/ });
		await expect.poll(() => row.textContent()).toMatch(/0\.00\s*0\.00/);
		await expect
			.poll(() => lane(page).getAttribute("aria-label"))
			.toContain("Displacement of the rollout, from 0.00 to 0.00 m");
		expect(await findings(page)).toEqual([]);
		const save = rollout(page).getByRole("button", { name: "Save rollout" });
		const [name, bytes] = await app.downloaded(page, () => save.click());
		expect(name).toBe("velocity.onnx-from-frame-12.json");
		const saved = JSON.parse(bytes.toString());
		expect(saved).toMatchObject({ format: "bevscope-rollout", version: 1 });
		expect(saved.scenes[0].ego.x).toHaveLength(11);
		expect(saved.scenes[0].ego.x[10]).toBeCloseTo(22, 3);
		expect(complaints).toEqual([]);
	});

	it("without a history begins as L5Kit does: standing", async () => {
		const { page } = await openLong("f=12");
		await drop(page);
		await model(page).getByLabel("History").uncheck();
		await model(page).getByRole("button", { name: "Unroll" }).click();
		await model(page).getByText("Unrolled 28 frames from frame 12").waitFor();
		// To the end of the scene: 27 frames of 1 m.
		const row = rollout(page).getByRole("row", { name: /^Displacement/ });
		await expect.poll(() => row.textContent()).toMatch(/13\.50\s*27\.00/);
	});

	it("is stopped by keys at 360 px; the rollout stays", async () => {
		const { page, complaints } = await openLong("f=5", {
			width: 360,
			height: 740,
			theme: "light",
		});
		await page.evaluate(() => {
			const slow = async ({ yaw }: { yaw: { dims: readonly number[] } }) => {
				await new Promise((done) => setTimeout(done, 100));
				const count = yaw.dims[0] ?? 0;
				return {
					positions: { data: new Float64Array(2 * count), dims: [count, 1, 2] },
				};
			};
			const viewer = document.querySelector<Viewer>("bev-viewer");
			return viewer?.setModel(slow as never, { name: "slow" });
		});
		const controller = await app.controllerOf(page);
		await expect
			.poll(() => controller.evaluate(({ state }) => state.live?.phase))
			.toBe("ready");
		await page.locator("#open-details").click();
		await app.openTab(page, "Predictions");
		const button = model(page).getByRole("button", { name: "Unroll" });
		await button.focus();
		await page.keyboard.press("Enter");
		await model(page)
			.getByText(/^Unrolling from frame 5: \d+ of 35 frames$/)
			.waitFor();
		await expect.poll(async () => (await shown(page)).frames ?? 0).toBeGreaterThan(1);
		expect(await findings(page)).toEqual([]);
		const stop = model(page).getByRole("button", { name: "Stop" });
		await stop.focus();
		await page.keyboard.press("Enter");
		await model(page)
			.getByText(/^Stopped from frame 5: \d+ of 35 frames$/)
			.waitFor();
		expect((await shown(page)).frames).toBeLessThan(35);
		expect(await app.overflow(page)).toEqual([0, 0]);
		expect(complaints).toEqual([]);
	});

	it("ends when its rollout, the model or the data set is closed", async () => {
		const { page, complaints } = await openLong("f=5");
		const controller = await app.controllerOf(page);
		const start = async () => {
			await page.evaluate(async () => {
				const slow = async ({ yaw }: { yaw: { dims: readonly number[] } }) => {
					await new Promise((done) => setTimeout(done, 50));
					const count = yaw.dims[0] ?? 0;
					return {
						positions: { data: new Float64Array(2 * count), dims: [count, 1, 2] },
					};
				};
				await document.querySelector<Viewer>("bev-viewer")?.setModel(slow as never);
			});
			await model(page).getByRole("button", { name: "Unroll" }).click();
			await expect.poll(async () => (await shown(page)).frames ?? 0).toBeGreaterThan(1);
		};
		await start();
		await page.getByRole("button", { name: "Close the rollout" }).click();
		await model(page)
			.getByText(/^Stopped from frame 5/)
			.waitFor();
		await rollout(page).waitFor({ state: "detached" });
		await start();
		await page.getByRole("button", { name: "Close the model" }).click();
		await model(page).waitFor({ state: "detached" });
		const frames = (await shown(page)).frames;
		await rollout(page).waitFor();
		await start();
		await controller.evaluate((it) => it.close());
		expect(frames).toBeLessThan(35);
		expect(complaints).toEqual([]);
	});

	it("says why it cannot drive", async () => {
		const { page } = await openLong("f=39");
		await page.evaluate(() => {
			const far = ({ yaw }: { yaw: { dims: readonly number[] } }) => {
				const data = new Float64Array(2 * (yaw.dims[0] ?? 0));
				return { positions: { data, dims: [yaw.dims[0] ?? 0, 1, 2] } };
			};
			const settings = { format: "bevscope-model", version: 1, step_time: 0.5 };
			return document
				.querySelector<Viewer>("bev-viewer")
				?.setModel(far as never, { name: "far", settings: settings as never });
		});
		const button = model(page).getByRole("button", { name: "Unroll" });
		await expect.poll(() => button.isDisabled()).toBe(true);
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => it.seek(20));
		await button.click();
		await model(page)
			.getByRole("alert")
			.getByText(
				"far: cannot drive: its first position is not one frame ahead (found first_step 1 and step_time 0.5",
			)
			.waitFor();
	});
});

describe("a page's model", () => {
	it("is a function that predicts the displayed frame; undefined closes it", async () => {
		const { page, complaints } = await app.openTiny(suite, { link: "f=3" });
		await page.evaluate(async () => {
			const seen: string[] = [];
			const ahead = (inputs: Record<string, { dims: readonly number[] }>) => {
				seen.push(...Object.keys(inputs));
				Object.assign(globalThis, { seen });
				const data = Float64Array.of(1, 0, 2, 0, 1, 1, 2, 2);
				return { positions: { data, dims: [1, 2, 2, 2] } };
			};
			const viewer = document.querySelector<Viewer>("bev-viewer");
			await viewer?.setModel(ahead as never, { name: "mine" });
		});
		await model(page).getByText("mine").first().waitFor();
		await model(page).getByText("Live", { exact: true }).waitFor();
		await model(page).getByText("2 modes of 2 steps").waitFor();
		const seen = await page.evaluate(() => (globalThis as { seen?: string[] }).seen);
		expect(seen).toContain("history_positions");
		expect(seen).not.toContain("image");
		expect(await findings(page)).toEqual([]);
		await page.evaluate(() =>
			document.querySelector<Viewer>("bev-viewer")?.setModel(undefined),
		);
		await model(page).waitFor({ state: "detached" });
		expect(complaints).toEqual([]);
	});

	it("may be set before the data is open", async () => {
		const { page } = await app.openApp(suite, {});
		await page.evaluate(async () => {
			const still = () => ({
				positions: { data: new Float64Array(2), dims: [1, 1, 2] },
			});
			await document.querySelector<Viewer>("bev-viewer")?.setModel(still as never);
		});
		const controller = await app.controllerOf(page);
		await controller.evaluate(
			(it, address) => it.open({ kind: "address", address }),
			app.TINY_SOURCE,
		);
		await expect
			.poll(() => controller.evaluate(({ state }) => state.live?.frame))
			.toBe(0);
	});
});
