import { html, nothing, type TemplateResult } from "lit";
import type { ViewerController } from "../session/controller.js";
import { LIST_NAMES, MEASURE_NAMES } from "./measures.js";
import { compares, LISTS, MEASURES, type ReviewList } from "./review-state.js";

function chooseList(controller: ViewerController, event: Event): void {
	const { value } = event.currentTarget as HTMLSelectElement;
	controller.reviews.list(LISTS.find((name) => name === value) ?? "agents");
}

function chooseMeasure(controller: ViewerController, event: Event): void {
	const { value } = event.currentTarget as HTMLSelectElement;
	const measure = MEASURES.find((name) => name === value);
	if (measure) controller.rankBy(measure);
}

function group(
	label: string,
	lists: readonly ReviewList[],
	chosen: ReviewList,
): TemplateResult {
	return html`<optgroup label=${label}>${lists.map(
		(name) =>
			html`<option value=${name} .selected=${name === chosen}>${LIST_NAMES[name]}</option>`,
	)}</optgroup>`;
}

/** Renders the choice of the list. */
export function listChoice(controller: ViewerController): TemplateResult {
	const { list, pair, name } = controller.state.review;
	const alone = LISTS.filter((one) => !compares(one));
	const differences = LISTS.filter((one) => compares(one));
	return html`<select aria-label="Listed predictions" @change=${(event: Event) => chooseList(controller, event)}>
			${group(`Worst of ${name}`, alone, list)}
			${pair ? group("Where B is worse than A", differences, list) : nothing}</select>`;
}

/** Renders the choice of the measure that sorts the list. */
export function measureChoice(controller: ViewerController): TemplateResult {
	const { by } = controller.state.review;
	return html`<select aria-label="Measure" title=${MEASURE_NAMES[by].title}
		@change=${(event: Event) => chooseMeasure(controller, event)}>${MEASURES.map(
			(one) =>
				html`<option value=${one} title=${MEASURE_NAMES[one].title} .selected=${one === by}>${MEASURE_NAMES[one].words}</option>`,
		)}</select>`;
}
