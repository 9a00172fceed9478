import { html, nothing, type TemplateResult } from "lit";
import { metresWords } from "../draw/paint-focus.js";
import type { ViewerState } from "../session/state.js";
import { focusErrors } from "./focus-errors.js";

/** Returns what the picture shows of the agent that it is about; undefined if nothing. */
export function focusWords(state: ViewerState): string | undefined {
	const { focus, selection, scene, review, layers } = state;
	if (!focus || focus.of !== selection || focus.scene !== scene) return undefined;
	const errors = layers.has("predicted") ? focusErrors(review.drawn, focus.of) : [];
	if (errors.length === 0) return undefined;
	const who = focus.of === "ego" ? "The ego vehicle" : `Track ${focus.of}`;
	const [only, ...more] = errors;
	if (only && more.length === 0)
		return `${who} ends ${metresWords(only)} from its recorded position`;
	const each = errors.map((one) => {
		const { name = "" } = review.models.find(({ id }) => id === one.model) ?? {};
		return `${name} ${metresWords(one)}`;
	});
	return `${who}, from its recorded end: ${each.join(", ")}`;
}

/** Renders the metres that the picture draws. */
export function focusLine(state: ViewerState): TemplateResult | typeof nothing {
	const words = focusWords(state);
	return words === undefined ? nothing : html`<p class="focus">${words}</p>`;
}
