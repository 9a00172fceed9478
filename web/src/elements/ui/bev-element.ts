import { type CSSResultGroup, LitElement, type PropertyValues } from "lit";
import type { ViewerController } from "../controller.js";
import { EMPTY_STATE, type Theme, type ViewerState } from "../state.js";
import { baseStyles } from "./base-styles.js";

const CONTROL = 'button:not(:disabled), input:not([hidden]), [tabindex="0"]';

/** Of `element`, or of what has the focus inside of it. */
function isFocusVisible(element: Element): boolean {
	let inner = element;
	while (inner.shadowRoot?.activeElement) inner = inner.shadowRoot.activeElement;
	return inner.matches(":focus-visible");
}

/** An element of the family: shows the state of a controller that it may share with others. */
export abstract class BevElement extends LitElement {
	static override styles: CSSResultGroup = baseStyles;

	static override properties = {
		controller: { attribute: false },
		theme: { reflect: true },
	};

	/** The state to show and whom to tell what the user does. */
	declare controller: ViewerController | undefined;
	/** `dark` or `light`; otherwise as the page or the system prefers. */
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

	get state(): ViewerState {
		return this.controller?.state ?? EMPTY_STATE;
	}

	/** What of the state the element shows: it renders again when one of these changed. */
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

	/** Milliseconds between renderings while playing, where faster nobody reads. */
	protected get pace(): number {
		return 0;
	}

	/**
	 * Called at each change of what is watched; renders again by default, at once unless that
	 * was done less than `pace` ago.
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

	/** Puts the focus on the first control that takes it, once it is there. */
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
	 * What had the focus is gone, and keys with it: gives the focus to what stands for it now.
	 * `visible`: it was shown, as it is to who uses keys.
	 */
	regainFocus(_from: Element, visible: boolean): void {
		const root = this.getRootNode();
		const host = root instanceof ShadowRoot ? root.host : undefined;
		if (host instanceof BevElement) host.regainFocus(this, visible);
		else this.focus();
	}

	#subscribe(): void {
		this.#unsubscribe?.();
		this.#unsubscribe = this.controller?.store.subscribe((state) => this.#look(state));
		if (this.controller) this.#look(this.controller.state);
	}

	#look(state: ViewerState): void {
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
