import { html, nothing, type ReactiveControllerHost, type TemplateResult } from "lit";
import { ref } from "lit/directives/ref.js";
import { pictured, placeOf, wordsOf } from "../gallery/gallery-item.js";
import type { GalleryItem } from "../gallery/gallery-state.js";
import { ThumbnailCanvases, type Thumbnails } from "../gallery/thumbnails.js";
import { movedTo } from "../ui/table.js";

/** Rows that PageUp and PageDown move by. */
const SCREEN = 12;

/** Options of a list of hits. */
export interface HitListOptions {
	readonly host: ReactiveControllerHost & { readonly renderRoot: ParentNode };
	/** Draws thumbnails; undefined if there is no data set. */
	readonly images: () => Thumbnails | undefined;
	readonly choose: (hit: GalleryItem) => void;
}

/** The list of hits: a listbox of one tab stop, with thumbnails of what is visible. */
export class HitList {
	readonly #options: HitListOptions;
	readonly #canvases: ThumbnailCanvases;
	/** Position of the active hit. */
	#active = 0;

	constructor(options: HitListOptions) {
		this.#options = options;
		this.#canvases = new ThumbnailCanvases(options.images);
	}

	/** Goes to the first hit. */
	reset(): void {
		this.#active = 0;
	}

	/** Stops drawing. */
	close(): void {
		this.#canvases.close();
	}

	render(hits: readonly GalleryItem[]): TemplateResult {
		const active = hits[this.#active] ? `hit-${this.#active}` : nothing;
		return html`<ul class="hits" role="listbox" aria-label="Hits" tabindex="0" ?hidden=${hits.length === 0}
			aria-activedescendant=${active} @keydown=${(event: KeyboardEvent) => this.#onKey(event, hits)}>
			${hits.map((hit, i) => this.#hit(hit, i))}
		</ul>`;
	}

	#hit(hit: GalleryItem, i: number): TemplateResult {
		const active = i === this.#active;
		const place = (canvas: Element | undefined): void => {
			if (canvas) this.#canvases.place(canvas as HTMLCanvasElement, pictured(hit));
		};
		return html`<li role="option" id=${`hit-${i}`} class=${active ? "active" : ""} aria-selected=${active}
			@click=${() => this.#choose(hit, i)}>
			<canvas class="thumbnail" width="0" height="0" aria-hidden="true" ${ref(place)}></canvas>
			<span class="said"><span class="where mono">${placeOf(hit)}</span>
			${hit.values.map((value) => html`<span class="hint">${wordsOf(value)}</span>`)}</span>
		</li>`;
	}

	#onKey(event: KeyboardEvent, hits: readonly GalleryItem[]): void {
		const { host } = this.#options;
		const hit = hits[this.#active];
		const to = movedTo(event.key, this.#active, { total: hits.length, screen: SCREEN });
		if (to !== undefined) {
			this.#active = to;
			host.requestUpdate();
			void host.updateComplete.then(() =>
				host.renderRoot
					.querySelector(`#hit-${to}`)
					?.scrollIntoView({ block: "nearest" }),
			);
		} else if (event.key === "Enter" && hit) this.#choose(hit, this.#active);
		else return;
		event.preventDefault();
		event.stopPropagation();
	}

	#choose(hit: GalleryItem, i: number): void {
		this.#active = i;
		this.#options.choose(hit);
	}
}
