import { html, type TemplateResult } from "lit";
import type { ViewerController } from "../controller.js";
import { icon } from "./icons.js";

function closer(close: () => void): TemplateResult {
	return html`<div class="sheet-close"><button class="icon-only" aria-label="Close panel"
		@click=${close}>${icon("close")}</button></div>`;
}

/** What stands left of the picture, or slides over it where there is no room. */
export function leftSide(
	controller: ViewerController | undefined,
	close: () => void,
): TemplateResult {
	return html`<div class="left" role="region" aria-label="Layers and lights">
		${closer(close)}
		<bev-layers part="layers" .controller=${controller}></bev-layers>
		<bev-light-list part="lights" .controller=${controller}></bev-light-list>
	</div>`;
}

/** As `leftSide`, right of the picture: what is selected, or all that could be. */
export function rightSide(
	controller: ViewerController | undefined,
	close: () => void,
): TemplateResult {
	const right =
		controller?.state.selection === undefined
			? html`<bev-agent-table part="table" .controller=${controller}></bev-agent-table>`
			: html`<div class="chosen">
					<bev-inspector part="inspector" .controller=${controller}></bev-inspector>
					<bev-raster part="raster" .controller=${controller}></bev-raster>
				</div>`;
	return html`<div class="right" role="region" aria-label="Agents">${closer(close)} ${right}
		<bev-review part="review" .controller=${controller}></bev-review></div>`;
}
