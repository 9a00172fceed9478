import type { GalleryItem } from "../gallery/gallery-state.js";
import { clauseOf, leavesOf } from "./clauses.js";
import { columnWords } from "./fact-words.js";

/** An order of hits. */
export interface HitOrder {
	/**
	 * `worst`: by the fact of each hit that the filter compares; `found`; or the name of a
	 * value.
	 */
	readonly by: "worst" | "found" | { readonly name: string };
	readonly descending: boolean;
}

/** Names of compared columns, and whether greater values are worse. */
export type Compared = ReadonlyMap<string, boolean>;

/** Columns that are where a hit is, not what is found there. */
const PLACES: ReadonlySet<string> = new Set(["scene", "frame", "track_id", "time"]);

const COMPARED = /^\s*([A-Za-z_][\w./]*)\s*([<>])=?\s*[-+.\d]/;

/** Returns the columns that a filter compares with a number: below it, or above. */
export function comparedIn(where: string): Compared {
	const found = leavesOf(clauseOf(where)).flatMap((text): [string, boolean][] => {
		const [, name = "", sign] = COMPARED.exec(text) ?? [];
		return name === "" || PLACES.has(name) ? [] : [[name, sign === ">"]];
	});
	return new Map(found);
}

/** Returns the order that a filter suggests: the worst first, if it compares anything. */
export function usualOrder(where: string): HitOrder {
	return { by: comparedIn(where).size > 0 ? "worst" : "found", descending: false };
}

/** Returns the position of a hit in an order, ascending; undefined as found. */
export function keyOf(
	{ by, descending }: HitOrder,
	compared: Compared,
): ((hit: GalleryItem) => number) | undefined {
	if (by === "found") return undefined;
	const isGreaterWorse = new Map(
		[...compared].map(([name, greater]) => [columnWords(name), greater]),
	);
	const last = (key: number): number =>
		Number.isNaN(key) ? Number.POSITIVE_INFINITY : key;
	if (by !== "worst") {
		const sign = descending ? -1 : 1;
		return ({ values }) =>
			last(sign * (values.find(({ name }) => name === by.name)?.number ?? Number.NaN));
	}
	return ({ values }) => {
		const value = values.find(({ name }) => isGreaterWorse.has(name));
		const isFirst = isGreaterWorse.get(value?.name ?? "") !== descending;
		return last((isFirst ? -1 : 1) * (value?.number ?? Number.NaN));
	};
}

/**
 * Returns the first `most` hits in an order, in the order in which they are found: those
 * without the value are the last.
 */
export function firstOf(
	hits: readonly GalleryItem[],
	most: number,
	key: ((hit: GalleryItem) => number) | undefined,
): readonly GalleryItem[] {
	if (hits.length <= most) return hits;
	if (!key) return hits.slice(0, most);
	const kept = new Set(inOrder(hits, key).slice(0, most));
	return hits.filter((hit) => kept.has(hit));
}

/** Returns hits in an order. */
export function inOrder(
	hits: readonly GalleryItem[],
	key: ((hit: GalleryItem) => number) | undefined,
): readonly GalleryItem[] {
	if (!key) return hits;
	const keyed = hits.map((hit) => ({ hit, at: key(hit) }));
	return keyed.sort((a, b) => (a.at === b.at ? 0 : a.at - b.at)).map(({ hit }) => hit);
}
