import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { endlessModel, onnxFile, velocityModel } from "../support/onnx-model.js";
import { tinyDataset } from "../support/tiny-dataset.js";
import { findings } from "./axe.js";
import { RUNTIME } from "./tour.js";
import * as app from "./viewer-harness.js";

/** Two scenes of 40 frames. */
const LONG = "/data/long.zarr";
const FRAMES = 40;

const suite = app.useViewer(() => {
	if (!existsSync(RUNTIME))
		throw new Error("build/tensors is not installed: run scripts/build tensors");
	const objects = new Map<string, Uint8Array | string>();
	const size = { scenes: 2, framesPerScene: FRAMES, rowsPerChunk: 64 };
	for (const [key, bytes] of tinyDataset(size)) objects.set(`${LONG}/${key}`, bytes);
	objects.set("/data/a.onnx", velocityModel(20));
	objects.set("/data/b.onnx", velocityModel(10));
	return { folders: { "/app/ort/": RUNTIME }, objects };
});

const section = (page: Page) => page.getByRole("region", { name: "Model" });
const says = (page: Page, text: string | RegExp) =>
	section(page).getByText(text, { exact: true }).waitFor();
const press = (page: Page, name: string) =>
	section(page).getByRole("button", { name, exact: true }).click();

const choose = (page: Page, name: string, value: string) =>
	section(page).getByRole("combobox", { name, exact: true }).selectOption(value);

async function drop(page: Page, name: string, bytes: Uint8Array): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), "bevscope-"));
	try {
		const path = join(folder, name);
		writeFileSync(path, bytes);
		await app.dropFiles(page, [path]);
		await section(page).waitFor();
	} finally {
		rmSync(folder, { recursive: true });
	}
}

async function openLong(link = "f=12", options: app.OpenOptions = {}) {
	const at = `v=1&src=${LONG}&${link}`;
	const opened = await app.openApp(suite, { ...options, link: at });
	await app.settled(opened.page);
	return opened;
}

/** Gives the viewer a function that takes `milliseconds` for each batch. */
async function setSlow(page: Page, milliseconds: number): Promise<void> {
	await page.evaluate((wait) => {
		const slow = async ({ yaw }: { yaw: { dims: readonly number[] } }) => {
			await new Promise((done) => setTimeout(done, wait));
			const count = yaw.dims[0] ?? 0;
			const data = Float64Array.from(
				{ length: 4 * count },
				(_, i) => [1, 0, 2, 0][i % 4] ?? 0,
			);
			return { positions: { data, dims: [count, 2, 2] } };
		};
		const viewer = document.querySelector<Viewer>("bev-viewer");
		return viewer?.setModel(slow as never, { name: "slow" });
	}, milliseconds);
}

/** The sets of predictions: names, and their sizes. */
async function sets(page: Page) {
	const controller = await app.controllerOf(page);
	return controller.evaluate(({ state }) =>
		state.review.models.map(({ name, phase, shape }) => ({
			...{ name, phase, size: shape?.size },
		})),
	);
}

/** Points in which the displayed frame's paths of a set and of the model differ. */
async function differences(page: Page) {
	const controller = await app.controllerOf(page);
	return controller.evaluate(({ state }) => {
		const of = (is: (id: number) => boolean) =>
			state.review.drawn.find(({ model }) => is(model))?.lines.modes.points;
		const [set, live] = [of((id) => id !== -1), of((id) => id === -1)];
		if (!set || !live || set.length !== live.length) return [set?.length, live?.length];
		return [...set].filter((value, i) => Math.abs(value - (live[i] ?? 0)) > 1e-6);
	});
}

const liveOf = async (page: Page) => {
	const controller = await app.controllerOf(page);
	return controller.evaluate(({ state: { live } }) => ({
		...{ name: live?.name, phase: live?.phase, steps: live?.contract?.steps },
		...{ kept: live?.kept, frame: live?.frame, problem: live?.problem },
	}));
};

describe("a model's predictions of scenes", () => {
	it("are a set as any other: scored, ranked, shown in every frame", async () => {
		const { page, complaints } = await openLong();
		await drop(page, "velocity.onnx", velocityModel(20));
		await says(page, "Live");
		await says(page, "WebAssembly, one thread");
		await press(page, "Run");
		await says(page, /^Predicted 40 frames of scene 0: see Predictions below$/);
		await expect
			.poll(() => sets(page))
			.toEqual([{ name: "velocity.onnx", phase: "ready", size: FRAMES }]);
		// The results of the scene are kept by frame, too.
		expect((await liveOf(page)).kept).toBe(FRAMES);
		// In the displayed frame, the set's paths are the live ones.
		await expect.poll(() => differences(page)).toEqual([]);
		await choose(page, "Of", "all");
		await section(page).getByLabel("Every n-th frame").fill("2");
		await press(page, "Run");
		await says(page, /^Predicted 40 frames of all scenes: see Predictions below$/);
		// In place of the first one, of the same name.
		await expect
			.poll(() => sets(page))
			.toEqual([{ name: "velocity.onnx", phase: "ready", size: FRAMES }]);
		await choose(page, "For", "both");
		await section(page).getByLabel("Every n-th frame").fill("10");
		await press(page, "Run");
		await expect.poll(async () => (await sets(page))[0]?.size).toBe(8 * 4);
		expect(await findings(page)).toEqual([]);
		expect(complaints).toEqual([]);
	});

	it("are cancelled, give the frames that are predicted, and are resumed", async () => {
		const { page, complaints } = await openLong();
		await setSlow(page, 60);
		await expect.poll(async () => (await liveOf(page)).phase).toBe("ready");
		await app.openTab(page, "Predictions");
		await choose(page, "Of", "all");
		await press(page, "Run");
		const bar = section(page).getByRole("progressbar", { name: "Predicted frames" });
		await bar.waitFor();
		await expect.poll(async () => Number(await bar.getAttribute("max"))).toBe(80);
		await expect
			.poll(() =>
				section(page)
					.getByText(/^Predicting all scenes: [1-9]/)
					.count(),
			)
			.toBe(1);
		// The viewer goes on meanwhile.
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => it.seek(30));
		await expect.poll(async () => (await liveOf(page)).frame).toBe(30);
		await press(page, "Cancel");
		await section(page)
			.getByText(/^Stopped in all scenes: \d+ of 80 frames$/)
			.waitFor();
		const text = await section(page)
			.getByText(/^Stopped in all scenes/)
			.textContent();
		const done = Number(/: (\d+) of/.exec(text ?? "")?.[1]);
		expect(done).toBeLessThan(80);
		await press(page, "Add these");
		await expect
			.poll(() => sets(page))
			.toEqual([{ name: "slow", phase: "ready", size: done }]);
		await press(page, "Resume");
		await says(page, /^Predicted 80 frames of all scenes: see Predictions below$/);
		await expect
			.poll(() => sets(page))
			.toEqual([{ name: "slow", phase: "ready", size: 80 }]);
		expect(complaints).toEqual([]);
	});

	it("end with the model and with the data set", async () => {
		const { page, complaints } = await openLong();
		const begin = async () => {
			await setSlow(page, 100);
			await expect.poll(async () => (await liveOf(page)).phase).toBe("ready");
			await app.openTab(page, "Predictions");
			await choose(page, "Of", "all");
			await press(page, "Run");
			await section(page)
				.getByText(/^Predicting all scenes: /)
				.waitFor();
		};
		await begin();
		await page.getByRole("button", { name: "Close the model" }).click();
		await section(page).waitFor({ state: "detached" });
		await begin();
		const controller = await app.controllerOf(page);
		await controller.evaluate(
			(it, address) => it.open({ kind: "address", address }),
			app.TINY_SOURCE,
		);
		await expect
			.poll(() =>
				section(page)
					.getByText(/^Predicting/)
					.count(),
			)
			.toBe(0);
		await says(page, "Live");
		expect(await sets(page)).toEqual([]);
		expect(complaints).toEqual([]);
	});
});

/** The app has the example model if it was there when the app was built. */
const EXAMPLE = fileURLToPath(
	new URL("../../build/app/example/town.onnx", import.meta.url),
);

describe.skipIf(!existsSync(EXAMPLE))("the example model", () => {
	it("is opened with the town, and predicts the ego vehicle and agents", async () => {
		const { page, complaints } = await app.openApp(suite, {});
		await page.getByRole("button", { name: "Example model" }).click();
		await app.settled(page);
		await expect.poll(() => liveOf(page)).toMatchObject({ phase: "ready", steps: 50 });
		const controller = await app.controllerOf(page);
		const tracks = () =>
			controller.evaluate(({ state }) => {
				const live = state.review.drawn.find(({ model }) => model === -1)?.lines.tracks;
				return new Set(live ?? []).size;
			});
		await expect.poll(tracks).toBeGreaterThan(10);
		expect(complaints).toEqual([]);
	});
});

describe("models that go wrong", () => {
	it("one that takes minutes is cancelled; the viewer and the next model go on", async () => {
		const { page, complaints } = await openLong();
		await drop(page, "endless.onnx", endlessModel());
		await press(page, "Cancel");
		await section(page).getByRole("alert").getByText("cancelled").waitFor();
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => it.seek(20));
		await app.settled(page);
		await section(page)
			.getByRole("alert")
			.getByText("endless.onnx: no answer within 10000 ms; the model was ended")
			.waitFor();
		expect(await controller.evaluate(({ state }) => state.shown?.frame)).toBe(20);
		await drop(page, "velocity.onnx", velocityModel(20));
		await says(page, "Live");
		expect(complaints).toEqual([]);
	});

	it("outputs that are not finite are refused, live and in scenes", async () => {
		const { page, complaints } = await openLong();
		const weights = Array.from({ length: 44 }, () => Number.NaN);
		await drop(
			page,
			"nan.onnx",
			onnxFile({
				inputs: [
					{ name: "history_positions", type: "float32", dims: [undefined, 11, 2] },
				],
				outputs: [{ name: "positions", type: "float32", dims: [undefined, 4, 2] }],
				nodes: [["MatMul", ["w", "history_positions"], "positions"]],
				constants: [{ name: "w", type: "float32", dims: [4, 11], values: weights }],
			}),
		);
		const said = "nan.onnx: positions: not finite in 1 of 1 samples";
		await section(page).getByRole("alert").getByText(said).waitFor();
		await press(page, "Run");
		await section(page)
			.getByRole("alert")
			.getByText(/^nan\.onnx: positions: not finite in 4 of 4 samples$/)
			.waitFor();
		expect(await sets(page)).toEqual([]);
		expect(complaints).toEqual([]);
	});

	for (const slow of ["/data/a.onnx", "/data/b.onnx"]) {
		it(`of two in a row the last one is opened, also if ${slow} comes late`, async () => {
			const { page, complaints } = await openLong();
			suite.server.fault({ match: new RegExp(slow), times: 1, delayMs: 1500 });
			await page.evaluate(async () => {
				const viewer = document.querySelector<Viewer>("bev-viewer");
				await Promise.all([
					viewer?.setModel("/data/a.onnx"),
					viewer?.setModel("/data/b.onnx"),
				]);
			});
			await expect
				.poll(() => liveOf(page))
				.toMatchObject({ name: "b.onnx", phase: "ready", steps: 10, frame: 12 });
			const workers = () =>
				page.workers().filter((one) => one.url().includes("model-worker")).length;
			await expect.poll(workers).toBe(1);
			await page.waitForTimeout(300);
			expect(await liveOf(page)).toMatchObject({ name: "b.onnx", steps: 10 });
			expect(workers()).toBe(1);
			expect(complaints).toEqual([]);
		});
	}
});
