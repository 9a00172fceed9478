import { describe, expect, it } from "vitest";
import { agentRows } from "../../../src/elements/agents/agent-rows.js";
import { labelOf } from "../../../src/elements/agents/describe.js";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import { fakeDataset, fakeFrame } from "../../support/fake-dataset.js";

const state: ViewerState = {
	...EMPTY_STATE,
	dataset: fakeDataset().dataset,
	shown: fakeFrame(0, 10, 12),
};

describe("agentRows", () => {
	it("lists unfiltered agents, nearest first", () => {
		const rows = agentRows(state, { key: "distance", descending: false });
		expect(rows).toHaveLength(10);
		const distances = rows.map(({ distance }) => distance);
		expect(distances).toEqual([...distances].sort((a, b) => a - b));
	});

	it("finds by class and by track id", () => {
		const sort = { key: "track", descending: false } as const;
		const found = (query: string) =>
			agentRows({ ...state, query }, sort).map(({ track }) => track);
		expect(found(" TRUCK")).toEqual([3n, 9n]);
		expect(found("11")).toEqual([11n]);
		expect(found("submarine")).toEqual([]);
	});

	it("sorts both ways, ties by track id", () => {
		const rows = agentRows(state, { key: "speed", descending: true });
		expect(rows.slice(0, 2).map(({ track }) => track)).toEqual([2n, 8n]);
		const names = agentRows(state, { key: "name", descending: false });
		expect(names[0]?.name).toBe("Car");
	});

	it("is empty without a frame", () => {
		const sort = { key: "name", descending: false } as const;
		expect(agentRows(EMPTY_STATE, sort)).toEqual([]);
	});
});

describe("labelOf", () => {
	it("returns class, track and speed", () => {
		expect(labelOf(state, 3n)).toBe("Truck 3 · 7.0 m/s");
		expect(labelOf(state, "ego")).toMatch(/^Ego · \d\.\d m\/s$/);
		expect(labelOf(state, 99n)).toBe("99");
	});

	it("returns the role in a benchmark, in the list too", () => {
		const attrs = { bevscope: { scenes: [{ focal: 3, scored: [9] }] } };
		const dataset = { ...fakeDataset().dataset, attrs };
		const marked = { ...state, dataset };
		expect(labelOf(marked, 3n)).toBe("Truck 3 · focal · 7.0 m/s");
		const rows = agentRows(marked, { key: "track", descending: false });
		const named = rows.filter(({ role }) => role !== undefined);
		expect(named.map(({ track, role }) => [track, role])).toEqual([
			[3n, "focal"],
			[9n, "scored"],
		]);
		expect(labelOf({ ...marked, scene: 1 }, 3n)).toBe("Truck 3 · 7.0 m/s");
	});

	it("omits an unknown speed", () => {
		expect(labelOf({ ...state, shown: fakeFrame(0, 0, 12) }, 3n)).toBe("Truck 3");
	});
});
