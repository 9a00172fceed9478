import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { launch, openPage, serve } from "../../browser/harness.js";
import { GOLDENS } from "../../support/goldens.js";

// A whole chunk of L5Kit's agents (20,000 records of 116 bytes, Blosc lz4 with shuffle) to
// columns in Chromium, against numcodecs.js decoding the same bytes to records. Every round
// starts from the encoded chunk, in memory, and an engine that has never seen it.

/** Below this the claim of the README no longer holds. */
const LEAST_RATIO = 3;

const at = (path: string): string =>
	fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** A data set whose first agents chunk is whole: the goldens' or the made-up town. */
function dataset(): string {
	const candidates = [
		`${GOLDENS}/inputs/single_scene.zarr`,
		at("build/town/scenes/town.zarr"),
	];
	const found = candidates.find((path) => existsSync(`${path}/agents/0`));
	if (found) return found;
	throw new Error("no agents chunk: set BEV_GOLDENS, or make the town by scripts/demo");
}

interface Measured {
	readonly times: Readonly<Record<"all" | "two" | "theirs" | "copy", number[]>>;
	readonly wrong: number;
	readonly bytes: number;
}

async function measured(): Promise<Measured> {
	const folders = {
		"/data/": dataset(),
		"/numcodecs/": at("web/node_modules/numcodecs/dist"),
		"/bench/": at("tests/bench/browser"),
	};
	const [server, browser] = await Promise.all([serve({}, folders), launch()]);
	const { page } = await openPage(browser, server);
	const script =
		"import('/bench/agents_chunk.page.js').then((page) => page.measure(41))";
	const result = await page.evaluate<Measured>(script);
	await browser.close();
	await server.close();
	return result;
}

function median(values: readonly number[]): number {
	return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

it("a whole agents chunk to columns, against numcodecs.js", async () => {
	const { times, wrong, bytes } = await measured();
	expect(wrong).toBe(0);
	const [all, two, theirs, copy] = [times.all, times.two, times.theirs, times.copy].map(
		median,
	) as [number, number, number, number];
	const line = (name: string, ms: number): string => {
		const speed = `${ms.toFixed(3)} ms ${(bytes / ms / 1e6).toFixed(2)} GB/s`;
		const ratios = `${(theirs / ms).toFixed(1)}x numcodecs.js, ${(ms / copy).toFixed(1)}x memcpy`;
		return `${name.padEnd(28)} ${speed} ${ratios}`;
	};
	console.log(line("bevscope, all columns", all));
	console.log(line("bevscope, centroid and yaw", two));
	console.log(line("numcodecs.js, records", theirs));
	expect(theirs / all).toBeGreaterThanOrEqual(LEAST_RATIO);
});
