import { html, nothing, type TemplateResult } from "lit";
import type { MeanInterval } from "../../reviewing/remote-distribution.js";
import type { ViewerState } from "../session/state.js";
import { table } from "../ui/table.js";
import { groupedCount } from "../ui/words.js";
import { type ColumnInfo, greatest } from "./columns.js";
import type { DistributionsController, Result } from "./distributions-controller.js";
import {
	clustersWords,
	hasMean,
	intervalWords,
	meanWords,
	verdictOf,
} from "./surety.js";

/** Returns the interval of a mean, and what it is of: `95 %: 2.0 to 10.1 %; 2,239 rows of 77 agents`. */
function restWords(info: ColumnInfo, mean: MeanInterval, missing: number): string {
	const of = `${groupedCount(mean.count, "row")} of ${clustersWords(mean)}`;
	const without = missing > 0 ? `; ${missing.toLocaleString("en")} without` : "";
	return `95 %: ${intervalWords(info, mean)}; ${of}${without}`;
}

/** Renders the means of the chosen column with their intervals, and how B differs from A. */
export function meansTable(
	work: DistributionsController,
	result: Result,
	{ review }: ViewerState,
): TemplateResult | typeof nothing {
	const { on, columns, summaries, group, pair } = result;
	const info = columns[on];
	const groups = summaries.get(on);
	if (!info || !groups || !hasMean(info)) return nothing;
	const names = columns[group ?? -1]?.categories ?? [];
	const span = greatest(
		0,
		groups.map(({ mean }) => mean.high - mean.low).filter(Number.isFinite),
	);
	const isShare = info.flag === true;
	const what = isShare ? `Share of ${info.categories?.[1]}` : `Mean of ${info.words}`;
	const name = (i: number): string =>
		group === undefined ? "all" : (names[i] ?? `no ${columns[group]?.words}`);
	const means = table({
		label: what,
		className: "means",
		columns: [
			{
				name: group === undefined ? "Rows" : columns[group]?.words,
				heads: true,
				cell: ({ group: i, mean, missing }) =>
					html`<span class="name">${name(i)}</span><span class="hint">${restWords(info, mean, missing)}</span>`,
			},
			{
				name: isShare ? "Share" : "Mean",
				kind: "number",
				cell: ({ mean }) => meanWords(info, mean.mean, span || mean.mean),
			},
		],
		rows: groups,
	});
	const verdict = pair && verdictOf(info, pair);
	const [a, b] = [review.pair?.a, review.pair?.b].map(
		(id) => review.models.find((one) => one.id === id)?.name,
	);
	const rest =
		pair && pair.missing + pair.alone > 0
			? ` Not compared: ${groupedCount(pair.missing, "pair")} without a value, ${groupedCount(pair.alone, "prediction")} without a counterpart.`
			: "";
	return html`<h3>${what}${work.settings.brushes.size > 0 ? ", kept rows" : ""}</h3>${means}
		${verdict ? html`<p class="verdict" title="A: ${a ?? ""}, B: ${b ?? ""}">${verdict.text}${rest}</p>` : nothing}`;
}
