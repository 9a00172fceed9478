import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { storm } from "../support/storm.js";
import * as app from "./viewer-harness.js";

/** Without its map, since the cached bitmap may differ slightly from a new drawing. */
const town = fileURLToPath(new URL("../../build/town/scenes/", import.meta.url));
const dist = fileURLToPath(new URL("../../web/dist/", import.meta.url));

const suite = app.useViewer(() => ({
	folders: { "/stormy/scenes/": town, "/calm/scenes/": town, "/dist/": dist },
}));

/** Number of actions. BEV_ACTIONS=2000 takes some minutes. */
const ACTIONS = Number(process.env.BEV_ACTIONS ?? 500);

interface Report {
	/** Numbers of checked states: of loaded frames and of failed frames. */
	readonly settled: number;
	readonly failed: number;
	readonly tables: number;
	readonly counts: number;
	readonly distributions: number;
	readonly lists: number;
	/** Number of pictures compared with the first one of the same state. */
	readonly samePictures: number;
	readonly wrong: readonly string[];
}

async function play(share: number, steps: number): Promise<Report> {
	const link = "v=1&src=/stormy/scenes/town.zarr&s=0&f=0";
	const { page } = await app.openApp(suite, {
		link,
		width: 1200,
		height: 700,
		reducedMotion: true,
	});
	await app.settled(page);
	const { server } = suite;
	server.chaos = storm({ seed: steps, share, prefix: "/stormy/", stalls: false });
	const options = {
		truth: `${server.origin}/calm/scenes/town.zarr`,
		seed: 11,
		frames: 40,
	};
	// A string, since the test runner would transform `import()`.
	const report = await page.evaluate(
		`Promise.all([import("/dist/index.js"), import("/support/monkey.js")])
			.then(([lib, { Monkey }]) => {
				const viewer = document.querySelector("bev-viewer");
				viewer.painter = "canvas2d";
				return Monkey.make(lib, viewer, ${JSON.stringify(options)});
			})
			.then((monkey) => monkey.run(${steps}))`,
	);
	return report as Report;
}

describe("browser/monkey: displayed data belongs to the named frame", () => {
	it("through many actions on a working server", { timeout: 1_500_000 }, async () => {
		const report = await play(0, ACTIONS);
		expect(report.wrong).toEqual([]);
		expect(report.failed).toBe(0);
		expect(report.settled).toBeGreaterThan(ACTIONS / 2);
		expect(report.tables).toBeGreaterThan(ACTIONS / 20);
		expect(report.counts).toBeGreaterThan(ACTIONS / 20);
		expect(report.distributions).toBeGreaterThan(ACTIONS / 40);
		expect(report.lists).toBeGreaterThan(ACTIONS / 40);
		expect(report.samePictures).toBeGreaterThan(5);
	});

	it("through 200 actions on a failing server", { timeout: 600_000 }, async () => {
		const report = await play(0.2, 200);
		expect(report.wrong).toEqual([]);
		expect(report.settled).toBeGreaterThan(30);
	});
});
