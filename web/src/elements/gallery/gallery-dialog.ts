import { html, nothing, type TemplateResult } from "lit";
import { ref } from "lit/directives/ref.js";
import { modelStyles } from "../review/model-list.js";
import { prefersStill } from "../scene-view/scene-painter.js";
import type { ViewerState } from "../session/state.js";
import { baseStyles, dialogStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { empty, emptyStyles } from "../ui/empty.js";
import { icon } from "../ui/icons.js";
import { counted } from "../ui/words.js";
import { pictured, placeOf, wordsOf } from "./gallery-item.js";
import { colours, futuresKeys, legend } from "./gallery-legend.js";
import {
	between,
	countsOf,
	gridMove,
	MAX_TAG,
	type Mark,
	Marks,
	type Order,
	ordered,
	type Showing,
	shownOf,
	sortNames,
} from "./gallery-list.js";
import { GalleryOutput } from "./gallery-output.js";
import type { GalleryItem, GalleryList } from "./gallery-state.js";
import { galleryStyles } from "./gallery-styles.js";
import { goToItem } from "./go-to-item.js";
import { HoverPlay } from "./hover-play.js";
import { OwnThumbnails, ThumbnailCanvases, type Thumbnails } from "./thumbnails.js";

const SHOWINGS = { all: "all", open: "undecided", kept: "kept" } as const;

/** Widths of pictures in CSS pixels. */
const SIZES = { least: 160, most: 520, usual: 260, step: 20 };

/** Returns what pictures of futures depend on. */
function drawnFutures({ futures }: ViewerState): readonly unknown[] {
	return [futures?.sources, futures?.view.colour];
}

/** Pictures of a list of places, to sort, keep, skip and save. */
export class GalleryDialog extends BevElement {
	static override styles = [
		baseStyles,
		emptyStyles,
		dialogStyles,
		modelStyles,
		galleryStyles,
	];
	static override properties = {
		...BevElement.properties,
		linkBase: { attribute: false },
		order: { state: true },
		showing: { state: true },
		active: { state: true },
		saving: { state: true },
		trouble: { state: true },
		size: { state: true },
	};

	/** The page's address, for links in saved pages. */
	declare linkBase: string | undefined;
	declare order: Order;
	declare showing: Showing;
	/** The item that keys act on. */
	declare active: GalleryItem | undefined;
	/** Pictures saved so far, and all of them. */
	declare saving: { readonly done: number; readonly of: number } | undefined;
	/** Why saving failed, or what was done. */
	declare trouble: string | undefined;
	/** Least width of the pictures. */
	declare size: number;
	/** The items that keys and buttons change; the active one is among them. */
	#chosen: ReadonlySet<GalleryItem> = new Set();
	/** Where a range of chosen items begins. */
	#anchor: GalleryItem | undefined;
	readonly #play = new HoverPlay();
	readonly #marks = new Marks();
	readonly #images = new OwnThumbnails(() => this.#canvases.redraw());
	readonly #canvases = new ThumbnailCanvases(() => this.#thumbnails());
	readonly #output = new GalleryOutput({
		marks: this.#marks,
		host: this,
		images: () => this.#thumbnails(),
		items: () => ordered(this.state.gallery?.items ?? [], this.order),
		told: (state) => Object.assign(this, state),
	});
	#list: GalleryList | undefined;
	#map: ViewerState["map"];
	#theme: ViewerState["theme"] | undefined;
	#drawn: readonly unknown[] = [];

	constructor() {
		super();
		this.order = { by: undefined, descending: false };
		this.showing = "all";
		this.size = SIZES.usual;
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
			for (const [item, { mark, tags }] of gallery.decided ?? [])
				this.#marks.begin(item, mark, tags);
			this.#choose(gallery.items[0]);
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
		this.#play.stop();
		this.#output.cancel();
		this.#canvases.close();
		this.#images.drop();
	}

	protected watched(state: ViewerState): readonly unknown[] {
		const { gallery, dataset, map, theme } = state;
		return [gallery, dataset, map, theme, ...drawnFutures(state)];
	}

	protected override stateChanged(): void {
		const { gallery, map, theme } = this.state;
		if (!gallery) {
			this.#list = undefined;
			this.renderRoot.querySelector("dialog")?.close();
		}
		const drawn = drawnFutures(this.state);
		const isOther =
			map !== this.#map ||
			theme !== this.#theme ||
			drawn.some((one, i) => one !== this.#drawn[i]);
		this.#drawn = drawn;
		if (gallery !== this.#list || isOther) this.#images.drop();
		[this.#map, this.#theme] = [map, theme];
		super.stateChanged();
		if (isOther) void this.updateComplete.then(this.#canvases.redraw);
	}

	protected override updated(): void {
		this.renderRoot
			.querySelector<HTMLElement>(".grid")
			?.style.setProperty("--_width", `${this.size}px`);
	}

	protected override render(): TemplateResult {
		const { title = "", items = [], models } = this.state.gallery ?? {};
		const keys = futuresKeys(this.state);
		const shown = this.#shown();
		return html`<dialog aria-labelledby="title" @close=${this.#onClose}>
			<header role="presentation">
				<div><h2 id="title">Gallery</h2><p class="of mono" title=${title}>${title}</p>${models ? legend(models) : nothing}${keys.length > 0 ? colours(keys) : nothing}</div>
				<form method="dialog"><button class="icon-only" aria-label="Close">${icon("close")}</button></form>
			</header>
			${this.#tools(items)}
			${shown.length === 0 ? this.#none() : this.#grid(shown)}
			${this.#state(items)}
		</dialog>`;
	}

	#shown(): readonly GalleryItem[] {
		const items = ordered(this.state.gallery?.items ?? [], this.order);
		return shownOf(items, this.#marks, this.showing);
	}

	#tools(items: readonly GalleryItem[]): TemplateResult {
		const { by, descending } = this.order;
		const busy = this.saving !== undefined;
		return html`<div class="tools">
			<label><span class="word">Sort</span> <select @change=${this.#onSort}>
				<option value="" ?selected=${by === undefined}>as found</option>
				${sortNames(items).map((name) => html`<option value=${name} ?selected=${name === by}>${name}</option>`)}
			</select></label>
			<button class="icon-only" aria-label="Descending" title="Descending" aria-pressed=${descending} @click=${this.#turn}>${icon(descending ? "down" : "up")}</button>
			<label><span class="word">Show</span> <select @change=${this.#onShow}>
				${Object.entries(SHOWINGS).map(([value, name]) => html`<option value=${value} ?selected=${value === this.showing}>${name}</option>`)}
				${this.#marks.tags.map((tag) => html`<option value=${`#${tag}`} ?selected=${typeof this.showing === "object" && this.showing.tag === tag}>#${tag}</option>`)}
			</select></label>
			<button class="outlined" ?disabled=${!this.active} @click=${() => this.#mark("keep")}>Keep</button>
			<button class="outlined" ?disabled=${!this.active} @click=${() => this.#mark("skip")}>Skip</button>
			<button class="outlined" ?disabled=${!this.#marks.canUndo} @click=${() => this.#undo()}>Undo</button>
			<form class="tagging" @submit=${this.#onTag}><input type="text" list="tags" aria-label="Tag" placeholder="Tag" maxlength=${MAX_TAG} autocomplete="off">
				<datalist id="tags">${this.#marks.tags.map((tag) => html`<option value=${tag}></option>`)}</datalist></form>
			<button class="outlined" ?disabled=${!this.active} @click=${() => this.active && this.#go(this.active)}>Go to</button>
			<label class="size"><input type="range" aria-label="Size of the pictures" min=${SIZES.least} max=${SIZES.most} step=${SIZES.step}
				.value=${String(this.size)} @input=${this.#onSize}></label>
			<span class="fill"></span>
			${busy ? html`<button class="outlined" @click=${() => this.#output.cancel()}>Cancel</button>` : nothing}
			<button class="outlined" ?disabled=${this.#output.linkBase === undefined} title=${this.#output.linkBase === undefined ? "The data set is local and has no URL" : "Copy a link to these pictures"} @click=${() => void this.#output.copyLink()}>Copy link</button>
			<button class="outlined" ?disabled=${busy || items.length === 0} @click=${() => void this.#output.save("html")}>Save HTML</button>
			<button class="outlined" ?disabled=${busy || items.length === 0} @click=${() => void this.#output.save("png")}>Save PNG</button>
		</div>`;
	}

	#none(): TemplateResult {
		const next =
			this.showing === "open"
				? "Every picture is kept or skipped. Copy or save the kept ones."
				: "K keeps a picture, S skips it, T tags it.";
		const all = (): void => {
			this.showing = "all";
			if (!this.active) this.#choose(this.#shown()[0]);
		};
		const acts = html`<button class="outlined" @click=${all}>Show all pictures</button>`;
		return empty({
			icon: "layers",
			what: `No picture is ${this.#showingWords}`,
			next,
			acts,
		});
	}

	#grid(shown: readonly GalleryItem[]): TemplateResult {
		const at = this.active ? shown.indexOf(this.active) : -1;
		return html`<ul class="grid" role="listbox" aria-label="Pictures" aria-multiselectable="true" tabindex="0"
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
		const chosen = this.#chosen.has(item);
		const tags = this.#marks.tagsOf(item);
		return html`<li role="option" id=${`item-${i}`} class="${active ? "active" : ""} ${chosen ? "chosen" : ""} ${mark ?? ""}" aria-selected=${chosen}
			@click=${(event: MouseEvent) => this.#onClick(item, event)} @dblclick=${() => this.#go(item)}
			@pointerenter=${(event: PointerEvent) => this.#onEnter(item, event)} @pointerleave=${() => this.#play.stop()}>
			<canvas width="0" height="0" aria-hidden="true" ${ref(place)}></canvas>
			${mark ? html`<span class="badge">${mark === "keep" ? "kept" : "skipped"}</span>` : nothing}
			<p class="where mono">${placeOf(item)}</p>
			<p class="hint">${item.values.map((value, k) => html`${k > 0 ? " \u00b7 " : ""}<span class="value">${wordsOf(value)}</span>`)}</p>
			${tags.length > 0 ? html`<p class="tags">${tags.map((tag) => html`<span class="tag">${tag}</span>`)}</p>` : nothing}
		</li>`;
	}

	#state(items: readonly GalleryItem[]): TemplateResult {
		const { saving, trouble } = this;
		const said = saving
			? `Saving picture ${Math.min(saving.of, saving.done + 1)} of ${saving.of}`
			: (trouble ?? this.#counts(items));
		return html`<div class="state"><span role="status">${said}</span>
			<span class="keys"><kbd>K</kbd> keep <kbd>S</kbd> skip <kbd>T</kbd> tag <kbd>U</kbd> undo <kbd>P</kbd> play <kbd>Enter</kbd> go to</span></div>`;
	}

	readonly #onSort = (event: Event): void => {
		const { value } = event.target as HTMLSelectElement;
		this.order = { ...this.order, by: value === "" ? undefined : value };
	};

	readonly #turn = (): void => {
		this.order = { ...this.order, descending: !this.order.descending };
	};

	readonly #onShow = (event: Event): void => {
		const { value } = event.target as HTMLSelectElement;
		const fixed = (["all", "open", "kept"] as const).find((one) => one === value);
		this.showing = fixed ?? { tag: value.slice(1) };
		const shown = this.#shown();
		if (this.active && !shown.includes(this.active)) this.#choose(shown[0]);
	};

	get #showingWords(): string {
		const { showing } = this;
		return typeof showing === "string" ? SHOWINGS[showing] : `tagged ${showing.tag}`;
	}

	readonly #onSize = (event: Event): void => {
		this.size = Number((event.target as HTMLInputElement).value);
		this.#canvases.redraw();
	};

	readonly #onTag = (event: Event): void => {
		event.preventDefault();
		const input = (event.currentTarget as HTMLFormElement).querySelector("input");
		const items = this.#items();
		const text = input?.value.trim() ?? "";
		if (!input || text === "" || items.length === 0) return;
		const added = this.#marks.tag(items, text);
		this.trouble = `${added ? "Tagged" : "Untagged"} ${counted(items.length, "picture")}: ${text}`;
		input.value = "";
		this.requestUpdate();
		this.renderRoot.querySelector<HTMLElement>(".grid")?.focus();
	};

	readonly #onClose = (): void => {
		this.#output.cancel();
		this.#play.stop();
	};

	readonly #onKey = (event: KeyboardEvent): void => {
		const shown = this.#shown();
		const isAll = event.key.toLowerCase() === "a" && (event.ctrlKey || event.metaKey);
		if (isAll) this.#chosen = new Set(shown);
		else if (event.ctrlKey || event.metaKey || event.altKey) return;
		else if (!this.#act(event, shown)) return;
		this.requestUpdate();
		event.preventDefault();
		event.stopPropagation();
	};

	/** Acts on a key; returns whether it is one of the gallery's. */
	#act(event: KeyboardEvent, shown: readonly GalleryItem[]): boolean {
		const at = this.active ? shown.indexOf(this.active) : -1;
		const layout = { total: shown.length, columns: this.#columns() };
		const to = gridMove(event.key, at, layout);
		const key = event.key.toLowerCase();
		if (to !== undefined) this.#activate(shown[to], event.shiftKey);
		else if (key === "k") this.#mark("keep");
		else if (key === "s") this.#mark("skip");
		else if (key === "u") this.#undo();
		else if (key === "t")
			this.renderRoot.querySelector<HTMLElement>(".tagging input")?.focus();
		else if (key === "p") this.#togglePlay(at);
		else if (event.key === "Enter" && this.active) this.#go(this.active);
		else return false;
		return true;
	}

	#togglePlay(at: number): void {
		const canvas = this.renderRoot.querySelector<HTMLCanvasElement>(
			`#item-${at} canvas`,
		);
		if (!canvas || !this.active) return;
		if (this.#play.of === canvas) this.#play.stop();
		else this.#start(canvas, this.active);
	}

	#onEnter(item: GalleryItem, event: PointerEvent): void {
		const canvas = (event.currentTarget as Element).querySelector("canvas");
		if (canvas && event.pointerType === "mouse" && !prefersStill())
			this.#start(canvas, item);
	}

	#start(canvas: HTMLCanvasElement, item: GalleryItem): void {
		const images = this.#thumbnails();
		const ended = (): void => this.#canvases.again(canvas);
		if (images) this.#play.start(canvas, pictured(item), images, ended);
	}

	/** A click chooses an item, with Ctrl also others, with Shift all from the last one. */
	#onClick(item: GalleryItem, event: MouseEvent): void {
		if (event.ctrlKey || event.metaKey) {
			const chosen = new Set(this.#chosen);
			if (!chosen.delete(item)) chosen.add(item);
			this.#chosen = chosen;
			this.#anchor = item;
			this.active = item;
			this.requestUpdate();
		} else this.#choose(item, event.shiftKey);
	}

	/** Makes an item the active one; `extends` also chooses those from the anchor on. */
	#choose(item: GalleryItem | undefined, isRange = false): void {
		this.active = item;
		this.trouble = undefined;
		if (!isRange) this.#anchor = item;
		const range = item ? between(this.#shown(), this.#anchor, item) : [];
		this.#chosen = new Set(isRange ? range : item ? [item] : []);
		this.requestUpdate();
	}

	#activate(item: GalleryItem | undefined, isRange = false): void {
		this.#choose(item, isRange);
		void this.updateComplete.then(() =>
			this.renderRoot.querySelector(".active")?.scrollIntoView({ block: "nearest" }),
		);
	}

	/** The chosen items that are shown. */
	#items(): readonly GalleryItem[] {
		return this.#shown().filter((item) => this.#chosen.has(item));
	}

	/** Number of pictures in a row of the grid. */
	#columns(): number {
		const [first, ...rest] = this.renderRoot.querySelectorAll<HTMLElement>(".grid li");
		const next = rest.findIndex(({ offsetTop }) => offsetTop !== first?.offsetTop);
		return next < 0 ? rest.length + 1 : next + 1;
	}

	/** Marks the chosen items; goes on to the next one after a single one. */
	#mark(mark: Mark): void {
		const items = this.#items();
		const [only, ...more] = items;
		if (!only) return;
		const shown = this.#shown();
		const next = shown[shown.indexOf(only) + 1] ?? only;
		this.#marks.set(items, mark);
		this.requestUpdate();
		this.trouble = undefined;
		const still = this.#shown();
		if (more.length === 0) this.#activate(still.includes(next) ? next : still.at(-1));
		else if (this.active && !still.includes(this.active)) this.#activate(still[0]);
	}

	/** Undoes the last change, and returns to its items. */
	#undo(): void {
		const items = this.#marks.undo();
		const shown = this.#shown();
		const [first] = items.filter((item) => shown.includes(item));
		if (first) this.#activate(first);
		this.#chosen = new Set(items);
		this.requestUpdate();
	}

	#go(item: GalleryItem): void {
		this.renderRoot.querySelector("dialog")?.close();
		if (this.controller) goToItem(this.controller, item);
	}

	#counts(items: readonly GalleryItem[]): string {
		const counts = countsOf(items, this.#marks.all);
		const { size } = this.#chosen;
		return size > 1 ? `${counts}, ${size} selected` : counts;
	}

	#thumbnails(): Thumbnails | undefined {
		const { gallery } = this.state;
		const density = this.size > SIZES.usual + 60 ? 2 : 1;
		return gallery && this.#images.of(this, { models: gallery.models, density });
	}
}
