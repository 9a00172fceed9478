import type { Fact } from "../../facts/fact-table.js";
import { SUBJECTS } from "../../tools/scores.js";
import { formatNumber } from "../agents/describe.js";
import { categoryWords, columnWords } from "../find/fact-words.js";
import type { ModelState } from "../review/review-state.js";

/** Returns the greatest of the values, at least `least`. */
export function greatest(least: number, values: readonly number[]): number {
	return values.reduce((one, other) => Math.max(one, other), least);
}

/** How a column is displayed. */
export interface ColumnInfo {
	readonly name: string;
	/** Its name in words. */
	readonly words: string;
	/** Empty without a unit. */
	readonly unit: string;
	readonly title?: string | undefined;
	/** Names of its categories; undefined for numbers. */
	readonly categories?: readonly string[] | undefined;
	/** Whether the second of two categories has a share, such as misses. */
	readonly flag?: boolean | undefined;
	/** The column with the frame of a fact. */
	readonly frame?: string | undefined;
	/** Whether it is displayed; others only locate facts. */
	readonly shown: boolean;
}

const SCORES: Readonly<Record<string, readonly [words: string, unit: string]>> = {
	ade: ["ADE", "m"],
	fde: ["FDE", "m"],
	nll: ["NLL", ""],
	steps: ["recorded steps", ""],
	speed: ["speed", "m/s"],
	distance: ["distance to ego", "m"],
	turn: ["turn", "°"],
};

const TITLES: Readonly<Record<string, string>> = {
	miss: "Whether the final error is above 2 m; missing for predictions without a final error",
	turn: "Change of direction along the recorded future, positive to the left",
	speed: "Speed in the predicted frame",
	steps: "Predicted steps at which the agent is recorded",
};

/** Returns the columns of the table of predictions. */
export function predictionColumns(
	names: readonly string[],
	models: readonly ModelState[],
): readonly ColumnInfo[] {
	const longest = greatest(
		0,
		models.map(({ shape }) => shape?.steps ?? 0),
	);
	return names.map((name) => {
		const title = TITLES[name];
		const [, measure, steps] = /^(ade|fde)_(\d+)$/.exec(name) ?? [];
		if (measure) {
			const words = `${measure.toUpperCase()}, ${steps} steps`;
			return { name, words, unit: "m", shown: Number(steps) < longest };
		}
		const categories = categoriesOf(name, models);
		const [words = name, unit = ""] = SCORES[name] ?? [];
		const shown = name !== "model" || models.length > 1;
		return { name, words, unit, title, categories, flag: name === "miss", shown };
	});
}

function categoriesOf(name: string, models: readonly ModelState[]) {
	if (name === "model") return models.map((model) => model.name);
	if (name === "class") return SUBJECTS;
	return name === "miss" ? ["within 2 m", "miss"] : undefined;
}

const SCORE_WORDS: Readonly<Record<string, readonly [words: string, unit: string]>> = {
	ade: ["ADE", "m"],
	min_ade: ["minADE", "m"],
	fde: ["FDE", "m"],
	min_fde: ["minFDE", "m"],
	collision_rate: ["share with collision", ""],
	off_lane_rate: ["share off lanes", ""],
	colliding: ["colliding agents", ""],
	leaving_lanes: ["agents off lanes", ""],
	best_rollout: ["best future", ""],
	rollout: ["future", ""],
	rollouts: ["futures", ""],
};

const SIDES = { a: "A", b: "B", b_minus_a: "B \u2212 A" } as const;

/** Returns a column of scores; of two submissions, of one or of their difference. */
export function scoreColumn(name: string, side?: keyof typeof SIDES): ColumnInfo {
	const [words = columnWords(name), unit = ""] = SCORE_WORDS[name] ?? [];
	if (!side) return { name, words, unit, shown: true };
	const named = `${words}, ${SIDES[side]}`;
	return { name: `${name}_${side}`, words: named, unit, shown: true };
}

/** Columns of facts that say of which row they are. */
const KEYS: ReadonlySet<string> = new Set(["scene", "track_id"]);

/** Maximum number of columns of a table. */
const MAX_COLUMNS = 31;

/** Returns the columns of a table of facts: numbers, names and flags. */
export function factColumns(facts: readonly Fact[]): readonly ColumnInfo[] {
	const places = new Set(facts.flatMap(({ frame = "" }) => [frame]));
	const tracks = new Set(facts.flatMap(({ track = "" }) => [track]));
	const used = facts.filter(({ name }) => !KEYS.has(name) && !tracks.has(name));
	const isPlace = (name: string): boolean => places.has(name) || /_frame$/.test(name);
	const inOrder = [
		...used.filter(({ name }) => !isPlace(name)),
		...used.filter(({ name }) => isPlace(name)),
	].slice(0, MAX_COLUMNS);
	return inOrder.map(({ name, unit, dtype, names, frame }) => ({
		name,
		words: columnWords(name),
		unit: unit.replace("^2", "\u00b2"),
		categories: dtype === "|b1" ? ["no", "yes"] : names?.map(categoryWords),
		flag: dtype === "|b1",
		frame,
		shown: !isPlace(name),
	}));
}

/** Returns the digits that tell values in a range apart. */
function digitsOf(span: number): number {
	if (!(span > 0) || !Number.isFinite(span)) return 2;
	return Math.min(6, Math.max(0, Math.ceil(2 - Math.log10(span))));
}

/** Formats a value of a column; `span` is the range it is displayed in. */
export function valueWords(
	{ unit, categories }: ColumnInfo,
	value: number,
	span = Number.NaN,
): string {
	if (categories) return categories[value] ?? "\u2013";
	const digits = Number.isInteger(value) ? 0 : digitsOf(span);
	const text = formatNumber(value, digits);
	return unit === "" || !Number.isFinite(value) ? text : `${text} ${unit}`;
}
