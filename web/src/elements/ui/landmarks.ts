import type { ReactiveController, ReactiveControllerHost } from "lit";
import { html, type TemplateResult } from "lit";

/** Numbers of the viewers that are on the page. */
const taken = new Set<number>();

/**
 * Names a viewer's landmarks so that those of two viewers on one page differ: by the
 * viewer's `label` or, from the second viewer on, by its number.
 */
export class Landmarks implements ReactiveController {
	readonly #host: ReactiveControllerHost & { readonly label: string | null };
	#number = 0;

	constructor(host: ReactiveControllerHost & { readonly label: string | null }) {
		this.#host = host;
		host.addController(this);
	}

	hostConnected(): void {
		let free = 1;
		while (taken.has(free)) free += 1;
		taken.add(free);
		this.#number = free;
	}

	hostDisconnected(): void {
		taken.delete(this.#number);
	}

	name(of: string): string {
		const { label } = this.#host;
		const viewer = label || (this.#number > 1 ? `Viewer ${this.#number}` : "");
		return viewer ? `${viewer}: ${of}` : of;
	}
}

/** Buttons past the bars, seen while they have the focus. */
export function skipLinks(to: (part: string) => void): TemplateResult {
	return html`<button class="skip" @click=${() => to("bev-scene-view")}>Skip to the picture</button>
		<button class="skip" @click=${() => to("bev-timeline")}>Skip to the time line</button>`;
}
