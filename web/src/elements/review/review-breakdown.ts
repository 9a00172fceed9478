import { html, nothing, svg, type TemplateResult } from "lit";
import type {
	Breakdown,
	ModeScore,
	Subject,
	SubjectScore,
} from "../../tools/review.js";
import { formatNumber } from "../agents/describe.js";
import { type Column, table } from "../ui/table.js";
import { withUnit } from "./measures.js";
import { MEASURES } from "./review-state.js";

export const SUBJECTS: Readonly<Record<Subject, string>> = {
	vehicle: "Vehicles",
	cyclist: "Cyclists",
	pedestrian: "Pedestrians",
	other: "Other",
	ego: "Ego",
	unlabelled: "No label",
};

/** Size of the plot by step. */
const [WIDTH, HEIGHT] = [240, 48];

function share(part: number, all: number): string {
	return all > 0 ? `${((100 * part) / all).toFixed(0)} %` : "–";
}

/** Scores of a class, or over the first steps. */
type Part = Omit<SubjectScore, "subject"> & { readonly name: string };

/** Renders the scores of parts of the predictions; `head` names the parts. */
function scoreTable(
	label: string,
	rows: readonly Part[],
	head: Partial<Column<Part>>,
	missed: string,
): TemplateResult {
	const columns: Column<Part>[] = [
		{ ...head, heads: true, cell: ({ name }) => name },
		{ name: "Count", cell: ({ count }) => count },
		...MEASURES.map((by) => ({
			name: withUnit(by),
			cell: (one: Part) => formatNumber(one[by]),
		})),
		{ name: "Miss", title: missed, cell: (one) => share(one.missed, one.compared) },
	];
	return table({ label, columns, rows });
}

function modeTable({ modes, compared }: Breakdown, over: string): TemplateResult {
	const mean = "Mean of this mode's displacement";
	const best = "Share of predictions in which this mode has the lowest ADE";
	const number = (key: "confidence" | "ade" | "fde") => (mode: ModeScore) =>
		formatNumber(mode[key]);
	const columns: Column<ModeScore>[] = [
		{ name: "Mode", heads: true, cell: (mode) => `Mode ${modes.indexOf(mode)}` },
		{ name: "Conf.", title: "Mean confidence", cell: number("confidence") },
		{ name: withUnit("ade"), title: mean, cell: number("ade") },
		{ name: withUnit("fde"), title: `${mean} at the last step`, cell: number("fde") },
		{ name: "Best", title: best, cell: (mode) => share(mode.best, compared) },
	];
	return table({ label: `Scores by mode, ${over}`, columns, rows: modes });
}

/** Renders the best mode's distance over the future steps. */
function horizonPicture(horizon: readonly number[]): TemplateResult | typeof nothing {
	const known = horizon.flatMap((metres, step) =>
		Number.isFinite(metres) ? [[step, metres] as const] : [],
	);
	const [last] = known.slice(-1);
	if (!last || known.length < 2) return nothing;
	const most = known.reduce((max, [, metres]) => Math.max(max, metres), 1e-9);
	const at = ([step, metres]: readonly [number, number]) =>
		`${((WIDTH * step) / Math.max(1, horizon.length - 1)).toFixed(1)} ${(HEIGHT * (1 - metres / most)).toFixed(1)}`;
	const words = `Displacement of the best mode: ${formatNumber(known[0]?.[1] ?? 0)} m at step 1, ${formatNumber(last[1])} m at step ${last[0] + 1}, at most ${formatNumber(most)} m`;
	return html`<figure><figcaption>Best mode's displacement by step <span class="mono">≤ ${formatNumber(most)} <span class="unit">m</span></span></figcaption>
		<svg viewBox="0 -1 ${WIDTH} ${HEIGHT + 2}" width="100%" height=${HEIGHT} preserveAspectRatio="none" role="img" aria-label=${words}>
			${svg`<path d=${`M${known.map(at).join("L")}`}/>`}</svg>
		<div class="ends mono"><span>1</span><span>${horizon.length} steps</span></div></figure>`;
}

/**
 * Arguments of the tables: the predictions they cover, and whether they are expanded.
 */
export interface Shown {
	readonly over: string;
	/** Follows the title. */
	readonly note: string;
	readonly open: boolean;
	readonly toggled: (open: boolean) => void;
}

/** Renders tables that can be expanded. */
export function folded(
	title: string,
	{ note, open, toggled }: Shown,
	tables: TemplateResult,
): TemplateResult {
	return html`<details class="breakdown" ?open=${open}
		@toggle=${(event: Event) => toggled((event.currentTarget as HTMLDetailsElement).open)}><summary>${title}${note}</summary>
		${tables}</details>`;
}

/** Renders the scores by class, mode, horizon and step. */
export function breakdownTables(breakdown: Breakdown, shown: Shown): TemplateResult {
	const { subjects, horizon, horizons, compared } = breakdown;
	const { over } = shown;
	if (compared === 0) return html``;
	const classes = subjects.map((one) => ({ ...one, name: SUBJECTS[one.subject] }));
	const steps = horizons.map((one) => ({
		...one,
		...{ name: `${one.steps / 10} s`, count: one.compared },
	}));
	const first = "First steps of each prediction, at 10 frames per second";
	const tables = html`
		${scoreTable(`Scores by class, ${over}`, classes, { name: "Class" }, "Best mode's final displacement is above 2 m")}
		${modeTable(breakdown, over)}
		${steps.length === 0 ? nothing : scoreTable(`Scores by horizon, ${over}`, steps, { name: "Horizon", title: first }, "Best mode is more than 2 m away at the last of these steps")}
		${horizonPicture(horizon)}`;
	return folded("By class, mode and step", shown, tables);
}
