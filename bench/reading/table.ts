// The first table of docs/performance.md: measurements of reading; and their goals.
import { quantile, type Times } from "./common.js";

/** All rounds of one program: milliseconds of each call of a case. */
export class Series {
	readonly #rounds: Times[] = [];

	push(times: Times): void {
		this.#rounds.push(times);
	}

	of(name: string): number[] {
		return this.#rounds.flatMap((times) => times[name] ?? []);
	}
}

export interface Measured {
	readonly chromium: Series;
	readonly node: Series;
	readonly native: Series;
	readonly python: Series;
	readonly http: Series;
	/** Bytes of the chunks that contain a cold frame, per fetched byte. */
	readonly frames: number;
	/** Size of the reading layer in a module, gzipped. */
	readonly kilobytes: number;
}

interface Row {
	readonly title: string;
	/** From the medians. */
	readonly value: number;
	/** From the tenth percentiles, which other load hardly affects. */
	readonly quiet?: number;
	readonly minimum: number;
	readonly goal: number;
	/** A share 1/n instead of a factor n; or kilobytes, where less is better. */
	readonly unit?: "share" | "kB";
}

/**
 * Returns how many times as long `slow` takes as `fast`; infinite if `fast` takes no
 * time.
 */
function ratio(slow: readonly number[], fast: readonly number[]) {
	const by = (share: number): number => {
		const time = quantile(fast, share);
		return time > 0 ? quantile(slow, share) / time : Number.POSITIVE_INFINITY;
	};
	return { value: by(0.5), quiet: by(0.1) };
}

/** Returns the time beyond the bare fetch of the same round. */
function beyond(http: Series, name: string): number[] {
	const bare = http.of("bare");
	return http.of(name).map((ms, i) => ms - (bare[i] ?? Number.NaN));
}

function rows(of: Measured): Row[] {
	const { chromium, native, python, http } = of;
	const theirs = chromium.of("numcodecs");
	const against = (name: string) => ratio(theirs, chromium.of(name));
	const cBlosc = native.of("c-blosc");
	return [
		{
			title: "whole chunk to columns, Chromium, against numcodecs.js",
			...against("columns"),
			minimum: 4.5,
			goal: 5.8,
		},
		{
			title: "the same against native c-blosc",
			...ratio(cBlosc, chromium.of("columns")),
			minimum: 0.75,
			goal: 0.88,
		},
		{
			title: "native, whole chunk to columns, against c-blosc",
			...ratio(cBlosc, native.of("columns")),
			minimum: 1.05,
			goal: 1.15,
		},
		{
			title: "native, whole array, against zarr-python `z[:]`",
			...ratio(python.of("array"), native.of("array")),
			minimum: 2,
			goal: 2.5,
		},
		{
			title: "centroid and yaw of a chunk, Chromium, against numcodecs.js",
			...against("two"),
			minimum: 12,
			goal: 20,
		},
		{
			title: "84 rows of an encoded chunk, all fields, against numcodecs.js",
			...against("few"),
			minimum: 50,
			goal: 90,
		},
		{
			title: "the same, centroid and yaw",
			...against("few of two"),
			minimum: 200,
			goal: 300,
		},
		{
			title: "whole array over HTTP, beyond the bare fetch, against zarrita",
			...ratio(beyond(http, "zarrita"), beyond(http, "bevscope")),
			// Server, browser and worker share two cores, so that the time beyond the fetch is half
			// of the processor time beyond it: 130 ms of 540 ms. Idle runs gave 1/3.9 to 1/13.5.
			minimum: 3.5,
			goal: 5,
			unit: "share",
		},
		{
			title: "bytes of cold random frames, against whole chunks",
			value: of.frames,
			minimum: 8,
			goal: 12,
			unit: "share",
		},
		{
			title: "gzip size that the reading layer adds to a module",
			value: of.kilobytes,
			minimum: 100,
			goal: 60,
			unit: "kB",
		},
	];
}

function reached({ value, minimum, goal, unit }: Row): string {
	const least = (bound: number): boolean =>
		unit === "kB" ? value <= bound : value >= bound;
	if (least(goal)) return "goal";
	return least(minimum) ? "minimum" : "below";
}

function written(value: number | undefined, unit: Row["unit"]): string {
	if (value === undefined) return "";
	if (value === Number.POSITIVE_INFINITY) return "0";
	if (unit === "kB") return `${value.toFixed(0)} kB`;
	const digits = value < 2 ? value.toFixed(2) : value.toFixed(value < 20 ? 1 : 0);
	return unit === "share" ? `1/${digits}` : `${digits}x`;
}

/** Prints both tables; returns the titles of the rows below their minimum. */
export function print(of: Measured): string[] {
	const all = rows(of);
	console.log("\n| | median | tenth percentile | minimum | goal | reached |");
	console.log("| --- | --- | --- | --- | --- | --- |");
	for (const row of all) {
		const numbers = [row.value, row.quiet, row.minimum, row.goal];
		const cells = numbers.map((n) => written(n, row.unit));
		console.log(`| ${[row.title, ...cells, reached(row)].join(" | ")} |`);
	}
	printTimes(of);
	return all.filter((row) => reached(row) === "below").map(({ title }) => title);
}

const CASES: readonly (readonly [title: string, name: string])[] = [
	["numcodecs.js, whole chunk to records", "numcodecs"],
	["c-blosc, whole chunk to records", "c-blosc"],
	["bevscope, whole chunk to columns", "columns"],
	["bevscope, centroid and yaw", "two"],
	["bevscope, 84 rows", "few"],
	["bevscope, 84 rows, centroid and yaw", "few of two"],
	["memcpy of the chunk's records", "memcpy"],
];

/** Prints the milliseconds behind the ratios: medians and tenth percentiles. */
function printTimes({ chromium, node, native, python, http }: Measured): void {
	const cell = (values: readonly number[]): string => {
		const [middle = Number.NaN, tenth = Number.NaN] = [0.5, 0.1].map((share) =>
			quantile(values, share),
		);
		const digits = middle < 0.1 ? 4 : 3;
		if (Number.isNaN(middle)) return "";
		return `${middle.toFixed(digits)} (${tenth.toFixed(digits)})`;
	};
	console.log("\n| ms: median (tenth percentile) | Chromium | Node | native |");
	console.log("| --- | --- | --- | --- |");
	for (const [title, name] of CASES) {
		const cells = [chromium, node, native].map((series) => cell(series.of(name)));
		console.log(`| ${[title, ...cells].join(" | ")} |`);
	}
	console.log("\n| whole array, ms: median (tenth percentile) | |\n| --- | --- |");
	const whole: [string, number[]][] = [
		["native, files to columns", native.of("array")],
		["zarr-python, files to records", python.of("array")],
		["HTTP to Chromium, bytes alone", http.of("bare")],
		["HTTP to Chromium, bevscope, beyond that", beyond(http, "bevscope")],
		["HTTP to Chromium, zarrita, beyond that", beyond(http, "zarrita")],
	];
	for (const [title, values] of whole) console.log(`| ${title} | ${cell(values)} |`);
}
