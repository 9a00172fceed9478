import { describe, expect, it } from "vitest";
import {
	formatNotes,
	MAX_DOCUMENT_BYTES,
	MAX_NOTES,
	type Note,
} from "../../../src/elements/notes/note.js";
import { NOTES_FILE, readNotesBeside } from "../../../src/elements/notes/notes-file.js";
import { MemorySource, type ReadOptions } from "../../../src/source/source.js";

const time = "2026-01-31T12:00:00.000Z";
const note = (id: string): Note => ({ id, scene: 0, text: id, tags: [], time });
const { signal } = new AbortController();

const read = (content: string | Uint8Array, name = "town.zarr") => {
	const bytes =
		typeof content === "string" ? new TextEncoder().encode(content) : content;
	return readNotesBeside(new MemorySource({ [NOTES_FILE]: bytes }), name, signal);
};

describe("readNotesBeside", () => {
	it("returns the notes on the data set, or on any", async () => {
		expect(await read(formatNotes([note("a")], "town.zarr"))).toEqual([note("a")]);
		expect(await read(formatNotes([note("a")], ""))).toEqual([note("a")]);
	});

	it("returns none for another data set, or without a document", async () => {
		expect(await read(formatNotes([note("a")], "other.zarr"))).toEqual([]);
		expect(await readNotesBeside(new MemorySource({}), "town.zarr", signal)).toEqual(
			[],
		);
	});

	it("reads no more than the limit", async () => {
		const ranges: ReadOptions["range"][] = [];
		const source = {
			read: async (_: string, { range }: ReadOptions = {}) => {
				ranges.push(range);
				return new Uint8Array((range?.end ?? 0) - (range?.begin ?? 0));
			},
		};
		await expect(readNotesBeside(source, "town.zarr", signal)).rejects.toMatchObject({
			code: "limit_exceeded",
		});
		expect(ranges).toEqual([{ begin: 0, end: MAX_DOCUMENT_BYTES + 1 }]);
	});

	it.each([
		["no JSON", "<!doctype html>"],
		["another format", '{"format":"x","version":1,"notes":[]}'],
		["another version", '{"format":"bevscope-notes","version":2,"notes":[]}'],
		["a list of other things", '{"format":"bevscope-notes","version":1,"notes":[1]}'],
		["deep nesting", `${"[".repeat(1e5)}${"]".repeat(1e5)}`],
		["a prototype", '{"__proto__":{"format":"bevscope-notes"},"version":1,"notes":[]}'],
		["no UTF-8", Uint8Array.of(0x22, 0xff, 0xfe, 0x22)],
	])("refuses %s", async (_, content) => {
		await expect(read(content)).rejects.toMatchObject({ code: "invalid_argument" });
	});

	it("refuses too many notes", async () => {
		const notes = Array.from({ length: MAX_NOTES + 1 }, (_, i) => note(`n${i}`));
		await expect(read(formatNotes(notes, "town.zarr"))).rejects.toThrow("notes");
	});
});
