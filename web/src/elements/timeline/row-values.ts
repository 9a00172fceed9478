import { Latest } from "../../base/latest.js";
import type { Fact, FactTable } from "../../facts/fact-table.js";
import { formatNumber, labelOf } from "../agents/describe.js";
import { categoryWords, columnTitle } from "../find/fact-words.js";
import { infoOf } from "../plots/quantities.js";
import { SeriesLoader } from "../plots/series-loader.js";
import { trackStyle } from "../plots/track-colours.js";
import { MEASURE_NAMES } from "../review/measures.js";
import type { ModelState, ReviewState } from "../review/review-state.js";
import type { Selection } from "../scene-view/picking.js";
import { isAbort, whyOf } from "../session/problem.js";
import { frameCount, type ViewerState } from "../session/state.js";
import type { Series } from "./axis.js";
import { isUsual, NO_EGO } from "./pointed-frame.js";
import type { RowMark, RowView } from "./row-view.js";
import { type Row, rowOf } from "./rows.js";

/** Style of the first model's line; see the rows' styles. */
export const MODEL_STYLE = 8;

type RowOf<K extends Row["kind"]> = Extract<Row, { kind: K }>;

const EMPTY: RowView = {
	...{ name: "", unit: "", digits: 2, lines: [], marks: [], least: 0.1 },
	...{ fromZero: false, problem: "" },
};

/** Returns the models by their numbers in links: those with an address first. */
export function numberedModels({ models }: ReviewState): readonly ModelState[] {
	const named = models.filter(({ address }) => address !== undefined);
	return [...named, ...models.filter(({ address }) => address === undefined)];
}

/** Values of rows that the timeline does not have: read, or computed, on request. */
export class RowValues {
	readonly #changed: () => void;
	readonly #series: SeriesLoader;
	readonly #scaled = new WeakMap<Series, Series>();
	readonly #errors = new WeakMap<object, Map<string, Series>>();
	readonly #facts: SceneFacts;

	constructor(changed: () => void) {
		this.#changed = changed;
		this.#series = new SeriesLoader(() => this.#changed());
		this.#facts = new SceneFacts(() => this.#changed());
	}

	dispose(): void {
		this.#series.dispose();
		this.#facts.dispose();
	}

	/** Applies the scene, the map and the rows of a state. */
	update(state: ViewerState): void {
		const rows = state.rows.flatMap((key) => rowOf(key) ?? []);
		const needs = (kind: Row["kind"]) =>
			rows.some((row) => row.kind === kind && !isUsual(row));
		if (needs("quantity")) this.#series.update(state);
		if (needs("fact")) this.#facts.update(state);
	}

	view(row: Row, state: ViewerState): RowView {
		if (row.kind === "quantity") return this.#quantity(row, state);
		if (row.kind === "error") return this.#error(row, state);
		return this.#fact(row, state);
	}

	#quantity({ name: chart, who }: RowOf<"quantity">, state: ViewerState): RowView {
		const { name, unit, digits, factor } = infoOf(chart, state.dataset?.labels);
		const { selection } = state;
		const extra = selection === undefined || selection === "ego" ? [] : [selection];
		const hasEgo = !state.timeline?.ego_is_virtual;
		const ego: readonly Selection[] = hasEgo ? ["ego"] : [];
		const tracks: readonly Selection[] = who === undefined ? [...ego, ...extra] : [who];
		const lines = tracks.map((of) => ({
			style: trackStyle(of, state),
			whose: nameOf(of, state),
			values: this.#inUnit(this.#series.values(chart, of), factor),
		}));
		const none = tracks.length === 0 ? NO_EGO : "";
		const problem = this.#series.problemOf(chart) ?? this.#series.problem ?? none;
		const title = who === undefined ? name : `${name}, ${nameOf(who, state)}`;
		const least = 4 * 10 ** -digits;
		return { ...EMPTY, name: title, unit, digits, lines, problem, least };
	}

	#inUnit(values: Series | undefined, factor: number): Series | undefined {
		if (!values || factor === 1) return values;
		const made = this.#scaled.get(values) ?? values.map((value) => factor * value);
		this.#scaled.set(values, made);
		return made;
	}

	#error({ model }: RowOf<"error">, state: ViewerState): RowView {
		const { review } = state;
		const of = numberedModels(review)[model - 1];
		const { short } = MEASURE_NAMES[review.by];
		const unit = review.by === "nll" ? "" : "m";
		if (!of) return { ...EMPTY, name: short, unit, problem: `No model ${model}` };
		const name = `${short}, ${of.name}`;
		const count = frameCount(state);
		const values = of.report && this.#errorsOf(of.report, review.by, count);
		const line = { style: MODEL_STYLE + of.slot, whose: of.name, values };
		const problem = of.report || of.linesDue ? "" : "No predictions in this scene";
		return { ...EMPTY, name, unit, lines: [line], fromZero: unit !== "", problem };
	}

	/** Returns a value per frame; NaN without predictions. */
	#errorsOf(
		report: NonNullable<ModelState["report"]>,
		by: ReviewState["by"],
		count: number,
	): Series {
		const known = this.#errors.get(report) ?? new Map<string, Series>();
		this.#errors.set(report, known);
		const key = `${by} ${count}`;
		const made = known.get(key);
		if (made) return made;
		const values = new Float64Array(count).fill(Number.NaN);
		for (const one of report.frames) values[one.frame] = one[by];
		known.set(key, values);
		return values;
	}

	#fact(row: RowOf<"fact">, state: ViewerState): RowView {
		const whose = row.who === undefined ? "" : `, ${nameOf(row.who, state)}`;
		const name = `${columnTitle(row.name)}${whose}`;
		const { marks, problem } = this.#facts.marks(row);
		return { ...EMPTY, name, marks, problem };
	}
}

/** Returns the name of a track: `ego`, or class and number. */
function nameOf(who: Selection, state: ViewerState): string {
	if (who === "ego") return "ego";
	return labelOf(state, who).split(" · ")[0] || `track ${who}`;
}

type Tables = Readonly<
	Record<"scenes" | "tracks", readonly [FactTable, readonly Fact[]]>
>;

/** Facts of the displayed scene and its tracks. */
class SceneFacts {
	readonly #changed: () => void;
	readonly #reading = new Latest();
	#of: readonly unknown[] = [];
	#tables: Tables | undefined;
	#problem = "";

	constructor(changed: () => void) {
		this.#changed = changed;
	}

	dispose(): void {
		this.#reading.cancel();
	}

	update({ dataset, sceneInfo, map, mapState }: ViewerState): void {
		const isMapDue = mapState === "unknown" || mapState === "loading";
		const of = [dataset, sceneInfo?.index, map];
		if (!dataset || !sceneInfo || isMapDue) return;
		if (of.every((one, i) => one === this.#of[i])) return;
		this.#of = of;
		this.#tables = undefined;
		this.#problem = dataset.facts ? "" : "This data set has no facts";
		if (dataset.facts) void this.#read(dataset, sceneInfo.index, map);
	}

	/** Returns where a fact happens, or why that is not known. */
	marks({ name, who }: RowOf<"fact">): {
		readonly marks: readonly RowMark[];
		readonly problem: string;
	} {
		const none = (problem: string) => ({ marks: [], problem });
		if (!this.#tables) return none(this.#problem || "Reading facts");
		const [table, facts] = this.#tables[who === undefined ? "scenes" : "tracks"];
		const fact = facts.find((one) => one.name === name);
		if (!fact?.frame) return none(`No fact ${name} with a frame`);
		const row = who === undefined ? 0 : rowOfTrack(table, who);
		if (row < 0 || row >= table.length) return none("No such track in this scene");
		const frame = Number(table.column(fact.frame).data[row] ?? -1);
		if (frame < 0) return none("Not in this scene");
		const text = factText(fact, Number(table.column(name).data[row] ?? Number.NaN));
		return { marks: [{ frame, text }], problem: "" };
	}

	async #read(
		dataset: NonNullable<ViewerState["dataset"]>,
		scene: number,
		map: ViewerState["map"],
	): Promise<void> {
		const where = `scene == ${scene}`;
		const read = async (
			table: "scenes" | "tracks",
			signal: AbortSignal,
		): Promise<readonly [FactTable, readonly Fact[]]> => {
			const reader = dataset.facts?.({ table, where, map });
			if (!reader) throw new Error("facts: not supported by this data set");
			const { [table]: facts } = await reader.describe({ signal });
			for await (const part of reader.parts({ signal }))
				if (part.table.length > 0) return [part.table, facts];
			throw new Error(`facts: scene ${scene} was not read`);
		};
		await this.#reading.run(
			async (signal) => ({
				scenes: await read("scenes", signal),
				tracks: await read("tracks", signal),
			}),
			{
				done: (tables) => {
					this.#tables = tables;
					this.#changed();
				},
				failed: (error) => {
					if (isAbort(error)) return;
					this.#problem = whyOf(error);
					this.#changed();
				},
			},
		);
	}
}

/** Returns a track's row; -1 if it has none. */
function rowOfTrack(table: FactTable, track: bigint): number {
	const ids = table.column("track_id").data;
	return ids.findIndex((id: number | bigint) => BigInt(id) === track);
}

/** Returns a fact's value in words, with its unit. */
export function factText({ dtype, unit, names }: Fact, value: number): string {
	if (dtype === "|b1") return value === 0 ? "no" : "yes";
	if (names) return categoryWords(names[value] ?? "unknown");
	return `${formatNumber(value, dtype === "<f8" ? 2 : 0)} ${unit.replace("^2", "²")}`.trim();
}
