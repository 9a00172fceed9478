import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { serve } from "../../tests/browser/harness.js";
import type { Times } from "./common.js";
import { LineProcess } from "./line-process.js";
import type { Call } from "./obey.js";
import { bundle, heldInMemory, PLACES, shareOfColdFrames } from "./prepare.js";
import { readingKilobytes } from "./size.js";
import { type Measured, print, Series } from "./table.js";
import { UnwatchedPage } from "./unwatched.js";

// Reads the agents of a town with two million, in one run: this package in Chromium,
// under Node and natively, numcodecs.js and zarrita, c-blosc and zarr-python. All
// alternate, so that other load affects them equally; results are medians of the
// rounds. `scripts/bench reading` creates the inputs.

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 25);

/** Isolated pages have a clock resolution of 5 microseconds, others 100. */
const ISOLATED = {
	"Cross-Origin-Opener-Policy": "same-origin",
	"Cross-Origin-Embedder-Policy": "require-corp",
};

/** Reads the control's URL from the page's own URL. */
const PAGE_SCRIPT = `
	import { follow } from "/bundles/page.mjs";
	import { instantiate } from "/modules/worker/core-module.js";
	import * as lib from "/dist/index.js";
	follow(location.hash.slice(1), { instantiate, lib });`;

/** Opens a page with both benchmarks; `ask` calls one of their functions. */
async function openBenches() {
	const objects = heldInMemory();
	objects.set(
		"/bench.html",
		'<!doctype html><script type="module" src="bench.js"></script>',
	);
	objects.set("/bench.js", PAGE_SCRIPT);
	const modules = fileURLToPath(new URL("../../build/modules/", import.meta.url));
	const folders = {
		...{ "/town/": PLACES.town, "/bundles/": PLACES.bundles },
		"/modules/": modules,
	};
	const server = await serve(Object.fromEntries(objects), folders);
	const times = Number.POSITIVE_INFINITY;
	server.fault({ match: /(bench\.html|worker\.js)$/, times, headers: ISOLATED });
	const page = await UnwatchedPage.open(
		(control) => `${server.origin}/bench.html#${control}`,
	);
	const ask = <T>(bench: Call["bench"], call: Call["call"], round: number) =>
		page.ask<T>({ bench, call, round });
	const close = async (): Promise<void> => {
		await page.close();
		await server.close();
	};
	return { ask, close };
}

function startPrograms() {
	const { programs, town, bundles, dist, python } = PLACES;
	return {
		native: new LineProcess(`${programs}/reading_bench`, [town]),
		node: new LineProcess(process.execPath, [`${bundles}/under-node.mjs`, dist, town]),
		// Debian's Python, for its packages.
		python: new LineProcess("/usr/bin/python3", ["-B", python, `${town}/agents`]),
	};
}

it("reads two million agents", { timeout: 1_800_000 }, async () => {
	await bundle();
	const { ask, close } = await openBenches();
	onTestFinished(close);
	const { native, node, python } = startPrograms();
	onTestFinished(() => {
		for (const program of [native, node, python]) program.close();
	});

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
		// Twice over HTTP: the time beyond the bare fetch is a tenth of the total.
		const overHttp = (i: number) => ask<Times>("http", "round", 2 * (round + 1) + i);
		const times = {
			chromium: [await ask<Times>("chunks", "round", round + 1)],
			native: [await native.ask<Times>("round")],
			http: [await overHttp(0), await overHttp(1)],
			node: [await node.ask<Times>("round")],
			python: [await python.ask<Times>("round")],
		};
		if (round < 0) continue; // the first round is a warm-up
		for (const [name, series] of Object.entries(times)) {
			for (const one of series) measured[name as keyof typeof times].push(one);
		}
	}

	const below = print(measured);
	expect(below).toEqual([]);
});
