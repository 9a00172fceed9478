import { html, nothing, svg, type TemplateResult } from "lit";
import type {
	Breakdown,
	HorizonScore,
	ModeScore,
	Subject,
	SubjectScore,
} from "../../tools/review.js";
import { formatNumber } from "../agents/describe.js";
import { withUnit } from "./measures.js";

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

function subjectRow(one: SubjectScore): TemplateResult {
	const { subject, count, compared, missed } = one;
	return html`<tr><th scope="row">${SUBJECTS[subject]}</th><td class="mono">${count}</td>
		<td class="mono">${formatNumber(one.ade)}</td><td class="mono">${formatNumber(one.fde)}</td>
		<td class="mono">${formatNumber(one.nll)}</td><td class="mono">${share(missed, compared)}</td></tr>`;
}

function horizonRow({
	steps,
	compared,
	missed,
	...score
}: HorizonScore): TemplateResult {
	return html`<tr><th scope="row">${steps / 10} s</th><td class="mono">${compared}</td>
		<td class="mono">${formatNumber(score.ade)}</td><td class="mono">${formatNumber(score.fde)}</td>
		<td class="mono">${formatNumber(score.nll)}</td><td class="mono">${share(missed, compared)}</td></tr>`;
}

/** Renders the scores over the first steps, in seconds at 10 frames per second. */
function horizonTable(
	horizons: readonly HorizonScore[],
	over: string,
): TemplateResult | typeof nothing {
	if (horizons.length === 0) return nothing;
	return html`<table aria-label=${`Scores by horizon, ${over}`}>
		<thead><tr><th title="First steps of each prediction, at 10 frames per second">Horizon</th><th>Count</th><th>${withUnit("ade")}</th><th>${withUnit("fde")}</th><th>${withUnit("nll")}</th>
			<th title="Best mode is more than 2 m away at the last of these steps">Miss</th></tr></thead>
		<tbody>${horizons.map(horizonRow)}</tbody></table>`;
}

function modeRow(mode: ModeScore, index: number, compared: number): TemplateResult {
	return html`<tr><th scope="row">Mode ${index}</th><td class="mono">${formatNumber(mode.confidence)}</td>
		<td class="mono">${formatNumber(mode.ade)}</td><td class="mono">${formatNumber(mode.fde)}</td>
		<td class="mono">${share(mode.best, compared)}</td></tr>`;
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
	readonly open: boolean;
	readonly toggled: (open: boolean) => void;
}

/** Renders tables that can be expanded. */
export function folded(
	title: string,
	{ open, toggled }: Shown,
	tables: TemplateResult,
): TemplateResult {
	return html`<details class="breakdown" ?open=${open}
		@toggle=${(event: Event) => toggled((event.currentTarget as HTMLDetailsElement).open)}><summary>${title}</summary>
		${tables}</details>`;
}

/** Renders the scores by class, mode, horizon and step. */
export function breakdownTables(breakdown: Breakdown, shown: Shown): TemplateResult {
	const { subjects, modes, horizon, horizons, compared } = breakdown;
	const { over } = shown;
	if (compared === 0) return html``;
	const tables = html`<table aria-label=${`Scores by class, ${over}`}>
			<thead><tr><th>Class</th><th>Count</th><th>${withUnit("ade")}</th><th>${withUnit("fde")}</th><th>${withUnit("nll")}</th>
				<th title="Best mode's final displacement is above 2 m">Miss</th></tr></thead>
			<tbody>${subjects.map(subjectRow)}</tbody></table>
		<table aria-label=${`Scores by mode, ${over}`}>
			<thead><tr><th>Mode</th><th title="Mean confidence">Conf.</th><th title="Mean of this mode's displacement">${withUnit("ade")}</th>
				<th title="Mean of this mode's displacement at the last step">${withUnit("fde")}</th>
				<th title="Share of predictions in which this mode has the lowest ADE">Best</th></tr></thead>
			<tbody>${modes.map((mode, i) => modeRow(mode, i, compared))}</tbody></table>
		${horizonTable(horizons, over)} ${horizonPicture(horizon)}`;
	return folded("By class, mode and step", shown, tables);
}
