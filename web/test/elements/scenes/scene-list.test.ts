import { describe, expect, it } from "vitest";
import type { ListedScene } from "../../../src/elements/scenes/listed-scenes.js";
import {
	DATASET_ORDER,
	listScenes,
	type SceneKey,
	sceneNumberOf,
	whenOf,
} from "../../../src/elements/scenes/scene-list.js";

const START = 1_570_735_440_000_000_000n; // 2019-10-10 19:24:00

function scene(
	index: number,
	host: string,
	seconds: number,
	[frames, duration]: readonly [number, number],
): ListedScene {
	const startTime = START + BigInt(seconds) * 1_000_000_000n;
	const counts = { frameBegin: 0, frameEnd: frames, frames, duration };
	return { index, host, startTime, tags: [], ...counts };
}

const SCENES = [
	scene(0, "host-a013", 65, [248, 24.7]),
	scene(1, "host-A007", 0, [10, Number.NaN]),
	scene(2, "host-a013", 5, [248, 30]),
];

const listed = (text: string, key: SceneKey = "index", descending = false): number[] =>
	listScenes(SCENES, { text, sort: { key, descending } }).map(({ index }) => index);

describe("the open scene", () => {
	const info = { index: 1, host: "waymo", startTime: 0n, seconds: new Float64Array() };

	it("has the date of its start, a converted one its scenario", () => {
		const recorded = { ...info, host: "host-a013", startTime: START };
		expect(whenOf({}, recorded)).toBe("host-a013 · 2019-10-10 19:24");
		const attrs = { bevscope: { scenes: [{}, { scenario_id: "19a486cd29abd7a7" }] } };
		expect(whenOf({ attrs }, info)).toBe("waymo · 19a486cd29abd7a7");
		expect(whenOf({ attrs }, undefined)).toBe("");
	});
});

describe("the scenes listed", () => {
	it("are all in the data set's order without a query", () => {
		expect(listScenes(SCENES, DATASET_ORDER)).toBe(SCENES);
		expect(listed("  ")).toEqual([0, 1, 2]);
	});

	it("contain every word in host or start time, in either case", () => {
		expect(listed("a013")).toEqual([0, 2]);
		expect(listed("HOST-a007")).toEqual([1]);
		expect(listed("19:24:05")).toEqual([2]);
		expect(listed("a013 19:25")).toEqual([0]);
		expect(listed("2019-10-10")).toEqual([0, 1, 2]);
		expect(listed("a007 19:25")).toEqual([]);
	});

	it("of converted data sets are found and sorted by scenario, without a date", () => {
		const converted = ["c3", "a1", "b2"].map((scenario, i) => ({
			...scene(i, "waymo", 0, [91, 9]),
			...{ scenario, startTime: undefined },
		}));
		const found = (text: string, key: SceneKey) =>
			listScenes(converted, { text, sort: { key, descending: false } }).map(
				({ index }) => index,
			);
		expect(found("A1", "index")).toEqual([1]);
		expect(found("2019", "index")).toEqual([]);
		expect(found("", "scenario")).toEqual([1, 2, 0]);
	});

	it("are found and sorted by their tags", () => {
		const tagged = [["turning"], ["stopping", "split:val"], []].map((tags, i) => ({
			...scene(i, "nuplan", 0, [91, 9]),
			tags,
		}));
		const found = (text: string, key: SceneKey = "index") =>
			listScenes(tagged, { text, sort: { key, descending: false } }).map(
				({ index }) => index,
			);
		expect(found("split:VAL nuplan")).toEqual([1]);
		expect(found("ing")).toEqual([0, 1]);
		expect(found("", "tags")).toEqual([2, 1, 0]);
	});

	it("are sorted by each column, ties by index, unknown durations last", () => {
		expect(listed("", "index", true)).toEqual([2, 1, 0]);
		expect(listed("", "host")).toEqual([1, 0, 2]);
		expect(listed("", "startTime")).toEqual([1, 2, 0]);
		expect(listed("", "frames", true)).toEqual([0, 2, 1]);
		expect(listed("", "duration")).toEqual([0, 2, 1]);
		expect(listed("", "duration", true)).toEqual([2, 0, 1]);
		expect(SCENES.map(({ index }) => index)).toEqual([0, 1, 2]);
	});
});

describe("a scene number", () => {
	it("is a valid scene or rejected with the range", () => {
		expect(sceneNumberOf(" 0 ", 3)).toBe(0);
		expect(sceneNumberOf("2", 3)).toBe(2);
		expect(sceneNumberOf("3", 3)).toBe("Scene out of range (expected 0 to 2)");
		for (const text of ["", "-1", "1.5", "1e2", "two"]) {
			expect(sceneNumberOf(text, 3)).toBe("Invalid scene number (expected 0 to 2)");
		}
	});
});
