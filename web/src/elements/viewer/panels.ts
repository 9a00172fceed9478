import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { ViewerController } from "../session/controller.js";
import type { ViewerState } from "../session/state.js";
import { type Arrangement, type Closable, TABS, type Tab } from "./layout-state.js";

/** Panels that can be hidden, in screen order. The picture is always shown. */
export const PANEL_NAMES = [
	"bar",
	"brand",
	"layers",
	"lights",
	"agents",
	"selected",
	"raster",
	"predictions",
	"distributions",
	"plots",
	"notes",
	"edits",
	"cameras",
	"timeline",
] as const;
export type PanelName = (typeof PANEL_NAMES)[number];

export const ALL_PANELS: ReadonlySet<PanelName> = new Set(PANEL_NAMES);

const EXPECTED = `${PANEL_NAMES.join(", ")} or picture`;

/**
 * Parses the attribute `panels`: names separated by spaces or commas; null means all.
 */
export function parsePanels(value: string | null): {
	readonly shown: ReadonlySet<PanelName>;
	/** Messages about unknown names. */
	readonly bad: readonly string[];
} {
	if (value === null) return { shown: ALL_PANELS, bad: [] };
	const names = value.split(/[\s,]+/).filter((name) => name && name !== "picture");
	const shown = new Set(PANEL_NAMES.filter((name) => names.includes(name)));
	const unknown = names.filter((name) => !shown.has(name as PanelName));
	return {
		shown,
		bad: unknown.map(
			(name) => `panels: unknown name (found ${name}, expected ${EXPECTED})`,
		),
	};
}

/** The open sheet of a narrow layout; `menu` is the top bar. */
export type Sheet = "layers" | "details" | "more" | "menu" | undefined;

/** Selector of the page's content for the right panel. */
const OWN = ':scope > [slot="panel"]';

/** Limits of the right panel's width, in CSS pixels. */
export const SIDE_MIN = 280;
export const SIDE_MAX = 520;

/** Default height of the lower panel in percent. */
const SHARE = 50;

/** Its default width, and that in viewers from `WIDE_MIN` on. */
const SIDE_DEFAULT = 340;
const SIDE_WIDE = 440;
const WIDE_MIN = 2000;

/**
 * Maximum width in CSS pixels of the narrow layout, with side panels as sheets; as in
 * `viewer-styles.ts`.
 */
const NARROW_MAX = 999;

/** The element with the panels. */
type Host = ReactiveControllerHost &
	HTMLElement & {
		readonly state: ViewerState;
		readonly controller: ViewerController | undefined;
	};

/**
 * The panels: which are available, their size, and in a narrow layout the open sheet. What
 * is where in a wide one is part of the state.
 */
export class Panels implements ReactiveController {
	readonly #host: Host;
	#observer: ResizeObserver | undefined;
	#sheet: Sheet;
	#side: number | undefined;
	#share = SHARE;
	#narrow = false;
	#wide = false;
	#reviewed = false;
	#selected: unknown;
	#named: ReadonlySet<PanelName> = ALL_PANELS;
	#own: string | undefined;
	#plotsLinked = 0;
	#distributions = "";
	readonly #children = new MutationObserver(() => this.#lookForOwn());

	constructor(host: Host) {
		this.#host = host;
		host.addController(this);
	}

	hostConnected(): void {
		this.#observer = new ResizeObserver(([entry]) => {
			const width = entry?.contentRect.width ?? 0;
			const [narrow, wide] = [width <= NARROW_MAX, width >= WIDE_MIN];
			if (narrow === this.#narrow && wide === this.#wide) return;
			if (narrow !== this.#narrow) this.#sheet = undefined;
			this.#narrow = narrow;
			this.#wide = wide;
			this.#host.requestUpdate();
		});
		this.#observer.observe(this.#host);
		this.#host.addEventListener("fullscreenchange", this.#changed);
		this.#children.observe(this.#host, {
			childList: true,
			subtree: true,
			attributeFilter: ["slot", "data-label"],
		});
		this.#lookForOwn();
	}

	hostDisconnected(): void {
		this.#observer?.disconnect();
		this.#children.disconnect();
		this.#host.removeEventListener("fullscreenchange", this.#changed);
	}

	readonly #changed = (): void => this.#host.requestUpdate();

	/** Whether side panels are sheets. */
	get narrow(): boolean {
		return this.#narrow;
	}

	get sheet(): Sheet {
		return this.#sheet;
	}

	set sheet(sheet: Sheet) {
		this.#sheet = sheet;
		this.#host.requestUpdate();
	}

	/** Whether an open sheet reduces the picture's height. */
	get covered(): boolean {
		return this.#narrow && (this.isOpen("layers") || this.isOpen("details"));
	}

	/** What is where around the picture. */
	get arrangement(): Arrangement {
		return this.#host.state.arrangement;
	}

	/** Changes what is where. */
	arrange(changes: Partial<Arrangement>): void {
		const { arrangement } = this;
		this.#host.controller?.store.patch({
			arrangement: { ...arrangement, brought: undefined, ...changes },
		});
		this.#host.requestUpdate();
	}

	/** The active tab: the chosen one or, if not available, the first. */
	get tab(): Tab {
		const { tabs } = this;
		const { tab } = this.arrangement;
		return tabs.includes(tab) ? tab : (tabs[0] ?? "agents");
	}

	/** The tab below it; undefined for none, and in sheets. */
	get lower(): Tab | undefined {
		const { lower } = this.arrangement;
		const isShown = lower && lower !== this.tab && this.tabs.includes(lower);
		return isShown && !this.#narrow ? lower : undefined;
	}

	/** Available tabs of the right panel. */
	get tabs(): readonly Tab[] {
		return TABS.filter((tab) => (tab === "own" ? this.#own : this.#named.has(tab)));
	}

	/** Name of the tab with the page's content; undefined if there is none. */
	get ownName(): string | undefined {
		return this.#own;
	}

	/** The panels enabled by the page. */
	set named(named: ReadonlySet<PanelName>) {
		this.#named = named;
		this.#host.requestUpdate();
	}

	has(name: PanelName): boolean {
		return this.#named.has(name);
	}

	/** Returns whether a side panel has content. */
	hasSide(side: "layers" | "details"): boolean {
		if (side === "details") return this.tabs.length > 0;
		return this.has("layers") || this.has("lights");
	}

	/** The right panel's width in CSS pixels; setting undefined restores the default. */
	get side(): number {
		return this.#side ?? (this.#wide ? SIDE_WIDE : SIDE_DEFAULT);
	}

	set side(width: number | undefined) {
		this.#side =
			width === undefined
				? undefined
				: Math.round(Math.min(SIDE_MAX, Math.max(SIDE_MIN, width)));
		this.#host.requestUpdate();
	}

	/** The lower panel's height in percent of the right one's; undefined restores it. */
	get share(): number {
		return this.#share;
	}

	set share(percent: number | undefined) {
		this.#share = percent ?? SHARE;
		this.#host.requestUpdate();
	}

	/** Returns whether a side panel is visible, as a sheet in the narrow layout. */
	isOpen(side: "layers" | "details"): boolean {
		if (!this.hasSide(side)) return false;
		return this.#narrow ? this.#sheet === side : !this.isClosed(side);
	}

	/** Returns whether a part is closed in a wide layout. */
	isClosed(part: Closable): boolean {
		return this.arrangement.closed.includes(part);
	}

	/** Closes or opens parts of a wide layout. */
	close(closed: boolean, ...parts: readonly Closable[]): void {
		const others = this.arrangement.closed.filter((one) => !parts.includes(one));
		this.arrange({ closed: closed ? [...others, ...parts] : others });
	}

	/** Opens or closes a side panel. */
	toggle(side: "layers" | "details"): void {
		if (this.#narrow) this.sheet = this.#sheet === side ? undefined : side;
		else this.close(this.isOpen(side), side);
	}

	/**
	 * Closes both side panels, or opens them if both are closed. Returns whether any is
	 * open.
	 */
	toggleSides(): boolean {
		const open = this.isOpen("layers") || this.isOpen("details");
		if (this.#narrow) this.sheet = open ? undefined : "details";
		else this.close(open, "layers", "details");
		return !open;
	}

	/** Activates a tab and opens the right panel, if the tab is available. */
	show(tab: Tab): void {
		if (!this.tabs.includes(tab)) return;
		this.#activate(tab, true);
		if (this.#narrow) this.sheet = "details";
		else if (this.isClosed("details")) this.close(false, "details");
	}

	/**
	 * Activates the tab of what has just appeared: of a selection, predictions, or plots and
	 * distributions of a link; leaves that of a cleared selection. A link that chose the tab
	 * keeps it.
	 */
	follow(state: ViewerState): void {
		const { review, plotsLinked, selection, mapChoice } = state;
		const rollout = state.rollout ?? state.futures ?? state.live;
		const { brought, tab } = this.arrangement;
		const selected = selection ?? mapChoice?.object;
		const isChanged = selected !== this.#selected;
		this.#selected = selected;
		const reviewed = review.models.length > 0 || !!rollout;
		const isSpread = this.#distributions !== "";
		const isNew = reviewed && !this.#reviewed && !isSpread;
		this.#reviewed = reviewed;
		const isNowSpread = state.distributions !== "" && !isSpread;
		this.#distributions = state.distributions;
		const isLinked = plotsLinked > this.#plotsLinked;
		this.#plotsLinked = plotsLinked;
		if (isNew && !brought?.reviewed) this.#activate("predictions");
		if (isLinked && !brought) this.#activate("plots");
		if (isNowSpread && !brought) this.#activate("distributions");
		if (!isChanged || (brought && selected === brought.selection)) return;
		if (selected === undefined && tab === "selected") this.#activate("agents");
		if (selected !== undefined && this.tab === "agents") this.#activate("selected");
	}

	/** Activates a tab, if it is available and not below. */
	#activate(tab: Tab, chosen = false): void {
		if (this.tabs.includes(tab) && tab !== this.lower) this.arrange({ tab, chosen });
	}

	/** Class names of the frame element. */
	get classes(): string {
		const sides = ["layers", "details"] as const;
		const gone = sides.filter((side) => this.isClosed(side) || !this.hasSide(side));
		const sheet = sides.find((side) => side === this.#sheet && !this.hasSide(side));
		const bar = this.has("bar") ? [] : ["no-bar"];
		return [
			sheet ? "" : (this.#sheet ?? ""),
			...gone.map((side) => `no-${side}`),
			...bar,
		].join(" ");
	}

	/** Updates the tab of the page's content. */
	#lookForOwn(): void {
		const own = this.#host.querySelector(OWN);
		const name = own ? (own.getAttribute("data-label") ?? "More") : undefined;
		if (name === this.#own) return;
		this.#own = name;
		this.#host.requestUpdate();
	}
}
