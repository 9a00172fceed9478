// What a user feels: the time to the first picture, to the first hit of a search and to the
// first batch of training, and the memory of the viewer while it plays.
//
// node bench/user/run.mjs TOWN: a folder with scenes/town.zarr. PYTHON names the interpreter
// that has bevscope and PyTorch; without it, batches are not measured. BENCH_ROUNDS: default 5.
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";

const require = createRequire(new URL("../../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const [town] = process.argv.slice(2);
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const SEARCHES = [
	["tracks", "class == 'PEDESTRIAN' and closest_ego < 5"],
	["agents", "speed > 10 and distance_to_ego < 30"],
];

function report(name, values, unit) {
	const sorted = values.toSorted((a, b) => a - b);
	const [least, median, most] = [0, sorted.length >> 1, -1].map((k) =>
		sorted.at(k).toFixed(2),
	);
	console.log(`${name}: median ${median} ${unit} (${least} to ${most})`);
}

/** Opens a new browser's page with the viewer; returns it once it shows the first picture. */
async function openViewer(browser, url) {
	const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
	const page = await context.newPage();
	await page.addInitScript(() => {
		globalThis.pictured = new Promise((resolve) => {
			addEventListener(
				"frame-change",
				() => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))),
				{ once: true },
			);
		});
	});
	await page.goto(url);
	const pictured = await page.evaluate(() => globalThis.pictured);
	return { context, page, pictured };
}

/** Returns the seconds from Enter to the first hit; no facts are kept before. */
async function firstHit(page, [table, filter]) {
	await page.evaluate(() => document.querySelector("bev-viewer").settled);
	await page.getByRole("group", { name: "Scene, seen from above" }).focus();
	await page.keyboard.press("g");
	await page.getByRole("combobox", { name: "Table" }).selectOption(table);
	const box = page.getByRole("combobox", { name: "Filter" });
	await box.fill(filter);
	const begin = performance.now();
	await box.press("Enter");
	await page
		.getByRole("listbox", { name: "Hits" })
		.getByRole("option")
		.first()
		.waitFor();
	return (performance.now() - begin) / 1000;
}

/** Returns the private memory of the largest renderer process, in MB. */
async function rendererMemory(session) {
	const { processInfo } = await session.send("SystemInfo.getProcessInfo");
	const sizes = processInfo
		.filter(({ type }) => type === "renderer")
		.map(({ id }) => {
			const text = readFileSync(`/proc/${id}/smaps_rollup`, "utf8");
			const private_ = [...text.matchAll(/^Private_\w+: +(\d+) kB/gm)];
			return private_.reduce((sum, [, kB]) => sum + Number(kB) / 1000, 0);
		});
	return Math.max(...sizes);
}

/** Returns the greatest memory in `seconds` of playing, sampled once a second. */
async function playing(page, session, seconds) {
	await page.evaluate(async () => {
		const viewer = document.querySelector("bev-viewer");
		await viewer.settled;
		viewer.loop = true;
		viewer.play();
	});
	let most = 0;
	for (let k = 0; k < seconds; k += 1) {
		await page.waitForTimeout(1000);
		most = Math.max(most, await rendererMemory(session));
	}
	return most;
}

const launch = () =>
	chromium.launch({
		executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
		args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
	});

console.log(`load ${loadavg()[0].toFixed(1)} at the beginning`);
const server = spawn(at("build/release/bevscope"), [
	"serve",
	town,
	"--app",
	at("build/app"),
]);
try {
	const [line] = await new Promise((resolve) => {
		server.stdout.once("data", (text) => resolve(/http:\/\/\S+/.exec(text)));
	});
	const url = `${new URL(line).origin}/#src=/data/scenes/town.zarr&f=20`;
	const [pictures, hits] = [[], SEARCHES.map(() => [])];
	const [blank, memory] = [[], []];
	for (let round = 0; round < rounds; round += 1) {
		for (const [k, search] of SEARCHES.entries()) {
			const browser = await launch();
			const { page, pictured } = await openViewer(browser, url);
			pictures.push(pictured / 1000);
			hits[k].push(await firstHit(page, search));
			await browser.close();
		}
		const browser = await launch();
		const session = await browser.newBrowserCDPSession();
		const empty = await browser.newPage();
		await empty.goto("about:blank");
		blank.push(await rendererMemory(session));
		await empty.close();
		const { page } = await openViewer(browser, url);
		memory.push(await playing(page, session, 30));
		await browser.close();
	}
	report("first picture, from navigation", pictures, "s");
	for (const [k, [table, filter]] of SEARCHES.entries())
		report(`first hit in ${table}: ${filter}`, hits[k], "s");
	report("renderer, blank page", blank, "MB");
	report("renderer, playing 30 s", memory, "MB");
} finally {
	server.kill();
}
const { PYTHON } = process.env;
if (PYTHON) {
	const batch = () =>
		JSON.parse(execFileSync(PYTHON, ["-B", at("bench/user/first_batch.py"), town]));
	const turns = Array.from({ length: rounds }, batch);
	report(
		"first batch, from the start of Python",
		turns.map(([start]) => start),
		"s",
	);
	report(
		"first batch, from opening",
		turns.map(([, open]) => open),
		"s",
	);
	report(
		"first batch, processor time",
		turns.map(([, , processor]) => processor),
		"s",
	);
}
console.log(`load ${loadavg()[0].toFixed(1)} at the end`);
