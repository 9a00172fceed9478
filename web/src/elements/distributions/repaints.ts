import type { ReactiveController, ReactiveControllerHost } from "lit";

/** Paints an element again when its size or the system's colours change. */
export class Repaints implements ReactiveController {
	readonly #host: Element;
	readonly #paint: () => void;
	#observer: ResizeObserver | undefined;
	#scheme: MediaQueryList | undefined;

	constructor(host: ReactiveControllerHost & Element, paint: () => void) {
		this.#host = host;
		this.#paint = paint;
		host.addController(this);
	}

	hostConnected(): void {
		this.#scheme = globalThis.matchMedia?.("(prefers-color-scheme: light)");
		this.#scheme?.addEventListener("change", this.#paint);
		this.#observer = new ResizeObserver(this.#paint);
		this.#observer.observe(this.#host);
	}

	hostDisconnected(): void {
		this.#scheme?.removeEventListener("change", this.#paint);
		this.#observer?.disconnect();
	}
}
