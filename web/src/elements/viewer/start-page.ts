import { html, nothing, type TemplateResult } from "lit";
import type { ViewerHost } from "./viewer-host.js";

/** Returns whether files are dragged or dropped. */
export function hasFiles({ dataTransfer }: DragEvent): boolean {
	return dataTransfer?.types.includes("Files") ?? false;
}

/** Keeps the start page above the picture until the data set is open. */
export function showOpening(host: ViewerHost): void {
	host.pending = undefined;
	host.choosing = host.controller?.state.phase === "ready";
}

/** The start page. */
export class StartPage {
	readonly #host: ViewerHost;

	constructor(host: ViewerHost) {
		this.#host = host;
	}

	render(): TemplateResult {
		const { controller, pending, over, example, examples } = this.#host;
		return html`<bev-open .controller=${controller} .pending=${pending} ?over=${over !== undefined}
				example=${example ?? nothing} .examples=${examples}
				@open-place=${() => showOpening(this.#host)} @open-dismiss=${() => this.leave()}></bev-open>`;
	}

	/** Returns to the picture, and dismisses opening. */
	leave(): void {
		this.#host.choosing = false;
		this.#host.pending = undefined;
		this.#host.controller?.dismissOpening();
	}
}
