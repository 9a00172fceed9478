import { describe, expect, it } from "vitest";
import { GOLDENS } from "../../../tests/support/goldens.js";
import { readNpz } from "../../../tests/support/npz.js";
import { tinyDataset } from "../../../tests/support/tiny-dataset.js";
import {
	AgentDataset,
	ChunkedDataset,
	EgoDataset,
	MemorySource,
	type Sample,
	type SampleKey,
} from "../../src/index.js";
import { STUB_CONFIG } from "../support/configs.js";
import {
	compareAll,
	goldenConfig,
	openGolden as open,
} from "../support/golden-samples.js";

const FILES = ["A_stub_single", "B_stub_single", "B_stub_multi", "B_stub_dt02_multi"];

describe.skipIf(!GOLDENS)("api/samples", () => {
	it.each(FILES)("%s: samples of frames are L5Kit's", async (file) => {
		const [, name = "", which = ""] = /(.*)_(single|multi)$/.exec(file) ?? [];
		using dataset = await open(which);
		const config = goldenConfig(name);
		const ego = await EgoDataset.create(config, dataset, { image: "none" });
		const golden = readNpz(`${GOLDENS}/outputs/samples/${file}_ego.npz`);
		expect(await compareAll(golden, (i) => ego.sample(i))).toBeGreaterThan(500);
	});

	it.each(FILES)("%s: samples of agents are L5Kit's", async (file) => {
		const [, name = "", which = ""] = /(.*)_(single|multi)$/.exec(file) ?? [];
		using dataset = await open(which);
		const agents = await AgentDataset.create(goldenConfig(name), dataset, {
			image: "none",
			minFrameHistory: 0,
			minFrameFuture: 1,
		});
		await agents.index();
		const golden = readNpz(`${GOLDENS}/outputs/samples/${file}_agent.npz`);
		expect(await compareAll(golden, (i) => agents.sample(i))).toBeGreaterThan(500);
	});
});

describe.skipIf(!GOLDENS)("api/samples: datasets", () => {
	const config = () => goldenConfig("B_stub");

	it("samples of a scene's frame and track need no index", async () => {
		using dataset = await open("multi");
		const agents = await AgentDataset.create(config(), dataset, { image: "none" });
		expect(() => agents.length).toThrow("call index() first");
		await agents.index();
		const item = await agents.sample(40);
		const [scene, state, track] = [item.scene_index, item.frame_index, item.track_id];
		const same = await agents.getFrame(
			Number(scene.data[0]),
			Number(state.data[0]),
			BigInt(track.data[0] ?? 0),
		);
		expect(Object.keys(same)).toEqual(Object.keys(item));
		expect(same.target_positions.data).toEqual(item.target_positions.data);
		const row = Number(agents.agentsIndices[40]);
		expect((await agents.sampleOfAgent(row)).centroid.data).toEqual(item.centroid.data);
	});

	it("negative indices count from the end", async () => {
		using dataset = await open("multi");
		const ego = await EgoDataset.create(config(), dataset, { image: "none" });
		expect(ego.length).toBe(300);
		const [last, same] = [await ego.sample(-1), await ego.sample(299)];
		expect(last.timestamp.data).toEqual(same.timestamp.data);
		await expect(ego.sample(300)).rejects.toMatchObject({ code: "out_of_range" });
		await expect(ego.sample(-301)).rejects.toMatchObject({ code: "invalid_argument" });
		expect(await ego.getSceneIndices(1)).toHaveLength(60);
		await expect(ego.getSceneIndices(5)).rejects.toMatchObject({
			code: "out_of_range",
		});
		expect(ego.getFrameIndices(7)).toEqual([7]);
		expect(() => ego.getFrameIndices(300)).toThrow("count 300");
	});

	it("items match the given mask, by scene and frame", async () => {
		using dataset = await open("multi");
		const mask = new Uint8Array(dataset.agents.length);
		mask.set([1, 1, 0, 1]);
		const agents = await AgentDataset.create(config(), dataset, {
			image: "none",
			mask,
		});
		await agents.index();
		expect([...agents.agentsIndices]).toEqual([0n, 1n, 3n]);
		expect(await agents.getSceneIndices(0)).toEqual([0, 1, 2]);
		expect(await agents.getSceneIndices(1)).toEqual([]);
		expect(await agents.getFrameIndices(0)).toEqual([0, 1, 2]);
		await expect(agents.sample(3)).rejects.toMatchObject({ code: "out_of_range" });
	});

	it("a batch is its samples stacked, with prefetch and recycling", async () => {
		using dataset = await open("multi");
		const ego = await EgoDataset.create(config(), dataset, { image: "none" });
		const indices = [3, 250, 70, 71, 8];
		const shapes: (readonly number[])[] = [];
		const seen: unknown[] = [];
		const options = { indices, batch: 2, prefetch: 2, recycle: true };
		for await (const batch of ego.samples(options)) {
			shapes.push(batch.target_positions.shape);
			seen.push(...Array.from<unknown>(batch.timestamp.data));
		}
		expect(shapes).toEqual([2, 2, 1].map((count) => [count, 50, 2]));
		const single: unknown[] = [];
		for await (const { timestamp } of ego.samples({ indices })) {
			expect(timestamp.shape).toEqual([]);
			single.push(timestamp.data[0]);
		}
		expect(seen).toEqual(single);
	});

	it("iterates scenes, and can be ended or aborted", async () => {
		using dataset = await open("multi");
		const ego = await EgoDataset.create(config(), dataset, { image: "none" });
		const scenes: number[] = [];
		for await (const { scene_index } of ego.samples({ scenes: [4, 1], batch: 60 })) {
			scenes.push(Number(scene_index.data[0]), Number(scene_index.data[59]));
		}
		expect(scenes).toEqual([4, 4, 1, 1]);
		const control = new AbortController();
		const { signal } = control;
		let count = 0;
		const work = async () => {
			for await (const _ of ego.samples({ signal })) {
				count += 1;
				if (count === 3) control.abort(new Error("enough"));
			}
		};
		await expect(work()).rejects.toThrow("enough");
		expect(count).toBe(3);
	});

	it("reports an invalid config", async () => {
		using dataset = await open("multi");
		await expect(
			EgoDataset.create({}, dataset, { image: "none" }),
		).rejects.toMatchObject({
			code: "missing_key",
			message: expect.stringContaining("raster_params") as string,
		});
	});
});

/** The typed arrays of a sample; a key that is missing here does not compile. */
const TYPES = {
	frame_index: BigInt64Array,
	image: Float32Array,
	target_positions: Float32Array,
	target_yaws: Float32Array,
	target_velocities: Float32Array,
	target_availabilities: Float32Array,
	history_positions: Float32Array,
	history_yaws: Float32Array,
	history_velocities: Float32Array,
	history_availabilities: Float32Array,
	history_extents: Float32Array,
	future_extents: Float32Array,
	world_to_image: Float64Array,
	raster_from_agent: Float64Array,
	raster_from_world: Float64Array,
	agent_from_world: Float64Array,
	world_from_agent: Float64Array,
	centroid: Float64Array,
	yaw: Float64Array,
	extent: Float64Array,
	curr_speed: Float32Array,
	scene_index: BigInt64Array,
	host_id: Uint8Array,
	timestamp: BigInt64Array,
	track_id: BigInt64Array,
} satisfies { [K in SampleKey]: { new (): Sample<"f32">[K]["data"] } };

describe("api/samples, types", () => {
	it("a sample has exactly the keys and typed arrays of its type", async () => {
		using dataset = await ChunkedDataset.open(new MemorySource(tinyDataset()));
		using ego = await EgoDataset.create(STUB_CONFIG, dataset);
		const sample = await ego.sample(3);
		expect(Object.keys(sample).sort()).toEqual(Object.keys(TYPES).sort());
		for (const key of Object.keys(TYPES) as SampleKey[]) {
			expect(sample[key].data, key).toBeInstanceOf(TYPES[key]);
		}
		const agents = await AgentDataset.create(STUB_CONFIG, dataset, { image: "rgba" });
		const agent = await agents.getFrame(0, 3, 2n);
		expect(agent.image.data).toBeInstanceOf(Uint8Array);
		expect(agent.extent.data).toBeInstanceOf(Float32Array);
		const none = await EgoDataset.create(STUB_CONFIG, dataset, { image: "none" });
		expect((await none.sample(0)).image).toBeUndefined();
	});
});
