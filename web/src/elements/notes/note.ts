import { BevError } from "../../base/errors.js";
import { counted } from "../ui/words.js";

/** A remark about a scene, or about some of its frames, a track or a place in it. */
export interface Note {
	/** Unique among the notes of a data set: 1 to 40 letters, digits, `-` or `_`. */
	readonly id: string;
	/** Index of the scene. */
	readonly scene: number;
	/** First and last frame. */
	readonly frames?: readonly [first: number, last: number] | undefined;
	/** A track id, or `ego`. */
	readonly track?: string | undefined;
	/** World metres. */
	readonly place?: readonly [x: number, y: number] | undefined;
	/** The remark; at most 4,000 characters. */
	readonly text: string;
	/** At most 16 words, of at most 60 characters without a comma. */
	readonly tags: readonly string[];
	/** When it was written: `2026-01-31T12:00:00.000Z`. */
	readonly time: string;
}

/** Limits of documents and notes. */
export const MAX_NOTES = 5000;
export const MAX_DOCUMENT_BYTES = 8 * 2 ** 20;
export const MAX_TEXT = 4000;
const MAX_TAGS = 16;
const MAX_TAG = 60;
const MAX_INDEX = 1e9;
const MAX_METRES = 1e9;

const FORMAT = "bevscope-notes";

function refuse(what: string, found: unknown, expected: string): never {
	const text = typeof found === "string" ? `"${found.slice(0, 40)}"` : String(found);
	throw new BevError(
		"invalid_argument",
		`notes: ${what} is invalid (found ${text}, expected ${expected})`,
	);
}

function isIndex(value: unknown): value is number {
	return (
		Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MAX_INDEX
	);
}

function framesFrom(value: unknown, at: string): Note["frames"] {
	if (value === undefined) return undefined;
	const [first, last] = Array.isArray(value) ? (value as unknown[]) : [];
	const isPair = Array.isArray(value) && value.length === 2;
	if (isPair && isIndex(first) && isIndex(last) && first <= last) return [first, last];
	return refuse(`${at}.frames`, value, "first and last frame");
}

function placeFrom(value: unknown, at: string): Note["place"] {
	if (value === undefined) return undefined;
	const [x, y] = Array.isArray(value) ? (value as unknown[]) : [];
	const isMetres = (v: unknown): v is number =>
		typeof v === "number" && Math.abs(v) <= MAX_METRES;
	if (Array.isArray(value) && value.length === 2 && isMetres(x) && isMetres(y))
		return [x, y];
	return refuse(`${at}.place`, value, "x and y in metres");
}

function trackFrom(value: unknown, at: string): Note["track"] {
	if (value === undefined) return undefined;
	if (typeof value === "string" && /^(ego|\d{1,20})$/.test(value)) return value;
	return refuse(`${at}.track`, value, "a track id as text, or ego");
}

function tagsFrom(value: unknown, at: string): readonly string[] {
	if (value === undefined) return [];
	if (!Array.isArray(value) || value.length > MAX_TAGS)
		return refuse(`${at}.tags`, value, `at most ${MAX_TAGS} words`);
	return value.map((tag: unknown, i) => {
		const isTag = typeof tag === "string" && /^[^,]+$/.test(tag.trim());
		if (isTag && tag.length <= MAX_TAG) return tag.trim();
		return refuse(`${at}.tags[${i}]`, tag, `1 to ${MAX_TAG} characters without comma`);
	});
}

function noteFrom(value: unknown, at: string): Note {
	if (typeof value !== "object" || value === null)
		return refuse(at, value, "an object");
	const from = value as Readonly<Record<string, unknown>>;
	const { id, scene, text, time, tags } = from;
	if (typeof id !== "string" || !/^[\w-]{1,40}$/.test(id))
		return refuse(`${at}.id`, id, "1 to 40 letters, digits, - or _");
	if (!isIndex(scene)) return refuse(`${at}.scene`, scene, "an index");
	if (typeof text !== "string" || text.length > MAX_TEXT)
		return refuse(`${at}.text`, text, `at most ${MAX_TEXT} characters`);
	const when = typeof time === "string" ? new Date(time) : new Date(Number.NaN);
	if (Number.isNaN(when.getTime())) return refuse(`${at}.time`, time, "a date");
	const [frames, track] = [framesFrom(from.frames, at), trackFrom(from.track, at)];
	const place = placeFrom(from.place, at);
	return {
		...{ id, scene },
		...(frames ? { frames } : {}),
		...(track === undefined ? {} : { track }),
		...(place ? { place } : {}),
		...{ text, tags: tagsFrom(tags, at), time: when.toISOString() },
	};
}

/**
 * Returns the notes in a list of unknown content, without unknown members.
 *
 * @throws BevError `invalid_argument`, with the member, for invalid notes or more than
 * 5,000; also if two have the same id
 */
export function notesFrom(list: unknown): readonly Note[] {
	if (!Array.isArray(list) || list.length > MAX_NOTES)
		return refuse(
			"the list",
			Array.isArray(list) ? list.length : list,
			`at most ${MAX_NOTES} notes`,
		);
	const notes = list.map((value: unknown, i) => noteFrom(value, `notes[${i}]`));
	const ids = new Set<string>();
	for (const [i, { id }] of notes.entries()) {
		if (ids.has(id)) refuse(`notes[${i}].id`, id, "an id that occurs once");
		ids.add(id);
	}
	return notes;
}

/** Parses a document of notes. Throws like `notesFrom`, and for other documents. */
export function parseNotes(text: string): readonly Note[] {
	if (text.length > MAX_DOCUMENT_BYTES)
		return refuse("the document", counted(text.length, "character"), "at most 8 MiB");
	let document: unknown;
	try {
		document = JSON.parse(text);
	} catch (error) {
		return refuse("the document", String(error), "JSON");
	}
	const { format, version, notes } = (document ?? {}) as Readonly<
		Record<string, unknown>
	>;
	if (format !== FORMAT) return refuse("format", format, FORMAT);
	if (version !== 1) return refuse("version", version, "1");
	return notesFrom(notes);
}

/** Returns the data set that a valid document names; undefined if it names none. */
export function dataOfNotes(text: string): string | undefined {
	const { data } = JSON.parse(text) as { readonly data?: unknown };
	return typeof data === "string" && data !== "" ? data : undefined;
}

/** Returns the document of notes. `data` names the data set. */
export function formatNotes(notes: readonly Note[], data: string): string {
	return JSON.stringify({ format: FORMAT, version: 1, data, notes }, undefined, 2);
}

/** Notes that were added or replaced, by id; undefined for removed ones. */
export type NoteChanges = ReadonlyMap<string, Note | undefined>;

/** Returns the changed notes, of which there may be more than 5,000. */
export function changedNotes(
	notes: readonly Note[],
	changes: NoteChanges,
): readonly Note[] {
	const all = new Map(notes.map((note) => [note.id, note]));
	for (const [id, note] of changes) {
		if (note) all.set(id, note);
		else all.delete(id);
	}
	return [...all.values()];
}

/**
 * Returns the changed notes.
 *
 * @throws BevError `limit_exceeded` for more than 5,000 notes
 */
export function fittingNotes(
	notes: readonly Note[],
	changes: NoteChanges,
): readonly Note[] {
	const all = changedNotes(notes, changes);
	if (all.length <= MAX_NOTES) return all;
	throw new BevError(
		"limit_exceeded",
		`notes: too many (found ${all.length}, expected at most ${MAX_NOTES})`,
	);
}

/** Splits text at commas into tags, without duplicates. */
export function tagsOf(text: string): readonly string[] {
	const tags = text.split(",").map((tag) => tag.trim());
	return [...new Set(tags.filter((tag) => tag !== ""))];
}
