import { css, html, nothing, type TemplateResult } from "lit";
import type { Breakdown, Score } from "../../tools/review.js";
import { formatNumber } from "../agents/describe.js";
import { type RowGroup, table } from "../ui/table.js";
import { formatDifference, MEASURE_NAMES } from "./measures.js";
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

interface Tally {
	readonly compared: number;
	readonly missed: number;
}

export const modelTableStyles = css`
.by-model tbody tr.group th { padding-top: 6px; color: var(--_ink3); font-size: 11px; }
.by-model thead th { vertical-align: bottom; }
.by-model thead .swatch { margin-left: auto; }
.by-model thead span { display: block; max-width: 96px; margin-left: auto; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
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
export function groupsOf(all: readonly ModelResults[]): readonly RowGroup<Row>[] {
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

/** Renders all models' metrics, one column each, and the difference of the pair. */
export function modelTable(
	all: readonly ModelResults[],
	pair: ModelPair | undefined,
	over: string,
): TemplateResult {
	const numberOf = (row: Row, one: ModelResults) => row.of(one) ?? Number.NaN;
	const find = (id: number | undefined) => all.find(({ model }) => model.id === id);
	const [a, b] = [find(pair?.a), find(pair?.b)];
	const difference = a &&
		b && {
			name: "B − A",
			title: `Positive errors: ${b.model.name} is worse`,
			cell: (row: Row) =>
				formatDifference(numberOf(row, b) - numberOf(row, a), row.digits),
		};
	const metric = {
		...{ name: "Metric", heads: true },
		cell: ({ name, unit }: Row) =>
			html`${name}${unit ? html` <span class="unit">${unit}</span>` : nothing}`,
	};
	return table({
		...{ label: `Metrics by model, ${over}`, className: "by-model" },
		columns: [
			metric,
			...all.map((one) => ({
				name: html`${swatch(one.model.slot)}<span>${one.model.name}</span>`,
				title: one.model.name,
				cell: (row: Row) => formatNumber(numberOf(row, one), row.digits),
			})),
			...(difference ? [difference] : []),
		],
		groups: groupsOf(all),
	});
}
