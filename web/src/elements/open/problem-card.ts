import { html, nothing, type TemplateResult } from "lit";
import type { Alternative, Explanation } from "../session/explanation.js";
import type { Problem } from "../session/problem.js";
import { icon } from "../ui/icons.js";

export interface ProblemActions {
	open(alternative: Alternative): void;
	copy(text: string): void;
	/** The text copied last. */
	readonly copied: string | undefined;
}

/** Renders a failure: the problem, advice, and alternatives to open. */
export function problemCard(
	{ why, request }: Problem,
	{ title, advice, copy, alternatives = [] }: Explanation,
	actions: ProblemActions,
): TemplateResult {
	const choice = alternatives.length > 0;
	return html`
		<div role="alert" class=${choice ? "" : "bad"}>${choice ? nothing : icon("warning")}<h2>${title}</h2></div>
		${choice ? nothing : html`<p class="why">${why}</p>`}
		${request ? html`<p class="address mono">${request}</p>` : nothing}
		<ul class="advice">${advice.map((line) => html`<li>${line}</li>`)}</ul>
		${
			copy
				? html`<div class="copy"><code class="address mono">${copy}</code>
					<button class="outlined" @click=${() => actions.copy(copy)}>${actions.copied === copy ? "Copied" : "Copy"}</button></div>`
				: nothing
		}
		${
			choice
				? html`<ul class="alternatives">${alternatives.map(
						(one) => html`<li><button class="raised" @click=${() => actions.open(one)}>
							<span class="mono">${one.label}</span></button></li>`,
					)}</ul>`
				: nothing
		}`;
}
