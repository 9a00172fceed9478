import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { GOLDENS } from "../../../tests/support/goldens.js";
import { readNpz } from "../../../tests/support/npz.js";
import {
	AgentDataset,
	type ChunkedDataset,
	EgoAgentDatasetVectorized,
	EgoDatasetVectorized,
	FileSource,
	type SampleDataset,
	type VectorizedSample,
} from "../../src/index.js";
import { compareAll, goldenConfig, openGolden } from "../support/golden-samples.js";

const inputs = (): FileSource =>
	new FileSource(
		new Map(
			["town_map.pb", "meta.json"].map((name) => [
				name,
				new Blob([readFileSync(`${GOLDENS}/inputs/${name}`)]),
			]),
		),
	);

/** The mask used for the golden evaluation. */
const everySo = (dataset: ChunkedDataset): Uint8Array =>
	Uint8Array.from({ length: dataset.agents.length }, (_, i) => (i % 997 === 0 ? 1 : 0));

const MAKERS: Readonly<
	Record<string, (dataset: ChunkedDataset) => Promise<SampleDataset<VectorizedSample>>>
> = {
	ego: (dataset) =>
		EgoDatasetVectorized.create(goldenConfig("V1"), dataset, { root: inputs() }),
	egoagent: (dataset) =>
		EgoAgentDatasetVectorized.create(goldenConfig("V1"), dataset, { root: inputs() }),
	egoagent_eval: (dataset) =>
		EgoAgentDatasetVectorized.create(goldenConfig("V1"), dataset, {
			root: inputs(),
			evalMode: true,
			mask: everySo(dataset),
		}),
};

describe.skipIf(!GOLDENS)("api/vectorized", () => {
	it.each([
		["single", "ego"],
		["multi", "ego"],
		["single", "egoagent"],
		["multi", "egoagent"],
		["single", "egoagent_eval"],
	])("V1_%s_%s: samples are L5Kit's", async (which, kind) => {
		using dataset = await openGolden(which);
		using samples = (await MAKERS[kind]?.(dataset)) as SampleDataset<VectorizedSample>;
		const golden = readNpz(`${GOLDENS}/outputs/vector/V1_${which}_${kind}.npz`);
		expect(await compareAll(golden, (i) => samples.sample(i))).toBeGreaterThan(500);
	});

	it("an absent track is an invalid argument, like L5Kit's ValueError", async () => {
		using dataset = await openGolden("multi");
		const options = { root: inputs(), vectorized: true } as const;
		using agents = await AgentDataset.create(goldenConfig("V1"), dataset, options);
		await expect(agents.getFrame(0, 3, 2n ** 50n)).rejects.toMatchObject({
			code: "invalid_argument",
		});
	});

	it("an evaluation has one sample per scene", async () => {
		using dataset = await openGolden("single");
		using samples = await EgoAgentDatasetVectorized.create(
			goldenConfig("V1"),
			dataset,
			{
				root: inputs(),
				evalMode: true,
			},
		);
		expect(samples.length).toBe(1);
		expect(await samples.getSceneIndices(0)).toEqual([0]);
		await expect(samples.getSceneDataset(0)).rejects.toMatchObject({
			code: "unsupported",
		});
	});
});
