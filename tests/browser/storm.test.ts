import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { JSHandle, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { STUB_CONFIG } from "../../web/test/support/configs.js";
import { storm } from "../support/storm.js";
import { tinyDataset } from "../support/tiny-dataset.js";
import { serve, useServers } from "./harness.js";

/** Larger than the tiny one, with about forty objects that can fail. */
const SIZE = { scenes: 4, framesPerScene: 40, rowsPerChunk: 16 };
const FRAMES = SIZE.scenes * SIZE.framesPerScene;
const COUNTS = { frames: FRAMES, agents: 3 * FRAMES, traffic_light_faces: FRAMES };

/** Steps of each of the three readers. */
const STEPS = 40;

const support = fileURLToPath(new URL("../support", import.meta.url));

/** Returns the data set twice; requests below `/calm/` never fail. */
function twice(): Record<string, Uint8Array> {
	const objects = [...tinyDataset(SIZE)];
	const below = (prefix: string) =>
		objects.map(([key, bytes]) => [`${prefix}/set.zarr/${key}`, bytes] as const);
	return Object.fromEntries([...below("/calm"), ...below("/stormy")]);
}

const at = useServers({
	server: () => serve(twice(), { "/support/": support }),
	other: () => serve(twice()),
});

/** Counts of outcomes: right, wrong, and failed by reason. */
interface Tally {
	readonly right: number;
	readonly wrong: readonly string[];
	readonly failed: Readonly<Record<string, number>>;
	readonly untyped: readonly string[];
	readonly aborted: number;
	readonly reopened: number;
}

interface Calm extends Tally {
	/** Queries that still fail after the server works again. */
	readonly lasting: readonly string[];
	readonly changedInCalm: number;
}

/** The readers of `tests/support/storm-visit.js`. */
interface Visit {
	run(steps: number): Promise<Tally>;
	calm(steps: number): Promise<Calm>;
}

interface Weather {
	readonly seed: number;
	readonly share: number;
	/** Whether the data set has another origin than the page. */
	readonly foreign?: boolean;
	readonly opening?: object;
}

async function begin(
	weather: Weather,
): Promise<{ page: Page; visit: JSHandle<Visit> }> {
	const context = await at.browser.newContext();
	const page = await context.newPage();
	await page.goto(`${at.server.origin}/page.html`);
	const from = weather.foreign ? at.other : at.server;
	for (const server of [at.server, at.other]) server.etags = true;
	from.chaos = storm({ ...weather, prefix: "/stormy/" });
	const options = {
		seed: weather.seed,
		url: `${from.origin}/stormy/set.zarr`,
		truth: `${from.origin}/calm/set.zarr`,
		opening: weather.opening ?? {},
		config: STUB_CONFIG,
		size: { scenes: SIZE.scenes, frames: SIZE.framesPerScene, counts: COUNTS },
	};
	// A string, since the test runner would transform `import()`.
	const visit = await page.evaluateHandle(
		`Promise.all([import("/dist/index.js"), import("/support/storm-visit.js")])
			.then(([lib, { Visit }]) => new Visit(lib, ${JSON.stringify(options)}))`,
	);
	return { page, visit: visit as JSHandle<Visit> };
}

const KEPT = { cache: { persistent: { limit: 20_000 } } };

const WEATHERS: readonly (Weather & { readonly name: string })[] = [
	{ name: "5 %", seed: 1, share: 0.05 },
	{ name: "20 %", seed: 2, share: 0.2 },
	{ name: "50 %", seed: 3, share: 0.5 },
	{ name: "5 % of another origin", seed: 4, share: 0.05, foreign: true },
	{ name: "20 % of another origin", seed: 5, share: 0.2, foreign: true },
	{ name: "5 % through a small persistent cache", seed: 6, share: 0.05, opening: KEPT },
	{ name: "20 % through a small persistent cache", seed: 7, share: 0.2, opening: KEPT },
	{ name: "50 % through a small persistent cache", seed: 8, share: 0.5, opening: KEPT },
];

describe("browser/storm: a server that fails at random", () => {
	it.each(WEATHERS)("$name: no wrong values, only typed errors", async (weather) => {
		const { page, visit } = await begin(weather);
		const clearing = weather.opening ? clearOften(page) : undefined;
		const tally = await visit.evaluate((one, steps) => one.run(steps), STEPS);
		await clearing?.stop();
		expect(tally.wrong).toEqual([]);
		expect(tally.untyped).toEqual([]);

		at.server.chaos = undefined;
		at.other.chaos = undefined;
		const after = await visit.evaluate((one, steps) => one.calm(steps), STEPS);
		expect(after.wrong).toEqual([]);
		expect(after.untyped).toEqual([]);
		expect(after.lasting).toEqual([]);
		expect(after.right).toBeGreaterThanOrEqual(STEPS);
		expect(after.changedInCalm).toBeLessThanOrEqual(1);
	});

	it("the command prints correct values or fails with a reason", async () => {
		const { server } = at;
		const options = { seed: 9, share: 0.2, prefix: "/stormy/", stalls: false };
		server.chaos = storm(options);
		const results = await Promise.all(
			Array.from({ length: 12 }, async (_, i) => {
				const rows = `${i * 30}:${i * 30 + 60}`;
				const [calm, stormy] = [
					await cat(`${server.origin}/calm/set.zarr/agents`, rows),
					await cat(`${server.origin}/stormy/set.zarr/agents`, rows),
				];
				return stormy.failed ? stormy.reason !== "" : stormy.text === calm.text;
			}),
		);
		expect(results).toEqual(results.map(() => true));
	});
});

/** Clears the persistent cache repeatedly from another page of the same origin. */
function clearOften(page: Page): { stop(): Promise<void> } {
	let going = true;
	const clear = async (): Promise<void> => {
		const other = await page.context().newPage();
		await other.goto(`${at.server.origin}/page.html`);
		while (going) {
			await other.evaluate(
				"import('/dist/index.js').then((lib) => lib.clearPersistentCache())",
			);
			await new Promise((done) => setTimeout(done, 150));
		}
		await other.close();
	};
	const clearing = clear();
	return {
		async stop() {
			going = false;
			await clearing;
		},
	};
}

const PROGRAM = fileURLToPath(new URL("../../build/release/bevscope", import.meta.url));
const run = promisify(execFile);

async function cat(
	url: string,
	rows: string,
): Promise<{ failed: boolean; text: string; reason: string }> {
	const args = ["cat", url, "--rows", rows, "--format", "csv"];
	try {
		const { stdout } = await run(PROGRAM, args, { timeout: 60_000 });
		return { failed: false, text: stdout, reason: "" };
	} catch (error) {
		const { stderr } = error as { stderr?: string };
		return { failed: true, text: "", reason: stderr ?? "" };
	}
}
