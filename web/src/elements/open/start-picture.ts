import { html, nothing, type ReactiveControllerHost, type TemplateResult } from "lit";
import type { ViewerController } from "../session/controller.js";
import type { Theme } from "../session/state.js";

/** Time for which the start page is shown before its picture is loaded. */
const DELAY_MS = 2000;
/** Smallest page with a picture, in CSS pixels. */
const SMALLEST = { width: 600, height: 480 };

/** A data set to play, and the page's theme. */
type Behind = { readonly address: string; readonly theme: Theme };

/** The start page. */
export interface StartPictureHost extends ReactiveControllerHost, HTMLElement {
	/** The data set to play; undefined for none. */
	readonly behind: Behind | undefined;
}

/** Whether the user wants to load little. */
export function isSaving(): boolean {
	const { connection } = navigator as { connection?: { saveData?: boolean } };
	return connection?.saveData === true;
}

/**
 * Plays a data set behind the start page. Loaded only if the page is still shown after two
 * seconds, large enough, and no data is to be saved; closed when another is opened.
 */
export class StartPicture {
	readonly #host: StartPictureHost;
	#control: AbortController | undefined;
	#behind: Behind | undefined;
	#controller: ViewerController | undefined;

	constructor(host: StartPictureHost) {
		this.#host = host;
		host.addController(this);
	}

	hostUpdated(): void {
		const { behind } = this.#host;
		const { address, theme } = behind ?? {};
		if (theme) this.#controller?.setTheme(theme);
		if (address === this.#behind?.address) return;
		this.hostDisconnected();
		this.#behind = behind;
		if (behind) void this.#start(behind);
	}

	hostDisconnected(): void {
		this.#control?.abort();
		this.#controller = undefined;
		this.#behind = undefined;
	}

	/** Renders the picture; nothing until it is loaded. */
	render(): TemplateResult | typeof nothing {
		if (!this.#controller) return nothing;
		return html`<bev-backdrop bare inert aria-hidden="true" .controller=${this.#controller}></bev-backdrop>`;
	}

	async #start({ address, theme }: Behind): Promise<void> {
		const control = new AbortController();
		this.#control = control;
		const { signal } = control;
		await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
		const { clientWidth: width, clientHeight: height } = this.#host;
		const fits = width >= SMALLEST.width && height >= SMALLEST.height;
		if (signal.aborted || !fits || isSaving()) return;
		try {
			const { playing } = await import("./backdrop.js");
			if (signal.aborted) return;
			const controller = await playing(address, theme, signal);
			this.#controller = controller;
			this.#host.requestUpdate();
		} catch {
			// Decoration: without the data or the code, the page stays as it is.
		}
	}
}
