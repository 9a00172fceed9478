import type { ReactiveController } from "lit";
import type { ViewerHost } from "./viewer-host.js";

/** How long an outcome is shown: a minimum, and per character to read. */
const MIN_MS = 8000;
const CHARACTER_MS = 60;

/** Returns the milliseconds for which an outcome is shown. */
export function durationOf(text: string): number {
	return MIN_MS + CHARACTER_MS * text.length;
}

/**
 * Removes outcomes after the time that reading them takes; not while the pointer or the
 * focus is on them.
 */
export class Toasts implements ReactiveController {
	readonly #host: ViewerHost;
	readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
	#told: ReadonlyMap<string, number> = new Map();
	#held = false;

	constructor(host: ViewerHost) {
		this.#host = host;
		host.addController(this);
	}

	hostConnected(): void {
		this.#held = false;
		this.hostUpdated();
	}

	hostDisconnected(): void {
		this.#stop();
	}

	hostUpdated(): void {
		const { outcomes } = this.#host.state;
		for (const [text, count] of outcomes) {
			const isTold = this.#told.get(text) === count && this.#timers.has(text);
			if (!isTold && !this.#held) this.#start(text);
		}
		this.#told = outcomes;
	}

	/** Keeps all outcomes, or removes them after their time again. */
	readonly hold = (held: boolean): void => {
		if (held === this.#held) return;
		this.#held = held;
		if (held) this.#stop();
		else this.hostUpdated();
	};

	#start(text: string): void {
		clearTimeout(this.#timers.get(text));
		const end = (): void => {
			this.#timers.delete(text);
			this.#host.controller?.dismiss(text);
		};
		this.#timers.set(text, setTimeout(end, durationOf(text)));
	}

	#stop(): void {
		for (const timer of this.#timers.values()) clearTimeout(timer);
		this.#timers.clear();
	}
}
