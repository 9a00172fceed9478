import { html, nothing, type TemplateResult } from "lit";

/**
 * `greedy`: wheel and touch always control the picture. `cooperative`: the wheel
 * without Ctrl and one finger scroll the page. `auto`: cooperative if the page or an
 * ancestor scrolls.
 */
export const GESTURES = ["auto", "greedy", "cooperative"] as const;
export type Gestures = (typeof GESTURES)[number];

/** Returns whether `element`, an ancestor or the page scrolls vertically. */
function isInScroller(element: Element): boolean {
	let at: Node | null = element;
	while (at) {
		if (at instanceof Element && at !== document.documentElement) {
			const scrolls = /^(auto|scroll)$/.test(getComputedStyle(at).overflowY);
			if (scrolls && at.scrollHeight > at.clientHeight + 1) return true;
		}
		at = at instanceof ShadowRoot ? at.host : at.parentNode;
	}
	const page = document.scrollingElement;
	return page !== null && page.scrollHeight > page.clientHeight + 1;
}

/** Returns whether the wheel and one finger scroll the page instead. */
export function isCooperative(gestures: string | null, element: Element): boolean {
	if (gestures === "greedy" || document.fullscreenElement) return false;
	if (gestures === "cooperative") return true;
	// Whether the embedding page scrolls is unknown; unhandled wheel events propagate to
	// it.
	return window.self !== window.top || isInScroller(element);
}

const HINT_MS = 1600;

/** Briefly displays how to zoom or pan in cooperative mode. */
export class GestureHint {
	readonly #changed: () => void;
	#words: string | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(changed: () => void) {
		this.#changed = changed;
	}

	show(gesture: "wheel" | "touch"): void {
		const key = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl";
		this.#words =
			gesture === "touch" ? "Use two fingers to pan" : `Use ${key} + wheel to zoom`;
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.hide(), HINT_MS);
		this.#changed();
	}

	hide(): void {
		clearTimeout(this.#timer);
		if (this.#words === undefined) return;
		this.#words = undefined;
		this.#changed();
	}

	render(): TemplateResult | typeof nothing {
		if (this.#words === undefined) return nothing;
		return html`<div class="gesture-hint"><span>${this.#words}</span></div>`;
	}
}
