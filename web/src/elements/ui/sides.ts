import { html, nothing, type TemplateResult } from "lit";
import type { ViewerController } from "../controller.js";
import { icon } from "./icons.js";
import { type Panels, SIDE_MAX, SIDE_MIN, TABS, type Tab } from "./panels.js";

const TAB_NAMES: Readonly<Record<Tab, string>> = {
	agents: "Agents",
	selected: "Selected",
	raster: "Raster",
	predictions: "Predictions",
};

/** Width of the right panel until the user sets one, in CSS pixels. */
const SIDE_DEFAULT = 312;
/** What an arrow key adds to it. */
const SIDE_STEP = 16;

function closer(close: () => void): TemplateResult {
	return html`<button class="icon-only sheet-close" aria-label="Close panel" title="Close panel"
		@click=${close}>${icon("down")}</button>`;
}

/** The panel left of the picture, or a sheet. */
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

/** The panel right of the picture, or a sheet: tabs, of which one is rendered. */
export function rightSide(
	controller: ViewerController | undefined,
	panels: Panels,
	close: () => void,
): TemplateResult {
	const tab = (name: Tab) => {
		const chosen = name === panels.tab;
		return html`<button role="tab" id="tab-${name}" aria-controls="panel" aria-selected=${chosen}
			tabindex=${chosen ? 0 : -1} @click=${() => panels.show(name)}>${TAB_NAMES[name]}</button>`;
	};
	return html`<div class="right" id="side" role="region" aria-label="Agents">
		<div class="tabs">
			<div role="tablist" aria-label="Agents" @keydown=${(event: KeyboardEvent) => walkTabs(event, panels)}>
				${TABS.map(tab)}
			</div>
			${closer(close)}
		</div>
		<div class="panel" id="panel" role="tabpanel" aria-labelledby="tab-${panels.tab}">
			${panels.isOpen("details") ? panelOf(panels.tab, controller) : nothing}
		</div>
		${splitter(panels)}
	</div>`;
}

function panelOf(tab: Tab, controller: ViewerController | undefined): TemplateResult {
	if (tab === "agents")
		return html`<bev-agent-table part="table" .controller=${controller}></bev-agent-table>`;
	if (tab === "selected")
		return html`<bev-inspector part="inspector" .controller=${controller}></bev-inspector>`;
	if (tab === "raster")
		return html`<bev-raster part="raster" .controller=${controller}></bev-raster>`;
	return html`<bev-review part="review" .controller=${controller}></bev-review>`;
}

/** Arrow keys, Home and End go from tab to tab, which they also bring to the front. */
function walkTabs(event: KeyboardEvent, panels: Panels): void {
	const at = TABS.indexOf(panels.tab);
	const last = TABS.length - 1;
	const to = {
		ArrowLeft: at === 0 ? last : at - 1,
		ArrowRight: at === last ? 0 : at + 1,
		Home: 0,
		End: last,
	}[event.key];
	const name = to === undefined ? undefined : TABS[to];
	if (name === undefined || event.altKey) return;
	event.preventDefault();
	panels.show(name);
	const list = event.currentTarget as HTMLElement;
	list.querySelector<HTMLElement>(`#tab-${name}`)?.focus();
}

/** The edge between picture and panel, to be dragged or moved by arrow keys. */
function splitter(panels: Panels): TemplateResult {
	return html`<div class="splitter" role="separator" tabindex="0" aria-orientation="vertical"
		aria-label="Width of the panel" aria-controls="side" title="Drag to resize; double click resets"
		aria-valuemin=${SIDE_MIN} aria-valuemax=${SIDE_MAX} aria-valuenow=${panels.side ?? SIDE_DEFAULT}
		@pointerdown=${(event: PointerEvent) => dragSide(event, panels)}
		@dblclick=${() => {
			panels.side = undefined;
		}}
		@keydown=${(event: KeyboardEvent) => stepSide(event, panels)}></div>`;
}

function dragSide(event: PointerEvent, panels: Panels): void {
	const edge = event.currentTarget;
	if (!(edge instanceof HTMLElement) || event.button !== 0) return;
	const right = edge.parentElement?.getBoundingClientRect().right ?? 0;
	edge.setPointerCapture(event.pointerId);
	const ended = new AbortController();
	const { signal } = ended;
	const move = ({ clientX }: PointerEvent) => {
		panels.side = right - clientX;
	};
	edge.addEventListener("pointermove", move, { signal });
	for (const type of ["pointerup", "pointercancel"] as const) {
		edge.addEventListener(type, () => ended.abort(), { signal });
	}
}

function stepSide(event: KeyboardEvent, panels: Panels): void {
	const now = panels.side ?? SIDE_DEFAULT;
	const to = {
		ArrowLeft: now + SIDE_STEP,
		ArrowRight: now - SIDE_STEP,
		Home: SIDE_MIN,
		End: SIDE_MAX,
	}[event.key];
	if (to === undefined || event.altKey) return;
	event.preventDefault();
	panels.side = to;
}
