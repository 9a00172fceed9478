import { html, nothing, type TemplateResult } from "lit";
import type { ViewerController } from "../session/controller.js";
import { icon } from "../ui/icons.js";
import type { Panels } from "./panels.js";

/**
 * Renders the buttons of the side panels, the menu of layouts and, in a narrow layout, the
 * button of the tools menu.
 */
export function panelButtons(panels: Panels, menu: TemplateResult): TemplateResult {
	const more = panels.sheet === "more";
	const side = (
		of: "layers" | "details",
		name: string,
	) => html`<button class="icon-only" id="open-${of}" aria-label=${name} title=${name}
			aria-expanded=${panels.isOpen(of)}
			@click=${() => panels.toggle(of)}>${icon(of === "layers" ? "layers" : "list")}</button>`;
	return html`<span class="bar">
		${panels.hasSide("layers") ? side("layers", "Layers") : nothing}
		${panels.hasSide("details") ? side("details", "Agents") : nothing}
		${menu}
		<button class="icon-only" id="open-more" aria-label="More" title="More" aria-expanded=${more}
			@click=${() => {
				panels.sheet = more ? undefined : "more";
			}}>${icon("more")}</button>
	</span>`;
}

/**
 * Renders the selection in one line under the picture in a narrow layout; a press opens
 * its record.
 */
export function peek(
	controller: ViewerController | undefined,
	open: () => void,
): TemplateResult | typeof nothing {
	const { selection, mapChoice } = controller?.state ?? {};
	if (!controller || (selection === undefined && !mapChoice)) return nothing;
	return html`<div class="peek">
		<button class="line" title="Show the selection" @click=${open}>
			<bev-selection-line .controller=${controller}></bev-selection-line>${icon("up")}</button>
		<button class="icon-only" aria-label="Clear the selection" title="Clear the selection (Esc)"
			@click=${() => controller.select(undefined)}>${icon("close")}</button>
	</div>`;
}
