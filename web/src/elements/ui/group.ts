import { css, html, nothing, type TemplateResult } from "lit";
import { type GroupId, toggled } from "../layers/layer-set.js";
import type { ViewerController } from "../session/controller.js";

/** A group of rows below a heading. */
export interface Group {
	readonly id: GroupId;
	readonly name: string;
	/** What is in it, also when it is folded: `46 of 50`. */
	readonly words: string;
	/** What `words` count, for screen readers. */
	readonly of?: string;
	readonly content: TemplateResult;
}

export const groupStyles = css`
.group { padding: 4px 12px 8px; border-bottom: 1px solid var(--_line); }
.group:last-of-type { border-bottom: 0; }
.group.folded { padding-bottom: 4px; }
.group h2.section { margin: 0; }
.fold { width: 100%; min-height: 28px; gap: 4px; padding: 0 4px; justify-content: flex-start; font: inherit; letter-spacing: inherit; text-transform: inherit; color: var(--_ink2); }
@media (pointer: coarse) { .fold { min-height: 44px; } }
.fold::before { content: ""; flex: none; width: 0; height: 0; margin: 0 2px; border: 4px solid transparent; border-left-color: currentColor; border-right-width: 0; }
.fold[aria-expanded="true"]::before { transform: rotate(90deg); }
.fold .words { margin-left: auto; color: var(--_ink3); letter-spacing: normal; text-transform: none; font-weight: 400; }
@media (prefers-reduced-motion: no-preference) {
	.fold::before { transition: transform 120ms; }
	.group > .rows { animation: unfold 120ms ease-out; }
	@keyframes unfold { from { opacity: 0; } }
}
`;

function toggle(controller: ViewerController | undefined, id: GroupId): void {
	const folded = toggled(controller?.state.folded ?? new Set<GroupId>(), id);
	controller?.store.patch({ folded });
}

/** Renders a group; its rows are left out while it is folded. */
export function group(
	controller: ViewerController | undefined,
	{ id, name, words, of, content }: Group,
): TemplateResult {
	const isFolded = controller?.state.folded.has(id) ?? false;
	return html`<section class="group ${isFolded ? "folded" : ""}" role="group" aria-labelledby=${id}>
		<h2 class="section"><button class="fold" id=${id} aria-expanded=${!isFolded} @click=${() => toggle(controller, id)}>
			${name}<span class="words mono">${words}${of ? html`<span class="sr"> ${of}</span>` : nothing}</span></button></h2>
		${isFolded ? nothing : html`<div class="rows">${content}</div>`}
	</section>`;
}
