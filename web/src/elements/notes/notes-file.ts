import { BevError } from "../../base/errors.js";
import type { Source } from "../../source/source.js";
import { dataOfNotes, MAX_DOCUMENT_BYTES, type Note, parseNotes } from "./note.js";

/** Name of the document of notes in the folder that contains the data set. */
export const NOTES_FILE = "notes.json";

/**
 * Returns the notes in the folder `source` on the data set `name`; none if the document is
 * absent or names another data set.
 *
 * @throws BevError `limit_exceeded` for a document above 8 MiB, of which no more is read;
 * `invalid_argument` for an invalid one
 */
export async function readNotesBeside(
	source: Source,
	name: string,
	signal: AbortSignal,
): Promise<readonly Note[]> {
	const range = { begin: 0, end: MAX_DOCUMENT_BYTES + 1 };
	const bytes = await source.read(NOTES_FILE, { range, signal, required: false });
	if (!bytes) return [];
	if (bytes.length > MAX_DOCUMENT_BYTES)
		throw new BevError("limit_exceeded", "notes: too large (expected at most 8 MiB)");
	let text: string;
	try {
		text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		throw new BevError("invalid_argument", "notes: the document is not UTF-8");
	}
	const notes = parseNotes(text);
	const data = dataOfNotes(text);
	return data === undefined || data === name ? notes : [];
}
