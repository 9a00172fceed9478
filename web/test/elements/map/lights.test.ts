import { describe, expect, it } from "vitest";
import { facesOf } from "../../../src/elements/map/faces.js";
import { faceColours, lightsOf, strictest } from "../../../src/elements/map/lights.js";
import { lightTraces, ordered } from "../../../src/elements/timeline/strips.js";
import { fakeFrame, fakeMap } from "../../support/fake-dataset.js";
import { fakeTimeline } from "../../support/fake-timeline.js";

const map = fakeMap();

describe("lights", () => {
	it("knows the colour of every face of the map", () => {
		expect(faceColours(map).get("f-green")).toBe("green");
		expect(faceColours(map).get("g-red")).toBe("red");
	});

	it("uses the most restrictive of several colours", () => {
		expect(strictest(["green", undefined, "red", "yellow"])).toBe("red");
		expect(strictest([undefined])).toBeUndefined();
	});

	it("combines the faces of a light", () => {
		expect(lightsOf(fakeFrame(0, 0, 1), map)).toEqual([
			{ id: "light-1", state: "red", faces: 2 },
			{ id: "light-2", state: "dark", faces: 1 },
		]);
	});

	it("counts a face once that the data repeats", () => {
		const frame = fakeFrame(0, 0, 1);
		const { face_id, traffic_light_id, state } = frame.lights;
		const lights = {
			...frame.lights,
			face_id: [...face_id, ...face_id],
			traffic_light_id: [...traffic_light_id, ...traffic_light_id],
			state: Uint8Array.of(...state, ...state),
		};
		const twice = { ...frame, lights };
		expect(lightsOf(twice, map).map(({ faces }) => faces)).toEqual([2, 1]);
		expect(facesOf(twice, "light-1")).toEqual(facesOf(frame, "light-1"));
	});

	it("does not guess a colour without a map", () => {
		expect(lightsOf(fakeFrame(0, 0, 1), undefined)[0]?.state).toBe("lit");
	});
});

describe("lightTraces", () => {
	it("draws the runs of the whole scene in the map's colours", () => {
		expect(lightTraces(fakeTimeline(0, 100), map)).toEqual([
			{
				id: "light-1",
				runs: [
					{ begin: 0, end: 40, state: "red" },
					{ begin: 40, end: 80, state: "green" },
					{ begin: 80, end: 100, state: "red" },
				],
			},
			{
				id: "light-2",
				runs: [
					{ begin: 0, end: 40, state: "dark" },
					{ begin: 40, end: 80, state: "red" },
					{ begin: 80, end: 100, state: "dark" },
				],
			},
		]);
	});

	it("agrees with each frame's rows", () => {
		const traces = lightTraces(fakeTimeline(0, 100), map);
		for (const frame of [0, 39, 40, 79, 80, 99]) {
			const shown = traces.map(({ id, runs }) => ({
				id,
				state: runs.find(({ begin, end }) => begin <= frame && frame < end)?.state,
			}));
			const own = lightsOf(fakeFrame(0, frame, 1), map);
			expect(shown).toEqual(own.map(({ id, state }) => ({ id, state })));
		}
	});

	it("joins equal runs without a map", () => {
		const [first, second] = lightTraces(fakeTimeline(0, 100), undefined);
		expect(first?.runs).toEqual([{ begin: 0, end: 100, state: "lit" }]);
		expect(second?.id).toBe("light-2");
	});

	it("omits a light whose state is never known, and keeps gaps", () => {
		const line = fakeTimeline(0, 9);
		const runs = {
			length: 3,
			light: Uint32Array.of(0, 1, 1),
			begin: Uint32Array.of(0, 0, 5),
			end: Uint32Array.of(9, 3, 9),
			state: Uint8Array.of(2, 1, 1),
			active_offset: new Uint32Array(4),
			active_face: new Uint32Array(0),
		};
		const lights = { id: ["a", "b"], runs };
		expect(lightTraces({ ...line, lights }, map)).toEqual([
			{
				id: "b",
				runs: [
					{ begin: 0, end: 3, state: "dark" },
					{ begin: 5, end: 9, state: "dark" },
				],
			},
		]);
	});
});

describe("rows of lights", () => {
	it("begin with the ego's light, then the selected one; the others keep their order", () => {
		const traces = ["a", "b", "c", "d"].map((id) => ({ id, runs: [] }));
		const ids = (egoLight?: string, chosen?: string) =>
			ordered(traces, { egoLight, map: undefined, timeline: undefined }, chosen).map(
				({ id }) => id,
			);
		expect(ids()).toEqual(["a", "b", "c", "d"]);
		expect(ids("c", "d")).toEqual(["c", "d", "a", "b"]);
		expect(ids("c", "c")).toEqual(["c", "a", "b", "d"]);
	});
});
