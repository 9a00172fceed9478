import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { FactDescription } from "../../facts/fact-table.js";
import { labelOf } from "../agents/describe.js";
import { columnTitle } from "../find/fact-words.js";
import { SERIES } from "../plots/quantities.js";
import { MEASURE_NAMES } from "../review/measures.js";
import type { Selection } from "../scene-view/picking.js";
import { whyOf } from "../session/problem.js";
import type { ViewerState } from "../session/state.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { numberedModels } from "./row-values.js";
import { keyOf, type Row, setRows } from "./rows.js";
import { MAX_ROWS } from "./timeline-state.js";

const menuStyles = css`
:host { display: grid; gap: 8px; padding: 12px; width: 268px; }
.line { display: grid; grid-template-columns: 56px minmax(0, 1fr); align-items: center; gap: 4px 8px; }
.line label { color: var(--_ink2); font-size: 12px; }
.line button { grid-column: 2; justify-self: start; }
.errors button { width: 100%; justify-content: flex-start; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
h2.section { padding-top: 4px; }
`;

/** Adds rows to the timeline: a quantity of a track, a model's error, a fact. */
export class RowMenu extends BevElement {
	static override styles = [baseStyles, menuStyles];
	static override properties = {
		...BevElement.properties,
		description: { state: true },
	};

	/** The facts of the data set; undefined until read. */
	declare description: FactDescription | undefined;
	#asked: ViewerState["dataset"];

	protected watched(state: ViewerState): readonly unknown[] {
		const { rows, selection, plotted, shown, dataset, review } = state;
		return [rows, selection, plotted, shown?.scene, dataset, review.models, review.by];
	}

	protected override willUpdate(changed: PropertyValues<this>): void {
		super.willUpdate(changed);
		const { dataset } = this.state;
		if (dataset === this.#asked) return;
		this.#asked = dataset;
		this.description = undefined;
		if (dataset?.facts) void this.#describe(dataset);
	}

	async #describe(dataset: NonNullable<ViewerState["dataset"]>): Promise<void> {
		try {
			const description = await dataset.facts?.({}).describe({});
			if (dataset === this.#asked) this.description = description;
		} catch (error) {
			this.controller?.notify(`Facts: not available (${whyOf(error)})`);
		}
	}

	protected override render(): TemplateResult {
		const full = this.state.rows.length >= MAX_ROWS;
		if (full)
			return html`<p class="hint">At most ${MAX_ROWS} rows. Remove one first.</p>`;
		return html`<h2 class="section">Add a quantity</h2>
			<form class="line" @submit=${this.#addQuantity}>
				<label for="quantity">Quantity</label>
				<select id="quantity" name="quantity">${Object.entries(SERIES).map(([name, info]) => html`<option value=${name}>${info.name}</option>`)}</select>
				<label for="who">Of</label>
				<select id="who" name="who">${this.#whose().map(([value, words]) => html`<option value=${value}>${words}</option>`)}</select>
				<button class="raised">Add row</button>
			</form>
			${this.#errors()} ${this.#facts()}`;
	}

	/** The tracks that can be chosen: every other one by selecting it first. */
	#whose(): readonly (readonly [value: string, words: string])[] {
		const { selection, plotted } = this.state;
		const tracks = [selection, ...plotted].filter(
			(who): who is bigint => typeof who === "bigint",
		);
		return [
			["", "Ego and selection"],
			["ego", "Ego"],
			...[...new Set(tracks)].map(
				(who) => [String(who), nameOf(who, this.state)] as const,
			),
		];
	}

	#errors(): TemplateResult | typeof nothing {
		const { review, rows } = this.state;
		const models = numberedModels(review);
		if (models.length === 0) return nothing;
		const { short } = MEASURE_NAMES[review.by];
		return html`<h2 class="section">Add an error</h2>
			<div class="errors">${models.map(({ name }, i) => {
				const row: Row = { kind: "error", model: i + 1 };
				return html`<button ?disabled=${rows.includes(keyOf(row))} title=${name} @click=${() => this.#add(row)}>${short}, ${name}</button>`;
			})}</div>`;
	}

	#facts(): TemplateResult | typeof nothing {
		const { selection } = this.state;
		const track = typeof selection === "bigint" ? selection : undefined;
		const { scenes = [], tracks = [] } = this.description ?? {};
		const options = [
			...scenes.filter(({ frame }) => frame).map((one) => [one, ""] as const),
			...(track === undefined
				? []
				: tracks
						.filter(({ frame }) => frame)
						.map((one) => [one, `@${track}`] as const)),
		];
		if (options.length === 0) return nothing;
		return html`<h2 class="section">Add a fact</h2>
			<form class="line" @submit=${this.#addFact}>
				<label for="fact">Fact</label>
				<select id="fact" name="fact">${options.map(
					([{ name }, of]) =>
						html`<option value=${`${name}${of}`}>${columnTitle(name)}${of ? `, track ${track}` : ""}</option>`,
				)}</select>
				<button class="raised">Add row</button>
			</form>`;
	}

	readonly #addQuantity = (event: SubmitEvent): void => {
		const { quantity, who } = valuesOf(event);
		const track = who === "ego" || !who ? undefined : BigInt(who);
		this.#add({
			kind: "quantity",
			name: quantity ?? "",
			who: who === "ego" ? "ego" : track,
		});
	};

	readonly #addFact = (event: SubmitEvent): void => {
		const [name = "", track] = (valuesOf(event).fact ?? "").split("@");
		this.#add({ kind: "fact", name, who: track ? BigInt(track) : undefined });
	};

	#add(row: Row): void {
		const { rows } = this.state;
		const key = keyOf(row);
		if (rows.includes(key)) {
			this.controller?.announce("This row is shown already");
			return;
		}
		setRows(this.controller, [...rows, key]);
		this.controller?.announce("Row added");
		this.dispatchEvent(new CustomEvent("row-added"));
	}
}

function valuesOf(event: SubmitEvent): Readonly<Record<string, string>> {
	event.preventDefault();
	const form = event.currentTarget as HTMLFormElement;
	return Object.fromEntries(
		[...new FormData(form)].map(([name, value]) => [name, String(value)]),
	);
}

function nameOf(who: Selection, state: ViewerState): string {
	return labelOf(state, who).split(" · ")[0] || `Track ${who}`;
}
