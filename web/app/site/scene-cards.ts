import { html, nothing, render, type TemplateResult } from "lit";
import type { GalleryItem } from "../../src/elements/gallery/gallery-state.js";
import { HoverPlay } from "../../src/elements/gallery/hover-play.js";
import { ThumbnailCanvases } from "../../src/elements/gallery/thumbnails.js";
import { prefersStill } from "../../src/elements/scene-view/scene-painter.js";
import type { OpenedData } from "./opened-data.js";
import { linkOf, type Site } from "./site-data.js";

/** Cards that are added at once. */
const STEP = 24;

/** A scene on the page. */
export interface SceneCard {
	readonly data: OpenedData;
	readonly item: GalleryItem;
}

/** The list of scenes: pictures that move, and what is in them. */
export class SceneCards {
	readonly #site: Site;
	readonly #list: HTMLElement;
	readonly #more: HTMLElement;
	readonly #canvases = new Map<OpenedData, ThumbnailCanvases>();
	readonly #play = new HoverPlay();
	#cards: readonly SceneCard[] = [];
	#shown = STEP;

	constructor(site: Site, list: HTMLElement, more: HTMLElement) {
		this.#site = site;
		this.#list = list;
		this.#more = more;
	}

	/** Shows other scenes, from the first one; as many as before if there are as many. */
	show(cards: readonly SceneCard[]): void {
		if (cards.length !== this.#cards.length) this.#shown = STEP;
		this.#cards = cards;
		this.#render();
	}

	/** Draws the pictures in view again, in other colours. */
	redraw(): void {
		for (const canvases of this.#canvases.values()) canvases.redraw();
	}

	close(): void {
		this.#play.stop();
		for (const canvases of this.#canvases.values()) canvases.close();
	}

	#render(): void {
		const shown = this.#cards.slice(0, this.#shown);
		render(
			shown.map((card) => this.#card(card)),
			this.#list,
		);
		const rest = this.#cards.length - shown.length;
		const more = html`<button type="button" @click=${this.#showMore}>Show more scenes</button>`;
		render(rest > 0 ? more : nothing, this.#more);
		this.#list.querySelectorAll("canvas").forEach((canvas, i) => {
			const card = shown[i];
			if (card) this.#canvasesOf(card.data).place(canvas, card.item);
		});
	}

	readonly #showMore = (): void => {
		const first = this.#shown;
		this.#shown += STEP;
		this.#render();
		this.#list.querySelectorAll<HTMLElement>("a")[first]?.focus();
	};

	#card(card: SceneCard): TemplateResult {
		const { data, item } = card;
		const { scene, frame, values } = item;
		const facts = values.map(
			({ name, text }) => html`<span>${name} <b>${text}</b></span>`,
		);
		const name = this.#site.data.length > 1 ? `${data.site.name}, ` : "";
		const play = (event: Event): void => this.#start(event, card);
		return html`<li><a href=${linkOf(this.#site, data.site, { scene, frame })}
			@pointerenter=${play} @pointerleave=${this.#stop} @focus=${play} @blur=${this.#stop}>
			<canvas aria-hidden="true"></canvas>
			<span class="facts">${facts}</span>
			<span class="name">${name}scene ${scene}</span>
		</a></li>`;
	}

	#start(event: Event, { data, item }: SceneCard): void {
		const canvas = (event.currentTarget as Element).querySelector("canvas");
		if (!canvas || prefersStill()) return;
		this.#play.start(canvas, item, data.images, () =>
			this.#canvasesOf(data).again(canvas),
		);
	}

	readonly #stop = (): void => this.#play.stop();

	#canvasesOf(data: OpenedData): ThumbnailCanvases {
		let canvases = this.#canvases.get(data);
		canvases ??= new ThumbnailCanvases(() => data.images);
		this.#canvases.set(data, canvases);
		return canvases;
	}
}
