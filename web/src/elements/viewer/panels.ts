import type { ReactiveController, ReactiveControllerHost } from "lit";

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
	"plots",
	"notes",
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

/**
 * Tabs of the right panel, in order; `own` is the page's content, if its slot is
 * filled.
 */
const TABS = [
	"agents",
	"selected",
	"raster",
	"predictions",
	"plots",
	"notes",
	"own",
] as const;
export type Tab = (typeof TABS)[number];

/** Selector of the page's content for the right panel. */
const OWN = ':scope > [slot="panel"]';

/** Limits of the right panel's width, in CSS pixels. */
export const SIDE_MIN = 280;
export const SIDE_MAX = 520;

/** Its default width, and that in viewers from `WIDE_MIN` on. */
const SIDE_DEFAULT = 340;
const SIDE_WIDE = 440;
const WIDE_MIN = 2000;

/**
 * Maximum width in CSS pixels of the narrow layout, with side panels as sheets; as in
 * `viewer-styles.ts`.
 */
const NARROW_MAX = 999;

/** State of the panels: which are open, their width, and the active tab. */
export class Panels implements ReactiveController {
	readonly #host: ReactiveControllerHost & HTMLElement;
	#observer: ResizeObserver | undefined;
	#sheet: Sheet;
	#tab: Tab = "agents";
	#closed: ReadonlySet<Sheet> = new Set();
	#side: number | undefined;
	#narrow = false;
	#wide = false;
	#reviewed = false;
	#named: ReadonlySet<PanelName> = ALL_PANELS;
	#own: string | undefined;
	#plotsLinked = 0;
	readonly #children = new MutationObserver(() => this.#lookForOwn());

	constructor(host: ReactiveControllerHost & HTMLElement) {
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

	/** The active tab: the chosen one or, if not available, the first. */
	get tab(): Tab {
		const { tabs } = this;
		return tabs.includes(this.#tab) ? this.#tab : (tabs[0] ?? "agents");
	}

	set tab(tab: Tab) {
		this.#tab = tab;
		this.#host.requestUpdate();
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

	/** Returns whether a side panel is visible, as a sheet in the narrow layout. */
	isOpen(side: "layers" | "details"): boolean {
		if (!this.hasSide(side)) return false;
		return this.#narrow ? this.#sheet === side : !this.#closed.has(side);
	}

	/** Opens or closes a side panel. */
	toggle(side: "layers" | "details"): void {
		if (this.#narrow) this.sheet = this.#sheet === side ? undefined : side;
		else this.#setClosed(side, this.isOpen(side));
	}

	/**
	 * Closes both side panels, or opens them if both are closed. Returns whether any is
	 * open.
	 */
	toggleSides(): boolean {
		const open = this.isOpen("layers") || this.isOpen("details");
		if (this.#narrow) this.sheet = open ? undefined : "details";
		else for (const side of ["layers", "details"] as const) this.#setClosed(side, open);
		return !open;
	}

	/** Activates a tab and opens the right panel, if the tab is available. */
	show(tab: Tab): void {
		if (!this.tabs.includes(tab)) return;
		this.#tab = tab;
		if (this.#narrow) this.sheet = "details";
		else this.#setClosed("details", false);
	}

	/** Activates the tab of the selection, or leaves it. */
	selected(selection: unknown): void {
		if (selection === undefined && this.#tab === "selected") this.tab = "agents";
		const isNext = this.tab === "agents" && this.tabs.includes("selected");
		if (selection !== undefined && isNext) this.tab = "selected";
	}

	/** Activates the predictions tab when predictions appear. */
	reviewed(reviewed: boolean): void {
		if (reviewed && !this.#reviewed && this.has("predictions"))
			this.tab = "predictions";
		this.#reviewed = reviewed;
	}

	/** Activates the plots tab when a link with plots was opened. */
	linked(plotsLinked: number): void {
		if (plotsLinked > this.#plotsLinked && this.has("plots")) this.tab = "plots";
		this.#plotsLinked = plotsLinked;
	}

	/** Class names of the frame element. */
	get classes(): string {
		const sides = ["layers", "details"] as const;
		const gone = sides.filter((side) => this.#closed.has(side) || !this.hasSide(side));
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

	#setClosed(side: "layers" | "details", closed: boolean): void {
		const others = [...this.#closed].filter((other) => other !== side);
		this.#closed = new Set(closed ? [...others, side] : others);
		this.#host.requestUpdate();
	}
}
