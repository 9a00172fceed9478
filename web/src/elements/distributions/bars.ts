import type { Brush, ColumnCounts } from "../../reviewing/remote-distribution.js";
import { formatNumber } from "../agents/describe.js";
import type { ColumnInfo } from "./columns.js";

/** A bar of a histogram: a bin that is displayed. */
export interface Bar {
	/** Index of the bin in the counts. */
	readonly bin: number;
	readonly kind: "inside" | "below" | "above" | "missing";
	/** Rows, and those that pass the brushes of other columns: of each group. */
	readonly all: number;
	readonly passing: readonly number[];
	/** Its values in words. */
	readonly words: string;
}

/** Returns the bars in the order of values; empty bins outside the edges are left out. */
export function barsOf(counts: ColumnCounts, info: ColumnInfo): readonly Bar[] {
	const size = Math.max(0, counts.edges.length - 1);
	const count = info.categories ? Math.min(size, info.categories.length) : size;
	const inside = Array.from({ length: count }, (_, bin) => bin);
	return [size, ...inside, size + 1, size + 2].flatMap((bin): Bar[] => {
		const all = counts.all[bin] ?? 0;
		if (bin >= size && all === 0) return [];
		const kind = (["below", "above", "missing"] as const)[bin - size] ?? "inside";
		const passing = counts.passing.map((group) => group[bin] ?? 0);
		return [{ bin, kind, all, passing, words: wordsOf(counts, info, bin) }];
	});
}

function wordsOf({ edges }: ColumnCounts, info: ColumnInfo, bin: number): string {
	const size = Math.max(0, edges.length - 1);
	if (bin === size + 2) return "no value";
	if (info.categories) return info.categories[bin] ?? `${bin}`;
	const unit = info.unit === "" ? "" : ` ${info.unit}`;
	const at = (i: number): string => edgeWords(edges[i] ?? Number.NaN);
	if (bin === size) return `below ${at(0)}${unit}`;
	if (bin === size + 1) return `${at(size)}${unit} or more`;
	return `${at(bin)} to ${at(bin + 1)}${unit}`;
}

/** Returns an edge, a short decimal number, in words. */
export function edgeWords(value: number): string {
	const digits = /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0;
	return formatNumber(value, Math.min(9, digits));
}

/** Returns the brush of the bars from one to another. */
export function brushOf(
	{ edges }: ColumnCounts,
	info: ColumnInfo,
	bars: readonly Bar[],
): Brush {
	const missing = bars.some(({ kind }) => kind === "missing");
	const known = bars.filter(({ kind }) => kind !== "missing");
	if (info.categories) return { chosen: known.map(({ bin }) => bin), missing };
	const [first] = known;
	const last = known.at(-1);
	if (!first || !last) return { low: 0, high: 0, missing };
	const size = edges.length - 1;
	const low = { below: undefined, above: edges[size] };
	const high = { below: edges[0], above: undefined };
	const ends = {
		low: first.kind === "inside" ? edges[first.bin] : low[first.kind as "below"],
		high: last.kind === "inside" ? edges[last.bin + 1] : high[last.kind as "below"],
	};
	return { ...ends, missing };
}

/** Returns whether a bar's values are chosen by the brush. */
export function isChosen({ edges }: ColumnCounts, bar: Bar, brush: Brush): boolean {
	if (bar.kind === "missing") return brush.missing === true;
	if (brush.chosen) return brush.chosen.includes(bar.bin);
	const size = edges.length - 1;
	const { low = -Infinity, high = Infinity } = brush;
	if (bar.kind === "below") return low < (edges[0] ?? 0);
	if (bar.kind === "above") return high > (edges[size] ?? 0);
	return low < (edges[bar.bin + 1] ?? 0) && high > (edges[bar.bin] ?? 0);
}

/** Returns a brush in words: `0.5 to 2 m`. */
export function brushWords(brush: Brush, info: ColumnInfo): string {
	const unit = info.unit === "" ? "" : ` ${info.unit}`;
	const { low, high, chosen, missing } = brush;
	const or = missing ? ["no value"] : [];
	const named = chosen?.map((one) => info.categories?.[one] ?? `${one}`);
	if (named) return [...named, ...or].join(", ");
	if (low !== undefined && low === high) return "no value";
	const range =
		low === undefined
			? `below ${edgeWords(high ?? 0)}${unit}`
			: high === undefined
				? `${edgeWords(low)}${unit} or more`
				: `${edgeWords(low)} to ${edgeWords(high)}${unit}`;
	return [range, ...or].join(", ");
}
