import { describe, expect, it } from "vitest";
import { faceColours, lightsOf, strictest } from "../../src/elements/lights.js";
import { lightTraces } from "../../src/elements/traces.js";
import { fakeFrame, fakeMap } from "../support/fake-dataset.js";

const map = fakeMap();
const frames = new Map([38, 39, 40, 41, 45].map((f) => [f, fakeFrame(0, f, 1)]));

describe("lights", () => {
	it("knows the colour of every face of the map", () => {
		expect(faceColours(map).get("f-green")).toBe("green");
		expect(faceColours(map).get("g-red")).toBe("red");
	});

	it("lets the strictest of several colours count", () => {
		expect(strictest(["green", undefined, "red", "yellow"])).toBe("red");
		expect(strictest([undefined])).toBeUndefined();
	});

	it("takes the faces of a light together", () => {
		expect(lightsOf(fakeFrame(0, 0, 1), map)).toEqual([
			{ id: "light-1", state: "red", faces: 2 },
			{ id: "light-2", state: "dark", faces: 1 },
		]);
	});

	it("does not guess a colour without a map", () => {
		expect(lightsOf(fakeFrame(0, 0, 1), undefined)[0]?.state).toBe("lit");
	});
});

describe("traces", () => {
	it("joins what does not change and breaks at gaps", () => {
		expect(lightTraces(frames, map)[0]).toEqual({
			id: "light-1",
			runs: [
				{ begin: 38, end: 40, state: "red" },
				{ begin: 40, end: 42, state: "green" },
				{ begin: 45, end: 46, state: "green" },
			],
		});
	});
});
