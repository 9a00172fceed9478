import type {
	Brush,
	DistributionCounts,
	DistributionRows,
	GroupSummary,
	PairSummary,
	RemoteDistribution,
} from "../../reviewing/remote-distribution.js";
import type { PageLayer } from "../draw/page-layer.js";
import type { RankedRows } from "../review/review-state.js";
import type { ViewerController } from "../session/controller.js";
import { isAbort, whyOf } from "../session/problem.js";
import type { ViewerState } from "../session/state.js";
import { until } from "../session/store.js";
import { type ColumnInfo, predictionColumns } from "./columns.js";
import { type FactProgress, type FactRows, readFactRows } from "./fact-rows.js";
import { keptAgents } from "./kept-agents.js";
import { keptListOf } from "./kept-predictions.js";
import {
	areScores,
	formatSettings,
	parseSettings,
	type Settings,
	type TableName,
	USUAL,
} from "./settings.js";
import { hasMean } from "./surety.js";

/** Rows in the list. */
const MAX_LISTED = 50;
/** Points of a scatter plot. */
export const MAX_POINTS = 4_000;
/** Minimum interval between results while rows are added. */
const PACE_MS = 400;

/** A scatter plot's rows. */
export interface ScatterRows extends DistributionRows {
	readonly x: number;
	readonly y: number;
	readonly count: number;
}

/** What the panel displays. */
export interface Result {
	readonly table: RemoteDistribution;
	readonly columns: readonly ColumnInfo[];
	readonly counts: DistributionCounts;
	/** The column that bars are divided by; undefined for none. */
	readonly by: number | undefined;
	/** The column of means and list. */
	readonly on: number;
	/** The column of the summaries' groups; undefined for one group. */
	readonly group: number | undefined;
	/** Of the columns that are summarized. */
	readonly summaries: ReadonlyMap<number, readonly GroupSummary[]>;
	readonly pair: PairSummary | undefined;
	readonly rows: DistributionRows;
	readonly points: ScatterRows | undefined;
	/** Scenes whose rows are in the table at least, and all. */
	readonly progress: FactProgress | undefined;
	/** Whether brushes filter the rows. */
	readonly isFiltered: boolean;
	/** Milliseconds that the counts took in the worker. */
	readonly took: number;
}

const controllers = new WeakMap<ViewerController, DistributionsController>();

/** Computes the distributions of a viewer, also while their panel is closed. */
export class DistributionsController {
	readonly #viewer: ViewerController;
	readonly #listeners = new Set<() => void>();
	/** Ends the worker that holds the facts. */
	#facts = new AbortController();
	#settings: Settings = USUAL;
	#text = "";
	#result: Result | undefined;
	#problem: string | undefined;
	#rows: (FactRows & { readonly name: string; readonly dataset: unknown }) | undefined;
	#progress: FactProgress | undefined;
	/** The brushes that tables have in their workers. */
	readonly #applied = new WeakMap<RemoteDistribution, Map<string, Brush>>();
	/** What is to be computed: all, or what brushes keep of the shown list. */
	#due: "all" | "kept" | undefined;
	#running = false;
	/** What passes, and what it depends on. */
	#passing: { readonly rows: RankedRows; readonly of: readonly unknown[] } | undefined;
	#open = 0;
	#dimmed: PageLayer | undefined;

	/** Returns the one controller of a viewer. */
	static of(viewer: ViewerController): DistributionsController {
		const known = controllers.get(viewer) ?? new DistributionsController(viewer);
		controllers.set(viewer, known);
		return known;
	}

	private constructor(viewer: ViewerController) {
		this.#viewer = viewer;
		this.#read(viewer.state.distributions);
		viewer.store.subscribe((state, before) => this.#changed(state, before));
	}

	get settings(): Settings {
		return this.#settings;
	}

	get result(): Result | undefined {
		return this.#result;
	}

	/** Why there is no result. */
	get problem(): string | undefined {
		return this.#problem;
	}

	/** Scenes whose rows are in the table, and all. */
	get #scenes(): FactProgress | undefined {
		if (this.#settings.table !== "predictions") return this.#progress;
		const { ranking } = this.#viewer.state.review;
		if (!ranking?.rows) return undefined;
		const { done, all, leftOut } = ranking;
		return { done, of: all, unread: leftOut.length };
	}

	/** Calls back after changes; returns how to end that. The first one begins the work. */
	subscribe(changed: () => void): () => void {
		this.#listeners.add(changed);
		this.#open += 1;
		this.#collect();
		return () => {
			this.#listeners.delete(changed);
			this.#open -= 1;
			this.#collect();
		};
	}

	/** Changes the settings, also those of the link. */
	set(change: Partial<Settings>): void {
		const other = change.table !== undefined && change.table !== this.#settings.table;
		const fresh = other ? { ...USUAL, boxes: this.#settings.boxes } : this.#settings;
		this.#settings = { ...fresh, ...change };
		this.#text = formatSettings(this.#settings);
		this.#viewer.store.patch({ distributions: this.#text });
		this.#tell();
		this.#collect();
		this.#refresh();
	}

	/** Sets or clears the brush of a column. */
	brush(name: string, brush: Brush | undefined): void {
		const brushes = new Map(this.#settings.brushes);
		brushes.delete(name);
		if (brush) brushes.set(name, brush);
		this.set({ brushes, on: brush && this.#isNumber(name) ? name : this.#settings.on });
	}

	/** Clears all brushes. */
	clear(): void {
		this.set({ brushes: new Map() });
	}

	/** Yields all rows that pass, some at a time. */
	async *slices(most = 5_000): AsyncGenerator<DistributionRows> {
		const table = this.#result?.table;
		for (let first = 0; table; ) {
			const rows = await table.slice(first, most);
			yield rows;
			const last = rows.rows.at(-1);
			if (last === undefined || rows.rows.length < most) return;
			first = last + 1;
		}
	}

	#isNumber(name: string): boolean {
		const { columns } = this.#result ?? {};
		return columns?.some((one) => one.name === name && !one.categories) ?? false;
	}

	#read(text: string): void {
		const { settings, bad } = parseSettings(text);
		this.#text = text;
		this.#settings = settings;
		const said = bad.map((part) => `Link: ignored "${part}" of the distributions`);
		if (said.length > 0) this.#viewer.notify(...said);
	}

	#changed(state: ViewerState, before: ViewerState): void {
		if (state.distributions !== this.#text) {
			this.#read(state.distributions);
			this.#collect();
		} else if (
			state.futures?.scored !== before.futures?.scored &&
			areScores(this.#settings.table)
		) {
			this.#dropFacts();
			this.#collect();
			this.#refresh();
		} else if (
			state.dataset !== before.dataset ||
			this.#mapOf(state) !== this.#mapOf(before)
		) {
			this.#dropFacts();
			if (state.review.phase === "ready") this.#viewer.reviews.collect(false);
			this.#collect();
		}
		const { review } = state;
		const old = before.review;
		const isRanked = review.ranking !== old.ranking || review.pair !== old.pair;
		const isListed =
			review.by !== old.by ||
			review.list !== old.list ||
			review.active !== old.active ||
			state.scene !== before.scene;
		if (isRanked || state.distributions !== before.distributions) this.#refresh();
		else if (isListed) this.#refresh("kept");
		if (review.phase !== old.phase) this.#collect();
	}

	/** Begins to collect the rows that are displayed, or filter the predictions. */
	#collect(): void {
		const { state } = this.#viewer;
		const { table, brushes } = this.#settings;
		const used = this.#open > 0 || brushes.size > 0;
		const predicted = table === "predictions" && state.review.phase === "ready";
		if (state.review.phase === "ready") this.#viewer.reviews.collect(used && predicted);
		if (table === "predictions" || this.#open === 0 || !state.dataset) return;
		const { dataset } = state;
		if (this.#rows?.name === table && this.#rows.dataset === dataset) return;
		void this.#readFacts(table, dataset);
	}

	/**
	 * Returns the map that the rows depend on. Scores of scenes with maps of their own do
	 * not depend on the displayed scene's.
	 */
	#mapOf(state: ViewerState): ViewerState["map"] {
		const { dataset, map, mapAddress, mapPlace } = state;
		const isChosen = mapAddress !== undefined || mapPlace !== undefined;
		const isOwn = !isChosen && dataset?.sceneMap !== undefined;
		return isOwn && areScores(this.#settings.table) ? undefined : map;
	}

	#dropFacts(): void {
		this.#facts.abort();
		this.#facts = new AbortController();
		this.#rows = undefined;
		this.#progress = undefined;
		this.#result = undefined;
	}

	async #readFacts(
		name: Exclude<TableName, "predictions">,
		dataset: NonNullable<ViewerState["dataset"]>,
	): Promise<void> {
		this.#dropFacts();
		const known = ({ mapState }: ViewerState): boolean =>
			mapState !== "unknown" && mapState !== "loading";
		const { signal } = this.#facts;
		try {
			const settled = await until(this.#viewer.store, known, signal);
			const map = this.#mapOf(settled);
			const onRows = (rows: FactRows, progress: FactProgress): void => {
				if (signal.aborted) return;
				this.#rows = { ...rows, name, dataset };
				this.#progress = progress;
				this.#refresh();
			};
			if (!areScores(name))
				return await readFactRows(dataset, { name, map, signal, onRows });
			const sources = this.#viewer.state.futures?.scored ?? [];
			if (sources.length === 0) return;
			const { readScoreRows } = await import("../futures/score-rows.js");
			await readScoreRows(dataset, { name, sources, map, signal, onRows });
		} catch (error) {
			if (!signal.aborted) this.#failed(error);
		}
	}

	#failed(error: unknown): void {
		if (isAbort(error)) return;
		this.#problem = whyOf(error);
		this.#tell();
	}

	#tell(): void {
		for (const changed of this.#listeners) changed();
	}

	/** Returns the rows of the chosen table. */
	#source(): FactRows | undefined {
		const { review } = this.#viewer.state;
		const { table } = this.#settings;
		if (table !== "predictions")
			return this.#rows?.name === table ? this.#rows : undefined;
		const rows = review.ranking?.rows;
		if (!rows) return undefined;
		const models = rows.ids.flatMap(
			(id) => review.models.find((one) => one.id === id) ?? [],
		);
		return { table: rows.table, columns: predictionColumns(rows.table.names, models) };
	}

	/** Computes again, once for all changes until then. */
	#refresh(what: "all" | "kept" = "all"): void {
		if (this.#due !== "all") this.#due = what;
		if (!this.#running) void this.#run();
	}

	async #run(): Promise<void> {
		this.#running = true;
		while (this.#due) {
			const isAll = this.#due === "all";
			this.#due = undefined;
			const source = this.#source();
			if (!source) {
				this.#result = undefined;
				this.#keepAll();
				if (this.#dimmed) this.#viewer.removeLayer(this.#dimmed);
				this.#dimmed = undefined;
				this.#tell();
				continue;
			}
			try {
				if (isAll) await this.#compute(source);
				await this.#keep();
				await this.#dim(source.table);
				this.#problem = undefined;
			} catch (error) {
				// The table of a ranking that was replaced is released.
				if (this.#source()?.table === source.table) this.#failed(error);
			}
			const progress = this.#scenes;
			if (isAll && progress && progress.done < progress.of)
				await new Promise((resolve) => setTimeout(resolve, PACE_MS));
		}
		this.#running = false;
	}

	/** Drops brushes of columns that the table does not have. */
	#dropUnknown(table: RemoteDistribution): void {
		const all = [...this.#settings.brushes];
		const brushes = new Map(all.filter(([name]) => table.indexOf(name) >= 0));
		if (brushes.size === all.length) return;
		for (const [name] of all.filter(([one]) => !brushes.has(one)))
			this.#viewer.notify(`Distributions: ignored a brush, no column ${name}`);
		this.set({ brushes });
	}

	async #compute({ table, columns }: FactRows): Promise<void> {
		this.#dropUnknown(table);
		// Before the counts: scenes that arrive meanwhile may be missing in them.
		const progress = this.#scenes;
		const { settings } = this;
		const find = (name: string | undefined): number | undefined => {
			const at = name === undefined ? -1 : table.indexOf(name);
			return at < 0 ? undefined : at;
		};
		const by = find(settings.by);
		const usual = columns.findIndex((one) => one.shown && !one.categories);
		const on = find(settings.on) ?? find("ade") ?? Math.max(0, usual);
		const started = performance.now();
		await this.#apply(table, settings.brushes);
		const divided = columns[by ?? -1]?.categories ? by : undefined;
		const counts = await table.counts(divided);
		const took = performance.now() - started;
		const shown = columns.flatMap((one, i) => (one.shown && hasMean(one) ? [i] : []));
		const summed = settings.boxes ? shown : [on];
		const group = divided ?? find("model");
		const summaries = new Map<number, readonly GroupSummary[]>();
		for (const i of summed) summaries.set(i, await table.summary(i, group));
		const rows = await table.rows(on, MAX_LISTED);
		const points = await this.#points(table, settings);
		const pair = await this.#pair(table, on);
		if (this.#source()?.table !== table) return;
		const isFiltered = settings.brushes.size > 0;
		const sums = { summaries, group, pair, rows, points, progress, isFiltered, took };
		this.#result = { table, columns, counts, by: divided, on, ...sums };
		this.#pass(table, [table, counts.rows, settings.brushes]);
		this.#tell();
	}

	/** Notes which rows pass, if others do now. */
	#pass(table: RemoteDistribution, of: readonly unknown[]): void {
		if (this.#passing?.of.every((one, i) => one === of[i])) return;
		const ids = this.#viewer.state.review.ranking?.rows?.ids ?? [];
		this.#passing = { rows: { table, ids }, of };
	}

	async #apply(
		table: RemoteDistribution,
		brushes: ReadonlyMap<string, Brush>,
	): Promise<void> {
		const before = this.#applied.get(table) ?? new Map<string, Brush>();
		this.#applied.set(table, before);
		for (const name of new Set([...before.keys(), ...brushes.keys()])) {
			const brush = brushes.get(name);
			if (before.get(name) === brush) continue;
			await table.brush(table.indexOf(name), brush);
			if (brush) before.set(name, brush);
			else before.delete(name);
		}
	}

	async #points(
		table: RemoteDistribution,
		{ scatter }: Settings,
	): Promise<ScatterRows | undefined> {
		const [x, y] = (scatter ?? []).map((name) => table.indexOf(name));
		if (x === undefined || y === undefined || x < 0 || y < 0) return undefined;
		return { ...(await table.points(x, y, MAX_POINTS)), x, y };
	}

	async #pair(table: RemoteDistribution, on: number): Promise<PairSummary | undefined> {
		const { pair, ranking } = this.#viewer.state.review;
		const ids = ranking?.rows?.table === table ? ranking.rows.ids : [];
		const [a, b] = [ids.indexOf(pair?.a ?? -1), ids.indexOf(pair?.b ?? -1)];
		return a < 0 || b < 0 ? undefined : table.pair(on, table.indexOf("model"), a, b);
	}

	/** Dims the scene's agents that are not kept, or none. */
	async #dim(table: RemoteDistribution): Promise<void> {
		const { settings } = this;
		const { scene } = this.#viewer.state;
		const dims = settings.table === "tracks" && settings.brushes.size > 0;
		const layer = dims ? keptAgents(scene, await table.inScene(scene)) : undefined;
		if (scene !== this.#viewer.state.scene) return;
		if (this.#dimmed && !layer) this.#viewer.removeLayer(this.#dimmed);
		if (layer) this.#viewer.addLayer(layer);
		this.#dimmed = layer;
	}

	#keepAll(): void {
		if (this.#viewer.state.review.kept) this.#viewer.reviews.keep(undefined);
	}

	/** Filters the list and the picture of the predictions. */
	async #keep(): Promise<void> {
		const { scene, review } = this.#viewer.state;
		const { brushes, table } = this.#settings;
		const rows = this.#passing?.rows;
		const filters = table === "predictions" && brushes.size > 0;
		const isOf = rows && rows.table === review.ranking?.rows?.table;
		const listed = filters && isOf ? await keptListOf(rows, review, scene) : undefined;
		if (listed && rows) this.#viewer.reviews.keep({ rows, listed });
		else this.#keepAll();
	}
}
