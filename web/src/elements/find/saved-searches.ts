import { FIND_TABLES, type FindFilter } from "./find-state.js";

/** A filter with a name. */
export interface SavedSearch extends FindFilter {
	readonly name: string;
}

const KEY = "bevscope.searches";
/** Maximum number of searches, and lengths of their names and filters. */
export const MAX_SEARCHES = 50;
export const MAX_NAME = 60;
const MAX_WHERE = 4000;

type SearchStorage = Pick<Storage, "getItem" | "setItem">;

/** Returns a valid name: links delimit names by quotation marks. */
export function nameFrom(text: string): string {
	return text.replaceAll('"', "'").replace(/\s+/g, " ").trim().slice(0, MAX_NAME);
}

function searchFrom(value: unknown): SavedSearch | undefined {
	if (typeof value !== "object" || value === null) return undefined;
	const { name, table, where } = value as Readonly<Record<string, unknown>>;
	const known = FIND_TABLES.find((one) => one === table);
	if (!known || typeof name !== "string" || typeof where !== "string") return undefined;
	if (nameFrom(name) !== name || name === "") return undefined;
	if (where === "" || where.length > MAX_WHERE) return undefined;
	return { name, table: known, where };
}

/** Returns whether both filters find the same. */
export function isSameFilter(one: FindFilter, other: FindFilter): boolean {
	return one.table === other.table && one.where === other.where;
}

/**
 * The named searches of this browser, in the order of their names. If storage is
 * forbidden or full, they last as long as the page.
 */
export class SavedSearches {
	readonly #storage: () => SearchStorage;
	/** Searches that could not be stored; undefined if all are. */
	#unstored: readonly SavedSearch[] | undefined;

	constructor(storage: () => SearchStorage = () => localStorage) {
		this.#storage = storage;
	}

	get all(): readonly SavedSearch[] {
		if (this.#unstored) return this.#unstored;
		try {
			const value: unknown = JSON.parse(this.#storage().getItem(KEY) ?? "[]");
			if (!Array.isArray(value)) return [];
			return value.flatMap((one) => searchFrom(one) ?? []).slice(0, MAX_SEARCHES);
		} catch {
			return [];
		}
	}

	/** Whether a search of that name can be added. */
	hasSpace(name: string): boolean {
		const others = this.all.filter((one) => one.name !== name);
		return others.length < MAX_SEARCHES;
	}

	/**
	 * Adds a search, or replaces the one of the same name; returns whether it is stored.
	 * `hasSpace` tells whether there is space.
	 */
	put(search: SavedSearch): boolean {
		const others = this.all.filter(({ name }) => name !== search.name);
		return this.#write([...others, search]);
	}

	/** Removes a search. */
	remove(name: string): void {
		this.#write(this.all.filter((one) => one.name !== name));
	}

	#write(searches: readonly SavedSearch[]): boolean {
		const all = [...searches].sort((a, b) => a.name.localeCompare(b.name));
		try {
			this.#storage().setItem(KEY, JSON.stringify(all));
			this.#unstored = undefined;
			return true;
		} catch {
			this.#unstored = all;
			return false;
		}
	}
}
