// What a visitor of a published site waits for: the first picture of the scene that plays, and
// the first search, in a new profile. Compares the hits of 50 filters with a full computation
// first.
//
// node bench/publish/run.mjs SITE...: folders that `bevscope publish` wrote. BENCH_ROUNDS: default
// 5. Requests and bytes are those that the server sent; other load does not matter to them.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "./server.mjs";

const require = createRequire(new URL("../../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const PROGRAM = fileURLToPath(new URL("../../build/release/bevscope", import.meta.url));
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const FILTERS = 50;

/** Returns numbers from 0 to 1 that are the same each time. */
function randomNumbers(seed) {
	let state = seed;
	return () => {
		state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
		return state / 2 ** 32;
	};
}

/** Returns facts of all scenes, computed from the data. */
function computedFacts(site) {
	const [data] = JSON.parse(readFileSync(join(site, "site.json"))).data;
	const store = join(site, data.path);
	const maps = [store, join(store, "../..")].map((one) =>
		join(one, "semantic_map/semantic_map.pb"),
	);
	const map = maps.find((one) => existsSync(one));
	const words = ["facts", store, "--compute", "--format", "json", "--quiet"];
	const text = execFileSync(PROGRAM, map ? [...words, "--map", map] : words, {
		maxBuffer: 2 ** 30,
	});
	return JSON.parse(text.toString());
}

/** Returns a number of the program's JSON, where Infinity and NaN are texts. */
function numberOf(value) {
	return typeof value === "boolean" ? Number.NaN : Number(value);
}

/** Returns filters with the scenes that pass them, found without the filter language. */
function filtersOf(rows) {
	const random = randomNumbers(7);
	const pick = (list) => list[Math.floor(random() * list.length)];
	const names = Object.keys(rows[0]).filter((name) => name !== "scene");
	const numbers = names.filter((name) =>
		rows.some((row) => typeof row[name] === "number"),
	);
	const condition = () => {
		const name = pick(numbers);
		const values = [...new Set(rows.map((row) => numberOf(row[name])))]
			.filter(Number.isFinite)
			.sort((a, b) => a - b);
		const at = Math.floor(random() * (values.length - 1));
		// Between two values, so that rounding does not matter.
		const limit = Number(
			((values[at] + (values[at + 1] ?? values[at] + 1)) / 2).toPrecision(9),
		);
		const isLess = random() < 0.5;
		const passes = (row) =>
			isLess ? numberOf(row[name]) < limit : numberOf(row[name]) > limit;
		return { text: `${name} ${isLess ? "<" : ">"} ${limit}`, passes };
	};
	return Array.from({ length: FILTERS }, () => {
		const [a, b] = [condition(), condition()];
		const kind = pick(["one", "and", "or"]);
		const passes = (row) =>
			kind === "one"
				? a.passes(row)
				: kind === "and"
					? a.passes(row) && b.passes(row)
					: a.passes(row) || b.passes(row);
		const where = kind === "one" ? a.text : `${a.text} ${kind} ${b.text}`;
		return { where, scenes: rows.filter(passes).map(({ scene }) => scene) };
	});
}

/** Runs in the page: notes the times of the first picture and the first search. */
function watch() {
	const times = {};
	globalThis.times = times;
	addEventListener(
		"frame-change",
		() =>
			requestAnimationFrame(() =>
				setTimeout(() => {
					times.picture = performance.now();
				}),
			),
		{ once: true },
	);
	new MutationObserver(() => {
		const chip = document.querySelector(".chip");
		if (!chip) return;
		if (times.asked === undefined) {
			times.asked = performance.now();
			void fetch("/mark/asked");
			chip.click();
		}
		const told = document.querySelector(".found")?.textContent ?? "";
		if (times.found === undefined && /found$/.test(told)) {
			times.found = performance.now();
			times.told = told;
			void fetch("/mark/found");
		}
	}).observe(document, { childList: true, subtree: true, characterData: true });
}

/** Visits a site in a new profile. */
async function visit(site, options, use = () => undefined) {
	const server = await serve(site, options);
	const browser = await chromium.launch({
		executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
		args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
	});
	try {
		const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
		await page.addInitScript(watch);
		await page.goto(`${server.origin}/`);
		await page.waitForFunction(() => times.picture && times.found, undefined, {
			timeout: 120_000,
		});
		await page.waitForTimeout(200); // marks have no answer to wait for
		const times = await page.evaluate(() => globalThis.times);
		return { times, marks: server.marks, used: await use(page) };
	} finally {
		await browser.close();
		server.close();
	}
}

/** Returns the scenes that the page finds with each filter, from the published facts. */
async function pageHits(page, filters) {
	return page.evaluate(async (all) => {
		const { state } = document.querySelector("bev-viewer").controller;
		const found = [];
		for (const where of all) {
			const facts = state.dataset.facts({ table: "scenes", where, map: state.map });
			const rows = await facts.read();
			found.push([...rows.column("scene").data].map(Number));
		}
		return found;
	}, filters);
}

function median(values) {
	return values.toSorted((a, b) => a - b)[values.length >> 1];
}

const kB = (bytes) => `${Math.round(bytes / 1000)} kB`;

async function checkHits(site) {
	const filters = filtersOf(computedFacts(site));
	const { used } = await visit(site, {}, (page) =>
		pageHits(
			page,
			filters.map(({ where }) => where),
		),
	);
	for (const [i, { where, scenes }] of filters.entries()) {
		if (`${used[i]}` === `${scenes}`) continue;
		throw new Error(
			`${where}: found ${used[i].length} scenes, expected ${scenes.length} of a full computation`,
		);
	}
	const hits = filters.reduce((sum, { scenes }) => sum + scenes.length, 0);
	console.log(`${FILTERS} filters: hits equal to a full computation (${hits} in all)`);
}

async function measure(site, name, options) {
	const visits = [];
	for (let round = 0; round < rounds; round += 1)
		visits.push(await visit(site, options));
	const of = (value) => visits.map(value);
	const seconds = (values) => {
		const sorted = values.map((one) => (one / 1000).toFixed(2)).toSorted();
		return `${(median(values) / 1000).toFixed(2)} s (${sorted[0]} to ${sorted.at(-1)})`;
	};
	console.log(`${name}: ${visits[0].times.told}`);
	console.log(`  first picture  ${seconds(of(({ times }) => times.picture))}`);
	console.log(
		`  first search   ${seconds(of(({ times }) => times.found - times.asked))} from the click, ` +
			`${seconds(of(({ times }) => times.found))} from navigation`,
	);
	const { all, ...parts } = visits[0].marks.found;
	const text = Object.entries(parts).map(
		([part, { requests, bytes }]) => `${part} ${requests}, ${kB(bytes)}`,
	);
	console.log(
		`  until then     ${all.requests} requests, ${kB(all.bytes)}: ${text.join("; ")}`,
	);
}

console.log(`load ${loadavg()[0].toFixed(1)} at the beginning`);
for (const site of process.argv.slice(2)) {
	console.log(site);
	await checkHits(site);
	await measure(site, "ranges, compressed text", {});
	await measure(site, "whole files, as python3 -m http.server", { whole: true });
}
console.log(`load ${loadavg()[0].toFixed(1)} at the end`);
