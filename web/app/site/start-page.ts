import "../../src/elements/define.js";
import { html, nothing, render } from "lit";
import { Latest } from "../../src/base/latest.js";
import { hasClause, PRESETS, toggled } from "../../src/elements/find/presets.js";
import type { GalleryItem } from "../../src/elements/gallery/gallery-state.js";
import { openPlace } from "../../src/elements/open/open-place.js";
import { ViewerController } from "../../src/elements/session/controller.js";
import { isAbort } from "../../src/elements/session/problem.js";
import { groupedCount } from "../../src/elements/ui/words.js";
import type { Viewer } from "../../src/elements/viewer/viewer.js";
import { embedded } from "./embed-code.js";
import { movingScene } from "./moving-scene.js";
import { OpenedData } from "./opened-data.js";
import { type SceneCard, SceneCards } from "./scene-cards.js";
import { linkOf, type Site } from "./site-data.js";

/** Adds what moves to the start page: a scene, pictures of all scenes, and the search. */
export function showStart(site: Site): void {
	const root = document.querySelector<HTMLElement>("#start");
	if (root) new StartPage(site, root).start();
}

class StartPage {
	readonly #site: Site;
	readonly #root: HTMLElement;
	readonly #cards: SceneCards;
	readonly #latest = new Latest();
	#data: readonly OpenedData[] = [];
	#where = "";
	#told = "";

	constructor(site: Site, root: HTMLElement) {
		this.#site = site;
		this.#root = root;
		this.#cards = new SceneCards(site, this.#at(".scenes"), this.#at(".more"));
	}

	start(): void {
		const [first, ...others] = this.#site.data;
		if (!first) return;
		const viewer = movingScene(this.#site, first, this.#at(".moving"));
		this.#data = this.#open(viewer, first, others);
		this.#renderActions();
		this.#renderSearch();
		render(embedded(this.#site, first), this.#at(".embed"));
		this.#cards.show(this.#data.flatMap(unknownScenes));
		if (this.#hasFacts) void this.#search();
		const scheme = matchMedia("(prefers-color-scheme: light)");
		scheme.addEventListener("change", () => {
			for (const one of this.#data) one.drop();
			this.#cards.redraw();
		});
		addEventListener("hashchange", () => this.#close(), { once: true });
	}

	get #hasFacts(): boolean {
		return this.#site.data.some(({ facts }) => facts);
	}

	#at(selector: string): HTMLElement {
		const found = this.#root.querySelector<HTMLElement>(selector);
		if (found) return found;
		throw new Error(`the page has no ${selector}`);
	}

	#open(
		viewer: Viewer,
		first: Site["data"][number],
		others: Site["data"],
	): readonly OpenedData[] {
		const { controller } = viewer;
		if (!controller) return [];
		const opened = others.map((one) => {
			const own = new ViewerController({ opener: openPlace });
			void own.open({ kind: "address", address: one.path });
			return new OpenedData(one, own, viewer);
		});
		return [new OpenedData(first, controller, viewer), ...opened];
	}

	#close(): void {
		this.#latest.cancel();
		this.#cards.close();
		for (const one of this.#data) {
			one.drop();
			one.controller.close();
		}
	}

	#renderActions(): void {
		const [first] = this.#site.data;
		if (!first) return;
		const open = linkOf(this.#site, first, { scene: 0 });
		render(
			html`<a class="primary" href=${open}>Open the viewer</a>
			${this.#hasFacts ? html`<a href="${open}&find=scenes:">Search with a filter</a>` : nothing}`,
			this.#at(".actions"),
		);
	}

	#renderSearch(): void {
		const chips = PRESETS.scenes.map(
			(preset) => html`<button type="button" class="chip"
				aria-pressed=${hasClause(this.#where, preset)}
				@click=${() => this.#choose(toggled(this.#where, preset))}>${preset.name}</button>`,
		);
		const clear = html`<button type="button" class="clear" @click=${() => this.#choose("")}>All scenes</button>`;
		render(
			this.#hasFacts
				? html`<div class="chips" role="group" aria-label="Scenes with">${chips}${this.#where === "" ? nothing : clear}</div>`
				: nothing,
			this.#at(".find"),
		);
		this.#at(".found").textContent = this.#told;
	}

	#choose(where: string): void {
		this.#where = where;
		this.#told = "Searching";
		this.#renderSearch();
		void this.#search();
	}

	/** Lists the scenes that have what the chips say. */
	async #search(): Promise<void> {
		const found: SceneCard[] = [];
		const where = this.#where;
		await this.#latest.run((signal) => this.#find(where, found, signal), {
			done: () => {
				this.#told = where === "" ? "" : `${groupedCount(found.length, "scene")} found`;
			},
			failed: (error) => {
				if (isAbort(error)) return;
				// Without facts, all scenes are still there.
				this.#told =
					"The facts of the scenes could not be read. Reload the page: the site may have been replaced.";
				this.#where = "";
				this.#cards.show(this.#data.flatMap(unknownScenes));
			},
		});
		this.#renderSearch();
	}

	async #find(where: string, found: SceneCard[], signal: AbortSignal): Promise<void> {
		for (const [i, data] of this.#data.entries()) {
			if (data.site.facts) {
				for await (const items of data.scenes(where, signal))
					for (const item of items) found.push({ data, item });
			} else if (where === "") found.push(...unknownScenes(data));
			// The facts of the first data set are shown while those of others are read.
			const rest = where === "" ? this.#data.slice(i + 1).flatMap(unknownScenes) : [];
			this.#cards.show([...found, ...rest]);
		}
	}
}

/** Returns all scenes of a data set, without facts. */
function unknownScenes(data: OpenedData): readonly SceneCard[] {
	return Array.from({ length: data.site.scenes }, (_, scene) => {
		const item: GalleryItem = {
			...{ scene, frame: 0, track: undefined },
			...{ follows: false, values: [] },
		};
		return { data, item };
	});
}
