import { type CSSResultGroup, LitElement, type PropertyValues } from "lit";
import type { ViewerController } from "../controller.js";
import { EMPTY_STATE, type Theme, type ViewerState } from "../state.js";
import { baseStyles } from "./base-styles.js";

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

	/** Called at each change of what is watched; renders again by default. */
	protected stateChanged(): void {
		if (this.pace === 0 || !this.state.playing) {
			this.requestUpdate();
			return;
		}
		this.#late ??= setTimeout(() => {
			this.#late = undefined;
			this.requestUpdate();
		}, this.pace);
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
