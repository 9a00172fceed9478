import { html, nothing, type TemplateResult } from "lit";
import type { SampleArray } from "../../samples/sample.js";
import { formatNumber } from "../agents/describe.js";
import { table } from "../ui/table.js";
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
		const name = key.replace(/^(history|target)_/, "");
		return array ? [{ name, rows: rowsOf(array) }] : [];
	});
	const count = Math.max(0, ...there.map(({ rows }) => rows.length));
	if (count === 0) return nothing;
	return table({
		label: title,
		columns: [
			{ name: "Step", heads: true, cells: "mono", cell: (step: number) => step },
			...there.map(({ name, rows }) => ({
				...{ name, cell: (step: number) => rows[step]?.join(", ") },
			})),
		],
		rows: [...Array(count).keys()],
	});
}

function matrices(keys: readonly string[], arrays: RasterPicture["arrays"]): unknown {
	return keys.map((key) => {
		const rows = arrays[key] ? rowsOf(arrays[key]) : [];
		const columns = rows[0]?.map((_, k) => ({ cell: (row: string[]) => row[k] }));
		return columns ? table({ label: key, caption: key, columns, rows }) : nothing;
	});
}

/** Renders history, targets, availabilities and matrices of the displayed sample. */
export function sampleArrays({ arrays }: RasterPicture): TemplateResult {
	return html`${GROUPS.map(
		([title, keys]) => html`<details class="arrays"><summary>${title}</summary>
			${title === "Matrices" ? matrices(keys, arrays) : steps(keys, arrays, title)}</details>`,
	)}`;
}
