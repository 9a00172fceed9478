import { type CSSResultGroup, LitElement, type PropertyValues } from "lit";
import type { ViewerController } from "../session/controller.js";
import { EMPTY_STATE, type Theme, type ViewerState } from "../session/state.js";
import { rootStyles } from "./root-styles.js";

const CONTROL = 'button:not(:disabled), input:not([hidden]), [tabindex="0"]';

/** Returns whether the innermost focused element shows its focus. */
function isFocusVisible(element: Element): boolean {
	let inner = element;
	while (inner.shadowRoot?.activeElement) inner = inner.shadowRoot.activeElement;
	return inner.matches(":focus-visible");
}

/**
 * Base class of the elements: renders the state of a controller, which elements can
 * share.
 */
export abstract class BevElement extends LitElement {
	static override styles: CSSResultGroup = rootStyles;

	static override properties = {
		controller: { attribute: false },
		theme: { reflect: true },
	};

	/** The controller with the state to display, which receives the user's commands. */
	declare controller: ViewerController | undefined;
	/** `dark` or `light`; otherwise the page's or system's preference. */
	declare theme: Theme | null;

	#unsubscribe: (() => void) | undefined;
	#seen: readonly unknown[] = [];
	#late: ReturnType<typeof setTimeout> | undefined;
	#rendered = Number.NEGATIVE_INFINITY;
	#stateTheme: Theme = "auto";

	constructor() {
		super();
		this.theme = null;
	}

	/** State of the controller; the empty state without one. */
	get state(): ViewerState {
		return this.controller?.state ?? EMPTY_STATE;
	}

	/**
	 * Returns the displayed parts of the state; a change of one of them triggers a
	 * render.
	 */
	protected abstract watched(state: ViewerState): readonly unknown[];

	override connectedCallback(): void {
		super.connectedCallback();
		this.#subscribe();
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#unsubscribe?.();
		this.#unsubscribe = undefined;
		clearTimeout(this.#late);
		this.#late = undefined;
	}

	protected override willUpdate(changed: PropertyValues<this>): void {
		if (changed.has("controller")) this.#subscribe();
	}

	/** Minimum interval in milliseconds between renders during playback. */
	protected get pace(): number {
		return 0;
	}

	/**
	 * Called when a watched value changes. By default renders immediately, unless the
	 * last render was less than `pace` ago.
	 */
	protected stateChanged(): void {
		const due = this.state.playing ? this.#rendered + this.pace : 0;
		const wait = due - performance.now();
		if (wait <= 0) {
			this.requestUpdate();
			return;
		}
		this.#late ??= setTimeout(() => {
			this.#late = undefined;
			this.requestUpdate();
		}, wait);
	}

	/** Focuses the first focusable control after the next render. */
	override focus(options?: FocusOptions): void {
		void this.updateComplete.then(() =>
			this.renderRoot.querySelector<HTMLElement>(CONTROL)?.focus(options),
		);
	}

	protected override update(changed: PropertyValues<this>): void {
		const held = this.shadowRoot?.activeElement;
		const visible = held ? isFocusVisible(held) : false;
		super.update(changed);
		this.#rendered = performance.now();
		if (held && (!held.isConnected || held.matches(":disabled"))) {
			this.regainFocus(held, visible);
		}
	}

	/**
	 * Called when the focused element was removed or disabled; moves the focus to its
	 * replacement.
	 *
	 * @param visible whether the focus ring was visible
	 */
	regainFocus(_from: Element, visible: boolean): void {
		const root = this.getRootNode();
		const host = root instanceof ShadowRoot ? root.host : undefined;
		if (host instanceof BevElement) host.regainFocus(this, visible);
		else this.focus();
	}

	#subscribe(): void {
		this.#unsubscribe?.();
		this.#unsubscribe = this.controller?.store.subscribe((state) =>
			this.#onState(state),
		);
		if (this.controller) this.#onState(this.controller.state);
	}

	#onState(state: ViewerState): void {
		if (state.theme !== this.#stateTheme) {
			this.#stateTheme = state.theme;
			this.theme = state.theme === "auto" ? null : state.theme;
		}
		const now = this.watched(state);
		const same = now.length === this.#seen.length;
		if (same && now.every((value, i) => Object.is(value, this.#seen[i]))) return;
		this.#seen = now;
		this.stateChanged();
	}
}
