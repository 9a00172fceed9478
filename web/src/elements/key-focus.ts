/** Something on a page that takes keys: one viewer. */
export interface KeyTarget extends HTMLElement {
	/** Whether it takes the page's keys before a person has used it. */
	readonly pageKeys: boolean;
	/** Whether a modal dialog inside it is open. */
	readonly modal: boolean;
	handleKey(event: KeyboardEvent): void;
}

/** Whether no element has the focus: the key went to the page itself. */
function isPageKey({ target }: Event): boolean {
	const { body, documentElement } = document;
	return target === body || target === documentElement;
}

/**
 * Sends each key to one viewer at most: the one with the focus. If nothing has the focus,
 * the one last clicked or focused, or else the one that takes the page's keys. A press
 * outside of all viewers gives the keys back to the page.
 */
class KeyFocus {
	readonly #targets = new Set<KeyTarget>();
	#last: KeyTarget | undefined;

	add(target: KeyTarget): void {
		if (this.#targets.size === 0) this.#listen(true);
		this.#targets.add(target);
		target.addEventListener("keydown", this.#onOwnKey);
		for (const type of ["pointerdown", "focusin"] as const)
			target.addEventListener(type, this.#onUse);
	}

	remove(target: KeyTarget): void {
		this.#targets.delete(target);
		if (this.#last === target) this.#last = undefined;
		target.removeEventListener("keydown", this.#onOwnKey);
		for (const type of ["pointerdown", "focusin"] as const)
			target.removeEventListener(type, this.#onUse);
		if (this.#targets.size === 0) this.#listen(false);
	}

	#listen(on: boolean): void {
		const act = on ? "addEventListener" : "removeEventListener";
		document[act]("keydown", this.#onPageKey as EventListener);
		// While capturing: a viewer that is pressed sets it again.
		for (const type of ["pointerdown", "focusin"] as const)
			document[act](type, this.#onLeave, { capture: true });
	}

	readonly #onLeave = (): void => {
		this.#last = undefined;
	};

	readonly #onUse = (event: Event): void => {
		this.#last = event.currentTarget as KeyTarget;
	};

	readonly #onOwnKey = (event: KeyboardEvent): void => {
		(event.currentTarget as KeyTarget).handleKey(event);
	};

	readonly #onPageKey = (event: KeyboardEvent): void => {
		if (event.defaultPrevented || !isPageKey(event)) return;
		const targets = [...this.#targets];
		// With a modal dialog open, nothing behind it is operable.
		if (document.querySelector(":modal") || targets.some(({ modal }) => modal)) return;
		const taker = this.#last ?? targets.find(({ pageKeys }) => pageKeys);
		taker?.handleKey(event);
	};
}

/** The page's one. */
export const keyFocus = new KeyFocus();
