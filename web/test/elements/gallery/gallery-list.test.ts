import { describe, expect, it } from "vitest";
import {
	gridMove,
	type Mark,
	Marks,
	ordered,
	savedOf,
	shownOf,
	sortNames,
} from "../../../src/elements/gallery/gallery-list.js";
import type { GalleryItem } from "../../../src/elements/gallery/gallery-state.js";

function item(scene: number, ttc: number): GalleryItem {
	const values = [{ name: "min ttc", text: `${ttc} s`, number: ttc }];
	return { scene, frame: 0, track: undefined, follows: false, values };
}

const items = [item(0, 3), item(1, Number.NaN), item(2, 1), item(3, 3)];
const scenes = (list: readonly GalleryItem[]) => list.map(({ scene }) => scene);

describe("gallery/gallery-list", () => {
	it("a mark that is set again stays; undo removes the last ones in turn", () => {
		const marks = new Marks();
		const [a, b] = items as [GalleryItem, GalleryItem];
		marks.set(a, "keep");
		marks.set(a, "keep");
		expect(marks.all.get(a)).toBe("keep");
		marks.set(b, "keep");
		marks.set(b, "skip");
		expect(marks.undo()).toBe(b);
		expect(marks.all.get(b)).toBe("keep");
		expect(marks.undo()).toBe(b);
		expect([...marks.all]).toEqual([[a, "keep"]]);
		expect([marks.undo(), marks.undo(), marks.undo()]).toEqual([a, a, undefined]);
		expect(marks.all.size).toBe(0);
	});

	it("sorts by a value, unknown ones last, equal ones in their order", () => {
		expect(sortNames(items)).toEqual(["min ttc"]);
		const by = "min ttc";
		expect(scenes(ordered(items, { by, descending: false }))).toEqual([2, 0, 3, 1]);
		expect(scenes(ordered(items, { by, descending: true }))).toEqual([0, 3, 2, 1]);
		expect(scenes(ordered(items, { by: undefined, descending: true }))).toEqual([
			3, 2, 1, 0,
		]);
	});

	it("shows and saves by marks: without kept items, all but the skipped ones", () => {
		const [a, b, c, d] = items as [GalleryItem, GalleryItem, GalleryItem, GalleryItem];
		const skipped = new Map<GalleryItem, Mark>([[b, "skip"]]);
		expect(savedOf(items, skipped)).toEqual([a, c, d]);
		expect(shownOf(items, skipped, "open")).toEqual([a, c, d]);
		const kept = new Map<GalleryItem, Mark>([...skipped, [c, "keep"]]);
		expect(savedOf(items, kept)).toEqual([c]);
		expect(shownOf(items, kept, "kept")).toEqual([c]);
		expect(shownOf(items, kept, "all")).toEqual(items);
	});

	it("keys move in the grid and stop at its edges", () => {
		const grid = { total: 7, columns: 3 };
		expect(gridMove("ArrowRight", 0, grid)).toBe(1);
		expect(gridMove("ArrowDown", 1, grid)).toBe(4);
		expect(gridMove("ArrowDown", 5, grid)).toBe(5);
		expect(gridMove("ArrowUp", 1, grid)).toBe(1);
		expect(gridMove("ArrowLeft", 0, grid)).toBe(0);
		expect(gridMove("End", 0, grid)).toBe(6);
		expect(gridMove("k", 0, grid)).toBeUndefined();
		expect(gridMove("End", 0, { total: 0, columns: 1 })).toBeUndefined();
	});
});
