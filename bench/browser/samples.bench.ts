import { existsSync, readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { GOLDENS } from "../../tests/support/goldens.js";
import { readNpz } from "../../tests/support/npz.js";
import {
	configOf,
	type Delivered,
	type Image,
	measure,
	openBench,
	type SampleCase,
	type Views,
	viewsOf,
} from "./golden-samples.js";

// L5Kit's samples per second in Chromium, on one thread: as views of WebAssembly
// memory, and delivered to the page in recycled batches. `scripts/bench l5kit` measures
// L5Kit first and passes its rates in the file L5KIT_RATES; then each line also prints
// the speedup and its minimum.

/** Duration of each measurement. */
const MS = 1500;

interface Case extends SampleCase {
	/** Minimum multiple of L5Kit's rate: for u8 planes or vectors. For f32, half of it. */
	readonly floor: number;
	readonly aim: number;
}

const CASES: readonly Case[] = [
	{ config: "B_stub", kind: "ego", floor: 10, aim: 10 },
	{ config: "B_stub", kind: "agent", floor: 10, aim: 10 },
	{ config: "D_sem", kind: "ego", floor: 5, aim: 10 },
	{ config: "D_sem", kind: "agent", floor: 5, aim: 10 },
	{ config: "B_box", kind: "ego", floor: 10, aim: 15 },
	{ config: "B_box", kind: "agent", floor: 10, aim: 15 },
	{ config: "A_sat", kind: "ego", floor: 3, aim: 6 },
	{ config: "V1", kind: "ego", vectorized: true, floor: 10, aim: 20 },
];

/** Minimum multiple of L5Kit's rate for selecting agents. */
const MASK_FLOOR = 10;

/** L5Kit's rates, if they were measured before. */
function ratesOfL5Kit(): Readonly<Record<string, number>> {
	const file = process.env.L5KIT_RATES;
	if (!file || !existsSync(file)) return {};
	return JSON.parse(readFileSync(file, "utf8")) as Record<string, number>;
}

const line = (title: string, rate: number, unit: string, beside = ""): void =>
	console.log(`${title.padEnd(38)} ${rate.toFixed(0).padStart(9)} ${unit}  ${beside}`);

/** Prints rates next to L5Kit's, and collects those below their minimum. */
class Comparison {
	readonly #rates = ratesOfL5Kit();
	readonly below: string[] = [];

	line(
		title: string,
		rate: number,
		unit: string,
		of: string,
		goals: string,
		floor: number,
	) {
		const theirs = this.#rates[of];
		if (theirs === undefined) return line(title, rate, unit, goals);
		const ratio = rate / theirs;
		if (ratio < floor) this.below.push(title);
		line(
			title,
			rate,
			unit,
			`${ratio.toFixed(1)}x of L5Kit's ${theirs.toFixed(0)}, ${goals}`,
		);
	}
}

/** Prints how the time of a sample is spent, in microseconds. */
function printParts(title: string, { whole, read }: Views): void {
	const images = (["u8", "f32"] as const).filter((image) => whole[image] !== undefined);
	const known = (of: Views["whole"], image: Image): number => of[image] ?? Number.NaN;
	const assemble = known(whole, "none") - known(read, "none");
	const parts = { decode: known(read, images[0] ?? "none"), assemble };
	const drawn = known(whole, "u8") - known(read, "u8") - assemble;
	const converted = known(whole, "f32") - known(whole, "u8");
	const all =
		images.length === 0 ? parts : { ...parts, draw: drawn, convert: converted };
	const sum = Object.values(all).reduce((a, b) => a + b, 0);
	const text = Object.entries(all).map(([part, seconds]) => {
		const share = ((100 * seconds) / sum).toFixed(0);
		return `${part} ${(seconds * 1e6).toFixed(1)} us (${share} %)`;
	});
	console.log(`  ${title}: ${text.join(", ")}`);
}

async function toViews(page: Page, origin: string, one: Case, shown: Comparison) {
	const { config, kind, vectorized, floor, aim } = one;
	const hasImage = !vectorized && config !== "B_stub";
	const images: Image[] = hasImage ? ["u8", "f32", "none"] : ["none"];
	const given = viewsOf(origin, one, images);
	const views = await measure<Views>(page, "toViews", given, MS);
	expect(views.wrong).toBe(0);
	for (const image of images) {
		if (image === "none" && hasImage) continue;
		const least = image === "f32" ? floor / 2 : floor;
		const goals = `floor ${least}x${image === "f32" ? "" : `, aim ${aim}x`}`;
		const title = `${config} ${kind}, views${hasImage ? `, ${image}` : ""}`;
		const rate = 1 / (views.whole[image] ?? Number.NaN);
		const of = `${config} ${vectorized ? "vector" : kind}`;
		shown.line(title, rate, "samples/s", of, goals, least);
	}
	printParts(`${config} ${kind}`, views);
}

async function delivered(page: Page, origin: string, one: Case) {
	const { config, kind } = one;
	const batch = config === "B_stub" ? 64 : 8;
	const { rate, wrong } = await measure<Delivered>(
		page,
		"delivered",
		viewsOf(origin, one, ["f32"]),
		"f32",
		batch,
		MS,
	);
	expect(wrong).toBe(0);
	line(`${config} ${kind}, delivered, batches of ${batch}`, rate, "samples/s");
}

async function selected(page: Page, origin: string, shown: Comparison) {
	const mask = readNpz(`${GOLDENS}/outputs/select/single_th0.5.npz`);
	const counts = Array.from([...mask.values()][0]?.data ?? [], Number);
	const items = counts.filter(
		(past, i) => i % 2 === 0 && past >= 10 && (counts[i + 1] ?? 0) >= 1,
	);
	const root = `${origin}/goldens/single_scene.zarr`;
	const given = [root, configOf("B_stub"), MS] as const;
	const { rate, found } = await measure<{ rate: number; found: number }>(
		page,
		"selected",
		...given,
	);
	expect(found).toBe(items.length);
	const goals = `floor ${MASK_FLOOR}x`;
	shown.line("agents selected", rate, "agents/s", "mask", goals, MASK_FLOOR);
}

it.skipIf(!GOLDENS)(
	"samples a second, and agents selected",
	async () => {
		const { page, origin, close } = await openBench();
		const shown = new Comparison();
		for (const one of CASES) {
			await toViews(page, origin, one, shown);
			if (!one.vectorized) await delivered(page, origin, one);
		}
		await selected(page, origin, shown);
		await close();
		expect(shown.below).toEqual([]);
	},
	600_000,
);
