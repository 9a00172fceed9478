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
	/** The active hit; undefined for the first one. */
	#active: GalleryItem | undefined;

	constructor(options: HitListOptions) {
		this.#options = options;
		this.#canvases = new ThumbnailCanvases(options.images);
	}

	/** Goes to the first hit. */
	reset(): void {
		this.#active = undefined;
	}

	/** Draws the thumbnails in view again. */
	redraw(): void {
		this.#canvases.redraw();
	}

	/** Stops drawing. */
	close(): void {
		this.#canvases.close();
	}

	render(hits: readonly GalleryItem[]): TemplateResult {
		const at = this.#at(hits);
		const active = hits[at] ? `hit-${at}` : nothing;
		return html`<ul class="hits" role="listbox" aria-label="Hits" tabindex="0" ?hidden=${hits.length === 0}
			aria-activedescendant=${active} @keydown=${(event: KeyboardEvent) => this.#onKey(event, hits)}>
			${hits.map((hit, i) => this.#hit(hit, i, i === at))}
		</ul>`;
	}

	/** Returns the position of the active hit. */
	#at(hits: readonly GalleryItem[]): number {
		return Math.max(0, this.#active ? hits.indexOf(this.#active) : 0);
	}

	#hit(hit: GalleryItem, i: number, active: boolean): TemplateResult {
		const place = (canvas: Element | undefined): void => {
			if (canvas) this.#canvases.place(canvas as HTMLCanvasElement, pictured(hit));
		};
		return html`<li role="option" id=${`hit-${i}`} class=${active ? "active" : ""} aria-selected=${active}
			@click=${() => this.#choose(hit)}>
			<canvas class="thumbnail" width="0" height="0" aria-hidden="true" ${ref(place)}></canvas>
			<span class="said"><span class="where mono">${placeOf(hit)}</span>
			${hit.values.map((value) => html`<span class="hint">${wordsOf(value)}</span>`)}</span>
		</li>`;
	}

	#onKey(event: KeyboardEvent, hits: readonly GalleryItem[]): void {
		const { host } = this.#options;
		const at = this.#at(hits);
		const hit = hits[at];
		const to = movedTo(event.key, at, { total: hits.length, screen: SCREEN });
		if (to !== undefined) {
			this.#active = hits[to];
			host.requestUpdate();
			void host.updateComplete.then(() =>
				host.renderRoot
					.querySelector(`#hit-${to}`)
					?.scrollIntoView({ block: "nearest" }),
			);
		} else if (event.key === "Enter" && hit) this.#choose(hit);
		else return;
		event.preventDefault();
		event.stopPropagation();
	}

	#choose(hit: GalleryItem): void {
		this.#active = hit;
		this.#options.choose(hit);
	}
}
