import { describe, expect, it, vi } from "vitest";
import { tinyDataset } from "../../../../tests/support/tiny-dataset.js";
import { sceneTracks, tracksIf } from "../../../src/elements/review/scene-tracks.js";
import { ChunkedDataset, MemorySource, type MissingRule } from "../../../src/index.js";

const { signal } = new AbortController();

/** Opens the tiny data set without a chunk. */
function opened(absent?: string, missing?: MissingRule): Promise<ChunkedDataset> {
	const objects = new Map(tinyDataset());
	if (absent) objects.delete(absent);
	return ChunkedDataset.open(new MemorySource(objects), { missing });
}

describe("review/scene-tracks", () => {
	it("of a complete scene are read without its time series", async () => {
		const dataset = await opened();
		const timeline = vi.spyOn(dataset, "timeline");
		const { timestamps, track_ids } = await sceneTracks(dataset, 0, signal);
		expect(timestamps.length).toBeGreaterThan(0);
		expect(track_ids.length).toBeGreaterThan(0);
		expect(timeline).not.toHaveBeenCalled();
		dataset.close();
	});

	it("are not made of fill values, also where reading allows them", async () => {
		const strict = await opened("agents/0");
		await expect(sceneTracks(strict, 0, signal)).rejects.toMatchObject({
			code: "missing_key",
			message: expect.stringContaining("agents/0"),
		});
		strict.close();
		const dataset = await opened("agents/0", "fill");
		await expect(sceneTracks(dataset, 0, signal)).rejects.toMatchObject({
			code: "not_found",
			message:
				"predictions: scene 0: records of frame 0 are not stored; expected all to compare with",
		});
		expect(await tracksIf(dataset, 0, signal, () => false)).toBeUndefined();
		dataset.close();
		const frames = await opened("frames/0", "fill");
		await expect(sceneTracks(frames, 0, signal)).rejects.toThrow("frames");
		frames.close();
	});
});
