import type { ReactiveController, ReactiveControllerHost } from "lit";

/** Elements painted in one animation frame; others follow in the next ones. */
export const PAINTS_AT_ONCE = 6;

/** Paints waiting elements in the order in which they asked, few in each animation frame. */
export class PaintQueue {
	readonly #waiting = new Set<() => void>();
	readonly #frame: (callback: () => void) => unknown;
	#asked = false;

	/** @param frame calls back in the next animation frame */
	constructor(frame: (callback: () => void) => unknown) {
		this.#frame = frame;
	}

	/** Calls `paint` once; does nothing if it is waiting. */
	add(paint: () => void): void {
		this.#waiting.add(paint);
		this.#ask();
	}

	remove(paint: () => void): void {
		this.#waiting.delete(paint);
	}

	#ask(): void {
		if (this.#asked || this.#waiting.size === 0) return;
		this.#asked = true;
		this.#frame(() => {
			this.#asked = false;
			for (const paint of [...this.#waiting].slice(0, PAINTS_AT_ONCE)) {
				this.#waiting.delete(paint);
				paint();
			}
			this.#ask();
		});
	}
}

const queue = new PaintQueue((callback) => requestAnimationFrame(callback));

/**
 * Paints an element after it is rendered, and when its size or the system's colours change;
 * as long as it is scrolled out of view, when it comes into view. In animation frames, so
 * that the page is laid out once for several charts.
 */
export class Repaints implements ReactiveController {
	readonly #host: Element;
	readonly #paint: () => void;
	#observer: ResizeObserver | undefined;
	#view: IntersectionObserver | undefined;
	#scheme: MediaQueryList | undefined;
	#isSeen = false;
	#isStale = true;

	constructor(host: ReactiveControllerHost & Element, paint: () => void) {
		this.#host = host;
		this.#paint = () => {
			this.#isStale = false;
			paint();
		};
		host.addController(this);
	}

	/** Paints in one of the next animation frames. */
	readonly soon = (): void => {
		this.#isStale = true;
		if (this.#isSeen) queue.add(this.#paint);
	};

	hostConnected(): void {
		this.#scheme = globalThis.matchMedia?.("(prefers-color-scheme: light)");
		this.#scheme?.addEventListener("change", this.soon);
		this.#observer = new ResizeObserver(this.soon);
		this.#observer.observe(this.#host);
		const root = this.#host.closest(".scroll");
		const seen = (entries: readonly IntersectionObserverEntry[]): void => {
			this.#isSeen = entries.at(-1)?.isIntersecting ?? false;
			if (this.#isStale) this.soon();
		};
		// Half a panel ahead, so that scrolling shows no empty chart.
		this.#view = new IntersectionObserver(seen, { root, rootMargin: "50% 0px" });
		this.#view.observe(this.#host);
	}

	hostUpdated(): void {
		this.soon();
	}

	hostDisconnected(): void {
		this.#scheme?.removeEventListener("change", this.soon);
		this.#observer?.disconnect();
		this.#view?.disconnect();
		queue.remove(this.#paint);
		this.#isSeen = false;
		this.#isStale = true;
	}
}
