import type { ReactiveController, ReactiveControllerHost } from "lit";
import { html, type TemplateResult } from "lit";

/** Numbers of the viewers on the page. */
const taken = new Set<number>();

/**
 * Gives landmarks unique names if the page has several viewers: prefixed with the
 * viewer's `label` or, from the second viewer on, its number.
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

/** Renders skip links, visible while focused. */
export function skipLinks(to: (part: string) => void): TemplateResult {
	return html`<button class="skip" @click=${() => to("bev-scene-view")}>Skip to the picture</button>
		<button class="skip" @click=${() => to("bev-timeline")}>Skip to the timeline</button>`;
}
