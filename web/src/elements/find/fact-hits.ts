import type {
	ClausedTable,
	Fact,
	FactDescription,
	FactTable,
} from "../../facts/fact-table.js";
import type { GalleryItem, ItemValue } from "../gallery/gallery-state.js";
import { tagFrames, tagsOf } from "../scenes/scene-tags.js";
import type { ViewerDataset } from "../session/dataset.js";
import { alternativesOf, type Clause, clauseOf, holding, namesIn } from "./clauses.js";
import { categoryWords, columnWords, numberWords } from "./fact-words.js";

/** Most facts that are displayed with a hit. */
const MAX_SHOWN = 4;

/** Displayed facts if the filter names none. */
const USUAL = {
	scenes: ["ego_mean_speed", "tracks", "turn"],
	tracks: ["label", "max_speed", "closest_ego"],
} as const;

/** Facts that hits are identified by. */
const KEYS: ReadonlySet<string> = new Set(["scene", "track_id"]);

const TAGGED = /^has_tag\(\s*(["'])(.+)\1\s*\)$/;

/** Where a fact happens. */
interface Place {
	/** -1 if it is not known. */
	readonly frame: number;
	/** Undefined if the fact is of no track. */
	readonly track: bigint | undefined;
}

/** Rows of a table of facts as hits. */
export class FactHits {
	/** Alternatives of the filter that decide where a hit is, for the rows' table. */
	readonly clauses: readonly string[];
	/** Columns that hits are made of. */
	readonly columns: readonly string[];
	readonly #table: "scenes" | "tracks";
	readonly #filter: Clause;
	readonly #facts: readonly Fact[];
	readonly #usual: readonly Fact[];
	readonly #attrs: ViewerDataset["attrs"];

	/** @param attrs attributes of the data set, with the tags of scenes */
	constructor(
		table: "scenes" | "tracks",
		description: FactDescription,
		where: string,
		attrs?: ViewerDataset["attrs"],
	) {
		this.#table = table;
		this.#attrs = attrs;
		this.#facts = description[table];
		this.#filter = clauseOf(where);
		this.#usual = this.#facts.filter(({ name }) =>
			USUAL[table].some((one) => one === name),
		);
		const texts = alternativesOf(this.#filter).map(({ text }) => text);
		this.clauses = [...new Set(texts.filter((text) => this.#happens(text)))];
		const needed = new Set([...KEYS, "first_frame"]);
		const usual = this.#alwaysShows(this.#filter) ? [] : this.#usual;
		for (const fact of [...namedIn([where], this.#facts), ...usual])
			for (const name of [fact.name, fact.frame, fact.track])
				if (name !== undefined) needed.add(name);
		const names = this.#facts.map(({ name }) => name);
		this.columns = names.filter((name) => needed.has(name));
	}

	/**
	 * Returns the first `count` rows. A hit is where the first fact happens whose
	 * condition holds in its row.
	 *
	 * @param passing rows of each of `clauses`
	 */
	of(
		table: FactTable,
		count: number,
		passing: readonly ClausedTable[] = [],
	): readonly GalleryItem[] {
		const rows = new Map(
			passing.map((one) => [one.clause, this.#keysOf(one.table)] as const),
		);
		return Array.from({ length: Math.min(count, table.length) }, (_, row) => {
			const key = this.#keyOf(table, row);
			const conditions = holding(
				this.#filter,
				({ text }) => rows.get(text)?.has(key) ?? true,
			);
			return this.#hit(table, row, conditions);
		});
	}

	#hit(table: FactTable, row: number, conditions: readonly string[]): GalleryItem {
		const number = (name: string): number => Number(table.column(name).data[row]);
		const named = namedIn(conditions, this.#facts);
		const inTracks = this.#table === "tracks";
		const whose = inTracks ? idOf(table, "track_id", row) : undefined;
		const placeOf = ({ frame, track }: Fact): Place => ({
			frame: frame === undefined ? -1 : number(frame),
			track: track === undefined ? whose : idOf(table, track, row),
		});
		const at = named.map(placeOf).find(({ frame }) => frame >= 0);
		const scene = number("scene");
		const known = tagsOf(this.#attrs, scene);
		const tags = conditions
			.flatMap((text) => TAGGED.exec(text.trim())?.[2] ?? [])
			.filter((tag) => known.includes(tag)); // the filter may have alternatives
		const [tagged = 0] = tags.flatMap((tag) => tagFrames(this.#attrs, scene, tag));
		const begin = inTracks ? Math.max(0, number("first_frame")) : tagged;
		const place = at ?? { frame: begin, track: whose };
		return {
			scene,
			...place,
			// Without a track, a fact that happens in a frame is the ego vehicle's.
			mark: place.track ?? (at && "ego"),
			// A track of a scene's fact is not what is looked for, but part of it.
			follows: inTracks,
			values: [
				...tags.map((text) => ({ name: "tag", text, number: Number.NaN })),
				...this.#shown(named).map((fact) => {
					const other = elsewhere(placeOf(fact), place);
					return said(fact, table.column(fact.name).data[row], other);
				}),
			].slice(0, MAX_SHOWN),
		};
	}

	/** Returns the facts to display: those of the conditions, else the usual ones. */
	#shown(named: readonly Fact[]): readonly Fact[] {
		const shown = this.#displayed(named);
		return (shown.length > 0 ? shown : this.#usual).slice(0, MAX_SHOWN);
	}

	/** Returns the facts that are neither keys nor places. */
	#displayed(named: readonly Fact[]): readonly Fact[] {
		const isPlace = (name: string): boolean =>
			this.#facts.some(({ frame, track }) => name === frame || name === track);
		return named.filter(({ name }) => !KEYS.has(name) && !isPlace(name));
	}

	/** Whether the conditions of each hit have a fact to display; the usual are not read. */
	#alwaysShows({ op, text, parts }: Clause): boolean {
		if (op === "leaf") return this.#displayed(namedIn([text], this.#facts)).length > 0;
		const shows = (part: Clause): boolean => this.#alwaysShows(part);
		return op === "and" ? parts.some(shows) : parts.every(shows);
	}

	/** Whether a condition names a fact that happens in a frame. */
	#happens(condition: string): boolean {
		return namedIn([condition], this.#facts).some(({ frame }) => frame !== undefined);
	}

	#keysOf(table: FactTable): ReadonlySet<string> {
		return new Set(
			Array.from({ length: table.length }, (_, row) => this.#keyOf(table, row)),
		);
	}

	#keyOf(table: FactTable, row: number): string {
		const ids = this.#table === "tracks" ? ["scene", "track_id"] : ["scene"];
		return ids.map((id) => table.column(id).data[row]).join(" ");
	}
}

function idOf(table: FactTable, name: string, row: number): bigint | undefined {
	const id = table.column(name).data[row];
	return id === undefined ? undefined : BigInt(id);
}

/** Returns the facts whose names occur in conditions, in their order. */
function namedIn(
	conditions: readonly string[],
	facts: readonly Fact[],
): readonly Fact[] {
	const names = [...new Set(conditions.flatMap(namesIn))];
	return names.flatMap((word) => facts.filter(({ name }) => name === word));
}

/** Returns where a fact of a hit happens, if that is not the hit's place. */
function elsewhere({ frame, track }: Place, hit: Place): string {
	if (frame < 0) return "";
	const who = track === undefined || track === hit.track ? [] : [`track ${track}`];
	const when = frame === hit.frame ? [] : [`frame ${frame}`];
	const parts = [...who, ...when].join(", ");
	return parts && ` (${parts})`;
}

function said(
	fact: Fact,
	value: number | bigint | undefined,
	place: string,
): ItemValue {
	const number = Number(value ?? Number.NaN);
	const text = textOf(fact, number);
	// The words "yes" and "no" stand alone.
	const alone = fact.dtype === "|b1";
	const name = columnWords(fact.name);
	return alone
		? { name: `${name}${place}`, text, number }
		: { name, text: `${text}${place}`, number };
}

function textOf({ dtype, unit, names }: Fact, value: number): string {
	if (dtype === "|b1") return value === 0 ? "no" : "yes";
	if (names) return categoryWords(names[value] ?? "unknown");
	if (Number.isNaN(value)) return "unknown";
	const number =
		dtype === "<f8" ? value.toFixed(Math.abs(value) < 10 ? 2 : 1) : `${value}`;
	return `${numberWords(number)} ${unit.replace("^2", "\u00b2")}`.trim();
}
