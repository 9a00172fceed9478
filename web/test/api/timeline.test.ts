import { describe, expect, it } from "vitest";
import { TINY, tinyDataset } from "../../../tests/support/tiny-dataset.js";
import { ChunkedDataset, MemorySource } from "../../src/index.js";

async function opened(objects = tinyDataset()): Promise<ChunkedDataset> {
	return ChunkedDataset.open(new MemorySource(objects));
}

describe("api/timeline", () => {
	it("tells how the ego vehicle moves over a scene, and that nothing is odd", async () => {
		const dataset = await opened();
		const line = await dataset.timeline(1);
		expect(line).toMatchObject({ scene: 1, of: undefined, track: undefined, odd: [] });
		expect(line.ego.speed).toHaveLength(TINY.framesPerScene);
		for (const speed of line.ego.speed) expect(speed).toBeCloseTo(10, 9);
		for (const rate of line.ego.yaw_rate) expect(rate).toBeCloseTo(0, 9);
		dataset.close();
	});

	it("follows a track beside it, read in the background", async () => {
		const dataset = await opened();
		const { track, of } = await dataset.timeline(0, { track: 2n, prefetch: true });
		expect(of).toBe(2n);
		for (const speed of track?.speed ?? []) expect(speed).toBeCloseTo(10, 9);
		const lost = await dataset.timeline(0, { track: 99n });
		expect(lost.track?.speed.every(Number.isNaN)).toBe(true);
		dataset.close();
	});

	it("names each traffic-light face once, where it is seen first", async () => {
		const dataset = await opened();
		const { faces } = await dataset.timeline(0);
		expect(new Set(faces.map(({ id }) => id)).size).toBe(faces.length);
		expect(faces[0]?.frame).toBe(0);
		dataset.close();
	});

	it("tells which agents' chunks are not stored", async () => {
		const objects = tinyDataset();
		objects.delete("agents/1"); // rows 4 to 7: of frames 1 and 2
		const dataset = await opened(objects);
		const { odd } = await dataset.timeline(0);
		expect(odd).toEqual([{ kind: "unstored-agents", frame: 1, track: 0n, amount: 2 }]);
		dataset.close();
	});

	it("refuses a scene that is not there", async () => {
		const dataset = await opened();
		await expect(dataset.timeline(7)).rejects.toMatchObject({ code: "out_of_range" });
		dataset.close();
	});
});
