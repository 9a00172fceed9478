import { css, html, nothing, type TemplateResult } from "lit";
import { isMeasured } from "../../reviewing/remote-futures.js";
import type { ViewerState } from "../session/state.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { icon } from "../ui/icons.js";
import { table, tableStyles } from "../ui/table.js";
import { counted, formatNumber, groupedCount } from "../ui/words.js";
import type { FuturesController } from "./futures-controller.js";
import { curvesPicture, curvesStyles } from "./futures-curves.js";
import {
	type FuturesMeasure,
	type FuturesSet,
	type FuturesState,
	type FuturesView,
	HORIZONS,
	SET_COLOURS,
} from "./futures-state.js";
import {
	COLOURS,
	drawnSets,
	farAway,
	MEASURES,
	ORDERS,
	ranked,
	reaches,
	shownFuture,
} from "./futures-view.js";

const styles = css`
section, .view { border-bottom: 1px solid var(--_line); padding-bottom: 8px; }
header { display: flex; align-items: center; gap: 8px; padding: 4px 12px; }
header h2 { min-width: 0; flex: none; margin: 0; padding: 0; }
header .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--_ink2); }
header button { margin-left: auto; flex: none; }
.swatch { flex: none; }
p, .choices, .one { margin: 0; padding: 2px 12px; }
.choices, .one { display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: center; }
.one .mono { min-width: 9em; text-align: center; }
.one { padding-top: 8px; }
.one button:not(.icon-only) { padding: 0 8px; }
label { display: inline-flex; gap: 4px; align-items: center; color: var(--_ink2); }
table { width: calc(100% - 24px); margin: 0 12px 4px; }
td { line-height: 24px; }
.facts { color: var(--_ink2); overflow-wrap: anywhere; }
.facts a { color: var(--_accent); }
`;

const ORDER_NAMES = { number: "number", worst: "worst first", best: "best first" };

/** A submission's index, and the future that it shows alone. */
interface Which {
	readonly index: number;
	readonly shown: number | undefined;
}

/** Returns mean, least and greatest of the known values. */
function summaryOf(values: Float64Array) {
	const known = values.filter((value) => !Number.isNaN(value));
	const low = known.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
	const high = known.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
	return { mean: known.reduce((a, b) => a + b, 0) / known.length, low, high };
}

/** Says that futures begin far from the recorded places, as in another frame. */
function farWords(set: FuturesSet): TemplateResult | typeof nothing {
	const metres = farAway(set);
	if (metres === undefined) return nothing;
	return html`<p class="wrong" role="alert">These futures begin ${formatNumber(metres, 0)} m from the recorded places: their positions are not in the recording's frame.</p>`;
}

/** The open submissions: what they state, their measures, and what is shown of them. */
export class FuturesPanel extends BevElement {
	static override styles = [baseStyles, tableStyles, styles, curvesStyles];

	protected watched({ futures, scene }: ViewerState): readonly unknown[] {
		return [futures, scene];
	}

	protected override render(): TemplateResult | typeof nothing {
		const { futures } = this.state;
		if (!futures) return nothing;
		const { sets, view, asked, local } = futures;
		const drawn = drawnSets(sets);
		const shown = (i: number): number | undefined =>
			shownFuture(drawn, i, view) ?? undefined;
		return html`${sets.some(({ here }) => here) ? this.#choices(sets, view) : nothing}
			${sets.map((set, i) => this.#set(set, { index: i, shown: shown(i) }, view))}
			${this.#ranking(futures)}
			${asked === undefined ? nothing : html`<p class="wrong">${asked}</p>`}
			${local.length === 0 || asked ? nothing : html`<p class="beside">Links have only the names of ${local.join(", ")}: their readers need the files.</p>`}`;
	}

	/** Renders how to rank, the files of scores, and the choice of A and B. */
	#ranking(futures: FuturesState): TemplateResult | typeof nothing {
		const { controller } = this;
		const { scored, sources, files } = futures;
		const count = scored.length;
		if (count === 0 || !controller) return nothing;
		const rank = (distributions: string) => () => {
			const { arrangement } = controller.state;
			const tab = { tab: "distributions", chosen: true, brought: undefined } as const;
			controller.store.patch({
				distributions,
				arrangement: { ...arrangement, ...tab },
			});
		};
		const on = count > 1 ? "min_ade_b_minus_a" : "min_ade";
		const noScenarios = scored.every(({ columns }) => columns.length === 0);
		const noFutures = scored.every(({ ofFutures }) => ofFutures.length === 0);
		const side = (name: "a" | "b") => {
			const chosen = scored["ab".indexOf(name)]?.key ?? "";
			const choose = (key: string) =>
				this.#do((it) => it.compare(name, key === "" ? null : key));
			return html`<label>${name.toUpperCase()} <select aria-label=${`Ranked as ${name.toUpperCase()}`} @change=${(
				event: Event,
			) => choose((event.currentTarget as HTMLSelectElement).value)}>
				${name === "b" ? html`<option value="" .selected=${chosen === ""}>none</option>` : nothing}
				${sources.map(({ key, words }) => html`<option value=${key} .selected=${key === chosen}>${words}</option>`)}
			</select></label>`;
		};
		// Two submissions are A and B in their order, which links keep.
		const hasChoice = files.length > 0 && sources.length > 1;
		return html`${files.map(
			({ key, name }) =>
				html`<p class="facts">Scores: ${name} <button class="outlined" aria-label=${`Remove the scores ${name}`} @click=${() => this.#do((it) => it.removeScores(key))}>Remove</button></p>`,
		)}
			${hasChoice ? html`<div class="choices">${side("a")} ${side("b")}</div>` : nothing}
			<div class="choices" role="group" aria-label="Ranking over all scenes">
				<button class="outlined" title="Scenarios by a measure; of two submissions, also by B − A" ?disabled=${noScenarios} @click=${rank(`submissions;on=${on}`)}>Rank scenarios</button>
				<button class="outlined" title="Each future of each scenario by a measure" ?disabled=${noFutures} @click=${rank("futures;on=ade")}>Rank futures</button>
			</div>`;
	}

	#do(work: (it: FuturesController) => void): void {
		void this.controller?.rollout.use(async (it) => work(await it.futures()));
	}

	#set(set: FuturesSet, which: Which, view: FuturesView): TemplateResult {
		const { index } = which;
		const { name, about, progress, here, problem } = set;
		const close = `Close the submission ${name}`;
		return html`<section aria-label=${`Submission ${name}`}>
			<header role="presentation"><h2 class="section">Futures</h2>
				<svg class="swatch" width="12" height="12" aria-hidden="true"><rect x="1" y="1" width="10" height="10" rx="2" fill="none" stroke-width="2" stroke=${SET_COLOURS[index] ?? SET_COLOURS[0]}/></svg>
				<span class="name" title=${name}>${name}</span>
				<button class="icon-only" aria-label=${close} title=${close} @click=${() => this.#do((it) => it.remove(index))}>${icon("close")}</button></header>
			${problem ? html`<p class="wrong" role="alert">${problem}</p>` : nothing}
			${about ? this.#card(about) : nothing}
			${!about && !problem ? html`<p role="status">Reading … ${formatNumber(100 * progress, 0)} %</p>` : nothing}
			${here === null ? html`<p>This scene is not in the submission.</p>` : nothing}
			${about && here === undefined && !problem ? html`<p role="status">Joining …</p>` : nothing}
			${here ? this.#here(set, here, { view, ...which }) : nothing}
		</section>`;
	}

	#card({ kind, card, scenarios }: NonNullable<FuturesSet["about"]>): TemplateResult {
		const { method, affiliation, link, parameters } = card;
		const facts = [
			method,
			affiliation,
			parameters && `${parameters} parameters`,
			kind,
			groupedCount(scenarios, "scenario"),
		].filter((fact) => fact !== "");
		return html`<p class="facts">${facts.join(" · ")}${
			link
				? html` · <a href=${link} target="_blank" rel="noopener noreferrer">${link.replace(/^https:\/\//, "")}</a>`
				: nothing
		}</p>`;
	}

	#here(
		set: FuturesSet,
		here: NonNullable<FuturesSet["here"]>,
		{ view, index, shown: chosen }: Which & { readonly view: FuturesView },
	): TemplateResult {
		const { measures, ids, rollouts, mismatches } = here;
		const all = Object.keys(MEASURES) as FuturesMeasure[];
		const known = all.filter((name) => !Number.isNaN(measures[name][0] ?? Number.NaN));
		const shown = known.map((name) => ({
			...{ measure: name, ...MEASURES[name] },
			digits: name === "ade" || name === "fde" ? 2 : 0,
			...summaryOf(measures[name]),
			chosen: chosen === undefined ? Number.NaN : measures[name][chosen],
		}));
		const { seconds } = measures;
		const until = seconds === undefined ? "Measure" : `Until ${seconds} s`;
		const isShort = seconds !== undefined && !reaches(here, seconds);
		const number = (value = Number.NaN, digits?: number) => formatNumber(value, digits);
		const isSample = set.about?.kind === "nuScenes prediction";
		const made = isSample ? `, predicted in frame ${here.firstStep - 1}` : "";
		return html`<p class="beside">${counted(rollouts, here.joint ? "joint future" : "mode")} of ${counted(ids.length, "agent")}, ${measures.evaluated.length} evaluated${made}.</p>
			${mismatches.map((line) => html`<p class="wrong" role="alert">${line}</p>`)}
			${farWords(set)}
			${table({
				rows: shown,
				columns: [
					{ name: until, cells: "", cell: ({ name }) => name },
					{ name: "Mean", cell: ({ mean }) => number(mean) },
					{ name: "Min", cell: ({ low, digits }) => number(low, digits) },
					{ name: "Max", cell: ({ high, digits }) => number(high, digits) },
					{ name: "Shown", cell: ({ chosen, digits }) => number(chosen, digits) },
				],
				state: ({ measure, title }) => ({ title, chosen: measure === view.measure }),
				press: ({ measure }) => this.#do((it) => it.change({ measure })),
			})}
			${!isMeasured(here) ? html`<p role="status">Measuring …</p>` : isShort ? html`<p class="beside">These futures end before ${seconds} s.</p>` : known.includes("leaving") ? nothing : html`<p class="beside">Off lanes: unknown without a map.</p>`}
			${curvesPicture(set, { chosen, index })}`;
	}

	#choices(sets: readonly FuturesSet[], view: FuturesView): TemplateResult {
		const here = sets[view.active]?.here;
		const { rollout } = view;
		const of = here ? `${here.rollouts - 1}` : "–";
		const button = (name: string, act: () => void, pressed?: boolean, off = false) =>
			html`<button aria-pressed=${pressed ?? nothing} ?disabled=${off} @click=${act}>${name}</button>`;
		const isSeveral = sets.filter((set) => set.here).length > 1;
		const isBeyond = (seconds: number): boolean =>
			!sets.some((set) => set.here && reaches(set.here, seconds));
		const go = (which: "worst" | "best" | "median") => () =>
			this.#do((it) => {
				if (here) it.change({ rollout: ranked(here, view.measure, which) });
			});
		const select = <T extends string>(
			label: string,
			value: T,
			{
				names,
				chosen,
			}: {
				readonly names: readonly (readonly [T, string])[];
				readonly chosen: (value: T) => void;
			},
		) =>
			html`<label>${label} <select aria-label=${label} @change=${(event: Event) =>
				chosen((event.currentTarget as HTMLSelectElement).value as T)}>${names.map(
				([name, text]) =>
					html`<option value=${name} ?selected=${name === value}>${text}</option>`,
			)}</select></label>`;
		return html`<div class="view"><div class="one" role="group" aria-label="Shown future">
				<button class="icon-only" aria-label="Previous future" title="Previous future (K)" @click=${() => this.#do((it) => it.step(-1))}>${icon("previous")}</button>
				<span class="mono" role="status">${rollout === undefined ? `all of 0–${of}` : `future ${rollout} of 0–${of}`}</span>
				<button class="icon-only" aria-label="Next future" title="Next future (J)" @click=${() => this.#do((it) => it.step(1))}>${icon("next")}</button>
				${button("All", () => this.#do((it) => it.change({ rollout: undefined })), rollout === undefined)}
				${button("Worst", go("worst"))} ${button("Median", go("median"))} ${button("Best", go("best"))}
			</div>
			<div class="choices" role="group" aria-label="Measured until">Until
				${[...HORIZONS, undefined].map((seconds) => button(seconds === undefined ? "End" : `${seconds} s`, () => this.#do((it) => it.change({ seconds })), seconds === view.seconds, seconds !== undefined && isBeyond(seconds)))}
			</div>
			${view.seconds === undefined ? nothing : html`<p class="beside">Table, order and ranking end there; picture, curve and the rows under the timeline have all steps.</p>`}
			<div class="choices">
				${select("Measure", view.measure, {
					names: (Object.keys(MEASURES) as FuturesMeasure[]).map((name) => [
						name,
						MEASURES[name].name,
					]),
					chosen: (measure) => this.#do((it) => it.change({ measure })),
				})}
				${select("List", view.order, {
					names: ORDERS.map((name) => [name, ORDER_NAMES[name]]),
					chosen: (order) => this.#do((it) => it.change({ order })),
				})}
				${select("Colours", view.colour, {
					// Of two submissions, each has its colour instead of time's.
					names: COLOURS.map((name) => [
						name,
						name === "time" && isSeveral ? "submission" : name,
					]),
					chosen: (colour) => this.#do((it) => it.change({ colour })),
				})}
				${
					sets.length > 1
						? select("Submission", `${view.active}`, {
								names: sets.map(({ name }, i) => [`${i}`, name]),
								chosen: (active) =>
									this.#do((it) =>
										it.change({ active: Number(active), rollout: undefined }),
									),
							})
						: nothing
				}
				${isSeveral ? html`<button class="outlined" aria-pressed=${view.split} title="A picture for each submission" @click=${() => this.#do((it) => it.change({ split: !view.split }))}>Split</button>` : nothing}
			</div></div>`;
	}
}
