import { BevError, messageOf } from "../../base/errors.js";
import type { MapView } from "../../dataset/map-view.js";
import type { AddedRows } from "../../reviewing/remote-distribution.js";
import { type ColumnInfo, scoreColumn } from "../distributions/columns.js";
import type { FactProgress, FactRows } from "../distributions/fact-rows.js";
import { startReviewer } from "../review/start-reviewer.js";
import { benchmarkOf, scenarioOf } from "../scenes/benchmark.js";
import type { ViewerDataset } from "../session/dataset.js";
import { isAbort, problemOf } from "../session/problem.js";
import { groupedCount } from "../ui/words.js";
import { sceneColumns } from "./scene-columns.js";
import type { ScoredScene, ScoreSource } from "./score-source.js";

/** A row per scenario, or per future. */
export type ScoreTable = "submissions" | "futures";

export interface ScoreRowsOptions {
	readonly name: ScoreTable;
	/** At most two: A and B. */
	readonly sources: readonly ScoreSource[];
	/** The map of all scenes; undefined: scenes have their own, or there is none. */
	readonly map: MapView | undefined;
	readonly signal: AbortSignal;
	/** Called with the empty table, and after each scene. */
	readonly onRows: (rows: FactRows, progress: FactProgress) => void;
}

/** Codes of errors that concern a scene's own data; others end the ranking. */
const DAMAGE: readonly unknown[] = ["corrupt_chunk", "not_found", "invalid_metadata"];

/** Returns the values of A, B and B - A, for each column that both have. */
function compared(
	names: readonly string[],
	sources: readonly ScoreSource[],
	values: readonly (ArrayLike<number> | undefined)[],
): number[] {
	const value = (source: number, name: string): number =>
		values[source]?.[sources[source]?.columns.indexOf(name) ?? -1] ?? Number.NaN;
	if (sources.length < 2) return names.map((name) => value(0, name));
	return names.flatMap((name) => {
		const [a, b] = [value(0, name), value(1, name)];
		return [a, b, b - a];
	});
}

/** Columns that tell nothing about quality, and are not compared. */
const COUNTS: ReadonlySet<string> = new Set([
	...["agents", "evaluated", "rollouts", "mismatches"],
]);
/** A column of numbers of futures, which have no mean. */
const BEST = "best_rollout";
/** Maximum number of columns of a table. */
const MAX_COLUMNS = 31;

/** Returns the values of all sources that a table has, and those beyond its limit. */
export function rankedNames({
	name,
	sources,
}: Pick<ScoreRowsOptions, "name" | "sources">): {
	readonly names: readonly string[];
	readonly beyond: readonly string[];
} {
	const isOfFutures = name === "futures";
	const isOne = sources.length < 2;
	const all = new Set(
		sources.flatMap((one) => (isOfFutures ? one.ofFutures : one.columns)),
	);
	const used = [...all].filter(
		(one) => isOfFutures || (one !== BEST && (isOne || !COUNTS.has(one))),
	);
	// A, B and B - A; futures have a column that tells whose they are.
	const several = isOne ? MAX_COLUMNS : Math.floor(MAX_COLUMNS / 3);
	const count = isOfFutures ? MAX_COLUMNS - 1 : several;
	return { names: used.slice(0, count), beyond: used.slice(count) };
}

function columnsOf(options: ScoreRowsOptions): readonly ColumnInfo[] {
	const { name, sources } = options;
	const { names } = rankedNames(options);
	if (name === "futures") {
		const categories = sources.map(({ words }) => words);
		return [
			{ ...scoreColumn("submission"), categories, shown: sources.length > 1 },
			...names.map((one) => scoreColumn(one)),
		];
	}
	if (sources.length < 2) return names.map((one) => scoreColumn(one));
	return names.flatMap((one) => [
		scoreColumn(one, "a"),
		scoreColumn(one, "b"),
		scoreColumn(one, "b_minus_a"),
	]);
}

/** A scored scene, whose map is released afterwards. */
type HeldScene = ScoredScene & { readonly release: () => void };

/** Reads what a submission is scored with. */
async function scoredScene(
	dataset: ViewerDataset,
	scene: number,
	{ map, signal }: Pick<ScoreRowsOptions, "map" | "signal">,
): Promise<HeldScene> {
	const rows = await sceneColumns(dataset, scene, signal);
	const own = map ? undefined : await dataset.sceneMap?.(scene, { signal });
	const { left, right } = (map ?? own)?.lanes ?? {};
	const lanes = left && right ? { left, right } : undefined;
	return { rows, lanes, signal, release: () => own?.release() };
}

/** Returns whether a promise rejects. */
function failed(work: Promise<unknown>): Promise<boolean> {
	return work.then(
		() => false,
		() => true,
	);
}

/** Scores a scene; returns the rows' values, one row after the other. */
async function rowsOf(
	id: string,
	scene: () => Promise<ScoredScene>,
	options: ScoreRowsOptions,
): Promise<readonly (readonly number[])[]> {
	const { name, sources } = options;
	const { names } = rankedNames(options);
	const has = sources.map(({ scenarios }) => scenarios.has(id));
	if (!has.includes(true)) return [];
	if (name === "submissions") {
		const values: (ArrayLike<number> | undefined)[] = [];
		for (const [i, one] of sources.entries())
			values.push(has[i] ? await one.scenario(id, scene) : undefined);
		return values.some((one) => one) ? [compared(names, sources, values)] : [];
	}
	const rows: number[][] = [];
	for (const [i, one] of sources.entries()) {
		if (!has[i]) continue;
		for (const values of await one.futures(id, scene)) {
			const value = (of: string): number =>
				values[one.ofFutures.indexOf(of)] ?? Number.NaN;
			rows.push([i, ...names.map(value)]);
		}
	}
	return rows;
}

function added(
	rows: readonly (readonly number[])[],
	columns: number,
	{ scene, frame }: { readonly scene: number; readonly frame: number },
): AddedRows {
	const values = new Float64Array(columns * rows.length);
	rows.forEach((row, i) => {
		row.forEach((value, c) => {
			values[c * rows.length + i] = value;
		});
	});
	return {
		scenes: new Uint32Array(rows.length).fill(scene),
		frames: new Uint32Array(rows.length).fill(frame),
		tracks: new BigInt64Array(rows.length).fill(-1n),
		values,
	};
}

/** Number of ids that are named. */
const MAX_NAMED = 3;

/** Counts and names what a ranking leaves out. */
class LeftOut {
	readonly #sources: readonly ScoreSource[];
	readonly #beyond: readonly string[];
	readonly #seen = new Set<string>();
	/** Scenarios that a submission has, but damaged. */
	#damaged = 0;
	#why = "";
	/** Scenes whose own data could not be read. */
	unread = 0;

	constructor(options: ScoreRowsOptions) {
		this.#sources = options.sources;
		this.#beyond = rankedNames(options).beyond;
	}

	/** Notes that the data has a scenario. */
	see(id: string): void {
		this.#seen.add(id);
	}

	/** Notes that a scenario of a submission could not be read. */
	damaged(error: unknown): void {
		this.#damaged += 1;
		this.#why ||= messageOf(error);
	}

	/** Returns sentences; which scenarios the data lacks is known at the end only. */
	words(isEnd: boolean): readonly string[] {
		const damaged = `${groupedCount(this.#damaged, "scenario")} left out; ${this.#why}`;
		const beyond = groupedCount(this.#beyond.length, "column");
		const columns = `${beyond} left out (${this.#beyond.join(", ")})`;
		return [
			...(this.#beyond.length > 0 ? [columns] : []),
			...(this.#damaged > 0 ? [damaged] : []),
			...(isEnd ? this.#sources.flatMap((one) => this.#absent(one)) : []),
		];
	}

	#absent({ name, scenarios }: ScoreSource): readonly string[] {
		const named: string[] = [];
		let count = 0;
		for (const id of scenarios.keys()) {
			if (this.#seen.has(id)) continue;
			count += 1;
			if (count <= MAX_NAMED) named.push(id);
		}
		if (count === 0) return [];
		const more = count > MAX_NAMED ? ", …" : "";
		const absent = groupedCount(count, "scenario is", "scenarios are");
		return [`${name}: ${absent} not in these scenes (${named.join(", ")}${more})`];
	}
}

/**
 * Scores all scenes that submissions have into a table; its worker ends when `signal`
 * aborts.
 */
export async function readScoreRows(
	dataset: ViewerDataset,
	options: ScoreRowsOptions,
): Promise<void> {
	const { signal, onRows } = options;
	const columns = columnsOf(options);
	if (!columns.some(({ categories }) => !categories)) {
		const others = options.name === "futures" ? "scenarios" : "futures";
		throw new BevError("invalid_argument", `scores: only of ${others}; rank those`);
	}
	const reviewer = await startReviewer();
	signal.addEventListener("abort", () => reviewer.close());
	if (signal.aborted) return reviewer.close();
	const table = await reviewer.distribution(
		columns.map((column) => [column.name, column.categories?.length ?? 0]),
	);
	const all = dataset.names?.length ?? dataset.scenes.length;
	const out = new LeftOut(options);
	const tell = (done: number): void => {
		const leftOut = out.words(done === all);
		onRows({ table, columns }, { done, of: all, unread: out.unread, leftOut });
	};
	tell(0);
	for (let scene = 0; scene < all; scene += 1) {
		let read: Promise<HeldScene> | undefined;
		const needed = (): Promise<ScoredScene> => {
			read ??= scoredScene(dataset, scene, options);
			return read;
		};
		try {
			// A scenario is converted when it is read, and has attributes then.
			if (scenarioOf(dataset.attrs, scene) === undefined)
				await dataset.frame(scene, 0, { signal }).then((frame) => frame.release());
			const id = scenarioOf(dataset.attrs, scene);
			if (id !== undefined) out.see(id);
			const frame = benchmarkOf(dataset.attrs, scene).anchor ?? 0;
			const rows = id === undefined ? [] : await rowsOf(id, needed, options);
			signal.throwIfAborted();
			if (rows.length > 0)
				await table.add(added(rows, columns.length, { scene, frame }));
		} catch (error) {
			if (isAbort(error) || !DAMAGE.includes(problemOf(error).error.code)) throw error;
			const isOfScene = !read || (await failed(read));
			if (isOfScene) out.unread += 1;
			else out.damaged(error);
		} finally {
			read?.then(
				(one) => one.release(),
				() => {},
			);
		}
		tell(scene + 1);
	}
}
