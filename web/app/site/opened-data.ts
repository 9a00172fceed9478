import { FactHits } from "../../src/elements/find/fact-hits.js";
import type { GalleryItem } from "../../src/elements/gallery/gallery-state.js";
import { ThumbnailPainter } from "../../src/elements/gallery/thumbnail-painter.js";
import { Thumbnails } from "../../src/elements/gallery/thumbnails.js";
import type { ViewerController } from "../../src/elements/session/controller.js";
import type { ViewerDataset } from "../../src/elements/session/dataset.js";
import { until } from "../../src/elements/session/store.js";
import type { SiteDataset } from "./site-data.js";

/** An open data set of the site: its pictures and facts. */
export class OpenedData {
	readonly site: SiteDataset;
	readonly controller: ViewerController;
	readonly #host: Element;
	#images: Thumbnails | undefined;

	/** @param host has the colours */
	constructor(site: SiteDataset, controller: ViewerController, host: Element) {
		this.site = site;
		this.controller = controller;
		this.#host = host;
	}

	get images(): Thumbnails {
		this.#images ??= new Thumbnails(
			new ThumbnailPainter({ controller: this.controller, host: this.#host }),
		);
		return this.#images;
	}

	/** Drops the pictures, for example because the colours have changed. */
	drop(): void {
		this.#images?.close();
		this.#images = undefined;
	}

	/** Yields the scenes that pass a filter, each where its first condition holds. */
	async *scenes(
		where: string,
		signal: AbortSignal,
	): AsyncGenerator<readonly GalleryItem[]> {
		const dataset = await this.#ready(signal);
		const map = this.controller.state.map;
		const facts = dataset.facts?.({ table: "scenes", where, map });
		if (!facts) return;
		const rows = new FactHits("scenes", await facts.describe({ signal }), where);
		const { clauses, columns } = rows;
		for await (const part of facts.parts({ signal, clauses, columns })) {
			signal.throwIfAborted();
			yield rows.of(part.table, part.table.length, part.passing);
		}
	}

	async #ready(signal: AbortSignal): Promise<ViewerDataset> {
		const isKnown = (state: ViewerController["state"]): boolean =>
			state.dataset !== undefined &&
			state.mapState !== "unknown" &&
			state.mapState !== "loading";
		const { dataset } = await until(this.controller.store, isKnown, signal);
		if (!dataset) throw new Error("not opened");
		return dataset;
	}
}
