import { css, html, nothing, svg, type TemplateResult } from "lit";
import { ifDefined } from "lit/directives/if-defined.js";
import type { ViewerController } from "../session/controller.js";

import { icon } from "../ui/icons.js";
import { counted, formatBytes } from "../ui/words.js";
import type { ModelPair, ModelState, ReadingState } from "./review-state.js";

/** Dashes of each model's lines in the picture, in units of the swatch. */
const DASHES = ["none", "6 3", "1.5 3", "6 3 1.5 3"];

/** Renders a model's line as drawn in the picture. */
export function swatch(slot: number): TemplateResult {
	return html`<svg class="swatch model-${slot + 1}" viewBox="0 0 18 12" width="18" height="12" aria-hidden="true" focusable="false">
		${svg`<path d="M1 6H17" fill="none" stroke="currentColor" stroke-width="2.5" stroke-dasharray=${DASHES[slot] ?? "none"}/>`}</svg>`;
}

export const modelStyles = css`
.swatch { flex: none; display: block; }
.model-1 { color: var(--_model-1); }
.model-2 { color: var(--_model-2); }
.model-3 { color: var(--_model-3); }
.model-4 { color: var(--_model-4); }
@media (forced-colors: active) { .swatch { forced-color-adjust: none; } }
.models { list-style: none; margin: 0; padding: 0 8px 4px; }
.models li { display: flex; flex-wrap: wrap; align-items: center; gap: 0 4px; border-radius: 6px; }
.models li.active { background: var(--_raise); }
.models button.eye { width: 34px; padding: 0; }
.models button.eye[aria-checked="true"] { background: none; }
.models button.eye[aria-checked="false"] .swatch { opacity: 0.25; }
.models .pick { flex: 1; min-width: 0; justify-content: flex-start; padding: 0 4px; }
.models .pick[aria-pressed="true"] { background: none; color: inherit; font-weight: 600; }
.models .pick span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.models .role { flex: none; width: 16px; text-align: center; color: var(--_ink3); font-weight: 600; }
.models .far, .models p { flex: 1 0 100%; padding: 0 4px 4px; }
.pair { display: flex; flex-wrap: wrap; align-items: center; gap: 4px; padding: 0 16px 4px; }
.pair label { display: flex; align-items: center; gap: 4px; flex: 1 0 40%; min-width: 0; color: var(--_ink3); }
.pair select { flex: 1; min-width: 0; padding: 0 4px; }
`;

function farOf({ bytes, all, scenarios }: ReadingState): string {
	if (scenarios) return `${scenarios[0]} of ${counted(scenarios[1], "scenario")}`;
	const read = formatBytes(bytes);
	return all === undefined ? read : `${read} of ${formatBytes(all)}`;
}

function reading(
	{ id, name, reading: now }: ModelState,
	controller: ViewerController,
): TemplateResult | typeof nothing {
	if (!now) return nothing;
	const [done, all] = now.scenarios ?? [now.bytes, now.all];
	return html`<p class="beside" role="status">Reading ${name}</p>
		<div class="far"><progress max=${ifDefined(all)} value=${ifDefined(all === undefined ? undefined : done)}
			aria-label="Predictions read of ${name}"></progress>
			<span class="mono">${farOf(now)}</span>
			<button aria-label="Cancel reading ${name}" @click=${() => controller.reviews.cancelReading(id)}>Cancel</button></div>`;
}

function roleOf(id: number, pair: ModelPair | undefined): string {
	if (pair?.a === id) return "A";
	return pair?.b === id ? "B" : "";
}

function row(model: ModelState, controller: ViewerController): TemplateResult {
	const { id, name, slot, visible, phase, problem } = model;
	const { active, pair, models } = controller.state.review;
	const { reviews } = controller;
	const ready = phase === "ready";
	const several = models.length > 1;
	return html`<li class=${several && id === active ? "active" : ""}>
		<button class="eye" role="switch" aria-checked=${visible} ?disabled=${!ready} aria-label="Show ${name} in the picture"
			title=${visible ? `Hide ${name}` : `Show ${name}`} @click=${() => reviews.show(id, !visible)}>${swatch(slot)}</button>
		<button class="pick" aria-pressed=${id === active} ?disabled=${!ready} title="List and plot ${name}"
			@click=${() => reviews.choose(id)}><span>${name}</span></button>
		<span class="role">${roleOf(id, pair)}</span>
		<button class="icon-only" aria-label="Remove ${name}" title="Remove ${name}"
			@click=${() => reviews.remove(id)}>${icon("close")}</button>
		${reading(model, controller)}
		${problem ? html`<p class="wrong" role="alert">${problem}</p>` : nothing}
	</li>`;
}

/** Renders the models: switch, name, progress and errors, remove. */
export function modelList(controller: ViewerController): TemplateResult {
	const { models } = controller.state.review;
	return html`<ul class="models" role="list" aria-label="Models">${models.map((one) => row(one, controller))}</ul>`;
}

function chooser(
	side: "a" | "b",
	pair: ModelPair,
	controller: ViewerController,
): TemplateResult {
	const name = side.toUpperCase();
	const other = side === "a" ? "b" : "a";
	const choose = (event: Event): void => {
		const id = Number((event.currentTarget as HTMLSelectElement).value);
		const taken = pair[other] === id;
		const changed = { ...pair, ...(taken && { [other]: pair[side] }), [side]: id };
		controller.reviews.compare(changed);
	};
	return html`<label>${name} <select aria-label="Model ${name}" @change=${choose}>${controller.state.review.models
		.filter(({ phase }) => phase !== "failed")
		.map(
			(one) =>
				html`<option value=${one.id} .selected=${one.id === pair[side]}>${one.name}</option>`,
		)}</select></label>`;
}

/** Renders the choice of the two models to compare; of only two, their order. */
export function pairChoice(
	controller: ViewerController,
): TemplateResult | typeof nothing {
	const { pair, split, models } = controller.state.review;
	if (!pair) return nothing;
	const swap = (): void => controller.reviews.compare({ a: pair.b, b: pair.a });
	return html`<div class="pair" role="group" aria-label="Compared models">
		${
			models.length > 2
				? [chooser("a", pair, controller), chooser("b", pair, controller)]
				: html`<button class="outlined" @click=${swap}>Swap A and B</button>`
		}
		<button class="outlined" aria-pressed=${split} title="A picture for each visible model"
			@click=${() => controller.reviews.split(!split)}>Split</button>
	</div>`;
}
