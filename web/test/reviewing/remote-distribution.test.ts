import { describe, expect, it } from "vitest";
import { Core } from "../../src/core/core.js";
import { LocalPort } from "../../src/core/port.js";
import {
	type Brush,
	type ColumnCounts,
	RemoteDistribution,
} from "../../src/reviewing/remote-distribution.js";
import { compileTools } from "../../src/tools.js";
import { instantiate } from "../../src/worker/core-module.js";

const ROWS = 500;
const COLUMNS = [
	["model", 2],
	["error", 0],
	["speed", 0],
] as const;

/** Numbers from 0 to 1, the same in every run. */
function randomNumbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
		return state / 2 ** 31;
	};
}

/** Two models' rows: 10 scenes; some errors are missing. */
function madeRows() {
	const random = randomNumbers(7);
	const values = new Float64Array(3 * ROWS);
	for (let i = 0; i < ROWS; i += 1) {
		values[i] = i % 2;
		values[ROWS + i] = random() < 0.1 ? Number.NaN : 5 * random() ** 2 + (i % 2);
		values[2 * ROWS + i] = Math.round(20 * random());
	}
	return {
		scenes: Uint32Array.from({ length: ROWS }, (_, i) => Math.floor(i / 50)),
		frames: Uint32Array.from({ length: ROWS }, (_, i) => Math.floor(i / 2) % 25),
		tracks: new BigInt64Array(ROWS).fill(-1n),
		values,
	};
}

async function made() {
	const core = new Core(await instantiate(await compileTools()));
	const port = new LocalPort(core, () => undefined, "test");
	const table = await RemoteDistribution.of(port, COLUMNS);
	const rows = madeRows();
	await table.add(rows);
	const value = (column: number, row: number): number =>
		rows.values[column * ROWS + row] ?? Number.NaN;
	return { table, rows, value };
}

function passes(value: number, { low = -Infinity, high = Infinity, ...rest }: Brush) {
	if (Number.isNaN(value)) return rest.missing === true;
	if (rest.chosen) return rest.chosen.includes(value);
	return low <= value && value < high;
}

function binOf({ edges }: ColumnCounts, value: number): number {
	const size = edges.length - 1;
	if (Number.isNaN(value)) return size + 2;
	if (value >= (edges[size] ?? 0)) return size + 1;
	if (value < (edges[0] ?? 0)) return size;
	return edges.filter((edge) => edge <= value).length - 1;
}

describe("reviewing/remote-distribution", () => {
	it("counts the rows that a loop counts, for several brushes", async () => {
		const { table, value } = await made();
		const cases: readonly (readonly (Brush | undefined)[])[] = [
			[undefined, undefined, undefined],
			[{ chosen: [1] }, { low: 0.5, high: 2 }, undefined],
			[undefined, { low: 0, high: 0, missing: true }, { low: 5 }],
			[{ chosen: [0, 1] }, { high: 1, missing: true }, { high: 10 }],
		];
		for (const brushes of cases) {
			await Promise.all(brushes.map((brush, i) => table.brush(i, brush)));
			const counts = await table.counts(0);
			const others = (row: number, but?: number): boolean =>
				brushes.every((one, i) => i === but || !one || passes(value(i, row), one));
			const rows = Array.from({ length: ROWS }, (_, row) => row);
			expect(counts.kept).toBe(rows.filter((row) => others(row)).length);
			counts.columns.forEach((column, c) => {
				const expected = column.passing.map((group) => new Uint32Array(group.length));
				for (const row of rows.filter((one) => others(one, c))) {
					const of = expected[value(0, row)];
					const bin = binOf(column, value(c, row));
					if (of) of[bin] = (of[bin] ?? 0) + 1;
				}
				expect(column.passing).toEqual(expected);
			});
		}
	});

	it("tells means and missing values of groups, and how models differ", async () => {
		const { table, value } = await made();
		const [a, b] = await table.summary(1, 0);
		const known = Array.from({ length: ROWS / 2 }, (_, i) => value(1, 2 * i)).filter(
			(one) => !Number.isNaN(one),
		);
		expect(a?.mean.count).toBe(known.length);
		expect((a?.mean.count ?? 0) + (a?.missing ?? 0)).toBe(ROWS / 2);
		const sum = known.reduce((one, other) => one + other, 0);
		expect(a?.mean.mean).toBeCloseTo(sum / known.length, 9);
		expect(a?.mean).toMatchObject({ clusters: 10, byScene: true });
		expect([...(b?.quantiles ?? [])]).toHaveLength(7);
		const pair = await table.pair(1, 0, 0, 1);
		expect(pair.difference.low).toBeGreaterThan(0);
		expect(pair.difference.mean).toBeCloseTo(pair.b.mean - pair.a.mean, 9);
		expect(pair.missing + pair.difference.count).toBe(ROWS / 2);
	});

	it("returns passing rows: in order, of a scene, in slices, and as points", async () => {
		const { table, value } = await made();
		await table.brush(0, { chosen: [1] });
		const rows = await table.rows(1, 5);
		const best = Array.from({ length: ROWS }, (_, row) => row)
			.filter((row) => row % 2 === 1 && !Number.isNaN(value(1, row)))
			.sort((one, other) => value(1, other) - value(1, one));
		expect([...rows.rows]).toEqual(best.slice(0, 5));
		expect(rows.values[5]).toBe(value(1, best[0] ?? 0));
		expect((await table.inScene(3)).rows).toHaveLength(25);
		const first = await table.slice(0, 10);
		expect([...first.rows].every((row) => row % 2 === 1)).toBe(true);
		const points = await table.points(1, 2, 20);
		expect(points.count).toBe(best.length);
		expect(points.rows).toHaveLength(20);
		table.release();
	});

	it("returns a model's kept predictions, worst first, and the kept pairs", async () => {
		const core = new Core(await instantiate(await compileTools()));
		const port = new LocalPort(core, () => undefined, "test");
		const table = await RemoteDistribution.ofPredictions(port);
		// Of each model a prediction of tracks 1 to 3 in frames 0 and 1 of two scenes.
		const places = [0, 1].flatMap((model) =>
			[0, 1].flatMap((scene) =>
				[0, 1].flatMap((frame) =>
					[1, 2, 3].map((track) => ({ model, scene, frame, track })),
				),
			),
		);
		const values = new Float64Array(table.names.length * places.length).fill(NaN);
		const set = (name: string, of: (place: (typeof places)[number]) => number) =>
			places.forEach((place, i) => {
				values[table.indexOf(name) * places.length + i] = of(place);
			});
		const error = ({ model, scene, frame, track }: (typeof places)[number]) =>
			track + 3 * frame + 6 * scene + 0.5 * model;
		set("model", ({ model }) => model);
		for (const name of ["ade", "fde", "nll"]) set(name, error);
		set("steps", () => 5);
		await table.add({
			scenes: Uint32Array.from(places, ({ scene }) => scene),
			frames: Uint32Array.from(places, ({ frame }) => frame),
			tracks: BigInt64Array.from(places, ({ track }) => BigInt(track)),
			values,
		});
		await table.brush(table.indexOf("ade"), { low: 5 });
		const all = await table.kept(0, "ade", { scene: undefined, most: 3 });
		expect(all).toMatchObject({ all: 12, found: 8, compared: 8, begun: 8, missed: 8 });
		expect(all.rows.map((row) => row.ade)).toEqual([12, 11, 10]);
		expect(all.rows[0]).toMatchObject({ scene: 1, frame: 1, track: 3n, seen: 5 });
		expect(all.tracks.map(({ track }) => track)).toEqual([3n, 2n, 1n]);
		expect(all.frames).toEqual([]);
		const here = await table.kept(0, "fde", { scene: 0, most: 9 });
		expect(here).toMatchObject({ all: 6, found: 2, mean: { ade: 5.5 } });
		expect(here.frames).toMatchObject([{ frame: 1, count: 2, ade: 5.5 }]);
		const pairs = await table.keptPairs(0, 1, { scene: 0, most: 9 });
		// Track 1 in frame 1 has 4 and 4.5, the others pass.
		expect([...pairs.rows.frames]).toEqual([1, 1]);
		expect(pairs).toMatchObject({
			compared: 2,
			meanA: { ade: 5.5 },
			meanB: { ade: 6 },
		});
		const given = { scene: undefined, most: 1 };
		await expect(table.kept(9, "ade", given)).rejects.toThrow("model 9: not found");
		table.release();
	});

	it("has columns for predictions", async () => {
		const core = new Core(await instantiate(await compileTools()));
		const port = new LocalPort(core, () => undefined, "test");
		const { names } = await RemoteDistribution.ofPredictions(port);
		expect(names.slice(0, 6)).toEqual(["model", "class", "ade", "fde", "nll", "miss"]);
		expect(names).toContain("fde_30");
	});
});
