import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openApp, serveApp } from "../../tests/browser/viewer-harness.js";
import { launch } from "../../tests/support/engines.js";

// The whole viewer at 1280 x 720 with a scene of L5Kit's size, drawn without a GPU: 300
// lanes of 20 points, 100 agents with trails of 20, 40 crosswalks, plots and traffic
// lights, without predictions and with those of three models. Processor time, of all
// processes of the browser and of the page's thread: unlike images per second, other
// programs affect it little.

const SECONDS = 4;

interface Counted {
	readonly pictures: number;
	readonly seconds: number;
}

/** Processor seconds of the browser's processes. */
async function processorTime(browser: Browser): Promise<number> {
	const session = await browser.newBrowserCDPSession();
	const { processInfo } = await session.send("SystemInfo.getProcessInfo");
	await session.detach();
	return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/** Returns a function that reads the processor seconds of the page's thread. */
async function threadTime(page: Page): Promise<() => Promise<number>> {
	const session = await page.context().newCDPSession(page);
	await session.send("Performance.enable", { timeDomain: "threadTicks" });
	return async () => {
		const { metrics } = await session.send("Performance.getMetrics");
		return metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
	};
}

/** Calls a function of viewer.page.js. */
function ask<T>(page: Page, name: string, ...values: readonly unknown[]): Promise<T> {
	const given = values.map((value) => JSON.stringify(value)).join(", ");
	return page.evaluate<T>(
		`import('/bench/viewer.page.js').then((page) => page.${name}(${given}))`,
	);
}

function share(times: readonly number[], part: number): string {
	const sorted = [...times].sort((a, b) => a - b);
	const at = Math.min(sorted.length - 1, Math.floor(sorted.length * part));
	return (sorted[at] ?? Number.NaN).toFixed(1);
}

async function opened(objects?: ReadonlyMap<string, string>) {
	const folder = fileURLToPath(new URL(".", import.meta.url));
	const support = fileURLToPath(new URL("../../tests/support", import.meta.url));
	const folders = { "/bench/": folder, "/support/": support };
	const more = { folders, ...(objects && { objects }) };
	const [server, browser] = await Promise.all([serveApp(more), launch()]);
	// Without easing: the first image after a seek is the exact one.
	const size = { width: 1280, height: 720, reducedMotion: true };
	const { page, complaints } = await openApp({ browser, server }, size);
	page.setDefaultTimeout(0);
	const close = async () => {
		await browser.close();
		await server.close();
		expect(complaints).toEqual([]);
	};
	return { browser, page, close };
}

describe("a scene of 300 lanes and 100 agents", () => {
	for (const painter of ["canvas2d", "webgl2"] as const) {
		for (const models of [0, 3]) {
			it(`with ${models} models, drawn by ${painter}`, async () => {
				const { browser, page, close } = await opened();
				await ask(page, "prepare", painter, models);
				const thread = await threadTime(page);
				const ways = ["playing", "turning", "panning", "tilted", "tiltedTurning"];
				for (const name of ways) {
					const [begin, before] = [await thread(), await processorTime(browser)];
					const { pictures, seconds } = await ask<Counted>(page, name, SECONDS);
					const used = (await processorTime(browser)) - before;
					const own = (await thread()) - begin;
					const each = (seconds: number) => ((1000 * seconds) / pictures).toFixed(1);
					const rate = (pictures / seconds).toFixed(1);
					console.log(
						`${name.padEnd(13)} ${rate} pictures/s, ${each(used)} ms of processor time each, ${each(own)} ms of it on the page's thread`,
					);
					expect(pictures).toBeGreaterThan(0);
				}
				const events = await ask<number[]>(page, "input", 60);
				console.log(
					`input    ${share(events, 0.5)} ms to the picture (90 %: ${share(events, 0.9)})`,
				);
				if (painter === "canvas2d") {
					const seeks = await ask<number[]>(page, "seeking", 51);
					console.log(
						`seek     ${share(seeks, 0.5)} ms to the picture (10 %: ${share(seeks, 0.1)})`,
					);
				}
				await close();
			});
		}
	}
});

/** Returns a CSV of `rows` predictions with three modes of 50 steps. */
function predictions(rows: number): string {
	const modes = [0, 1, 2];
	const steps = Array.from({ length: 50 }, (_, i) => i);
	const names = modes.flatMap((mode) =>
		steps.flatMap((step) => [`coord_x${mode}${step}`, `coord_y${mode}${step}`]),
	);
	const head = ["timestamp", "track_id", "conf_0", "conf_1", "conf_2", ...names];
	const begin = 1_570_735_440_000_000_000n;
	const line = (row: number): string => {
		const time = begin + BigInt(Math.floor(row / 100)) * 100_000_000n;
		const values = names.map((_, i) => ((i % 100) * 0.37 + row * 1e-4).toFixed(4));
		return [time, (row % 100) + 1, 0.25, 0.5, 0.25, ...values].join(",");
	};
	return [head.join(","), ...Array.from({ length: rows }, (_, i) => line(i)), ""].join(
		"\n",
	);
}

it("reads 63 MB of predictions", async () => {
	const csv = predictions(28_500);
	const { browser, page, close } = await opened(new Map([["/data/big.csv", csv]]));
	await ask(page, "prepare", "canvas2d", 0);
	const before = await processorTime(browser);
	const { seconds, tasks } = await ask<{ seconds: number; tasks: number[] }>(
		page,
		"reading",
		["/data/big.csv"],
	);
	const used = (await processorTime(browser)) - before;
	console.log(
		`${(csv.length / 1e6).toFixed(1)} MB of predictions in ${seconds.toFixed(1)} s, ${used.toFixed(1)} s of processor time; tasks of the page above 50 ms: ${tasks.map((task) => task.toFixed(0)).join(", ") || "none"}`,
	);
	await close();
});
