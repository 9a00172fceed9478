import { describe, expect, it } from "vitest";
import { fieldOf, TINY, tinyDataset } from "../../../tests/support/tiny-dataset.js";
import {
	AgentClass,
	ChunkedDataset,
	MemorySource,
	type Source,
} from "../../src/index.js";

async function opened(
	source: Source = new MemorySource(tinyDataset()),
): Promise<ChunkedDataset> {
	return ChunkedDataset.open(source);
}

describe("scenes", () => {
	it("returns a scene's record", async () => {
		using dataset = await opened();
		const begin = TINY.start + BigInt(TINY.framesPerScene) * TINY.step;
		const end = begin + BigInt(TINY.framesPerScene - 1) * TINY.step;
		expect(await dataset.scene(1)).toEqual({
			index: 1,
			host: "host-1",
			start: begin,
			end,
			seconds: 0.5,
			frames: TINY.framesPerScene,
			frameBegin: TINY.framesPerScene,
		});
	});

	it("rejects scenes that do not exist", async () => {
		using dataset = await opened();
		for (const index of [2, -1, 0.5, Number.NaN]) {
			await expect(dataset.scene(index)).rejects.toMatchObject({
				code: "out_of_range",
				message: `scene ${index} is out of range (count 2)`,
			});
		}
	});

	it("yields a scene's frames in order, or some of them", async () => {
		using dataset = await opened();
		const seen: [number, number][] = [];
		for await (const { scene, frame } of dataset.sceneFrames(1))
			seen.push([scene, frame]);
		expect(seen).toEqual(Array.from({ length: TINY.framesPerScene }, (_, f) => [1, f]));
		const some: number[] = [];
		const options = { begin: 2, end: 4, prefetch: 0, past: 0 };
		for await (const { frame, ego } of dataset.sceneFrames(0, options)) {
			some.push(frame);
			expect(ego.trail).toHaveLength(2); // only this frame
		}
		expect(some).toEqual([2, 3]);
	});

	it("recycles each frame's memory if asked to", async () => {
		using dataset = await opened();
		const kept: Float64Array[] = [];
		const options = { recycle: true };
		for await (const { ego } of dataset.sceneFrames(0, options))
			kept.push(ego.centroid);
		expect(kept).toHaveLength(TINY.framesPerScene);
		for (const centroid of kept) expect(centroid).toHaveLength(0);
	});

	it("cancels frames that were read ahead when the loop is left", async () => {
		const memory = new MemorySource(tinyDataset());
		const aborted: string[] = [];
		const hanging: Source = {
			read: (key, options) =>
				key === "frames/1"
					? new Promise((_, reject) => {
							options?.signal?.addEventListener("abort", () => {
								aborted.push(key);
								reject(options.signal?.reason);
							});
						})
					: memory.read(key, options),
		};
		using dataset = await opened(hanging);
		const seen: number[] = [];
		for await (const { frame } of dataset.sceneFrames(0, { past: 0, prefetch: 5 })) {
			seen.push(frame);
			if (frame === 1) break;
		}
		expect(seen).toEqual([0, 1]);
		await expect.poll(() => aborted).toEqual(["frames/1"]);
	});

	it("throws a frame's failure at its turn", async () => {
		const objects = new Map(tinyDataset());
		objects.delete("agents/4"); // rows 16 to 19: frame 5, the neighbour of frame 4
		using dataset = await opened(new MemorySource(objects));
		const seen: number[] = [];
		const loop = async (): Promise<void> => {
			for await (const { frame } of dataset.sceneFrames(0)) seen.push(frame);
		};
		await expect(loop()).rejects.toMatchObject({ code: "missing_key" });
		expect(seen).toEqual([0, 1, 2, 3]);
		await expect(dataset.frame(0, 4)).rejects.toMatchObject({ code: "missing_key" });
	});

	it("rejects frames outside of the scene", async () => {
		using dataset = await opened();
		const first = (options: object) => dataset.sceneFrames(0, options).next();
		await expect(first({ end: 7 })).rejects.toMatchObject({ code: "out_of_range" });
		await expect(first({ begin: -1 })).rejects.toMatchObject({
			code: "invalid_argument",
		});
		expect(await first({ begin: 6 })).toMatchObject({ done: true });
	});

	it("stops with the signal's reason", async () => {
		using dataset = await opened();
		const control = new AbortController();
		const reason = new Error("enough");
		const frames = dataset.sceneFrames(0, { signal: control.signal });
		expect(await frames.next()).toMatchObject({ value: { frame: 0 } });
		control.abort(reason);
		await expect(frames.next()).rejects.toBe(reason);
	});

	it("names the classes of agents as the core numbers them", async () => {
		const objects = tinyDataset();
		// A fourth class: the last agent of frame 1 becomes an animal.
		const labels = fieldOf(objects, "agents", 5, "label_probabilities");
		for (let i = 0; i < 17; i += 1) labels.setFloat32(4 * i, i === 15 ? 1 : 0, true);
		using dataset = await opened(new MemorySource(objects));
		const { vehicle, cyclist, pedestrian, other } = AgentClass;
		using first = await dataset.frame(0, 0);
		expect([...first.agents.class]).toEqual([vehicle, cyclist, pedestrian]);
		using second = await dataset.frame(0, 1);
		expect([...second.agents.class]).toEqual([vehicle, cyclist, other]);
	});
});
