import { describe, expect, it } from "vitest";
import {
	fittingNotes,
	formatNotes,
	type Note,
	notesFrom,
	parseNotes,
	tagsOf,
} from "../../../src/elements/notes/note.js";

const time = "2026-01-31T12:00:00.000Z";
const full: Note = {
	id: "a-1_B",
	scene: 3,
	frames: [10, 20],
	track: "18446744073709551615",
	place: [-12.5, 1e6],
	text: "<img src=x onerror=alert(1)>",
	tags: ["cut-in", "left turn"],
	time,
};
const byId = (...notes: Note[]) => new Map(notes.map((note) => [note.id, note]));
const bare: Note = { id: "b", scene: 0, text: "", tags: [], time };

describe("notes", () => {
	it("a document round-trips, without unknown members", () => {
		const text = formatNotes([full, bare], "town.zarr");
		expect(parseNotes(text)).toEqual([full, bare]);
		const more = { ...bare, admin: true, __proto__: { scene: 9 } };
		expect(Object.keys(notesFrom([more])[0] ?? {})).toEqual([
			"id",
			"scene",
			"text",
			"tags",
			"time",
		]);
	});

	it.each([
		[{ ...bare, id: "a b" }, "notes[0].id"],
		[{ ...bare, id: "x".repeat(41) }, "notes[0].id"],
		[{ ...bare, scene: -1 }, "notes[0].scene"],
		[{ ...bare, scene: 1.5 }, "notes[0].scene"],
		[{ ...bare, frames: [5, 4] }, "notes[0].frames"],
		[{ ...bare, frames: [1, 2, 3] }, "notes[0].frames"],
		[{ ...bare, frames: "12" }, "notes[0].frames"],
		[{ ...bare, track: 7 }, "notes[0].track"],
		[{ ...bare, track: "-7" }, "notes[0].track"],
		[{ ...bare, place: [Number.NaN, 0] }, "notes[0].place"],
		[{ ...bare, place: [1, 1e300] }, "notes[0].place"],
		[{ ...bare, text: "x".repeat(4001) }, "notes[0].text"],
		[{ ...bare, tags: ["a,b"] }, "notes[0].tags[0]"],
		[{ ...bare, tags: Array(17).fill("a") }, "notes[0].tags"],
		[{ ...bare, time: "yesterday" }, "notes[0].time"],
		[null, "notes[0]"],
	])("an invalid member is refused by name: %j", (note, member) => {
		expect(() => notesFrom([note])).toThrow(`notes: ${member} is invalid`);
	});

	it("other documents, duplicate ids and too many notes are refused", () => {
		expect(() => parseNotes("{")).toThrow("expected JSON");
		expect(() => parseNotes("null")).toThrow("format");
		expect(() => parseNotes('{"format":"bevscope-notes","version":2}')).toThrow(
			"version",
		);
		expect(() => parseNotes("[".repeat(9 * 2 ** 20))).toThrow("8 MiB");
		expect(() => notesFrom([bare, bare])).toThrow("notes[1].id");
		expect(() => notesFrom(Array(5001).fill(bare))).toThrow("at most 5000");
		expect(() => notesFrom({ length: 1 })).toThrow("the list");
	});

	it("merging replaces notes of an id and keeps the order", () => {
		const changed = { ...bare, text: "new" };
		expect(fittingNotes([bare, full], byId(changed))).toEqual([changed, full]);
		expect(fittingNotes([bare, full], new Map([["b", undefined]]))).toEqual([full]);
	});

	it("merging refuses more notes than a data set can have", () => {
		const many = Array.from({ length: 5000 }, (_, i) => ({ ...bare, id: `n${i}` }));
		expect(fittingNotes(many, byId({ ...bare, id: "n7" }))).toHaveLength(5000);
		expect(() => fittingNotes(many, byId(full))).toThrow(
			"notes: too many (found 5001, expected at most 5000)",
		);
		expect(() => fittingNotes([full], byId(...many))).toThrow("found 5001");
	});

	it("tags are split at commas, without duplicates, and never cut", () => {
		expect(tagsOf(" left turn, cut-in,,left turn ")).toEqual(["left turn", "cut-in"]);
		const long = "x".repeat(61);
		expect(tagsOf(`${long},b`)).toEqual([long, "b"]);
		expect(tagsOf(Array.from({ length: 17 }, (_, i) => i).join(","))).toHaveLength(17);
	});
});
