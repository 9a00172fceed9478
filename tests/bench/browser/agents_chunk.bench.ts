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

const ISOLATED = {
	"Cross-Origin-Opener-Policy": "same-origin",
	"Cross-Origin-Embedder-Policy": "require-corp",
};

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
	// Isolated pages have a clock of 5 microseconds, others one of 100.
	server.fault({ match: /page\.html$/, headers: ISOLATED });
	const { page } = await openPage(browser, server);
	const script =
		"import('/bench/agents_chunk.page.js').then((page) => page.measure(101))";
	const result = await page.evaluate<Measured>(script);
	await browser.close();
	await server.close();
	return result;
}

/** The value that a share of all values is below. */
function quantile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
}

it("a whole agents chunk to columns, against numcodecs.js", async () => {
	const { times, wrong, bytes } = await measured();
	expect(wrong).toBe(0);
	// The median, and the tenth: on a machine that does other things besides, what takes
	// longer is interrupted more often, which flatters the shorter.
	const ratio = (name: keyof typeof times, share: number, of = times.theirs): number =>
		quantile(of, share) / quantile(times[name], share);
	const line = (title: string, name: keyof typeof times): void => {
		const ms = quantile(times[name], 0.5);
		const parts = [
			title.padEnd(28),
			`${ms.toFixed(3)} ms`,
			`${(bytes / ms / 1e6).toFixed(2)} GB/s`,
			`${ratio(name, 0.5).toFixed(1)}x numcodecs.js (tenth: ${ratio(name, 0.1).toFixed(1)}x)`,
			`${(1 / ratio(name, 0.5, times.copy)).toFixed(1)}x memcpy`,
		];
		console.log(parts.join("  "));
	};
	line("bevscope, all columns", "all");
	line("bevscope, centroid and yaw", "two");
	line("numcodecs.js, records", "theirs");
	expect(ratio("all", 0.1)).toBeGreaterThanOrEqual(LEAST_RATIO);
});
