import type { MeanInterval, PairSummary } from "../../reviewing/remote-distribution.js";
import { type ColumnInfo, valueWords } from "./columns.js";

/** Returns a number with its word: `1 scene`, `12 scenes`. */
export function counted(count: number, one: string, several = `${one}s`): string {
	return `${count.toLocaleString("en")} ${count === 1 ? one : several}`;
}

/** Formats a mean of a column; the mean of a flag is a share. */
export function meanWords(info: ColumnInfo, value: number, span: number): string {
	if (!info.categories) return valueWords(info, value, span);
	return Number.isFinite(value)
		? `${(100 * value).toFixed(1)} %`.replace("-", "\u2212")
		: "\u2013";
}

/** Returns whether means of a column make sense: of numbers and of flags. */
export function hasMean({ categories }: ColumnInfo): boolean {
	return categories === undefined || categories.length === 2;
}

/** Returns an interval in words, or why there is none. */
export function intervalWords(info: ColumnInfo, mean: MeanInterval): string {
	const { low, high, clusters, byScene } = mean;
	if (!Number.isFinite(low)) {
		return clusters === 1 ? "no interval: one agent of one scene" : "no interval";
	}
	const span = high - low;
	const of = counted(clusters, byScene ? "scene" : "agent");
	if (span === 0) return `none: equal in ${of}`;
	const text = `${meanWords(info, low, span)} to ${meanWords(info, high, span)}`;
	return `${text} (95 %, ${of})`;
}

/** A comparison in words, for columns where lower is better. */
export interface Verdict {
	readonly text: string;
	readonly isSure: boolean;
}

/** Columns where lower is better. */
const LOWER_IS_BETTER = /^(ade|fde|nll|miss)/;

/** Says whether B is better than A, and how sure that is. */
export function verdictOf(info: ColumnInfo, pair: PairSummary): Verdict {
	const { difference, equal } = pair;
	const { mean, low, high, count, clusters, byScene } = difference;
	const pairs = counted(count, "pair");
	const of = `${pairs} of ${counted(clusters, byScene ? "scene" : "agent")}`;
	if (count === 0) return { text: "No pair has both values.", isSure: false };
	if (equal === count)
		return { text: `A and B are equal in all ${pairs}.`, isSure: true };
	const sign = mean > 0 ? "+" : "";
	const span = Number.isFinite(low) ? high - low : Math.abs(mean);
	const differs = `B \u2212 A is ${sign}${meanWords(info, mean, span)}`;
	if (!Number.isFinite(low)) {
		return {
			text: `${differs} over ${pairs}; one scene and agent do not tell how sure that is.`,
			isSure: false,
		};
	}
	const interval = `95 % interval ${meanWords(info, low, span)} to ${meanWords(info, high, span)}`;
	const isSure = low > 0 || high < 0;
	const better = LOWER_IS_BETTER.test(info.name);
	const which = mean < 0 ? (better ? "better" : "lower") : better ? "worse" : "higher";
	const word = isSure ? `B is ${which}` : "No sure difference";
	return { text: `${word}: ${differs}, ${interval}, over ${of}.`, isSure };
}
