import type { GalleryItem } from "./gallery-state.js";

/** What was decided about an item. */
export type Mark = "keep" | "skip";

/** What was decided about items, and in which order. */
export class Marks {
	readonly #marks = new Map<GalleryItem, Mark>();
	/** Marked items with their marks before, the newest last. */
	readonly #done: (readonly [item: GalleryItem, before: Mark | undefined])[] = [];

	get all(): ReadonlyMap<GalleryItem, Mark> {
		return this.#marks;
	}

	/** Marks an item; an equal mark stays. */
	set(item: GalleryItem, mark: Mark): void {
		this.#done.push([item, this.#marks.get(item)]);
		this.#marks.set(item, mark);
	}

	/** Undoes the last mark; returns its item, or undefined if there is none. */
	undo(): GalleryItem | undefined {
		const [item, before] = this.#done.pop() ?? [];
		if (!item) return undefined;
		if (before) this.#marks.set(item, before);
		else this.#marks.delete(item);
		return item;
	}

	clear(): void {
		this.#marks.clear();
		this.#done.length = 0;
	}
}

/** Which items are shown. */
export type Showing = "all" | "kept" | "open";

/** An order of the items: by their position in the list, or by a value. */
export interface Order {
	/** Undefined: the list's own order. */
	readonly by: string | undefined;
	readonly descending: boolean;
}

/** Returns the names of the values that items can be sorted by, in their order. */
export function sortNames(items: readonly GalleryItem[]): readonly string[] {
	const names = items.flatMap(({ values }) =>
		values.filter(({ number }) => !Number.isNaN(number)).map(({ name }) => name),
	);
	return [...new Set(names)];
}

/** Returns the items in an order; those without the value are last. */
export function ordered(
	items: readonly GalleryItem[],
	{ by, descending }: Order,
): readonly GalleryItem[] {
	if (by === undefined) return descending ? [...items].reverse() : items;
	const sign = descending ? -1 : 1;
	const keyed = items.map((item) => {
		const value = item.values.find(({ name }) => name === by)?.number ?? Number.NaN;
		const isKnown = !Number.isNaN(value);
		return { item, key: isKnown ? sign * value : Number.POSITIVE_INFINITY };
	});
	return keyed
		.sort((a, b) => (a.key === b.key ? 0 : a.key - b.key))
		.map(({ item }) => item);
}

/** Returns the shown items. */
export function shownOf(
	items: readonly GalleryItem[],
	marks: ReadonlyMap<GalleryItem, Mark>,
	showing: Showing,
): readonly GalleryItem[] {
	if (showing === "all") return items;
	if (showing === "kept") return items.filter((item) => marks.get(item) === "keep");
	return items.filter((item) => !marks.has(item));
}

/** Returns the items to save: the kept ones; if there are none, all that are not skipped. */
export function savedOf(
	items: readonly GalleryItem[],
	marks: ReadonlyMap<GalleryItem, Mark>,
): readonly GalleryItem[] {
	const kept = items.filter((item) => marks.get(item) === "keep");
	return kept.length > 0 ? kept : items.filter((item) => marks.get(item) !== "skip");
}

/** Returns the position that a key moves to in a grid; undefined for other keys. */
export function gridMove(
	key: string,
	at: number,
	{ total, columns }: { readonly total: number; readonly columns: number },
): number | undefined {
	const to: Readonly<Record<string, number>> = {
		ArrowLeft: at - 1,
		ArrowRight: at + 1,
		ArrowUp: at - columns,
		ArrowDown: at + columns,
		PageUp: at - 3 * columns,
		PageDown: at + 3 * columns,
		Home: 0,
		End: total - 1,
	};
	const position = Object.hasOwn(to, key) ? to[key] : undefined;
	if (position === undefined || total === 0) return undefined;
	// A vertical move out of the grid stays in its column.
	if ((position < 0 || position >= total) && /Up|Down/.test(key) && /Arrow/.test(key)) {
		return at;
	}
	return Math.max(0, Math.min(total - 1, position));
}
