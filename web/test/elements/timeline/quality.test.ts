import { describe, expect, it } from "vitest";
import type { Anomaly } from "../../../src/dataset/timeline.js";
import { qualityMarks } from "../../../src/elements/timeline/quality.js";
import { fakeMap } from "../../support/fake-dataset.js";
import { fakeTimeline } from "../../support/fake-timeline.js";

const well = fakeTimeline(0, 5);

function one(kind: Anomaly["kind"], frame: number, amount = 0, track = 0n): Anomaly {
	return { kind, frame, amount, track };
}

describe("qualityMarks", () => {
	it("is empty for valid data", () => {
		expect(qualityMarks(well, undefined)).toEqual([]);
		expect(qualityMarks(well, fakeMap())).toEqual([]);
	});

	it("describes anomalies in frame order", () => {
		const anomalies = [
			one("gap", 4, 0.4),
			one("stuck", 3),
			one("empty", 2),
			one("flat", 1, 0, 7n),
			one("jump", 0, 12.34, 8n),
		];
		expect(qualityMarks({ ...well, anomalies }, undefined)).toEqual([
			{ frame: 0, what: "Track 8 jumps 12.3 m", track: 8n },
			{ frame: 1, what: "Track 7 has no size", track: 7n },
			{ frame: 2, what: "No agents" },
			{ frame: 3, what: "Time does not advance" },
			{ frame: 4, what: "0.40 s since the previous frame" },
		]);
	});

	it("names the track and its anomaly", () => {
		const anomalies = [
			one("turn", 0, 171.6, 7n),
			one("resize", 1, 1.176, 8n),
			one("tiny", 2, 0.004, 9n),
			one("hole", 3, 3, 10n),
			one("hole", 4, 1, 11n),
		];
		expect(qualityMarks({ ...well, anomalies }, undefined)).toEqual([
			{ frame: 0, what: "Track 7 turns 172°", track: 7n },
			{ frame: 1, what: "Track 8 changes area by 1.18×", track: 8n },
			{ frame: 2, what: "Track 9 covers 40 cm²", track: 9n },
			{ frame: 3, what: "Track 10 is missing in 3 frames", track: 10n },
			{ frame: 4, what: "Track 11 is missing in 1 frame", track: 11n },
		]);
	});

	it("reports absent rows and their number of frames", () => {
		const anomalies = [
			one("absent-frames", 0, 1),
			one("absent-agents", 1, 3),
			one("absent-faces", 2, 2),
			one("repeated-faces", 3, 1),
		];
		expect(
			qualityMarks({ ...well, anomalies }, undefined).map(({ what }) => what),
		).toEqual([
			"Absent: records of 1 frame",
			"Absent: agents of 3 frames",
			"Absent: traffic lights of 2 frames",
			"Repeats 1 face of traffic lights",
		]);
	});

	it("finds a face that controls no lane, given a map", () => {
		const faces = [...well.faces, { id: "stray", frame: 4 }];
		expect(qualityMarks({ ...well, faces }, fakeMap())).toEqual([
			{ frame: 4, what: "Face stray controls no lane" },
		]);
		expect(qualityMarks({ ...well, faces }, undefined)).toEqual([]);
	});
});
