import { describe, expect, it } from "vitest";
import {
	formatCameras,
	isOn,
	parseCameras,
	withCamera,
} from "../../../src/elements/sensors/camera-choice.js";
import { EMPTY_STATE } from "../../../src/elements/session/state.js";

const ALL = ["front", "left", "right"];
const DEFAULT = { open: true, names: undefined, large: undefined };

describe("camera-choice", () => {
	it("shows all cameras by default", () => {
		expect(parseCameras(EMPTY_STATE.cameras)).toEqual(DEFAULT);
		expect(formatCameras(DEFAULT)).toBe(EMPTY_STATE.cameras);
	});

	it.each([
		["front,right", { open: true, names: ["front", "right"], large: undefined }],
		["front,:right", { open: true, names: ["front", "right"], large: "right" }],
		["*,:left", { open: true, names: undefined, large: "left" }],
		[":,*", { open: false, names: undefined, large: undefined }],
		["", { open: true, names: [], large: undefined }],
		[":,a%2Cb", { open: false, names: ["a,b"], large: undefined }],
		["%2A,%3A", { open: true, names: ["*", ":"], large: undefined }],
	])("has the same meaning after %j is parsed and written", (text, choice) => {
		if (text !== "*,:left") expect(parseCameras(text)).toEqual(choice);
		expect(parseCameras(formatCameras(choice))).toEqual(parseCameras(text));
	});

	it("keeps text that is not encoded", () => {
		expect(parseCameras("100%,b").names).toEqual(["100%", "b"]);
	});

	it("hides and shows cameras in the order of the data", () => {
		const two = withCamera(DEFAULT, "left", ALL);
		expect(two.names).toEqual(["front", "right"]);
		expect(isOn(two, "left")).toBe(false);
		expect(withCamera(two, "left", ALL)).toEqual(DEFAULT);
	});

	it("enlarges no hidden camera", () => {
		const large = { ...DEFAULT, large: "left" };
		expect(withCamera(large, "left", ALL).large).toBeUndefined();
		expect(withCamera(large, "front", ALL).large).toBe("left");
	});
});
