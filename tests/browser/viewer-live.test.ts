import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { imageModel, velocityModel } from "../support/onnx-model.js";
import { findings } from "./axe.js";
import { RUNTIME } from "./tour.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer(() => {
	if (!existsSync(RUNTIME))
		throw new Error("build/tensors is not installed: run scripts/build tensors");
	return { folders: { "/app/ort/": RUNTIME } };
});

const VELOCITY = velocityModel(20);

/** Writes files and drops them on the page. */
async function drop(page: Page, files: Readonly<Record<string, Uint8Array | string>>) {
	const folder = mkdtempSync(join(tmpdir(), "bevscope-"));
	try {
		const paths = Object.entries(files).map(([name, content]) => {
			const path = join(folder, name);
			writeFileSync(path, content);
			return path;
		});
		await app.dropFiles(page, paths);
		await section(page).waitFor();
	} finally {
		rmSync(folder, { recursive: true });
	}
}

const section = (page: Page) => page.getByRole("region", { name: "Model" });

/** Number of the live model's paths in the picture, and the frame that they are of. */
async function live(page: Page) {
	const controller = await app.controllerOf(page);
	return controller.evaluate(({ state }) => {
		const lines = state.review.drawn.find(({ model }) => model === -1)?.lines;
		return { paths: lines?.confidences.length, frame: lines?.frame };
	});
}

const seek = async (page: Page, frame: number): Promise<void> => {
	const controller = await app.controllerOf(page);
	await controller.evaluate((it, to) => it.seek(to), frame);
};

describe("a live model", () => {
	it("is dropped, predicts while scrubbing, keeps results, and is closed", async () => {
		const { page, complaints } = await app.openTiny(suite, { link: "f=3" });
		const requested: string[] = [];
		page.on("request", (request) => requested.push(new URL(request.url()).pathname));
		await drop(page, { "velocity.onnx": VELOCITY });
		await expect.poll(() => live(page)).toEqual({ paths: 1, frame: 3 });
		await section(page).getByText("Live", { exact: true }).waitFor();
		await section(page).getByText("history_positions (n, 11, 2)").waitFor();
		await section(page).getByText("1 mode of 20 steps, 2.0 s").waitFor();
		await section(page)
			.getByText(/^\d+\.\d ms: sample \d.*, copy .*, inference .*, drawing /)
			.waitFor();
		expect(requested.filter((path) => path.includes("/ort/")).length).toBe(3);
		await seek(page, 5);
		await expect.poll(() => live(page)).toEqual({ paths: 1, frame: 5 });
		await section(page).getByText("2 frames").waitFor();
		await seek(page, 3);
		await expect.poll(() => live(page)).toEqual({ paths: 1, frame: 3 });
		await section(page).getByText("2 frames").waitFor();
		expect(await findings(page)).toEqual([]);
		await page.getByRole("button", { name: "Close the model" }).click();
		await section(page).waitFor({ state: "detached" });
		await expect.poll(() => live(page)).toEqual({});
		expect(complaints).toEqual([]);
	});

	it("shows the modes of an image's model with the settings beside it", async () => {
		const { page, complaints } = await app.openTiny(suite, { link: "f=2" });
		const settings = {
			format: "bevscope-model",
			version: 1,
			name: "pooled",
			config: {
				model_params: {
					history_num_frames: 1,
					future_num_frames: 10,
					step_time: 0.1,
					render_ego_history: true,
				},
				raster_params: {
					raster_size: [32, 32],
					pixel_size: [0.5, 0.5],
					ego_center: [0.25, 0.5],
					map_type: "box_debug",
					filter_agents_threshold: 0.5,
					disable_traffic_light_faces: false,
					set_origin_to_bottom: true,
				},
			},
		};
		await drop(page, {
			"image.onnx": imageModel([4, 32], [3, 10]),
			"image.json": JSON.stringify(settings),
		});
		await expect.poll(() => live(page)).toEqual({ paths: 3, frame: 2 });
		await section(page).getByText("pooled").waitFor();
		await section(page).getByText("its own").waitFor();
		await section(page)
			.getByText(/3 modes of 10 steps, .*, with confidences/)
			.waitFor();
		expect(complaints).toEqual([]);
	});

	it("predicts agents, too, if the settings say so, up to their number", async () => {
		const { page, complaints } = await app.openTiny(suite, { link: "f=3" });
		const settings = { format: "bevscope-model", version: 1, subject: "both" };
		const json = (more: object) => JSON.stringify({ ...settings, ...more });
		const tracks = async () => {
			const controller = await app.controllerOf(page);
			return controller.evaluate(({ state }) => {
				const lines = state.review.drawn.find(({ model }) => model === -1)?.lines;
				return `${lines?.frame}: ${lines?.tracks.join(", ")}`;
			});
		};
		await drop(page, { "both.onnx": VELOCITY, "both.json": json({}) });
		await expect.poll(tracks).toBe("3: -1, 1, 2, 3");
		await section(page).getByText("Live", { exact: true }).waitFor();
		await seek(page, 5);
		await expect.poll(tracks).toBe("5: -1, 1, 2, 3");
		await drop(page, {
			"agents.onnx": VELOCITY,
			"agents.json": json({ subject: "agents", max_agents: 2 }),
		});
		await expect.poll(tracks).toBe("5: 1, 2");
		expect(complaints).toEqual([]);
	});

	it("says what is wrong, and the viewer goes on", async () => {
		const { page, complaints } = await app.openTiny(suite, { link: "f=3" });
		await drop(page, { "text.onnx": "not a model" });
		await section(page)
			.getByRole("alert")
			.getByText(/^text\.onnx: cannot be loaded: /)
			.waitFor();
		await section(page).getByText("Not running").waitFor();
		await drop(page, { "wide.onnx": velocityModel(20, { past: 3 }) });
		// The config is assumed from the shapes: a history of 2 frames.
		await expect.poll(() => live(page)).toEqual({ paths: 1, frame: 3 });
		await section(page)
			.getByText(/assumed: history 2$/)
			.waitFor();
		expect(await findings(page)).toEqual([]);
		expect(complaints).toEqual([]);
	});

	it("ends its worker with the data set, and predicts in the next one", async () => {
		const { page, complaints } = await app.openTiny(suite, { link: "f=3" });
		await drop(page, { "velocity.onnx": VELOCITY });
		await expect.poll(() => live(page)).toEqual({ paths: 1, frame: 3 });
		const workers = () =>
			page.workers().filter((one) => one.url().includes("model-worker")).length;
		expect(workers()).toBe(1);
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => it.close());
		await expect.poll(workers).toBe(0);
		await controller.evaluate(async (it, address) => {
			await it.open({ kind: "address", address });
			it.seek(2);
		}, app.TINY_SOURCE);
		await expect.poll(() => live(page)).toEqual({ paths: 1, frame: 2 });
		expect(workers()).toBe(1);
		expect(complaints).toEqual([]);
	});

	it("keeps the previous frame's lines until the displayed frame's are there", async () => {
		const { page } = await app.openTiny(suite, { link: "f=1" });
		await drop(page, { "velocity.onnx": VELOCITY });
		await expect.poll(() => live(page)).toEqual({ paths: 1, frame: 1 });
		const controller = await app.controllerOf(page);
		// What a slow model leaves: another frame is shown, and its lines are not there yet.
		const late = await controller.evaluate((it) => {
			return new Promise<string | undefined>((resolve) => {
				const stop = it.store.subscribe(({ shown, live }) => {
					if (shown?.frame !== 4) return;
					stop();
					resolve(`${live?.frame} of ${shown.frame}`);
				});
				it.seek(4);
			});
		});
		expect(late).toBe("1 of 4");
		await expect.poll(() => live(page)).toEqual({ paths: 1, frame: 4 });
	});
});
