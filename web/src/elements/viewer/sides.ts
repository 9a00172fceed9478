import { html, nothing, type TemplateResult } from "lit";
import type { ViewerController } from "../session/controller.js";
import { keptNow } from "../session/showing.js";
import type { ViewerState } from "../session/state.js";
import { icon } from "../ui/icons.js";
import { splitter } from "../ui/splitter.js";
import { type Panels, SIDE_MAX, SIDE_MIN, type Tab } from "./panels.js";

const TAB_NAMES: Readonly<Record<Exclude<Tab, "own">, string>> = {
	agents: "Agents",
	selected: "Selected",
	raster: "Raster",
	predictions: "Predictions",
	plots: "Plots",
	notes: "Notes",
};

function closer(close: () => void): TemplateResult {
	return html`<button class="icon-only sheet-close" aria-label="Close panel" title="Close panel"
		@click=${close}>${icon("down")}</button>`;
}

/** Returns the number on a tab, and its description. */
function badgeOf(
	tab: Tab,
	state: ViewerState | undefined,
): [number, string] | undefined {
	if (!state) return undefined;
	const kept = tab === "agents" ? keptNow(state) : undefined;
	if (kept !== undefined) return [kept, "agents in this frame"];
	if (tab === "notes" && state.notes.length > 0)
		return [state.notes.length, "notes on this data set"];
	if (tab !== "predictions") return undefined;
	const { report } = state.review;
	const { rollout } = state;
	if (rollout && !report) return [1, "rollout"];
	const words = `predictions in this scene${rollout ? ", and a rollout" : ""}`;
	return report && [report.count, words];
}

/** Arguments of a side panel. */
export interface Side {
	readonly controller: ViewerController | undefined;
	readonly panels: Panels;
	/** Closes the sheet. */
	readonly close: () => void;
	/** Accessible name of the region. */
	readonly label: string;
}

/** Renders the left panel, or its sheet. */
export function leftSide({ controller, panels, close, label }: Side): TemplateResult {
	return html`<div class="left" role="region" aria-label=${label}>
		${closer(close)}
		${panels.has("layers") ? html`<bev-layers part="layers" .controller=${controller}></bev-layers>` : nothing}
		${panels.has("lights") ? html`<bev-light-list part="lights" .controller=${controller}></bev-light-list>` : nothing}
	</div>`;
}

/**
 * Renders the right panel, or its sheet: tabs, of which only the active one is
 * rendered.
 */
export function rightSide({ controller, panels, close, label }: Side): TemplateResult {
	const tab = (name: Tab) => {
		const chosen = name === panels.tab;
		const [count, what] = badgeOf(name, controller?.state) ?? [];
		const words = name === "own" ? panels.ownName : TAB_NAMES[name];
		return html`<button role="tab" id="tab-${name}" aria-controls="panel" aria-selected=${chosen}
			title=${what ? `${count} ${what}` : nothing}
			tabindex=${chosen ? 0 : -1} @click=${() => panels.show(name)}>${words}${
				what
					? html`<span class="badge mono" aria-hidden="true">${count}</span>`
					: nothing
			}</button>`;
	};
	return html`<div class="right" id="side" role="region" aria-label=${label}>
		<div class="tabs">
			<div role="tablist" aria-label="Agents" @keydown=${(event: KeyboardEvent) => walkTabs(event, panels)}>
				${panels.tabs.map(tab)}
			</div>
			${closer(close)}
		</div>
		<div class="panel" id="panel" role="tabpanel" aria-labelledby="tab-${panels.tab}">
			${panels.isOpen("details") ? panelOf(panels.tab, controller) : nothing}
			<slot name="panel" ?hidden=${panels.tab !== "own"}></slot>
		</div>
		${splitter({
			...{ label: "Panel width", controls: "side", edge: "left" },
			...{ limits: [SIDE_MIN, SIDE_MAX], value: panels.side },
			set: (width) => {
				panels.side = width;
			},
		})}
	</div>`;
}

function panelOf(
	tab: Tab,
	controller: ViewerController | undefined,
): TemplateResult | typeof nothing {
	if (tab === "agents")
		return html`<bev-agent-table part="table" .controller=${controller}></bev-agent-table>`;
	if (tab === "selected")
		return html`<bev-inspector part="inspector" .controller=${controller}></bev-inspector>`;
	if (tab === "raster")
		return html`<bev-raster part="raster" .controller=${controller}></bev-raster>`;
	if (tab === "predictions")
		return html`<bev-review part="review" .controller=${controller}></bev-review>`;
	if (tab === "notes")
		return html`<bev-notes part="notes" .controller=${controller}></bev-notes>`;
	if (tab === "plots")
		return html`<bev-series part="series" .controller=${controller}></bev-series>`;
	return nothing;
}

/** Moves between tabs with arrow keys, Home and End, and activates them. */
function walkTabs(event: KeyboardEvent, panels: Panels): void {
	const { tabs } = panels;
	const at = tabs.indexOf(panels.tab);
	const last = tabs.length - 1;
	const to = {
		ArrowLeft: at === 0 ? last : at - 1,
		ArrowRight: at === last ? 0 : at + 1,
		Home: 0,
		End: last,
	}[event.key];
	const name = to === undefined ? undefined : tabs[to];
	if (name === undefined || event.altKey) return;
	event.preventDefault();
	panels.show(name);
	const list = event.currentTarget as HTMLElement;
	list.querySelector<HTMLElement>(`#tab-${name}`)?.focus();
}
