import type { Fact, FactDescription, FactTable } from "../../facts/fact-table.js";
import type { GalleryItem, ItemValue } from "../gallery/gallery-state.js";

/** Most facts that are displayed with a hit. */
const MAX_SHOWN = 4;

/** Displayed facts if the filter names none. */
const USUAL = {
	scenes: ["ego_mean_speed", "tracks", "turn"],
	tracks: ["label", "max_speed", "closest_ego"],
} as const;

/** Facts that hits are identified by. */
const KEYS: ReadonlySet<string> = new Set(["scene", "track_id"]);

/** Rows of a table of facts as hits. */
export class FactHits {
	readonly #table: "scenes" | "tracks";
	/** The facts that the filter names, in its order. */
	readonly #named: readonly Fact[];
	readonly #shown: readonly Fact[];

	constructor(table: "scenes" | "tracks", description: FactDescription, where: string) {
		const facts = description[table];
		this.#table = table;
		this.#named = namedIn(where, facts);
		const isPlace = (name: string): boolean =>
			facts.some(({ frame, track }) => name === frame || name === track);
		const shown = this.#named.filter(({ name }) => !KEYS.has(name) && !isPlace(name));
		const usual = facts.filter(({ name }) => USUAL[table].some((one) => one === name));
		this.#shown = (shown.length > 0 ? shown : usual).slice(0, MAX_SHOWN);
	}

	/** Returns the first `count` rows. */
	of(table: FactTable, count: number): readonly GalleryItem[] {
		return Array.from({ length: Math.min(count, table.rows) }, (_, row) =>
			this.#hit(table, row),
		);
	}

	#hit(table: FactTable, row: number): GalleryItem {
		const number = (name: string): number => Number(table.column(name).data[row]);
		const happens = this.#named.find(({ frame }) => frame && number(frame) >= 0);
		const inTracks = this.#table === "tracks";
		const begin = inTracks ? Math.max(0, number("first_frame")) : 0;
		const id = inTracks ? "track_id" : happens?.track;
		const track = id === undefined ? undefined : table.column(id).data[row];
		return {
			scene: number("scene"),
			frame: happens?.frame ? number(happens.frame) : begin,
			track: track === undefined ? undefined : BigInt(track),
			// A track of a scene's fact is not what is looked for, but part of it.
			follows: inTracks,
			values: this.#shown.map((fact) => said(fact, table.column(fact.name).data[row])),
		};
	}
}

/** Returns the facts whose names occur in a filter, in its order. */
function namedIn(where: string, facts: readonly Fact[]): readonly Fact[] {
	const words = where.replace(/'[^']*'|"[^"]*"/g, "").match(/[A-Za-z_]\w*/g) ?? [];
	const names = [...new Set(words)];
	return names.flatMap((word) => facts.filter(({ name }) => name === word));
}

function said(fact: Fact, value: number | bigint | undefined): ItemValue {
	const name = fact.name.replaceAll("_", " ");
	const number = Number(value ?? Number.NaN);
	return { name, text: textOf(fact, number), number };
}

function textOf({ dtype, unit, names }: Fact, value: number): string {
	if (dtype === "|b1") return value === 0 ? "no" : "yes";
	if (names) return (names[value] ?? "unknown").replaceAll("_", " ");
	if (Number.isNaN(value)) return "unknown";
	const number =
		dtype === "<f8" ? value.toFixed(Math.abs(value) < 10 ? 2 : 1) : `${value}`;
	return `${number} ${unit.replace("^2", "\u00b2")}`.trim();
}
