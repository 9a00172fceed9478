import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { ViewerState } from "../state.js";

/** What covers the picture or stands beside it in a small box; `menu` is the top bar. */
export type Sheet = "layers" | "details" | "more" | "menu" | undefined;

/** Tabs of the right panel, in order. */
export const TABS = ["agents", "selected", "raster", "predictions"] as const;
export type Tab = (typeof TABS)[number];

/** Limits of the right panel's width, in CSS pixels. */
export const SIDE_MIN = 280;
export const SIDE_MAX = 520;

/** Widest box, in CSS pixels, whose side panels are sheets; as in `viewer-styles.ts`. */
const NARROW_MAX = 899;

/** Which panels are open, how wide, and which tab is in front. */
export class Panels implements ReactiveController {
	readonly #host: ReactiveControllerHost & HTMLElement;
	#observer: ResizeObserver | undefined;
	#sheet: Sheet;
	#tab: Tab = "agents";
	#closed: ReadonlySet<Sheet> = new Set();
	#side: number | undefined;
	#narrow = false;
	#review: ViewerState["review"]["phase"] = "none";

	constructor(host: ReactiveControllerHost & HTMLElement) {
		this.#host = host;
		host.addController(this);
	}

	hostConnected(): void {
		this.#observer = new ResizeObserver(([entry]) => {
			const narrow = (entry?.contentRect.width ?? 0) <= NARROW_MAX;
			if (narrow === this.#narrow) return;
			this.#narrow = narrow;
			this.#sheet = undefined;
			this.#host.requestUpdate();
		});
		this.#observer.observe(this.#host);
		this.#host.addEventListener("fullscreenchange", this.#changed);
	}

	hostDisconnected(): void {
		this.#observer?.disconnect();
		this.#host.removeEventListener("fullscreenchange", this.#changed);
	}

	readonly #changed = (): void => this.#host.requestUpdate();

	/** Side panels are sheets. */
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

	/** A sheet takes height from the picture. */
	get covered(): boolean {
		return this.#narrow && (this.#sheet === "layers" || this.#sheet === "details");
	}

	get tab(): Tab {
		return this.#tab;
	}

	set tab(tab: Tab) {
		this.#tab = tab;
		this.#host.requestUpdate();
	}

	/** Width of the right panel as the user set it, in CSS pixels. */
	get side(): number | undefined {
		return this.#side;
	}

	set side(width: number | undefined) {
		this.#side =
			width === undefined
				? undefined
				: Math.round(Math.min(SIDE_MAX, Math.max(SIDE_MIN, width)));
		this.#host.requestUpdate();
	}

	/** Whether a side panel is visible: as a sheet in a narrow box, else beside the picture. */
	isOpen(side: "layers" | "details"): boolean {
		return this.#narrow ? this.#sheet === side : !this.#closed.has(side);
	}

	/** Opens a closed side panel, closes an open one. */
	toggle(side: "layers" | "details"): void {
		if (this.#narrow) this.sheet = this.#sheet === side ? undefined : side;
		else this.#setClosed(side, this.isOpen(side));
	}

	/** Brings a tab to the front and opens the right panel. */
	show(tab: Tab): void {
		this.#tab = tab;
		if (this.#narrow) this.sheet = "details";
		else this.#setClosed("details", false);
	}

	/** Follows the selection, which has its own tab. */
	selected(selection: unknown): void {
		if (selection === undefined && this.#tab === "selected") this.tab = "agents";
		if (selection !== undefined && this.#tab === "agents") this.tab = "selected";
	}

	/** Brings predictions to the front when they come. */
	reviewed(phase: ViewerState["review"]["phase"]): void {
		if (this.#review === "none" && phase !== "none") this.tab = "predictions";
		this.#review = phase;
	}

	/** Class names of the frame that stand for all of it. */
	get classes(): string {
		const closed = [...this.#closed].map((side) => `no-${side}`);
		return [this.#sheet ?? "", ...closed].join(" ");
	}

	#setClosed(side: "layers" | "details", closed: boolean): void {
		const others = [...this.#closed].filter((other) => other !== side);
		this.#closed = new Set(closed ? [...others, side] : others);
		this.#host.requestUpdate();
	}
}
