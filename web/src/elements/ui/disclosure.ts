import type { ReactiveController, ReactiveControllerHost } from "lit";

/** An element with a disclosure. */
type Host = ReactiveControllerHost & Element;

/**
 * A part of an element that stays open until a press outside of it, Escape, or a choice
 * in it.
 */
export class Disclosure implements ReactiveController {
	readonly #host: Host;
	readonly #parts: string;
	#open = false;

	/**
	 * @param parts selector of the disclosure's elements; presses on them keep it open
	 */
	constructor(host: Host, parts: string) {
		this.#host = host;
		this.#parts = parts;
		host.addController(this);
	}

	get open(): boolean {
		return this.#open;
	}

	toggle(): void {
		if (this.#open) this.close();
		else {
			this.#open = true;
			document.addEventListener("pointerdown", this.#onPress, true);
			document.addEventListener("keydown", this.#onKey, true);
			this.#host.requestUpdate();
		}
	}

	close(): void {
		if (!this.#open) return;
		this.#open = false;
		document.removeEventListener("pointerdown", this.#onPress, true);
		document.removeEventListener("keydown", this.#onKey, true);
		this.#host.requestUpdate();
	}

	hostDisconnected(): void {
		this.close();
	}

	readonly #onPress = (event: Event): void => {
		const inside = event
			.composedPath()
			.some((target) => target instanceof Element && target.matches(this.#parts));
		if (!inside) this.close();
	};

	/** Handles Escape before the viewer, which would clear the selection. */
	readonly #onKey = (event: KeyboardEvent): void => {
		if (event.key !== "Escape") return;
		event.preventDefault();
		event.stopPropagation();
		this.close();
	};
}
