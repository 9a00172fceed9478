import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { tinyDataset } from "../support/tiny-dataset.js";
import * as app from "./viewer-harness.js";

const FRAMES = 248;
const SOURCE = "/data/long.zarr";
/** Four frames of agents per chunk. */
const SIZE = { scenes: 2, framesPerScene: FRAMES, rowsPerChunk: 12 };

const suite = app.useViewer(() => {
	const long = [...tinyDataset(SIZE)];
	return { objects: new Map(long.map(([key, bytes]) => [`${SOURCE}/${key}`, bytes])) };
});

/**
 * Opens a data set with a high latency for requests that match `match`; waits for its
 * first frame only.
 */
async function openFar(
	delayMs: number,
	match = /long\.zarr\/\w+\/\d+$/,
): Promise<Page> {
	suite.server.fault({ match, delayMs, times: Number.POSITIVE_INFINITY });
	const { page } = await app.openPictured(suite, SOURCE);
	return page;
}

/** Returns the indices of the requested agent chunks, in order. */
const agentChunks = (): number[] => suite.server.asked(`${SOURCE}/agents/`).map(Number);

describe("a remote scene", () => {
	it("reads the frame where scrubbing ended before those passed", async () => {
		const page = await openFar(600);
		const controller = await app.controllerOf(page);
		// Seeks faster than the server responds.
		await controller.evaluate(async (it) => {
			for (let frame = 60; frame <= 240; frame += 10) {
				it.seek(frame);
				await new Promise((resolve) => setTimeout(resolve, 40));
			}
		});
		await page.waitForFunction((it) => it.state.shown?.frame === 240, controller);
		const asked = agentChunks();
		const first = asked.slice(0, asked.indexOf(60));
		// Frames 40 to 200, which are not near the final position.
		const passed = Array.from({ length: 40 }, (_, k) => 10 + k);
		expect(passed.filter((chunk) => !first.includes(chunk)).length).toBeGreaterThan(5);
	});

	it("cancels reads when another scene is opened", async () => {
		// The first scene's agents, except those of the first frames, are never answered.
		const page = await openFar(600_000, /agents\/[1-5]\d$/);
		const asked = () =>
			suite.server.log.filter(({ path }) => path.includes("/agents/"));
		await expect.poll(() => asked().some(({ status }) => status === 0)).toBe(true);
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => it.setScene(1));
		await expect.poll(() => asked().some(({ aborted }) => aborted)).toBe(true);
		await page.waitForFunction(
			(it) => it.state.shown?.scene === 1 && it.state.shown.frame === 0,
			controller,
		);
	});

	it("plays without stalls or requests once buffered", async () => {
		const page = await openFar(20);
		await app.buffered(page, FRAMES);
		const asked = suite.server.asked(SOURCE).length;
		const controller = await app.controllerOf(page);
		const { stalls, played, shown } = await controller.evaluate(async (it) => {
			const played = new Set<number>();
			const seen = new Set<number>();
			let waits = 0;
			const stop = it.store.subscribe((state) => {
				if (state.stalled) waits += 1;
				played.add(state.frame);
				if (state.shown) seen.add(state.shown.frame);
			});
			it.setSpeed(8);
			it.play();
			while (it.state.playing) await new Promise((done) => setTimeout(done, 20));
			stop();
			return { stalls: waits, played: [...played], shown: [...seen] };
		});
		expect(stalls).toBe(0);
		expect(shown).toEqual(played);
		// On a page of any speed, playback advances at most two seconds of data at a time.
		expect(shown.length).toBeGreaterThan(FRAMES / 20);
		expect(await app.stateOf(page)).toMatchObject({
			frame: FRAMES - 1,
			shown: FRAMES - 1,
		});
		expect(suite.server.asked(SOURCE).length).toBe(asked);
	});
});
