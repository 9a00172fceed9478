import { describe, expect, it } from "vitest";
import { GOLDENS } from "../../../tests/support/goldens.js";
import { readNpz } from "../../../tests/support/npz.js";
import {
	AgentDataset,
	agentsMask,
	agentsSliceFromFrames,
	EgoDataset,
	facesSliceFromFrames,
	framesSliceFromScenes,
	type Sample,
	selectAgents,
	selectScene,
} from "../../src/index.js";
import { compareAll, goldenConfig, openGolden } from "../support/golden-samples.js";

const config = (): Readonly<Record<string, unknown>> => goldenConfig("B_stub");

/**
 * The part of a sample that is equal in a scene's own data set and in the whole one.
 */
const essence = ({
	frame_index,
	track_id,
	centroid,
	target_positions,
}: Sample<"none">) =>
	[frame_index, track_id, centroid, target_positions].map(({ data }) => data);

describe.skipIf(!GOLDENS)("api/scenes", () => {
	it("a scene's data set has its samples, and the scene is 0", async () => {
		using dataset = await openGolden("multi");
		using ego = await EgoDataset.create(config(), dataset, { image: "none" });
		using scene = await ego.getSceneDataset(3);
		expect(scene.length).toBe(60);
		expect(await scene.getSceneIndices(0)).toEqual([...Array(60).keys()]);
		const [own, same] = [await scene.sample(-1), await ego.sample(3 * 60 + 59)];
		expect(essence(own)).toEqual(essence(same));
		expect([own.scene_index.data[0], same.scene_index.data[0]]).toEqual([0n, 3n]);
		await expect(scene.sample(60)).rejects.toMatchObject({ code: "out_of_range" });
		await expect(scene.getSceneIndices(1)).rejects.toMatchObject({
			code: "out_of_range",
		});
		using again = await scene.getSceneDataset(0);
		expect(essence(await again.sample(7))).toEqual(essence(await scene.sample(7)));
	});

	it("a scene's data set of agents has its items", async () => {
		using dataset = await openGolden("multi");
		using agents = await AgentDataset.create(config(), dataset, { image: "none" });
		await agents.index();
		const items = await agents.getSceneIndices(2);
		using scene = await agents.getSceneDataset(2);
		expect(scene.length).toBe(items.length);
		expect(scene.length).toBeGreaterThan(20);
		const last = items.length - 1;
		for (const i of [0, 17, last]) {
			const same = await agents.sample(items[i] ?? -1);
			expect(essence(await scene.sample(i))).toEqual(essence(same));
		}
		expect(await scene.getSceneIndices(0)).toEqual([...items.keys()]);
		const frame = 2 * 60 + 31;
		const inFrame = await agents.getFrameIndices(frame);
		expect(await scene.getFrameIndices(31)).toEqual(
			inFrame.map((item) => item - (items[0] ?? 0)),
		);
		await expect(scene.getSceneDataset(2)).rejects.toMatchObject({
			code: "out_of_range",
		});
	});

	it("a selection yields a mask per scene, and L5Kit's report", async () => {
		using dataset = await openGolden("multi");
		const rules = { labelThreshold: 0.5, maxDistanceToEgo: 20 };
		const golden = readNpz(
			`${GOLDENS}/outputs/select/multi_th0.5_y30_e1.1_d20.npz`,
		).get("mask");
		const scenes: number[] = [];
		for await (const { scene, scenes: of, mask } of selectAgents(dataset, rules)) {
			scenes.push(scene, of);
			expect(mask.length % 2).toBe(0);
		}
		expect(scenes).toEqual([0, 5, 1, 5, 2, 5, 3, 5, 4, 5]);
		const { mask, report } = await agentsMask(dataset, rules);
		expect(Array.from(mask)).toEqual(Array.from(golden?.data ?? [], Number));
		expect(report?.total_agent_frames).toBe(dataset.agents.length);
		expect(report?.total_reject).toBeGreaterThan(0);
	});

	it("a selection of one scene equals its rows of the whole", async () => {
		using dataset = await openGolden("multi");
		const { mask: whole } = await agentsMask(dataset);
		for (const wanted of [3, 0, 4]) {
			const { scene, first, mask, report } = await selectScene(dataset, wanted);
			expect(scene).toBe(wanted);
			expect(mask).toEqual(whole.slice(2 * first, 2 * first + mask.length));
			expect(report.total_agent_frames).toBe(mask.length / 2);
		}
		await expect(selectScene(dataset, 5)).rejects.toMatchObject({
			code: "out_of_range",
			message: "selection of agents: scene 5 is out of range (count 5)",
		});
	});

	it("a selection can be abandoned and aborted", async () => {
		using dataset = await openGolden("multi");
		for await (const { scene } of selectAgents(dataset)) {
			if (scene === 1) break;
		}
		const signal = AbortSignal.abort(new Error("enough"));
		await expect(agentsMask(dataset, {}, { signal })).rejects.toThrow("enough");
		expect((await agentsMask(dataset)).mask).toHaveLength(2 * dataset.agents.length);
	});

	it("an index reports rejected agents", async () => {
		using dataset = await openGolden("multi");
		using agents = await AgentDataset.create(config(), dataset, { image: "none" });
		expect(agents.report).toBeUndefined();
		await agents.index();
		expect(agents.report?.total_agent_frames).toBe(dataset.agents.length);
		const mask = new Uint8Array(dataset.agents.length).fill(1);
		using masked = await AgentDataset.create(config(), dataset, { mask });
		await masked.index();
		expect(masked.report).toBeUndefined();
	});

	it("slices of the next array are L5Kit's", async () => {
		using dataset = await openGolden("multi");
		const scenes = await dataset.scenes.rows(1, 4);
		expect(framesSliceFromScenes(scenes)).toEqual({ begin: 60, end: 240 });
		const frames = await dataset.frames.rows(60, 240);
		const agents = agentsSliceFromFrames(frames);
		const next = await dataset.frames.rows(240, 241);
		expect(agents.end).toBe(agentsSliceFromFrames(next).begin);
		expect(facesSliceFromFrames(frames).end).toBe(facesSliceFromFrames(next).begin);
	});
});

describe.skipIf(!GOLDENS)("api/perturbation", () => {
	const perturbation = {
		kind: "ackerman",
		probability: 0.7,
		deviation: [0.5, 1, 0.1],
		seed: 42,
		offsetSeed: 3,
	} as const;

	it("perturbed samples are L5Kit's if requested in its order", async () => {
		using dataset = await openGolden("single");
		const options = { image: "none", perturbation } as const;
		using ego = await EgoDataset.create(goldenConfig("B_box"), dataset, options);
		const golden = readNpz(`${GOLDENS}/outputs/perturb/ego_gaussian.npz`);
		const compared = await compareAll(golden, (i) => ego.sample(i), 1e-4);
		expect(compared).toBeGreaterThan(500);
	});

	it("prefetched samples draw random numbers in request order", async () => {
		using dataset = await openGolden("single");
		const options = { image: "none", perturbation } as const;
		const indices = [15, 80, 33, 120, 50, 51];
		const centroids = async (prefetch: number): Promise<unknown[]> => {
			using ego = await EgoDataset.create(goldenConfig("B_box"), dataset, options);
			const all: unknown[] = [];
			for await (const { centroid } of ego.samples({ indices, prefetch })) {
				all.push([...centroid.data]);
			}
			return all;
		};
		expect(await centroids(4)).toEqual(await centroids(0));
	});

	it("agents are not perturbed", async () => {
		using dataset = await openGolden("single");
		const options = { image: "none", perturbation } as object;
		await expect(
			AgentDataset.create(goldenConfig("B_box"), dataset, options),
		).rejects.toMatchObject({ code: "invalid_argument" });
	});
});
