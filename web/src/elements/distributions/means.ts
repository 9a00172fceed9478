import { html, nothing, type TemplateResult } from "lit";
import type { ViewerState } from "../session/state.js";
import { table } from "../ui/table.js";
import { groupedCount } from "../ui/words.js";
import { greatest } from "./columns.js";
import type { DistributionsController, Result } from "./distributions-controller.js";
import {
	clustersWords,
	hasMean,
	intervalWords,
	meanWords,
	verdictOf,
} from "./surety.js";

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
				cell: ({ group: i }) => name(i),
			},
			{
				name: isShare ? "Share" : "Mean",
				cell: ({ mean }) => meanWords(info, mean.mean, span || mean.mean),
			},
			{ name: "95 % interval", cell: ({ mean }) => intervalWords(info, mean) },
			{ name: "over", cell: ({ mean }) => clustersWords(mean) },
			{
				name: "n",
				kind: "number",
				cell: ({ mean }) => mean.count.toLocaleString("en"),
			},
			{
				name: "without",
				kind: "number",
				cell: ({ missing }) => missing.toLocaleString("en"),
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
