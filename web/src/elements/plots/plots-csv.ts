import type { FrameRange } from "../timeline/clock.js";

/** A column of plotted values. */
export interface CsvColumn {
	readonly title: string;
	readonly values: ArrayLike<number>;
}

function cell(text: string): string {
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function number(value: number | undefined): string {
	return value !== undefined && Number.isFinite(value) ? String(value) : "";
}

/**
 * Returns the values of the frames in `span` as CSV: frame, seconds and the columns.
 * Unknown values are empty.
 */
export function plotsCsv(
	seconds: ArrayLike<number>,
	columns: readonly CsvColumn[],
	{ begin, end }: FrameRange,
): string {
	const titles = ["frame", "seconds", ...columns.map(({ title }) => cell(title))];
	const lines = [titles.join(",")];
	for (let k = begin; k < end; k += 1) {
		const values = columns.map((column) => number(column.values[k]));
		lines.push([String(k), number(seconds[k]), ...values].join(","));
	}
	return `${lines.join("\r\n")}\r\n`;
}
