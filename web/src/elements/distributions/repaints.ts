import type { ReactiveController, ReactiveControllerHost } from "lit";

/**
 * Paints an element on request, and when its size or the system's colours change:
 * in the next animation frame, so that the page is laid out once for all charts.
 */
export class Repaints implements ReactiveController {
	readonly #host: Element;
	readonly #paint: () => void;
	#observer: ResizeObserver | undefined;
	#scheme: MediaQueryList | undefined;
	#frame: number | undefined;

	constructor(host: ReactiveControllerHost & Element, paint: () => void) {
		this.#host = host;
		this.#paint = paint;
		host.addController(this);
	}

	/** Paints in the next animation frame. */
	readonly soon = (): void => {
		this.#frame ??= requestAnimationFrame(() => {
			this.#frame = undefined;
			this.#paint();
		});
	};

	hostConnected(): void {
		this.#scheme = globalThis.matchMedia?.("(prefers-color-scheme: light)");
		this.#scheme?.addEventListener("change", this.soon);
		this.#observer = new ResizeObserver(this.soon);
		this.#observer.observe(this.#host);
	}

	hostUpdated(): void {
		this.soon();
	}

	hostDisconnected(): void {
		this.#scheme?.removeEventListener("change", this.soon);
		this.#observer?.disconnect();
		if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
		this.#frame = undefined;
	}
}
