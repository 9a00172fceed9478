import { html, nothing, type TemplateResult } from "lit";
import { type DropParts, watchDrops } from "../open/drop.js";
import type { ViewerHost } from "./viewer-host.js";

/** The start page, and files dropped on the viewer. */
export class StartPage {
	readonly #host: ViewerHost;

	/** @param dragged called while files are dragged over the viewer */
	constructor(host: ViewerHost, dragged: () => void) {
		this.#host = host;
		watchDrops(host, {
			over: (types) => {
				if (types?.join() !== host.over?.join()) host.over = types;
				if (types) dragged();
			},
			dropped: (parts) => void this.#take(parts),
		});
	}

	render(): TemplateResult {
		const { controller, pending, over, example, examples } = this.#host;
		return html`<bev-open .controller=${controller} .pending=${pending} ?over=${over !== undefined}
				example=${example ?? nothing} .examples=${examples}
				@open-place=${this.#opened} @open-dismiss=${() => this.leave()}></bev-open>`;
	}

	/** Returns to the picture, and dismisses opening. */
	leave(): void {
		this.#host.choosing = false;
		this.#host.pending = undefined;
		this.#host.controller?.dismissOpening();
	}

	/** Stays above the picture until the data set is open. */
	readonly #opened = (): void => {
		this.#host.pending = undefined;
		this.#host.choosing = this.#host.controller?.state.phase === "ready";
	};

	async #take(parts: DropParts): Promise<void> {
		const { controller } = this.#host;
		try {
			const { takeDrop } = await import("../open/take-drop.js");
			if (controller) takeDrop(controller, parts, this.#opened);
		} catch (error) {
			controller?.notify(`Drop: loading failed: ${String(error)}`);
		}
	}
}
