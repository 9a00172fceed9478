import { css, html, nothing, type TemplateResult } from "lit";
import { type IconName, icon } from "./icons.js";

/** What a list, tab or dialog without content says. */
export interface Empty {
	readonly icon: IconName;
	/** What is absent, in a few words. */
	readonly what: string;
	/** What the list is for, and what to do next. */
	readonly next: unknown;
	/** Buttons that do it. */
	readonly acts?: unknown;
}

/** Renders that nothing is there, why, and what to do next. */
export function empty({ icon: name, what, next, acts }: Empty): TemplateResult {
	return html`<div class="empty"><span class="sign">${icon(name)}</span>
		<p class="what">${what}</p><p class="hint">${next}</p>
		${acts ? html`<div class="next">${acts}</div>` : nothing}</div>`;
}

export const emptyStyles = css`
.empty { display: grid; justify-items: center; gap: 4px; padding: 24px 16px; text-align: center; }
.empty .sign { display: grid; place-items: center; width: 36px; height: 36px; margin-bottom: 4px; border: 1px dashed var(--_edge); border-radius: 50%; color: var(--_ink3); }
.empty p { margin: 0; max-width: 40ch; }
.empty .what { font-weight: 600; color: var(--_ink); }
.empty .next { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; justify-content: center; margin-top: 8px; }
@media (max-height: 420px) { .empty { padding: 12px 16px; } .empty .sign { display: none; } }
`;
