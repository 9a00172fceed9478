import { html, nothing, type TemplateResult } from "lit";
import type { ViewerController } from "../controller.js";
import { icon } from "./icons.js";

/** Sentences over the foot of the picture, each to be dismissed. */
export function noticeList(
	controller: ViewerController | undefined,
): TemplateResult | typeof nothing {
	const notices = controller?.state.notices ?? [];
	if (notices.length === 0) return nothing;
	return html`<div class="notices" part="status" role="status">${notices.map(
		(notice) => html`<div class="notice"><span>${notice}</span>
			<button class="icon-only" aria-label="Dismiss"
				@click=${() => controller?.dismiss(notice)}>${icon("close")}</button></div>`,
	)}</div>`;
}
