import { describe, expect, it } from "vitest";
import {
	advanced,
	formatDate,
	formatTime,
	frameAt,
	frameText,
	rangesOf,
	secondsOf,
	steppedSpeed,
} from "../../../src/elements/timeline/clock.js";

const seconds = Float64Array.of(0, 0.1, 0.2, 0.5, 0.6);
const all = () => true;

describe("clock", () => {
	it("counts seconds from the first timestamp", () => {
		const nanoseconds = [1_570_735_440_000_000_000n, 1_570_735_440_100_000_000n];
		expect([...secondsOf(nanoseconds)]).toEqual([0, 0.1]);
		expect(secondsOf([]).length).toBe(0);
	});

	it("finds the last frame at or before a time", () => {
		const at = [-1, 0, 0.05, 0.1, 0.49, 0.5, 9].map((t) => frameAt(seconds, t));
		expect(at).toEqual([0, 0, 0, 1, 2, 3, 4]);
		expect(frameAt([], 3)).toBe(0);
	});

	it("plays by the data's timestamps, also across a gap", () => {
		expect(advanced(seconds, 0.2, 0.2, all)).toMatchObject({ frame: 2, ended: false });
		expect(advanced(seconds, 0.4, 0.1, all)).toMatchObject({ frame: 3, ended: false });
	});

	it("ends at the last frame", () => {
		expect(advanced(seconds, 0.5, 10, all)).toEqual({
			time: 0.6,
			frame: 4,
			ended: true,
		});
	});

	it("waits for a frame that is not loaded and skips none", () => {
		const head = advanced(seconds, 0, 0.6, (frame) => frame !== 2);
		expect(head).toEqual({ time: 0.1, frame: 1, ended: false });
	});

	it("formats times, dates and frames", () => {
		expect(formatTime(9.04)).toBe("00:09.0");
		expect(formatTime(59.96)).toBe("01:00.0");
		expect(formatTime(3600)).toBe("1:00:00.0");
		expect(formatDate(1_570_735_440_000_000_000n)).toBe("2019-10-10 19:24");
		expect(formatDate(1n << 80n)).toBe("");
		expect(frameText(84, 248, 8.4)).toBe("frame 84 of 0 to 247, 8.4 s");
	});

	it("steps through the speeds within their limits", () => {
		expect(steppedSpeed(1, 1)).toBe(2);
		expect(steppedSpeed(1, -1)).toBe(0.5);
		expect(steppedSpeed(8, 1)).toBe(8);
		expect(steppedSpeed(0.1, -1)).toBe(0.1);
	});

	it("joins loaded frames into runs", () => {
		expect(rangesOf([5, 1, 2, 3, 9, 6])).toEqual([
			{ begin: 1, end: 4 },
			{ begin: 5, end: 7 },
			{ begin: 9, end: 10 },
		]);
		expect(rangesOf([])).toEqual([]);
	});
});
