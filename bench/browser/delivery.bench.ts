import { expect, it } from "vitest";
import { GOLDENS } from "../../tests/support/goldens.js";
import {
	type Delivered,
	type Image,
	measure,
	openBench,
	type SampleCase,
	type Views,
	viewsOf,
} from "./golden-samples.js";

// The rate of batches that arrive at the page, as a share of the rate at which one thread
// makes the same samples as views of WebAssembly memory: what copying, messages and
// buffers cost. Rounds alternate, so that both see the same machine.

/** Duration of each measurement. */
const MS = 1000;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
/** Minimum share. */
const FLOOR = 0.6;

interface Case extends SampleCase {
	readonly title: string;
	readonly image: Image;
}

const CASES: readonly Case[] = [
	{ title: "semantic, f32", config: "D_sem", kind: "ego", image: "f32" },
	{ title: "semantic, u8", config: "D_sem", kind: "ego", image: "u8" },
	{ title: "satellite, f32", config: "A_sat", kind: "ego", image: "f32" },
	{ title: "satellite, u8", config: "A_sat", kind: "ego", image: "u8" },
];

/** Samples per message. */
const BATCHES = (process.env.BENCH_BATCHES ?? "1,8").split(",").map(Number);

const median = (all: readonly number[]): number =>
	[...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN;

it.skipIf(!GOLDENS)(
	"batches delivered, beside views",
	async () => {
		const { page, origin, close } = await openBench();
		const below: string[] = [];
		for (const one of CASES) {
			const given = viewsOf(origin, one, [one.image]);
			for (const batch of BATCHES) {
				const rounds: { views: number; rate: number }[] = [];
				for (let round = 0; round < ROUNDS; round += 1) {
					const { wrong, whole } = await measure<Views>(page, "toViews", given, MS);
					const args = [given, one.image, batch, MS];
					const arrived = await measure<Delivered>(page, "delivered", ...args);
					expect(wrong + arrived.wrong).toBe(0);
					const views = 1 / (whole[one.image] ?? Number.NaN);
					rounds.push({ views, rate: arrived.rate });
				}
				const share = median(rounds.map(({ views, rate }) => rate / views));
				const title = `${one.title}, batches of ${batch}`;
				if (!(share >= FLOOR)) below.push(title);
				const rates = [
					rounds.map(({ rate }) => rate),
					rounds.map(({ views }) => views),
				];
				const [rate = "", views = ""] = rates.map((all) => median(all).toFixed(0));
				console.log(
					`${title.padEnd(32)} ${rate.padStart(6)} samples/s of ${views.padStart(6)}: ${(100 * share).toFixed(0)} %, floor ${100 * FLOOR} %`,
				);
			}
		}
		await close();
		expect(below).toEqual([]);
	},
	600_000,
);
