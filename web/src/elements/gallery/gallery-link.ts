import type { ModelState } from "../review/review-state.js";
import type { Selection } from "../scene-view/picking.js";
import { MAX_ITEMS } from "./gallery-item.js";
import { MAX_TAG, MAX_TAGS, type Mark } from "./gallery-list.js";
import type { GalleryItem, GalleryList, ItemValue } from "./gallery-state.js";

/** Maximum length of a gallery in a link. */
const MAX_LENGTH = 16_000;

/** An item of a gallery, and what was decided about it. */
export interface Decided {
	readonly item: GalleryItem;
	readonly mark: Mark | undefined;
	readonly tags: readonly string[];
}

/** A gallery of a link. */
export interface LinkedGallery {
	readonly title: string;
	readonly items: readonly Decided[];
	/** Whether pictures show predictions. */
	readonly hasLines: boolean;
}

const ID = /^\d{1,20}$/;
const INDEX = /^\d{1,15}$/;
/** Futures of submissions: all, or a submission's index and a number. */
const FUTURES = /^(all|[01]:\d{1,4})$/;

/** Texts may contain anything: separators are escaped. */
const written = (text: string): string => encodeURIComponent(text);

function read(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

function valueText({ name, text, number }: ItemValue): string {
	const known = Number.isFinite(number) ? String(number) : "";
	return [name, text, known].map(written).join("=");
}

function valueFrom(part: string): ItemValue {
	const [name = "", text = "", number = ""] = part.split("=").map(read);
	return { name, text, number: number === "" ? Number.NaN : Number(number) };
}

function itemText({ item, mark, tags }: Decided): string {
	const { scene, frame, mark: of, follows, lines, futures, values } = item;
	const shows = lines === undefined ? "" : lines === "all" ? "a" : "l";
	const flags = `${follows ? "f" : ""}${shows}${mark === undefined ? "" : mark[0]}`;
	const all = values.map(valueText).join("|");
	const tagged = tags.map(written).join("|");
	const parts = [scene, frame, of ?? "", flags, all, tagged];
	return [...parts, ...(futures === undefined ? [] : [futures])].join(",");
}

/** Returns an item; undefined if it is invalid. */
function itemFrom(text: string): Decided | undefined {
	const [
		scene = "",
		frame = "",
		of = "",
		flags = "",
		values = "",
		tagged = "",
		futures,
	] = text.split(",");
	if (futures !== undefined && !FUTURES.test(futures)) return undefined;
	if (!INDEX.test(scene) || !INDEX.test(frame) || !/^f?[al]?[ks]?$/.test(flags))
		return undefined;
	const mark: Selection | undefined | null =
		of === "" ? undefined : of === "ego" ? of : ID.test(of) ? BigInt(of) : null;
	if (mark === null) return undefined;
	const track = typeof mark === "bigint" ? mark : undefined;
	const own = mark === "ego" ? -1n : track;
	const lines = flags.includes("a") ? "all" : flags.includes("l") ? own : undefined;
	const parts = (all: string): string[] => (all === "" ? [] : all.split("|"));
	return {
		item: {
			...{ scene: Number(scene), frame: Number(frame), track, mark, lines, futures },
			follows: flags.includes("f"),
			values: parts(values).map(valueFrom),
		},
		mark: flags.endsWith("k") ? "keep" : flags.endsWith("s") ? "skip" : undefined,
		tags: parts(tagged)
			.map((tag) => read(tag).slice(0, MAX_TAG))
			.slice(0, MAX_TAGS),
	};
}

/** Returns a gallery as text, and how many of its items it contains. */
export function galleryText(
	title: string,
	items: readonly Decided[],
): { readonly text: string; readonly count: number } {
	let text = written(title);
	let count = 0;
	for (const item of items) {
		const next = `${text};${itemText(item)}`;
		if (next.length > MAX_LENGTH) break;
		text = next;
		count += 1;
	}
	return { text, count };
}

/** Returns the gallery of a text; undefined if an item is invalid or there is none. */
export function galleryFrom(text: string): LinkedGallery | undefined {
	const [title = "", ...parts] = text.split(";");
	const items = parts.slice(0, MAX_ITEMS).map(itemFrom);
	const known = items.filter((one) => one !== undefined);
	if (known.length === 0 || known.length < items.length) return undefined;
	const hasLines = known.some(({ item }) => item.lines !== undefined);
	return { title: read(title), items: known, hasLines };
}

/** Returns the list that the gallery shows. */
export function listOf(
	{ title, items, hasLines }: LinkedGallery,
	models: readonly ModelState[],
): GalleryList {
	const decided = new Map(items.map((one) => [one.item, one]));
	const ready = models.filter(({ phase }) => phase === "ready");
	return {
		...{ title, items: items.map(({ item }) => item), decided },
		models: hasLines ? ready : undefined,
	};
}
