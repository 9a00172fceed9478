import { describe, expect, it } from "vitest";
import { csvOf, jsonOf, trackRows } from "../../src/elements/export/track-table.js";
import { EMPTY_STATE } from "../../src/elements/state.js";
import { fakeDataset, fakeFrame } from "../support/fake-dataset.js";

describe("trackRows", () => {
	const frames = new Map([3, 1, 2].map((f) => [f, fakeFrame(0, f, f === 2 ? 1 : 4)]));
	const state = { ...EMPTY_STATE, dataset: fakeDataset().dataset };

	it("follows a track through the frames that have it, in order", () => {
		const rows = trackRows(state, frames, 3n);
		expect(rows.map(({ frame }) => frame)).toEqual([1, 3]);
		expect(rows[0]).toMatchObject({ label: "Truck", length: expect.closeTo(8.4, 5) });
		expect(rows[1]?.timestamp).toBe("1570735440300000000");
		expect(trackRows(state, frames, "ego").length).toBe(3);
	});

	it("writes what is not known as nothing, and quotes what needs it", () => {
		const rows = trackRows(state, new Map([[0, fakeFrame(0, 0, 1)]]), 1n);
		const odd = rows.map((row) => ({ ...row, label: 'a "b", c' }));
		const [heading, line, end] = csvOf(odd).split("\r\n");
		expect(heading?.split(",").length).toBe(11);
		expect(line).toMatch(/^0,1570735440000000000,/);
		expect(line).toContain(",,"); // the speed of a first frame
		expect(line).toContain('"a ""b"", c"');
		expect(end).toBe("");
	});

	it("writes JSON that says of which scene and track", () => {
		const rows = trackRows(state, frames, "ego");
		const read = JSON.parse(jsonOf(state, "ego", rows));
		expect(read).toMatchObject({ scene: 0, track: "ego" });
		expect(read.frames.length).toBe(3);
	});
});
