import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openApp, serveApp } from "../../browser/viewer-harness.js";
import { launch } from "../../support/engines.js";

// The whole viewer at 1280 x 720 with a scene of L5Kit's size, drawn without a GPU: 300
// lanes of 20 points, 100 agents with trails of 20, 40 crosswalks, plots and traffic
// lights.

/** Minimum frames per second when playing, and maximum milliseconds per seek. */
const MIN_RATE = 30;
const MAX_SEEK_MS = 50;

interface Measured {
	readonly playing: number;
	readonly turning: number;
	readonly panning: number;
	readonly times: readonly number[];
}

/** Without easing: the first image after a seek is the exact one. */
async function measured(painter: "canvas2d" | "webgl2"): Promise<Measured> {
	const folder = fileURLToPath(new URL(".", import.meta.url));
	const support = fileURLToPath(new URL("../../support", import.meta.url));
	const more = { folders: { "/bench/": folder, "/support/": support } };
	const [server, browser] = await Promise.all([serveApp(more), launch()]);
	const size = { width: 1280, height: 720, reducedMotion: true };
	const { page, complaints } = await openApp({ browser, server }, size);
	const [seconds, seeks] = painter === "canvas2d" ? [4, 51] : [4, 11];
	const script = `import('/bench/viewer.page.js').then((page) => page.measure(${seconds}, ${seeks}, "${painter}"))`;
	const result = await page.evaluate<Measured>(script);
	await browser.close();
	await server.close();
	expect(complaints).toEqual([]);
	return result;
}

/** Prints all results; returns the median of the seeks. */
function told({ playing, turning, panning, times }: Measured): number {
	const sorted = [...times].sort((a, b) => a - b);
	const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
	const tenth = sorted[Math.floor(sorted.length / 10)] ?? Number.NaN;
	console.log(`playing at 8x   ${playing.toFixed(1)} pictures/s`);
	console.log(`heading up      ${turning.toFixed(1)} pictures/s`);
	console.log(`dragging        ${panning.toFixed(1)} pictures/s`);
	console.log(
		`seek to picture ${median.toFixed(1)} ms median (tenth: ${tenth.toFixed(1)})`,
	);
	return median;
}

it("plays and seeks in a scene of 300 lanes and 100 agents", async () => {
	const result = await measured("canvas2d");
	const median = told(result);
	const { playing, turning, panning } = result;
	expect(playing).toBeGreaterThanOrEqual(MIN_RATE);
	expect(turning).toBeGreaterThanOrEqual(MIN_RATE);
	expect(panning).toBeGreaterThanOrEqual(MIN_RATE);
	expect(median).toBeLessThan(MAX_SEEK_MS);
});

// Not chosen by `auto` here: measures how much slower WebGL2 is without a GPU.
it("does so by WebGL2 too", async () => {
	expect(told(await measured("webgl2"))).toBeGreaterThan(0);
});
