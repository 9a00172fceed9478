import { describe, expect, it } from "vitest";
import {
	between,
	gridMove,
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
		marks.set([a], "keep");
		marks.set([a], "keep");
		expect(marks.all.get(a)).toBe("keep");
		marks.set([b], "keep");
		marks.set([b], "skip");
		expect(marks.undo()).toEqual([b]);
		expect(marks.all.get(b)).toBe("keep");
		expect(marks.undo()).toEqual([b]);
		expect([...marks.all]).toEqual([[a, "keep"]]);
		expect([marks.undo(), marks.undo(), marks.undo()]).toEqual([[a], [a], []]);
		expect([marks.all.size, marks.canUndo]).toEqual([0, false]);
	});

	it("several items are marked and tagged together, and undone together", () => {
		const marks = new Marks();
		const [a, b, c] = items as [GalleryItem, GalleryItem, GalleryItem];
		marks.begin(c, "skip", ["late"]);
		marks.set([a, b], "keep");
		expect(marks.tag([a], "  near  miss ")).toBe(true);
		expect(marks.tag([a, b], "near miss")).toBe(true); // b has it not yet
		expect([marks.tagsOf(a), marks.tagsOf(b)]).toEqual([["near miss"], ["near miss"]]);
		expect(marks.tags).toEqual(["late", "near miss"]);
		expect(marks.tag([a, b], "near miss")).toBe(false); // all have it: removed
		expect(marks.tagsOf(b)).toEqual([]);
		expect(marks.undo()).toEqual([a, b]);
		expect(shownOf(items, marks, { tag: "near miss" })).toEqual([a, b]);
		expect([marks.tag([a], " "), marks.tag([], "x")]).toEqual([false, false]);
		marks.undo();
		marks.undo();
		marks.undo();
		expect([...marks.all]).toEqual([[c, "skip"]]); // of the link
	});

	it("a range goes from one item to another, in both directions", () => {
		const [a, b, c] = items as [GalleryItem, GalleryItem, GalleryItem];
		expect(between(items, a, c)).toEqual([a, b, c]);
		expect(between(items, c, b)).toEqual([b, c]);
		expect(between(items, undefined, b)).toEqual([b]);
		expect(between([a], a, c)).toEqual([]);
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
		const marks = new Marks();
		marks.set([b], "skip");
		expect(savedOf(items, marks.all)).toEqual([a, c, d]);
		expect(shownOf(items, marks, "open")).toEqual([a, c, d]);
		marks.set([c], "keep");
		expect(savedOf(items, marks.all)).toEqual([c]);
		expect(shownOf(items, marks, "kept")).toEqual([c]);
		expect(shownOf(items, marks, "all")).toEqual(items);
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
