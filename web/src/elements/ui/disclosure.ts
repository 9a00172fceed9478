import type { ReactiveController, ReactiveControllerHost } from "lit";

/** An element with a part that unfolds. */
type Host = ReactiveControllerHost & Element;

/** A part of an element that is open until a press outside of it, Escape, or a choice in it. */
export class Disclosure implements ReactiveController {
	readonly #host: Host;
	readonly #parts: string;
	#open = false;

	/** @param parts  a selector of what belongs to it: presses there leave it open */
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

	/** Takes Escape before the viewer does, for which it clears the selection. */
	readonly #onKey = (event: KeyboardEvent): void => {
		if (event.key !== "Escape") return;
		event.preventDefault();
		event.stopPropagation();
		this.close();
	};
}
