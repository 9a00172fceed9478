import { counted } from "../ui/words.js";
import type { GalleryItem } from "./gallery-state.js";

/** What was decided about an item. */
export type Mark = "keep" | "skip";

/** Maximum number of tags of an item, and their length. */
export const MAX_TAGS = 16;
export const MAX_TAG = 60;

interface Decision {
	readonly mark: Mark | undefined;
	readonly tags: readonly string[];
}

const UNDECIDED: Decision = { mark: undefined, tags: [] };

/** What was decided about items, and in which order. */
export class Marks {
	readonly #decisions = new Map<GalleryItem, Decision>();
	/** Items that were changed together, with what was decided before; the newest last. */
	readonly #done: (readonly (readonly [item: GalleryItem, before: Decision])[])[] = [];

	/** The marked items. */
	get all(): ReadonlyMap<GalleryItem, Mark> {
		const marked = [...this.#decisions].flatMap(
			([item, { mark }]): [GalleryItem, Mark][] => (mark ? [[item, mark]] : []),
		);
		return new Map(marked);
	}

	/** The tags that occur, in alphabetical order. */
	get tags(): readonly string[] {
		const all = [...this.#decisions.values()].flatMap(({ tags }) => tags);
		return [...new Set(all)].sort((a, b) => a.localeCompare(b));
	}

	get canUndo(): boolean {
		return this.#done.length > 0;
	}

	/** Returns the tags of an item, in the order in which they were added. */
	tagsOf(item: GalleryItem): readonly string[] {
		return this.#of(item).tags;
	}

	/** Sets what a link says; it cannot be undone. */
	begin(item: GalleryItem, mark: Mark | undefined, tags: readonly string[]): void {
		if (mark || tags.length > 0) this.#decisions.set(item, { mark, tags });
	}

	/** Marks items; an equal mark stays. */
	set(items: readonly GalleryItem[], mark: Mark): void {
		this.#change(items, (before) => ({ ...before, mark }));
	}

	/** Adds a tag to items; if all have it, removes it. Returns whether it was added. */
	tag(items: readonly GalleryItem[], text: string): boolean {
		const tag = text.replace(/\s+/g, " ").trim().slice(0, MAX_TAG);
		if (tag === "" || items.length === 0) return false;
		const has = items.every((item) => this.tagsOf(item).includes(tag));
		this.#change(items, ({ mark, tags }) => {
			const others = tags.filter((one) => one !== tag);
			return { mark, tags: has ? others : [...others, tag].slice(0, MAX_TAGS) };
		});
		return !has;
	}

	/** Undoes the last change; returns its items, none if there is no change. */
	undo(): readonly GalleryItem[] {
		const done = this.#done.pop() ?? [];
		for (const [item, before] of done) this.#decisions.set(item, before);
		return done.map(([item]) => item);
	}

	clear(): void {
		this.#decisions.clear();
		this.#done.length = 0;
	}

	#of(item: GalleryItem): Decision {
		return this.#decisions.get(item) ?? UNDECIDED;
	}

	#change(items: readonly GalleryItem[], change: (before: Decision) => Decision): void {
		this.#done.push(items.map((item) => [item, this.#of(item)] as const));
		for (const item of items) this.#decisions.set(item, change(this.#of(item)));
	}
}

/** Which items are shown: also those with a tag. */
export type Showing = "all" | "kept" | "open" | { readonly tag: string };

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
	marks: Pick<Marks, "all" | "tagsOf">,
	showing: Showing,
): readonly GalleryItem[] {
	const { all } = marks;
	if (showing === "all") return items;
	if (showing === "kept") return items.filter((item) => all.get(item) === "keep");
	if (showing === "open") return items.filter((item) => !all.has(item));
	return items.filter((item) => marks.tagsOf(item).includes(showing.tag));
}

/** Returns the items from one to another, in the order of the list. */
export function between(
	items: readonly GalleryItem[],
	from: GalleryItem | undefined,
	to: GalleryItem,
): readonly GalleryItem[] {
	const end = items.indexOf(to);
	const begin = from ? items.indexOf(from) : -1;
	if (end < 0 || begin < 0) return end < 0 ? [] : [to];
	return items.slice(Math.min(begin, end), Math.max(begin, end) + 1);
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

/** Returns how many items there are, and how many are marked. */
export function countsOf(
	items: readonly GalleryItem[],
	marks: ReadonlyMap<GalleryItem, Mark>,
): string {
	const count = (mark: Mark): number =>
		items.filter((item) => marks.get(item) === mark).length;
	const all = counted(items.length, "picture");
	if (marks.size === 0) return all;
	return `${all}, ${count("keep")} kept, ${count("skip")} skipped`;
}
