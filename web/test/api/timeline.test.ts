import { describe, expect, it } from "vitest";
import { TINY, tinyDataset } from "../../../tests/support/tiny-dataset.js";
import { ChunkedDataset, MemorySource } from "../../src/index.js";

async function opened(objects = tinyDataset()): Promise<ChunkedDataset> {
	return ChunkedDataset.open(new MemorySource(objects));
}

describe("api/timeline", () => {
	it("returns the ego vehicle's motion over a scene without anomalies", async () => {
		const dataset = await opened();
		const line = await dataset.timeline(1);
		expect(line).toMatchObject({
			scene: 1,
			of: undefined,
			track: undefined,
			anomalies: [],
		});
		expect(line.start).toBe((await dataset.scene(1)).start);
		expect(line.seconds).toHaveLength(TINY.framesPerScene);
		for (const [frame, second] of line.seconds.entries()) {
			expect(second).toBeCloseTo(frame / 10, 9);
		}
		expect(line.ego.speed).toHaveLength(TINY.framesPerScene);
		for (const speed of line.ego.speed) expect(speed).toBeCloseTo(10, 9);
		for (const rate of line.ego.yaw_rate) expect(rate).toBeCloseTo(0, 9);
		dataset.close();
	});

	it("returns a track's motion, read in the background", async () => {
		const dataset = await opened();
		const { track, of } = await dataset.timeline(0, { track: 2n, prefetch: true });
		expect(of).toBe(2n);
		for (const speed of track?.speed ?? []) expect(speed).toBeCloseTo(10, 9);
		const lost = await dataset.timeline(0, { track: 99n });
		expect(lost.track?.speed.every(Number.isNaN)).toBe(true);
		dataset.close();
	});

	it("lists each traffic light face once, in order of appearance", async () => {
		const dataset = await opened();
		const { faces } = await dataset.timeline(0);
		expect(new Set(faces.map(({ id }) => id)).size).toBe(faces.length);
		expect(faces[0]?.frame).toBe(0);
		dataset.close();
	});

	it("returns each light's runs over a scene of 600 frames", async () => {
		const dataset = await opened(
			tinyDataset({ framesPerScene: 600, rowsPerChunk: 256 }),
		);
		const { lights, faces } = await dataset.timeline(1);
		expect(lights.id).toEqual(["light-0"]);
		const { length, begin, end, state, active_offset, active_face } = lights.runs;
		expect(length).toBe(600); // active in even frames, unknown in odd ones
		expect([begin[0], end[length - 1]]).toEqual([0, 600]);
		expect(begin.subarray(1)).toEqual(end.subarray(0, -1));
		expect([...state.subarray(0, 4)]).toEqual([0, 2, 0, 2]);
		expect([...active_offset.subarray(0, 4)]).toEqual([0, 1, 1, 2]);
		expect(faces[active_face[0] ?? 9]?.id).toBe("face-0");
		dataset.close();
	});

	it("has no run where traffic light rows are absent", async () => {
		const objects = tinyDataset();
		objects.delete("traffic_light_faces/0"); // rows 0 to 3, of frames 0 to 3
		const dataset = await opened(objects);
		const { lights, faces } = await dataset.timeline(0);
		expect(lights.id).toEqual(["light-0"]);
		expect([...lights.runs.begin]).toEqual([4, 5]);
		expect(faces).toEqual([
			{ id: "face-0", frame: 4 },
			{ id: "face-1", frame: 5 },
		]);
		dataset.close();
	});

	it("reports absent chunks of agents", async () => {
		const objects = tinyDataset();
		objects.delete("agents/1"); // rows 4 to 7, of frames 1 and 2
		const dataset = await opened(objects);
		const { anomalies } = await dataset.timeline(0);
		expect(anomalies).toEqual([
			{ kind: "absent-agents", frame: 1, track: 0n, amount: 2 },
		]);
		dataset.close();
	});

	it("rejects a scene out of range", async () => {
		const dataset = await opened();
		await expect(dataset.timeline(7)).rejects.toMatchObject({ code: "out_of_range" });
		dataset.close();
	});
});
