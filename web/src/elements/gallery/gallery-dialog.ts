import { html, nothing, type TemplateResult } from "lit";
import { ref } from "lit/directives/ref.js";
import { paletteOf } from "../draw/palette.js";
import { save } from "../export/save.js";
import { formatLink } from "../link/link.js";
import { withoutCredentials } from "../link/link-of.js";
import { shownAddress } from "../open/secrets.js";
import { modelStyles } from "../review/model-list.js";
import { isAbort, problemOf } from "../session/problem.js";
import type { ViewerState } from "../session/state.js";
import { baseStyles, dialogStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { icon } from "../ui/icons.js";
import { counted } from "../ui/words.js";
import { pictured, placeOf, wordsOf } from "./gallery-item.js";
import { colouredOf, legend } from "./gallery-legend.js";
import {
	gridMove,
	type Mark,
	Marks,
	type Order,
	ordered,
	type Showing,
	savedOf,
	shownOf,
	sortNames,
} from "./gallery-list.js";
import { MAX_SAVED, type SavedFormat, savedPage, savedSheet } from "./gallery-save.js";
import type { GalleryItem, GalleryList, GalleryModel } from "./gallery-state.js";
import { galleryStyles } from "./gallery-styles.js";
import { goToItem } from "./go-to-item.js";
import {
	type OpenFinisher,
	OwnThumbnails,
	ThumbnailCanvases,
	type Thumbnails,
} from "./thumbnails.js";

const SHOWINGS: Readonly<Record<Showing, string>> = {
	all: "all",
	open: "undecided",
	kept: "kept",
};

/** Pictures of a list of places, to sort, keep, skip and save. */
export class GalleryDialog extends BevElement {
	static override styles = [baseStyles, dialogStyles, modelStyles, galleryStyles];
	static override properties = {
		...BevElement.properties,
		linkBase: { attribute: false },
		order: { state: true },
		showing: { state: true },
		active: { state: true },
		saving: { state: true },
		trouble: { state: true },
	};

	/** The page's address, for links in saved pages. */
	declare linkBase: string | undefined;
	declare order: Order;
	declare showing: Showing;
	/** The item that keys act on. */
	declare active: GalleryItem | undefined;
	/** Pictures saved so far, and all of them. */
	declare saving: { readonly done: number; readonly of: number } | undefined;
	/** Why saving failed. */
	declare trouble: string | undefined;
	readonly #marks = new Marks();
	readonly #images = new OwnThumbnails();
	readonly #canvases = new ThumbnailCanvases(() => this.#thumbnails());
	#saving: AbortController | undefined;
	#list: GalleryList | undefined;
	#map: ViewerState["map"];

	constructor() {
		super();
		this.order = { by: undefined, descending: false };
		this.showing = "all";
	}

	/** Opens the gallery with the list of the state. */
	show(): void {
		const { gallery } = this.state;
		if (!gallery) return;
		if (gallery !== this.#list) {
			this.#marks.clear();
			this.order = { by: undefined, descending: false };
			this.showing = "all";
			this.trouble = undefined;
			this.active = gallery.items[0];
		}
		this.#list = gallery;
		const dialog = this.renderRoot.querySelector("dialog");
		if (!dialog?.open) dialog?.showModal();
		this.requestUpdate();
		void this.updateComplete.then(() =>
			this.renderRoot.querySelector<HTMLElement>(".grid")?.focus(),
		);
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#saving?.abort();
		this.#canvases.close();
		this.#images.drop();
	}

	protected watched({ gallery, dataset, map }: ViewerState): readonly unknown[] {
		return [gallery, dataset, map];
	}

	protected override stateChanged(): void {
		const { gallery, map } = this.state;
		if (!gallery) {
			this.#list = undefined;
			this.renderRoot.querySelector("dialog")?.close();
		}
		if (gallery !== this.#list || map !== this.#map) this.#images.drop();
		this.#map = map;
		super.stateChanged();
	}

	protected override render(): TemplateResult {
		const { title = "", items = [], models } = this.state.gallery ?? {};
		const shown = this.#shown();
		return html`<dialog aria-labelledby="title" @close=${() => this.#saving?.abort()}>
			<header role="presentation">
				<div><h2 id="title">Gallery</h2><p class="of mono" title=${title}>${title}</p>${models ? legend(models) : nothing}</div>
				<form method="dialog"><button class="icon-only" aria-label="Close">${icon("close")}</button></form>
			</header>
			${this.#tools(items)}
			${shown.length === 0 ? html`<p class="none">No picture is ${SHOWINGS[this.showing]}.</p>` : this.#grid(shown)}
			${this.#state(items)}
		</dialog>`;
	}

	#shown(): readonly GalleryItem[] {
		const items = ordered(this.state.gallery?.items ?? [], this.order);
		return shownOf(items, this.#marks.all, this.showing);
	}

	#tools(items: readonly GalleryItem[]): TemplateResult {
		const { by, descending } = this.order;
		const busy = this.saving !== undefined;
		return html`<div class="tools">
			<label>Sort <select @change=${this.#onSort}>
				<option value="" ?selected=${by === undefined}>as found</option>
				${sortNames(items).map((name) => html`<option value=${name} ?selected=${name === by}>${name}</option>`)}
			</select></label>
			<button class="icon-only" aria-label="Descending" title="Descending" aria-pressed=${descending} @click=${this.#turn}>${icon(descending ? "down" : "up")}</button>
			<label>Show <select @change=${this.#onShow}>
				${Object.entries(SHOWINGS).map(([value, name]) => html`<option value=${value} ?selected=${value === this.showing}>${name}</option>`)}
			</select></label>
			<button class="outlined" ?disabled=${!this.active} @click=${() => this.#mark("keep")}>Keep</button>
			<button class="outlined" ?disabled=${!this.active} @click=${() => this.#mark("skip")}>Skip</button>
			<button class="outlined" ?disabled=${!this.active} @click=${() => this.active && this.#go(this.active)}>Go to</button>
			<span class="fill"></span>
			${busy ? html`<button class="outlined" @click=${() => this.#saving?.abort()}>Cancel</button>` : nothing}
			<button class="outlined" ?disabled=${busy || items.length === 0} @click=${() => this.#save("html")}>Save HTML</button>
			<button class="outlined" ?disabled=${busy || items.length === 0} @click=${() => this.#save("png")}>Save PNG</button>
		</div>`;
	}

	#grid(shown: readonly GalleryItem[]): TemplateResult {
		const at = this.active ? shown.indexOf(this.active) : -1;
		return html`<ul class="grid ${this.state.gallery?.models ? "" : "white"}" role="listbox" aria-label="Pictures" tabindex="0"
			aria-activedescendant=${at < 0 ? nothing : `item-${at}`} @keydown=${this.#onKey}>
			${shown.map((item, i) => this.#item(item, i))}
		</ul>`;
	}

	#item(item: GalleryItem, i: number): TemplateResult {
		const mark = this.#marks.all.get(item);
		const active = item === this.active;
		const place = (canvas: Element | undefined): void => {
			if (canvas) this.#canvases.place(canvas as HTMLCanvasElement, pictured(item));
		};
		return html`<li role="option" id=${`item-${i}`} class="${active ? "active" : ""} ${mark ?? ""}" aria-selected=${active}
			@click=${() => {
				this.active = item;
			}} @dblclick=${() => this.#go(item)}>
			<canvas width="0" height="0" aria-hidden="true" ${ref(place)}></canvas>
			${mark ? html`<span class="badge">${mark === "keep" ? "kept" : "skipped"}</span>` : nothing}
			<p class="where mono">${placeOf(item)}</p>
			<p class="hint">${item.values.map((value, k) => html`${k > 0 ? " \u00b7 " : ""}<span class="value">${wordsOf(value)}</span>`)}</p>
		</li>`;
	}

	#state(items: readonly GalleryItem[]): TemplateResult {
		const { saving, trouble } = this;
		const said = saving
			? `Saving picture ${Math.min(saving.of, saving.done + 1)} of ${saving.of}`
			: (trouble ?? countsOf(items, this.#marks.all));
		return html`<div class="state"><span role="status">${said}</span>
			<span class="keys"><kbd>K</kbd> keep <kbd>S</kbd> skip <kbd>U</kbd> undo <kbd>Enter</kbd> go to</span></div>`;
	}

	readonly #onSort = (event: Event): void => {
		const { value } = event.target as HTMLSelectElement;
		this.order = { ...this.order, by: value === "" ? undefined : value };
	};

	readonly #turn = (): void => {
		this.order = { ...this.order, descending: !this.order.descending };
	};

	readonly #onShow = (event: Event): void => {
		this.showing = (event.target as HTMLSelectElement).value as Showing;
		const shown = this.#shown();
		if (this.active && !shown.includes(this.active)) this.active = shown[0];
	};

	readonly #onKey = (event: KeyboardEvent): void => {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const shown = this.#shown();
		const at = this.active ? shown.indexOf(this.active) : -1;
		const layout = { total: shown.length, columns: this.#columns() };
		const to = gridMove(event.key, at, layout);
		const key = event.key.toLowerCase();
		if (to !== undefined) this.#activate(shown[to]);
		else if (key === "k") this.#mark("keep");
		else if (key === "s") this.#mark("skip");
		else if (key === "u") this.#undo();
		else if (event.key === "Enter" && this.active) this.#go(this.active);
		else return;
		event.preventDefault();
		event.stopPropagation();
	};

	#activate(item: GalleryItem | undefined): void {
		this.active = item;
		void this.updateComplete.then(() =>
			this.renderRoot.querySelector(".active")?.scrollIntoView({ block: "nearest" }),
		);
	}

	/** Number of pictures in a row of the grid. */
	#columns(): number {
		const [first, ...rest] = this.renderRoot.querySelectorAll<HTMLElement>(".grid li");
		const next = rest.findIndex(({ offsetTop }) => offsetTop !== first?.offsetTop);
		return next < 0 ? rest.length + 1 : next + 1;
	}

	/** Marks the active item, and goes on to the next one. */
	#mark(mark: Mark): void {
		const item = this.active;
		if (!item) return;
		const shown = this.#shown();
		const next = shown[shown.indexOf(item) + 1] ?? item;
		this.#marks.set(item, mark);
		this.requestUpdate();
		const still = this.#shown();
		this.#activate(still.includes(next) ? next : still.at(-1));
	}

	/** Undoes the last mark, and returns to its item. */
	#undo(): void {
		const item = this.#marks.undo();
		this.requestUpdate();
		if (item && this.#shown().includes(item)) this.#activate(item);
	}

	#go(item: GalleryItem): void {
		this.renderRoot.querySelector("dialog")?.close();
		if (this.controller) goToItem(this.controller, item);
	}

	async #save(format: SavedFormat): Promise<void> {
		const { gallery, place } = this.state;
		const images = this.#thumbnails();
		if (!gallery || !images) return;
		const all = savedOf(ordered(gallery.items, this.order), this.#marks.all);
		const items = all.slice(0, MAX_SAVED[format]);
		const control = new AbortController();
		this.#saving = control;
		this.saving = { done: 0, of: items.length };
		this.trouble = undefined;
		const job = {
			title: gallery.title,
			legend: colouredOf(gallery.models, paletteOf(this)),
			source: sourceOf(place),
			items,
			images,
			linkOf: (item: GalleryItem) => this.#linkOf(item),
			onProgress: (done: number) => {
				this.saving = { done, of: items.length };
			},
			signal: control.signal,
		};
		try {
			const blob = await (format === "html" ? savedPage(job) : savedSheet(job));
			save(blob, `gallery.${format}`);
			const rest = all.length - items.length;
			this.trouble = `Saved ${counted(items.length, "picture")}${rest > 0 ? `, the first of ${all.length}` : ""}`;
		} catch (error) {
			if (isAbort(error)) this.trouble = "Saving cancelled";
			else this.trouble = `Saving failed: ${problemOf(error).why}`;
		}
		this.saving = undefined;
		this.#saving = undefined;
	}

	/** Returns the address of an item in the viewer; undefined for local data. */
	#linkOf({ scene, frame, mark }: GalleryItem): string | undefined {
		const { controller, linkBase } = this;
		if (!controller || linkBase === undefined) return undefined;
		if (this.state.place?.kind !== "address") return undefined;
		const state = withoutCredentials(controller.linkState());
		return `${linkBase}#${formatLink({ ...state, scene, frame, selection: mark })}`;
	}

	#thumbnails(): Thumbnails | undefined {
		const { gallery } = this.state;
		const { models } = gallery ?? {};
		return (
			gallery && this.#images.of(this.controller, models && this.#predicted(models))
		);
	}

	/** Returns what draws the models' predictions into thumbnails. */
	#predicted(models: readonly GalleryModel[]): OpenFinisher {
		const ids = models.map(({ id }) => id);
		return async () => {
			const predictions = await this.controller?.reviews.predictionsOf(ids);
			if (!predictions) return undefined;
			const { PredictedThumbnails } = await import("./predicted-thumbnails.js");
			return new PredictedThumbnails(models, predictions, paletteOf(this));
		};
	}
}

function sourceOf(place: ViewerState["place"]): string {
	if (!place) return "";
	if (place.kind !== "address") return place.name;
	return shownAddress(new URL(place.address, document.baseURI).href);
}

function countsOf(
	items: readonly GalleryItem[],
	marks: ReadonlyMap<GalleryItem, Mark>,
): string {
	const count = (mark: Mark): number =>
		items.filter((item) => marks.get(item) === mark).length;
	const all = counted(items.length, "picture");
	if (marks.size === 0) return all;
	return `${all}, ${count("keep")} kept, ${count("skip")} skipped`;
}
