import { save } from "../export/save.js";
import { barsOf } from "./bars.js";
import type { DistributionsController, Result } from "./distributions-controller.js";
import { coloursOf, paintBars, paintBoxes } from "./paint.js";

function cell(text: string): string {
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns a number for CSV; nothing if it is missing. */
function numberText(value: number | undefined): string {
	return value !== undefined && Number.isFinite(value) ? String(value) : "";
}

/** Returns the kept rows as CSV, in parts; categories by name. */
export async function csvParts(
	work: DistributionsController,
	{ columns }: Pick<Result, "columns">,
): Promise<string[]> {
	const titles = ["scene", "frame", "track", ...columns.map(({ name }) => name)];
	const parts = [`${titles.map(cell).join(",")}\r\n`];
	for await (const rows of work.slices(1_000)) {
		const count = rows.rows.length;
		const lines = Array.from(rows.rows, (_, i) => {
			const values = columns.map(({ categories }, c) => {
				const value = rows.values[c * count + i];
				const named = categories && value !== undefined ? categories[value] : undefined;
				return named === undefined ? numberText(value) : cell(named);
			});
			return [rows.scenes[i], rows.frames[i], rows.tracks[i], ...values].join(",");
		});
		parts.push(lines.map((line) => `${line}\r\n`).join(""));
	}
	return parts;
}

/** Saves the kept rows. */
export async function saveCsv(
	work: DistributionsController,
	result: Result,
): Promise<void> {
	const parts = await csvParts(work, result);
	save(new Blob(parts, { type: "text/csv" }), `${work.settings.table}.csv`);
}

const CHART = { width: 300, height: 90, head: 20, gap: 20, columns: 3 } as const;
const DENSITY = 2;

/** The element whose charts are saved. */
export interface Painted extends Element {
	/** Returns the colours of a column's groups. */
	tokensOf(result: Result, group: number | undefined): readonly string[];
}

/** Saves a picture of all histograms, or box plots. */
export function savePng(
	host: Painted,
	work: DistributionsController,
	result: Result,
): void {
	const { settings } = work;
	const shown = result.columns.flatMap((info, i) => {
		const counts = result.counts.columns[i];
		return info.shown && counts && counts.edges.length > 0 ? [{ info, i, counts }] : [];
	});
	const { width, height, head, gap, columns } = CHART;
	const rows = Math.ceil(shown.length / columns);
	const canvas = document.createElement("canvas");
	canvas.width = DENSITY * (columns * (width + gap) + gap);
	canvas.height = DENSITY * (rows * (height + head + gap) + gap);
	const ctx = canvas.getContext("2d");
	if (!ctx) return;
	const colour = coloursOf(host);
	ctx.scale(DENSITY, DENSITY);
	ctx.fillStyle = colour("panel");
	ctx.fillRect(0, 0, canvas.width, canvas.height);
	shown.forEach(({ info, i, counts }, at) => {
		ctx.save();
		const row = Math.floor(at / columns);
		ctx.translate(
			gap + (at % columns) * (width + gap),
			gap + row * (height + head + gap),
		);
		ctx.fillStyle = colour("ink");
		ctx.font = `12px ${colour("sans") || "sans-serif"}`;
		const missing = counts.all.at(-1) ?? 0;
		const without = missing > 0 ? `, ${missing} without` : "";
		const unit = info.unit === "" ? "" : `, ${info.unit}`;
		ctx.fillText(
			`${info.words}${unit} (${result.counts.rows - missing}${without})`,
			0,
			12,
		);
		ctx.translate(0, head);
		const painting = { ctx, width, height: height - 14, colour };
		const boxes =
			settings.boxes && !info.categories ? result.summaries.get(i) : undefined;
		const tokens = host.tokensOf(result, boxes ? result.group : result.by);
		const [low, high] = [counts.edges[0] ?? 0, counts.edges.at(-1) ?? 1];
		if (boxes) paintBoxes(painting, { groups: boxes, tokens, range: [low, high] });
		else {
			const brush = settings.brushes.get(info.name);
			const isFiltered = settings.brushes.size > (brush ? 1 : 0);
			const bars = barsOf(counts, info);
			paintBars(painting, { counts, bars, tokens, brush, isFiltered, at: undefined });
		}
		ctx.fillStyle = colour("ink3");
		ctx.font = `11px ${colour("sans") || "sans-serif"}`;
		const ends = info.categories
			? [info.categories.join(" · "), ""]
			: [String(low), String(high)];
		ctx.fillText(ends[0] ?? "", 0, height - 2);
		ctx.textAlign = "right";
		ctx.fillText(ends[1] ?? "", width, height - 2);
		ctx.restore();
	});
	canvas.toBlob((blob) => blob && save(blob, `${settings.table}.png`), "image/png");
}
