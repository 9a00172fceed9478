import { css, html, nothing, type TemplateResult } from "lit";
import type { Breakdown, Score } from "../../tools/review.js";
import { formatNumber } from "../agents/describe.js";
import { MEASURE_NAMES } from "./measures.js";
import { swatch } from "./model-list.js";
import { SUBJECTS } from "./review-breakdown.js";
import { MEASURES, type ModelPair, type ModelState } from "./review-state.js";

/** Frames per second of L5Kit's data, in which horizons are named. */
const RATE = 10;

/** A model's results over a scene or over all scenes. */
export interface ModelResults {
	readonly model: Pick<ModelState, "id" | "name" | "slot">;
	readonly mean: Score;
	readonly breakdown: Breakdown;
}

/** A number of each model; undefined if the model does not have it. */
interface Row {
	readonly name: string;
	readonly unit: string;
	readonly digits: number;
	readonly of: (results: ModelResults) => number | undefined;
}

interface Group {
	readonly name: string;
	readonly rows: readonly Row[];
}

interface Tally {
	readonly compared: number;
	readonly missed: number;
}

export const modelTableStyles = css`
table.by-model { margin-bottom: 8px; }
.by-model tbody tr { cursor: default; }
.by-model tbody th { font-size: inherit; color: var(--_ink2); position: static; padding: 0 4px; text-align: left; }
.by-model tbody tr.group th { padding-top: 6px; color: var(--_ink3); font-size: 11px; }
.by-model thead th { vertical-align: bottom; }
.by-model thead .swatch { margin-left: auto; }
.by-model thead span { display: block; max-width: 96px; margin-left: auto; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.by-model td { line-height: 24px; }
`;

function scoreRows(of: (results: ModelResults) => (Score & Tally) | undefined): Row[] {
	return [
		...MEASURES.map((by) => ({
			name: MEASURE_NAMES[by].short,
			unit: by === "nll" ? "" : "m",
			digits: 2,
			of: (results: ModelResults) => of(results)?.[by],
		})),
		{
			...{ name: "Miss", unit: "%", digits: 1 },
			of: (results: ModelResults) => {
				const { compared = 0, missed = 0 } = of(results) ?? {};
				return compared > 0 ? (100 * missed) / compared : undefined;
			},
		},
		{
			...{ name: "Compared", unit: "", digits: 0 },
			of: (results: ModelResults) => of(results)?.compared,
		},
	];
}

function modeRows(index: number): Row[] {
	const mode = ({ breakdown }: ModelResults) => breakdown.modes[index];
	return [
		{ name: "ADE", unit: "m", digits: 2, of: (results) => mode(results)?.ade },
		{ name: "FDE", unit: "m", digits: 2, of: (results) => mode(results)?.fde },
		{
			...{ name: "Confidence", unit: "", digits: 2 },
			of: (results) => mode(results)?.confidence,
		},
		{
			...{ name: "Best", unit: "%", digits: 1 },
			of: (results) => {
				const { compared } = results.breakdown;
				const best = mode(results)?.best;
				return best !== undefined && compared > 0 ? (100 * best) / compared : undefined;
			},
		},
	];
}

/** Returns the groups of rows that at least one model has. */
export function groupsOf(all: readonly ModelResults[]): readonly Group[] {
	const steps = new Set(
		all.flatMap((one) => one.breakdown.horizons.map((h) => h.steps)),
	);
	const subjects = new Set(
		all.flatMap((one) => one.breakdown.subjects.map((s) => s.subject)),
	);
	const modes = Math.max(0, ...all.map((one) => one.breakdown.modes.length));
	return [
		{
			name: "All steps",
			rows: scoreRows(({ mean, breakdown }) => ({ ...mean, ...breakdown })),
		},
		...[...steps]
			.sort((a, b) => a - b)
			.map((count) => ({
				name: `First ${count / RATE} s`,
				rows: scoreRows(({ breakdown }) =>
					breakdown.horizons.find((one) => one.steps === count),
				),
			})),
		...[...subjects].map((subject) => ({
			name: SUBJECTS[subject],
			rows: scoreRows(({ breakdown }) =>
				breakdown.subjects.find((one) => one.subject === subject),
			),
		})),
		...Array.from({ length: modes }, (_, i) => ({
			name: `Mode ${i}`,
			rows: modeRows(i),
		})),
	];
}

function numberCell(value: number | undefined, digits: number): string {
	return formatNumber(value ?? Number.NaN, digits);
}

/** Renders B's number minus A's; empty for counts. */
function differenceCell(row: Row, a: ModelResults, b: ModelResults): TemplateResult {
	const [from, to] = [row.of(a) ?? Number.NaN, row.of(b) ?? Number.NaN];
	const difference = to - from;
	const sign = difference > 0 ? "+" : "";
	return html`<td class="mono">${sign}${formatNumber(difference, row.digits)}</td>`;
}

/** Renders all models' metrics, one column each, and the difference of the pair. */
export function modelTable(
	all: readonly ModelResults[],
	pair: ModelPair | undefined,
	over: string,
): TemplateResult {
	const find = (id: number | undefined) => all.find(({ model }) => model.id === id);
	const [a, b] = [find(pair?.a), find(pair?.b)];
	const rowOf = (
		row: Row,
	) => html`<tr><th scope="row">${row.name}${row.unit ? html` <span class="unit">${row.unit}</span>` : nothing}</th>
		${all.map((one) => html`<td class="mono">${numberCell(row.of(one), row.digits)}</td>`)}
		${a && b ? differenceCell(row, a, b) : nothing}</tr>`;
	const groups = groupsOf(all).map(
		({
			name,
			rows,
		}) => html`<tbody><tr class="group"><th colspan=${all.length + 2} scope="rowgroup">${name}</th></tr>
			${rows.map(rowOf)}</tbody>`,
	);
	return html`<table class="by-model" aria-label=${`Metrics by model, ${over}`}>
		<thead><tr><th>Metric</th>${all.map(
			({ model }) =>
				html`<th scope="col" title=${model.name}>${swatch(model.slot)}<span>${model.name}</span></th>`,
		)}${a && b ? html`<th scope="col" title="Positive errors: ${b.model.name} is worse">B − A</th>` : nothing}</tr></thead>
		${groups}</table>`;
}
