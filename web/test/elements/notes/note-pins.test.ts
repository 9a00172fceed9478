import { describe, expect, it } from "vitest";
import type { Note } from "../../../src/elements/notes/note.js";
import { pinAt, pinsOf } from "../../../src/elements/notes/note-pins.js";

const note = (id: string, changes: Partial<Note> = {}): Note => ({
	...{ id, scene: 0, text: id, tags: [], time: "2026-01-31T12:00:00.000Z" },
	...changes,
});

describe("pins", () => {
	const notes = [
		note("later", { frames: [9, 9], place: [4, 5] }),
		note("elsewhere", { scene: 1, place: [0, 0] }),
		note("no place"),
		note("first", { frames: [2, 3], place: [10, 20] }),
	];

	it("have the numbers of the list, and are those of the scene", () => {
		const pins = pinsOf({ notes, scene: 0 });
		expect(pins.map(({ note: { id }, number }) => [id, number])).toEqual([
			["first", 2],
			["later", 3],
		]);
		expect(pinsOf({ notes, scene: 1 })).toHaveLength(1);
		expect(pinsOf({ notes: [], scene: 0 })).toEqual([]);
	});

	it("are found above their places, the upper one first", () => {
		const pins = pinsOf({ notes, scene: 0 });
		const project = (x: number, y: number) => ({ x: 10 * x, y: 10 * y });
		expect(pinAt(pins, { x: 100, y: 185 }, project)?.note.id).toBe("first");
		expect(pinAt(pins, { x: 100, y: 205 }, project)).toBeUndefined();
		const same = pinsOf({
			notes: [note("a", { place: [1, 1] }), note("b", { place: [1, 1] })],
			scene: 0,
		});
		expect(pinAt(same, { x: 10, y: -5 }, project)?.note.id).toBe("b");
	});
});
