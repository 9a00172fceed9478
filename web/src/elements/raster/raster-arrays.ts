import { html, nothing, type TemplateResult } from "lit";
import type { SampleArray } from "../../samples/sample.js";
import { formatNumber } from "../agents/describe.js";
import type { RasterPicture } from "./raster-state.js";

/** Maximum number of rendered rows per array. */
const MAX_ROWS = 100;

/** Groups of arrays by meaning of their rows. */
const GROUPS: readonly (readonly [title: string, keys: readonly string[]])[] = [
	["History", ["history_positions", "history_yaws", "history_availabilities"]],
	["Targets", ["target_positions", "target_yaws", "target_availabilities"]],
	[
		"Matrices",
		[
			"raster_from_agent",
			"raster_from_world",
			"agent_from_world",
			"world_from_agent",
			"world_to_image",
		],
	],
];

/** Returns the rows of `array` with values as text. */
function rowsOf({ data, shape }: SampleArray): string[][] {
	const rows = shape[0] ?? 1;
	const width = rows > 0 ? data.length / rows : 0;
	return Array.from({ length: Math.min(rows, MAX_ROWS) }, (_, i) =>
		Array.from({ length: width }, (_, k) => {
			const value = Number(data[i * width + k]);
			return Number.isInteger(value) ? String(value) : formatNumber(value, 3);
		}),
	);
}

/** Renders arrays side by side, one row per step. */
function steps(
	keys: readonly string[],
	arrays: RasterPicture["arrays"],
	title: string,
): TemplateResult | typeof nothing {
	const there = keys.flatMap((key) => {
		const array = arrays[key];
		return array
			? [{ name: key.replace(/^(history|target)_/, ""), rows: rowsOf(array) }]
			: [];
	});
	const count = Math.max(0, ...there.map(({ rows }) => rows.length));
	if (count === 0) return nothing;
	return html`<table aria-label=${title}><thead><tr><th>Step</th>${there.map(({ name }) => html`<th>${name}</th>`)}</tr></thead>
		<tbody>${Array.from(
			{ length: count },
			(_, i) =>
				html`<tr><th scope="row" class="mono">${i}</th>${there.map(
					({ rows }) => html`<td class="mono">${rows[i]?.join(", ") ?? ""}</td>`,
				)}</tr>`,
		)}</tbody></table>`;
}

function matrices(keys: readonly string[], arrays: RasterPicture["arrays"]): unknown {
	return keys.map((key) => {
		const array = arrays[key];
		if (!array) return nothing;
		return html`<table aria-label=${key}><caption class="mono">${key}</caption>
			<tbody>${rowsOf(array).map(
				(row) =>
					html`<tr>${row.map((value) => html`<td class="mono">${value}</td>`)}</tr>`,
			)}</tbody></table>`;
	});
}

/** Renders history, targets, availabilities and matrices of the displayed sample. */
export function sampleArrays({ arrays }: RasterPicture): TemplateResult {
	return html`${GROUPS.map(
		([title, keys]) => html`<details class="arrays"><summary>${title}</summary>
			${title === "Matrices" ? matrices(keys, arrays) : steps(keys, arrays, title)}</details>`,
	)}`;
}
