import { adoptStyles, html, type LitElement, nothing, type TemplateResult } from "lit";
import { type KeyPress, keptPress, scrollsPage } from "../keys/key-press.js";
import { defineAround, defineOpen } from "../lazy.js";
import type { Chrome } from "./chrome.js";
import { hasFiles } from "./start-page.js";
import type { ViewerHost } from "./viewer-host.js";

/** Time after which slow opening is reported, in milliseconds. */
const SLOW_MS = 500;
/** Maximum number of keys kept until they can be handled. */
const MAX_KEYS = 20;

/**
 * Loads the parts of a viewer that the first picture does not need: the start page and
 * everything around the picture. A failure is reported and can be retried.
 */
export class LazyParts {
	readonly #host: ViewerHost;
	#chrome: Chrome | undefined;
	#loading: Promise<void> | undefined;
	#problem: string | undefined;
	#keys: KeyPress[] = [];
	#timer: ReturnType<typeof setTimeout> | undefined;

	/** Whether the page has, or had, a viewer. */
	static used = false;

	constructor(host: ViewerHost) {
		LazyParts.used = true;
		this.#host = host;
		for (const type of ["dragover", "drop"] as const)
			host.addEventListener(type, (event) => this.#onDrag(event));
	}

	/** Loads the code that takes dropped files; until then, they are not opened instead. */
	#onDrag(event: DragEvent): void {
		if (this.#chrome || !hasFiles(event)) return;
		event.preventDefault();
		void this.load();
		if (event.type === "drop")
			this.#host.controller?.notify(
				"Drop: the viewer was loading; drop the files again",
			);
	}

	/** Everything around the picture; undefined until it is loaded. */
	get chrome(): Chrome | undefined {
		return this.#chrome;
	}

	/** Renders why loading failed. */
	render(): TemplateResult | typeof nothing {
		if (this.#problem === undefined) return nothing;
		return html`<div class="notices" part="status" role="status"><div class="notice">
			<span>Viewer: loading the panels failed: ${this.#problem}</span>
			<button @click=${() => void this.load()}>Try again</button></div></div>`;
	}

	/** Resolves when the parts that are due are loaded, or loading them failed. */
	async settled(): Promise<void> {
		if (!this.#isDue()) return;
		await this.load();
		await this.#host.updateComplete;
		await this.#chrome?.settled();
	}

	/** Schedules loading, after each update of the viewer. */
	updated(): void {
		this.#chrome?.updated();
		if (this.#chrome || this.#loading || this.#problem !== undefined) return;
		if (this.#isDue()) {
			clearTimeout(this.#timer);
			this.#timer = setTimeout(() => void this.load(), 0);
		} else {
			this.#timer ??= setTimeout(() => this.#loadSlowly(), SLOW_MS);
		}
	}

	/** Acts on a key; keys that arrive before the code are handled after it. */
	onKey(event: KeyboardEvent): void {
		if (this.#chrome) {
			this.#chrome.actions.onKey(event);
			return;
		}
		if (event.defaultPrevented || this.#keys.length === MAX_KEYS) return;
		this.#keys.push(keptPress(event));
		if (scrollsPage(event)) event.preventDefault();
		void this.load();
	}

	/** Loads everything around the picture; never rejects. */
	load(): Promise<void> {
		this.#problem = undefined;
		this.#loading ??= this.#load().catch((error: unknown) => {
			this.#loading = undefined;
			this.#keys = [];
			this.#problem = error instanceof Error ? error.message : String(error);
			this.#host.requestUpdate();
		});
		return this.#loading;
	}

	async #load(): Promise<void> {
		const [{ Chrome }] = await Promise.all([import("./chrome.js"), defineAround()]);
		const host = this.#host;
		this.#chrome = new Chrome(host);
		if (host.renderRoot instanceof ShadowRoot) {
			const { elementStyles } = host.constructor as typeof LitElement;
			adoptStyles(host.renderRoot, [...elementStyles, ...Chrome.styles]);
		}
		host.requestUpdate();
		await host.updateComplete;
		for (const key of this.#keys.splice(0)) this.#chrome.actions.onKey(key);
	}

	/** Whether the first picture is drawn, or none follows, or there is a message. */
	#isDue(): boolean {
		const { choosing, pending, state } = this.#host;
		const { phase, pictured, frameProblem, sceneCount } = state;
		if (pictured || choosing || pending) return true;
		const { notices, serverWait, presumedAbsent } = state;
		if (notices.length + presumedAbsent.length > 0 || serverWait) return true;
		if (phase === "ready") return frameProblem !== undefined || sceneCount === 0;
		return phase !== "opening";
	}

	/** Loads what reports the progress of slow opening or reading. */
	#loadSlowly(): void {
		this.#timer = undefined;
		const { phase } = this.#host.state;
		if (phase === "ready") void this.load();
		if (phase === "opening") defineOpen().catch(() => {}); // reported with the others
	}
}
