import { html, nothing, type TemplateResult } from "lit";
import type { ViewerController } from "../session/controller.js";
import { keptNow } from "../session/showing.js";
import type { ViewerState } from "../session/state.js";
import { icon } from "../ui/icons.js";
import { splitter } from "../ui/splitter.js";
import { lowered, single } from "./arrangements.js";
import type { Tab } from "./layout-state.js";
import { type Panels, SIDE_MAX, SIDE_MIN } from "./panels.js";
import type { Steps } from "./steps.js";
import { dragTab, type Half } from "./tab-drag.js";

/** Names of the tabs. */
export const TAB_NAMES: Readonly<Record<Exclude<Tab, "own">, string>> = {
	agents: "Agents",
	selected: "Selected",
	raster: "Raster",
	predictions: "Predictions",
	distributions: "Distributions",
	plots: "Plots",
	notes: "Notes",
	edits: "What if",
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
	const { list = [] } = state.editing ?? {};
	if (tab === "edits" && list.length > 0) return [list.length, "edits of the data"];
	if (tab !== "predictions") return undefined;
	const { report } = state.review;
	return report && [report.count, "predictions in this scene"];
}

/** Returns a tab's name. Rollouts are in the tab of predictions. */
function nameOf(tab: Tab, panels: Panels, state: ViewerState | undefined) {
	if (tab === "own") return panels.ownName;
	const name = TAB_NAMES[tab];
	if (tab !== "predictions" || !state?.rollout) return name;
	return state.review.models.length > 0 ? `${name}, rollout` : "Rollout";
}

/** Arguments of a side panel. */
export interface Side {
	readonly controller: ViewerController | undefined;
	readonly panels: Panels;
	/** Closes the sheet. */
	readonly close: () => void;
	/** Accessible name of the region. */
	readonly label: string;
	/** Undo and redo. */
	readonly steps: Steps;
}

/** Renders the left panel, or its sheet. */
export function leftSide({ controller, panels, close, label }: Side): TemplateResult {
	const lights = panels.has("lights")
		? html`<bev-light-list part="lights" .controller=${controller}></bev-light-list>`
		: nothing;
	return html`<div class="left" role="region" aria-label=${label}>
		${closer(close)}
		${panels.has("layers") ? html`<bev-layers part="layers" .controller=${controller}>${lights}</bev-layers>` : lights}
	</div>`;
}

/** Height of the lower panel, as a share of the right one in percent. */
const LOWER_LIMITS = [20, 80] as const;

/**
 * Renders the right panel, or its sheet: tabs, of which only the active one is
 * rendered, and in wide layouts one below it.
 */
export function rightSide(side: Side): TemplateResult {
	const { controller, panels, close, label } = side;
	const { tab: active, lower } = panels;
	const tab = (name: Tab): TemplateResult => tabButton(name, panels, controller);
	const content = (name: Tab): unknown =>
		name === "own"
			? html`<slot name="panel"></slot>`
			: panels.isOpen("details")
				? panelOf(name, side)
				: nothing;
	return html`<div class="right" id="side" role="region" aria-label=${label}>
		<div class="tabs">
			<div role="tablist" aria-label="Agents" @keydown=${(event: KeyboardEvent) => walkTabs(event, panels)}>
				${panels.tabs.filter((name) => name !== lower).map(tab)}
			</div>
			${closer(close)}
		</div>
		<div class="panel" id="panel" role="tabpanel" aria-labelledby="tab-${active}">
			${content(active)}
			${active === "own" || lower === "own" ? nothing : html`<slot name="panel" hidden></slot>`}
		</div>
		${lower ? lowerPanel(lower, panels, tab(lower), content(lower)) : nothing}
		${splitter({
			...{ label: "Panel width", controls: "side", edge: "left" },
			...{ limits: [SIDE_MIN, SIDE_MAX], value: panels.side },
			set: (width) => {
				panels.side = width;
			},
		})}
	</div>`;
}

function tabButton(
	name: Tab,
	panels: Panels,
	controller: ViewerController | undefined,
): TemplateResult {
	const { tab, lower } = panels;
	const chosen = name === tab || name === lower;
	const [count, what] = badgeOf(name, controller?.state) ?? [];
	return html`<button role="tab" id="tab-${name}" aria-controls=${name === lower ? "panel-lower" : "panel"} aria-selected=${chosen}
		title=${what ? `${count} ${what}` : nothing} tabindex=${chosen ? 0 : -1}
		@pointerdown=${(event: PointerEvent) => dragTab(event, (half) => void moveTab(name, half, panels))}
		@click=${() => panels.show(name)}>${nameOf(name, panels, controller?.state)}${
			what ? html`<span class="badge mono" aria-hidden="true">${count}</span>` : nothing
		}</button>`;
}

/** Renders the second panel, below the active tab. */
function lowerPanel(
	name: Tab,
	panels: Panels,
	tab: TemplateResult,
	content: unknown,
): TemplateResult {
	return html`<div class="lower" id="side-lower">
		<div class="tabs">
			<div role="tablist" aria-label="Panel below" @keydown=${(event: KeyboardEvent) => walkTabs(event, panels, name)}>${tab}</div>
			<button class="icon-only" aria-label="Show one panel" title="Show one panel (Shift + ↑ on the tab)"
				@click=${() => moveTab(name, "upper", panels)}>${icon("close")}</button>
		</div>
		<div class="panel" id="panel-lower" role="tabpanel" aria-labelledby="tab-${name}">${content}</div>
		${splitter({
			...{ label: "Height of the panel below", controls: "side-lower", edge: "top" },
			...{ limits: LOWER_LIMITS, value: panels.share, unit: sideHeight },
			set: (share) => {
				panels.share = share;
			},
		})}
	</div>`;
}

/** Returns the pixels of one percent of the right panel's height. */
function sideHeight(splitter: Element): number {
	return (splitter.closest(".right")?.clientHeight ?? 100) / 100;
}

/** Moves a tab to a half of the panel; returns whether it is there now. */
function moveTab(name: Tab, half: Half, panels: Panels): boolean {
	const { arrangement, lower, tab, tabs } = panels;
	if (half === "upper" && name !== lower) {
		panels.show(name);
		return true;
	}
	const change = half === "upper" ? single(tab) : lowered(arrangement, name, tabs);
	if (change) panels.arrange(change);
	return change !== undefined;
}

function panelOf(
	tab: Tab,
	{ controller, steps }: Side,
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
	if (tab === "distributions")
		return html`<bev-distributions part="distributions" .controller=${controller}></bev-distributions>`;
	if (tab === "plots")
		return html`<bev-series part="series" .controller=${controller}></bev-series>`;
	if (tab === "edits")
		return html`<bev-edits part="edits" .controller=${controller} .steps=${steps}></bev-edits>`;
	return nothing;
}

/**
 * Moves between tabs with arrow keys, Home and End, and activates them; moves a tab below
 * and back with Shift and an arrow.
 *
 * @param below the tab of the lower panel, if it has the focus
 */
function walkTabs(event: KeyboardEvent, panels: Panels, below?: Tab): void {
	const list = event.currentTarget as HTMLElement;
	const root = list.getRootNode() as ShadowRoot;
	const focus = (name: Tab): void =>
		root.querySelector<HTMLElement>(`#tab-${name}`)?.focus();
	const half = { ArrowDown: "lower", ArrowUp: "upper" }[event.key] as Half | undefined;
	if (half && event.shiftKey && !event.altKey) {
		event.preventDefault();
		const name = below ?? panels.tab;
		if (!moveTab(name, half, panels)) return;
		// The tab is another element then.
		setTimeout(() => focus(name), 0);
		return;
	}
	if (below) return;
	const tabs = panels.tabs.filter((name) => name !== panels.lower);
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
	focus(name);
}
