import { paletteOf } from "../draw/palette.js";
import { save } from "../export/save.js";
import { viewOf, viewText } from "../futures/futures-view.js";
import { formatLink } from "../link/link.js";
import { withoutCredentials } from "../link/link-secrets.js";
import type { ViewerController } from "../session/controller.js";
import { isAbort, whyOf } from "../session/problem.js";
import type { ViewerState } from "../session/state.js";
import { counted } from "../ui/words.js";
import { sourceOf } from "./gallery-item.js";
import { colouredOf, futuresKeys } from "./gallery-legend.js";
import { galleryText } from "./gallery-link.js";
import { type Marks, savedOf } from "./gallery-list.js";
import { MAX_SAVED, type SavedFormat, savedPage, savedSheet } from "./gallery-save.js";
import type { GalleryItem } from "./gallery-state.js";
import type { Thumbnails } from "./thumbnails.js";

/** Minimum time between two reports of progress, in milliseconds. */
const PACE_MS = 100;

/** What saving and copying tell. */
export interface OutputState {
	/** Pictures saved so far, and all of them; undefined if none is being saved. */
	readonly saving: { readonly done: number; readonly of: number } | undefined;
	/** Why it failed, or what was done. */
	readonly trouble: string | undefined;
}

/** The gallery whose pictures are saved. */
export interface GallerySource {
	readonly host: Element & {
		readonly state: ViewerState;
		readonly controller: ViewerController | undefined;
		readonly linkBase: string | undefined;
	};
	readonly marks: Marks;
	/** Returns the items in the displayed order. */
	items(): readonly GalleryItem[];
	images(): Thumbnails | undefined;
	/** Called with what has changed. */
	told(state: Partial<OutputState>): void;
}

/** Saves the pictures of a gallery as a page or an image, and copies links to them. */
export class GalleryOutput {
	readonly #from: GallerySource;
	#saving: AbortController | undefined;
	/** When progress was told. */
	#told = 0;

	constructor(from: GallerySource) {
		this.#from = from;
	}

	/** The page's address, if links can name the data set. */
	get linkBase(): string | undefined {
		const { state, linkBase } = this.#from.host;
		return state.place?.kind === "address" ? linkBase : undefined;
	}

	cancel(): void {
		this.#saving?.abort();
	}

	/** Saves the kept pictures; if none is kept, all that are not skipped. */
	async save(format: SavedFormat): Promise<void> {
		const { host, marks, told } = this.#from;
		const { gallery, place } = host.state;
		const images = this.#from.images();
		if (!gallery || !images) return;
		const all = savedOf(this.#from.items(), marks.all);
		const items = all.slice(0, MAX_SAVED[format]);
		const control = new AbortController();
		this.#saving = control;
		told({ saving: { done: 0, of: items.length }, trouble: undefined });
		const job = {
			title: gallery.title,
			legend: [
				...colouredOf(gallery.models, paletteOf(host)),
				...futuresKeys(host.state),
			],
			source: sourceOf(place),
			items,
			images,
			tagsOf: (item: GalleryItem) => marks.tagsOf(item),
			linkOf: (item: GalleryItem) => this.#linkOf(item),
			onProgress: (done: number) => this.#progressed(done, items.length),
			signal: control.signal,
		};
		let trouble: string;
		try {
			const blob = await (format === "html" ? savedPage(job) : savedSheet(job));
			save(blob, `gallery.${format}`);
			trouble = `Saved ${partWords(items.length, all.length)}`;
		} catch (error) {
			trouble = isAbort(error) ? "Saving cancelled" : `Saving failed: ${whyOf(error)}`;
		}
		this.#saving = undefined;
		told({ saving: undefined, trouble });
	}

	/** Tells how many pictures are saved, at most ten times a second. */
	#progressed(done: number, of: number): void {
		const now = performance.now();
		if (now - this.#told < PACE_MS) return;
		this.#told = now;
		this.#from.told({ saving: { done, of } });
	}

	/** Returns the address of an item in the viewer; undefined for local data. */
	#linkOf({ scene, frame, mark, futures: which }: GalleryItem): string | undefined {
		const { futures } = this.#from.host.state;
		const chosen = which === undefined ? undefined : viewOf(which);
		return this.#link({
			...{ scene, frame, selection: mark },
			...(futures &&
				chosen && {
					futures: viewText({ ...futures.view, ...chosen }, futures.compared),
				}),
		});
	}

	#link(to: Parameters<typeof formatLink>[0]): string | undefined {
		const { controller } = this.#from.host;
		if (!controller || this.linkBase === undefined) return undefined;
		const state = withoutCredentials(controller.linkState());
		return `${this.linkBase}#${formatLink({ ...state, ...to })}`;
	}

	/** Copies a link to the pictures that would be saved, with marks and tags. */
	async copyLink(): Promise<void> {
		const { host, marks, told } = this.#from;
		const { gallery } = host.state;
		if (!gallery) return;
		const all = savedOf(this.#from.items(), marks.all);
		const decided = all.map((item) => {
			const mark = marks.all.get(item);
			return { item, mark, tags: marks.tagsOf(item) };
		});
		const { text, count } = galleryText(gallery.title, decided);
		const link = this.#link({ gallery: text });
		if (link === undefined) return;
		try {
			await navigator.clipboard.writeText(link);
			const { local = [] } = host.state.futures ?? {};
			const named = local.length > 0 ? `; its readers need ${local.join(", ")}` : "";
			told({ trouble: `Copied a link to ${partWords(count, all.length)}${named}` });
		} catch {
			told({ trouble: `The clipboard is not available. Link: ${link}` });
		}
	}
}

/** Returns the words for the first `count` of `all` pictures. */
function partWords(count: number, all: number): string {
	return `${counted(count, "picture")}${count < all ? `, the first of ${all}` : ""}`;
}
