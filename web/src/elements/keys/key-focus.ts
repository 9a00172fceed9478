/** An element that handles keys: a viewer. */
export interface KeyTarget extends HTMLElement {
	/** Whether it handles the page's keys before the user has interacted with it. */
	readonly pageKeys: boolean;
	/** Whether a modal dialog inside it is open. */
	readonly modal: boolean;
	handleKey(event: KeyboardEvent): void;
}

/**
 * Returns whether the key's target is inside a closed dialog. Such a control keeps the
 * focus until the browser updates the rendering, but neither handles keys nor is visible.
 */
export function isInClosedDialog(event: Pick<Event, "composedPath">): boolean {
	const path = event.composedPath();
	const [target] = path;
	if (!(target instanceof Element) || target.getClientRects().length > 0) return false;
	return path.some((node) => node instanceof HTMLDialogElement && !node.open);
}

/** Returns whether no element has the focus, or will have after the rendering update. */
function isPageKey(event: Event): boolean {
	const { body, documentElement } = document;
	const { target } = event;
	return target === body || target === documentElement || isInClosedDialog(event);
}

/**
 * Dispatches each key to at most one viewer: the focused one. Without focus, the viewer
 * last clicked or focused, or else the one that handles the page's keys. A press
 * outside of all viewers returns the keys to the page.
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
		// Runs in the capture phase; a pressed viewer then sets it again.
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
		// While a modal dialog is open, the elements behind it are inert.
		if (document.querySelector(":modal") || targets.some(({ modal }) => modal)) return;
		const taker = this.#last ?? targets.find(({ pageKeys }) => pageKeys);
		taker?.handleKey(event);
	};
}

/** The instance shared by all viewers of a page. */
export const keyFocus = new KeyFocus();
