import { type Arrays, type Handle, pick } from "../core/core.js";
import type { Port } from "../core/port.js";
import { comparisonReportOf, type KeptReport, keptReportOf } from "../tools/reports.js";
import type { ComparisonReport, Score } from "../tools/scores.js";

/** Chosen values of a column. Absent ends are open; rows without a value do not pass. */
export interface Brush {
	/** Least value, and the end, which does not pass. */
	readonly low?: number | undefined;
	readonly high?: number | undefined;
	/** Of a column of categories. */
	readonly chosen?: readonly number[] | undefined;
	/** Whether rows without a value pass. */
	readonly missing?: boolean | undefined;
}

/** Rows by bin of a column: between the edges, below, above, and without a value. */
export interface ColumnCounts {
	readonly name: string;
	/** One more than bins; empty without values. */
	readonly edges: Float64Array;
	readonly all: Uint32Array;
	/** Rows that pass the brushes of other columns: of each group. */
	readonly passing: readonly Uint32Array[];
}

/** Counts of all columns. */
export interface DistributionCounts {
	readonly rows: number;
	/** Rows that pass all brushes. */
	readonly kept: number;
	readonly columns: readonly ColumnCounts[];
}

/** A mean and its 95 % interval, which is NaN with fewer than two clusters. */
export interface MeanInterval {
	readonly mean: number;
	readonly low: number;
	readonly high: number;
	readonly count: number;
	/** Scenes, or tracks if all rows are of one scene. */
	readonly clusters: number;
	readonly byScene: boolean;
}

/** A column's values of a group's passing rows. */
export interface GroupSummary {
	readonly group: number;
	/** Passing rows without a value. */
	readonly missing: number;
	readonly mean: MeanInterval;
	/** Least, 5 %, 25 %, median, 75 %, 95 %, greatest. */
	readonly quantiles: Float64Array;
}

/** Two groups compared over the same scenes, frames and tracks. */
export interface PairSummary {
	readonly a: MeanInterval;
	readonly b: MeanInterval;
	/** B - A, pair by pair. */
	readonly difference: MeanInterval;
	/** Pairs in which a value is missing, and rows without a counterpart. */
	readonly missing: number;
	readonly alone: number;
	/** Pairs in which B is lower, or equal. */
	readonly lower: number;
	readonly equal: number;
}

/** Rows of a distribution. */
export interface DistributionRows {
	readonly scenes: Uint32Array;
	readonly frames: Uint32Array;
	readonly tracks: BigInt64Array;
	/** Index of each row. */
	readonly rows: Uint32Array;
	/** Values of all columns, one column after the other. */
	readonly values: Float64Array;
}

/** Rows to add. */
export type AddedRows = Omit<DistributionRows, "rows">;

/** Rows of a table of predictions. */
export interface KeptRows {
	/** Only those of this scene. */
	readonly scene: number | undefined;
	/** Maximum number of rows in an order. */
	readonly most: number;
}

/** Numbers of a mean in the core's array. */
const MEAN = 6;
/** Quantiles of a summary. */
const QUANTILES = 7;

/** A table of numbers in a worker, with a brush per column. Calls are answered in order. */
export class RemoteDistribution {
	readonly id: Handle<"Distribution">;
	readonly names: readonly string[];
	readonly #port: Port;

	/** @internal */
	constructor(port: Port, id: Handle<"Distribution">, names: readonly string[]) {
		this.#port = port;
		this.id = id;
		this.names = names;
	}

	/** @internal Makes a table with columns of numbers, or of so many categories. */
	static async of(
		port: Port,
		columns: readonly (readonly [name: string, categories: number])[],
	): Promise<RemoteDistribution> {
		const names = columns.map(([name]) => name);
		const categories = Uint32Array.from(columns, ([, count]) => count);
		const id = await port.run("distribution", { names, categories });
		return new RemoteDistribution(port, id, names);
	}

	/** @internal Makes an empty table of predictions. */
	static async ofPredictions(port: Port): Promise<RemoteDistribution> {
		const table = await port.run("prediction_distribution", {});
		const names = await port.run("distribution_columns", { table });
		return new RemoteDistribution(port, table, names);
	}

	/** Returns the index of a column; -1 if there is none. */
	indexOf(name: string): number {
		return this.names.indexOf(name);
	}

	async add({ scenes, frames, tracks, values }: AddedRows): Promise<void> {
		const ids = { scenes, frames, track_ids: tracks };
		await this.#port.run("add_distribution", { table: this.id, ...ids, values });
	}

	/** Sets or clears the brush of a column. */
	async brush(column: number, brush: Brush | undefined): Promise<void> {
		const to = { table: this.id, column };
		if (!brush) return void (await this.#port.run("clear_brush", to));
		const { low, high, missing = false } = brush;
		const chosen = Uint32Array.from(brush.chosen ?? []);
		const given = { ...to, low, high, chosen, missing };
		await this.#port.run("set_brush", given);
	}

	/** @param by a column of categories: counts of each, and of rows without one */
	async counts(by?: number): Promise<DistributionCounts> {
		const arrays = await this.#port.run("distribution_counts", { table: this.id, by });
		return countsOf(arrays, this.names);
	}

	async summary(column: number, by?: number): Promise<readonly GroupSummary[]> {
		const given = { table: this.id, column, by };
		const arrays = await this.#port.run("distribution_summary", given);
		const missing = pick(arrays, "missing", Uint32Array);
		const means = pick(arrays, "means", Float64Array);
		const quantiles = pick(arrays, "quantiles", Float64Array);
		return Array.from(pick(arrays, "groups", Uint32Array), (group, i) => ({
			group,
			missing: missing[i] ?? 0,
			mean: meanAt(means, i),
			quantiles: quantiles.slice(QUANTILES * i, QUANTILES * (i + 1)),
		}));
	}

	/** Compares two categories of column `by`. */
	async pair(column: number, by: number, a: number, b: number): Promise<PairSummary> {
		const given = { table: this.id, column, by, a, b };
		const arrays = await this.#port.run("distribution_pair", given);
		const means = pick(arrays, "means", Float64Array);
		return {
			a: meanAt(means, 0),
			b: meanAt(means, 1),
			difference: meanAt(means, 2),
			missing: arrays.missing as number,
			alone: arrays.alone as number,
			lower: arrays.lower as number,
			equal: arrays.equal as number,
		};
	}

	/** Returns at most `most` passing rows, the largest value of a column first. */
	async rows(column: number, most: number): Promise<DistributionRows> {
		const given = { table: this.id, column, most };
		return rowsFrom(await this.#port.run("distribution_rows", given));
	}

	/** Returns at most `most` passing rows from row `first` on. */
	async slice(first: number, most: number): Promise<DistributionRows> {
		const given = { table: this.id, first, most };
		return rowsFrom(await this.#port.run("distribution_slice", given));
	}

	/** Returns the passing rows of a scene. */
	async inScene(scene: number): Promise<DistributionRows> {
		const given = { table: this.id, scene };
		return rowsFrom(await this.#port.run("distribution_scene", given));
	}

	/** Returns passing rows that have both values, evenly chosen, and the number of all. */
	async points(
		x: number,
		y: number,
		most: number,
	): Promise<DistributionRows & { readonly count: number }> {
		const given = { table: this.id, x, y, most };
		const arrays = await this.#port.run("distribution_points", given);
		return { ...rowsFrom(arrays), count: arrays.count as number };
	}

	/** Returns a model's predictions that pass, worst first by a measure. */
	async kept(model: number, by: keyof Score, rows: KeptRows): Promise<KeptReport> {
		const given = { table: this.id, model, by, ...rows };
		return keptReportOf(await this.#port.run("kept_report", given));
	}

	/** Compares two models over the pairs of which one prediction passes. */
	async keptPairs(a: number, b: number, rows: KeptRows): Promise<ComparisonReport> {
		const given = { table: this.id, a, b, ...rows };
		return comparisonReportOf(await this.#port.run("kept_comparison", given));
	}

	/** Frees the memory. Call it once. */
	release(): void {
		this.#port.release(this.id);
	}
}

function meanAt(means: Float64Array, i: number): MeanInterval {
	const at = (k: number): number => means[MEAN * i + k] ?? Number.NaN;
	const [mean, low, high] = [at(0), at(1), at(2)];
	return { mean, low, high, count: at(3), clusters: at(4), byScene: at(5) === 1 };
}

function rowsFrom(arrays: Arrays): DistributionRows {
	return {
		scenes: pick(arrays, "scenes", Uint32Array),
		frames: pick(arrays, "frames", Uint32Array),
		tracks: pick(arrays, "track_ids", BigInt64Array),
		rows: pick(arrays, "rows", Uint32Array),
		values: pick(arrays, "values", Float64Array),
	};
}

/** Bins in addition to those between the edges: below, above, missing. */
const FURTHER = 3;

function countsOf(arrays: Arrays, names: readonly string[]): DistributionCounts {
	const sizes = pick(arrays, "sizes", Uint32Array);
	const edges = pick(arrays, "edges", Float64Array);
	const all = pick(arrays, "all", Uint32Array);
	const passing = pick(arrays, "passing", Uint32Array);
	const groups = all.length > 0 ? passing.length / all.length : 1;
	let [edge, bin] = [0, 0];
	const columns = names.map((name, i) => {
		const size = sizes[i] ?? 0;
		const total = size + FURTHER;
		const length = size > 0 ? size + 1 : 0;
		const first = groups * bin;
		const column = {
			name,
			edges: edges.slice(edge, edge + length),
			all: all.slice(bin, bin + total),
			passing: Array.from({ length: groups }, (_, group) =>
				passing.slice(first + group * total, first + (group + 1) * total),
			),
		};
		edge += length;
		bin += total;
		return column;
	});
	return { rows: arrays.rows as number, kept: arrays.kept as number, columns };
}
