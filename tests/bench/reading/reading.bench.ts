import { expect, it } from "vitest";
import { launch, openPage, serve } from "../../browser/harness.js";
import type { Times } from "./common.js";
import { LineProcess } from "./line-process.js";
import { bundle, makePlain, PLACES, shareOfColdFrames } from "./prepare.js";
import { readingKilobytes } from "./size.js";
import { type Measured, print, Series } from "./table.js";

// Reading the agents of a town of two million, in one run: this package in Chromium, under
// Node and natively, numcodecs.js and zarrita, c-blosc and zarr-python. All take turns, so
// that what else the machine does hits them alike; medians of the rounds. `scripts/bench
// reading` makes what this needs.

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 25);

/** Isolated pages have a clock of 5 microseconds, others one of 100. */
const ISOLATED = {
	"Cross-Origin-Opener-Policy": "same-origin",
	"Cross-Origin-Embedder-Policy": "require-corp",
};

/** A page with both benches in it; `ask` calls one of their functions. */
async function openBenches() {
	const folders = {
		"/town/": PLACES.town,
		"/plain/": PLACES.plain,
		"/bundles/": PLACES.bundles,
	};
	const [server, browser] = await Promise.all([serve({}, folders), launch()]);
	server.fault({
		match: /page\.html$/,
		times: Number.POSITIVE_INFINITY,
		headers: ISOLATED,
	});
	const { page } = await openPage(browser, server);
	// As text: what the test runner makes of `import()` is for this side only.
	const benches = await page.evaluateHandle(`(async () => {
		const { create } = await import("/bundles/page.mjs");
		const { instantiate } = await import("/dist/worker/core-module.js");
		return create({ instantiate, lib: await import("/dist/index.js") });
	})()`);
	const ask = <T>(bench: "chunks" | "http", call: "wrong" | "round", i: number) =>
		page.evaluate(
			([of, on, which, round]) =>
				(of as Record<string, Record<string, (round: unknown) => unknown>>)[
					on as string
				]?.[which as string]?.(round),
			[benches, bench, call, i] as const,
		) as Promise<T>;
	const close = async (): Promise<void> => {
		await browser.close();
		await server.close();
	};
	return { ask, close };
}

function startPrograms() {
	const { programs, town, bundles, dist, python } = PLACES;
	return {
		native: new LineProcess(`${programs}/reading_bench`, [town]),
		node: new LineProcess(process.execPath, [`${bundles}/under-node.mjs`, dist, town]),
		// Debian's own, for its packages.
		python: new LineProcess("/usr/bin/python3", ["-B", python, `${town}/agents`]),
	};
}

it("reads two million agents", { timeout: 1_800_000 }, async () => {
	makePlain();
	await bundle();
	const { ask, close } = await openBenches();
	const { native, node, python } = startPrograms();

	expect(await ask("chunks", "wrong", 0)).toBe(0);
	expect(await ask("http", "wrong", 0)).toBe(0);
	expect(await node.ask("check")).toBe(0);
	expect(await native.ask("check")).toEqual(await python.ask("check"));

	const measured: Measured = {
		chromium: new Series(),
		node: new Series(),
		native: new Series(),
		python: new Series(),
		http: new Series(),
		frames: shareOfColdFrames(),
		kilobytes: readingKilobytes(),
	};
	for (let round = -1; round < ROUNDS; round += 1) {
		const times = {
			chromium: await ask<Times>("chunks", "round", round + 1),
			native: await native.ask<Times>("round"),
			http: await ask<Times>("http", "round", round + 1),
			node: await node.ask<Times>("round"),
			python: await python.ask<Times>("round"),
		};
		if (round < 0) continue; // everything is warm after the first
		for (const [name, series] of Object.entries(times)) {
			measured[name as keyof typeof times].push(series);
		}
	}
	for (const program of [native, node, python]) program.close();
	await close();

	const below = print(measured);
	expect(below).toEqual([]);
});
