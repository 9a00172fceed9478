import type { MeanInterval, PairSummary } from "../../reviewing/remote-distribution.js";
import { formatNumber } from "../agents/describe.js";
import { groupedCount } from "../ui/words.js";
import { type ColumnInfo, valueWords } from "./columns.js";

/** Formats a mean of a column; that of a flag is a share. */
export function meanWords(info: ColumnInfo, value: number, span: number): string {
	if (!info.flag) return valueWords(info, value, span);
	return Number.isFinite(value) ? `${formatNumber(100 * value, 1)} %` : "\u2013";
}

/** Formats a difference of means with its sign; that of shares in points. */
function differenceWords(info: ColumnInfo, value: number, span: number): string {
	const sign = value > 0 ? "+" : "";
	if (!info.flag) return `${sign}${valueWords(info, value, span)}`;
	return `${sign}${formatNumber(100 * value, 1)} percentage points`;
}

/** Returns whether means of a column make sense: of numbers and of flags. */
export function hasMean({ categories, flag }: ColumnInfo): boolean {
	return categories === undefined || flag === true;
}

/** Returns an interval in words, or why there is none. */
export function intervalWords(info: ColumnInfo, { low, high }: MeanInterval): string {
	if (!Number.isFinite(low)) return "unknown";
	const span = high - low;
	if (span === 0) return "all equal";
	return rangeWords(meanWords(info, low, span), meanWords(info, high, span));
}

/** Returns what an interval is over: the scenes, or several agents of a single one. */
export function clustersWords({ clusters, byScene }: MeanInterval): string {
	return groupedCount(clusters, byScene || clusters === 1 ? "scene" : "agent");
}

/** Returns `2.0 to 10.1 %`: the unit once. */
function rangeWords(low: string, high: string): string {
	const unit = /^\S+( .*)$/.exec(high)?.[1] ?? "";
	const first = unit !== "" && low.endsWith(unit) ? low.slice(0, -unit.length) : low;
	return `${first} to ${high}`;
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
	const { mean, low, high, count } = difference;
	const pairs = groupedCount(count, "pair");
	const of = `${pairs} of ${clustersWords(difference)}`;
	if (count === 0) return { text: "No pair has both values.", isSure: false };
	if (equal === count)
		return { text: `A and B are equal in all ${pairs}.`, isSure: true };
	const span = Number.isFinite(low) ? high - low : Math.abs(mean);
	const words = (value: number): string => differenceWords(info, value, span);
	const differs = `B \u2212 A is ${words(mean)}`;
	if (!Number.isFinite(low)) {
		return {
			text: `${differs} over ${pairs}; one scene and agent do not tell how sure that is.`,
			isSure: false,
		};
	}
	const interval = `95 % interval ${rangeWords(words(low), words(high))}`;
	const isSure = low > 0 || high < 0;
	const better = LOWER_IS_BETTER.test(info.name);
	const which = mean < 0 ? (better ? "better" : "lower") : better ? "worse" : "higher";
	const word = isSure ? `B is ${which}` : "No sure difference";
	return { text: `${word}: ${differs}, ${interval}, over ${of}.`, isSure };
}
