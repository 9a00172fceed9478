import { html, nothing, type TemplateResult } from "lit";
import type { ViewerController } from "../controller.js";
import { nameOf } from "../pure/places.js";
import { formatBytes } from "../pure/problem.js";
import type { Opening } from "../state.js";
import { icon } from "./icons.js";

/** The next data set, while the open one stays on show. */
function openingLine(
	{ place, progress }: Opening,
	controller: ViewerController,
): TemplateResult {
	const name = place.kind === "address" ? nameOf(place.address) : place.name;
	return html`<div class="notice"><span>Opening ${name} · ${formatBytes(progress?.bytes ?? 0)}</span>
		<button @click=${() => controller.dismissOpening()}>Cancel</button></div>`;
}

/** Sentences over the foot of the picture, each to be dismissed. */
export function noticeList(
	controller: ViewerController | undefined,
	/** Whether the picture is shown, not the page to open data. */
	picture: boolean,
): TemplateResult | typeof nothing {
	if (!controller) return nothing;
	const { notices, opening } = controller.state;
	const next = picture ? opening : undefined;
	if (notices.length === 0 && !next) return nothing;
	const all = html`<button class="raised all"
		@click=${() => controller.dismissAll()}>Dismiss all ${notices.length}</button>`;
	return html`<div class="notices" part="status" role="status">${
		next ? openingLine(next, controller) : nothing
	}${notices.length > 1 ? all : nothing}${notices.map(
		(notice) => html`<div class="notice"><span>${notice}</span>
			<button class="icon-only" aria-label="Dismiss"
				@click=${() => controller.dismiss(notice)}>${icon("close")}</button></div>`,
	)}</div>`;
}
