import { describe, expect, it } from "vitest";
import {
	lowered,
	PRESETS,
	type Preset,
	presetChange,
	presetOf,
	single,
} from "../../../src/elements/viewer/arrangements.js";
import {
	type Arrangement,
	LAYOUT_SLICE,
	linkedLayout,
	TABS,
	withLayout,
} from "../../../src/elements/viewer/layout-state.js";
import { nextScenes } from "../../../src/elements/viewer/scene-pictures.js";

const { arrangement: usual } = LAYOUT_SLICE.empty;
const besides: readonly number[] = [];

describe("presets", () => {
	it.each(Object.keys(PRESETS) as Preset[])("are recognized: %s", (name) => {
		expect(presetOf({ ...usual, ...presetChange(name) })).toBe(name);
	});

	it("are not recognized after a change", () => {
		const review: Arrangement = { ...usual, ...presetChange("review") };
		expect(presetOf({ ...review, lower: "plots" })).toBeUndefined();
		expect(presetOf({ ...review, closed: [] })).toBeUndefined();
		expect(presetOf(usual)).toBeUndefined();
	});
});

describe("the tab below", () => {
	const at = (changes: Partial<Arrangement>): Arrangement => ({ ...usual, ...changes });

	it("is another than the active one", () => {
		const change = lowered(at({ tab: "agents" }), "plots", TABS);
		expect(change).toEqual({ tab: "agents", lower: "plots", chosen: true });
	});

	it("changes places with the active one", () => {
		const change = lowered(at({ tab: "plots", lower: "notes" }), "plots", TABS);
		expect(change).toMatchObject({ tab: "notes", lower: "plots" });
	});

	it("leaves its place to the first other tab", () => {
		const change = lowered(at({ tab: "agents" }), "agents", ["agents", "notes"]);
		expect(change).toMatchObject({ tab: "notes", lower: "agents" });
		expect(lowered(at({ tab: "agents" }), "agents", ["agents"])).toBeUndefined();
		expect(lowered(at({ tab: "agents" }), "own", ["agents"])).toBeUndefined();
	});

	it("is gone with one panel", () => {
		expect(single("notes")).toMatchObject({ tab: "notes", lower: undefined });
	});
});

describe("a link's arrangement", () => {
	it("has what was chosen, and the tab below", () => {
		expect(linkedLayout({ arrangement: usual, besides })).toEqual({});
		const raster = { ...usual, tab: "raster" } as const;
		expect(linkedLayout({ arrangement: raster, besides })).toEqual({});
		expect(linkedLayout({ arrangement: { ...raster, chosen: true }, besides })).toEqual(
			{
				tabs: ["raster"],
			},
		);
		const two = { ...raster, lower: "notes", closed: ["layers"] } as const;
		expect(linkedLayout({ arrangement: two, besides: [3, 1] })).toEqual({
			besides: [3, 1],
			tabs: ["raster", "notes"],
			closed: ["layers"],
		});
	});

	it("has scenes side by side", () => {
		const state = { arrangement: usual, besides };
		expect(withLayout(state, { besides: [2] })).toEqual({
			...{ arrangement: usual, besides: [2] },
		});
		expect(nextScenes(2, 4, 3)).toEqual([3, 0, 1]);
		expect(nextScenes(0, 2, 3)).toEqual([1]);
		expect(nextScenes(0, 100, 9)).toHaveLength(3);
		expect(nextScenes(0, 1, 3)).toEqual([]);
	});

	it("leaves what it lacks", () => {
		const arrangement = { ...usual, tab: "raster", closed: ["plots"] } as const;
		expect(withLayout({ arrangement, besides }, {})).toEqual({ arrangement, besides });
		expect(
			withLayout({ arrangement, besides }, { closed: [] }).arrangement,
		).toMatchObject({
			tab: "raster",
			closed: [],
		});
		const link = { tabs: ["notes"], selection: 3n, rollout: "r.json" } as const;
		expect(withLayout({ arrangement, besides }, link).arrangement).toEqual({
			...{ tab: "notes", lower: undefined, closed: ["plots"], chosen: true },
			brought: { selection: 3n, reviewed: true },
		});
	});
});
