import { describe, expect, it } from "vitest";
import { GOLDENS } from "../../../tests/support/goldens.js";
import { tinyDataset } from "../../../tests/support/tiny-dataset.js";
import {
	AgentDataset,
	ChunkedDataset,
	type DatasetReader,
	EgoDataset,
	MemorySource,
} from "../../src/index.js";
import { STUB_CONFIG } from "../support/configs.js";
import { goldenConfig, openGolden } from "../support/golden-samples.js";

const SOURCE = new MemorySource(tinyDataset());
const config = STUB_CONFIG;

/** The values of an array of all samples, a row per item. */
async function valuesOf(reader: DatasetReader, name: string): Promise<string[]> {
	const rows: string[] = [];
	for await (const batch of reader) {
		const { data } = batch.column(name);
		const size = data.length / batch.length;
		for (let i = 0; i < batch.length; i += 1) {
			rows.push(String(data.subarray(i * size, (i + 1) * size)));
		}
		batch.release();
	}
	return rows;
}

describe("reader: samples", () => {
	it("has the samples of the frames that a filter chooses", async () => {
		using dataset = await ChunkedDataset.open(SOURCE);
		using ego = await EgoDataset.create(config, dataset, { image: "none" });
		const expected: string[] = [];
		for (const i of [2, 3, 4, 5, 8, 9, 10, 11]) {
			expected.push(String((await ego.sample(i)).target_positions.data));
		}
		const plan = { from: "frames", where: "frame >= 2", sample: { config } };
		using reader = dataset.reader(plan);
		expect(await valuesOf(reader, "target_positions")).toEqual(expected);
		expect(await reader.count({ of: "shard" })).toBe(8);
	});

	it("permutes them", async () => {
		using dataset = await ChunkedDataset.open(SOURCE);
		const plan = { from: "frames", fields: ["timestamp"], sample: { config } };
		using reader = dataset.reader(plan);
		using shuffled = dataset.reader({ ...plan, order: { mode: "full", seed: 2 } });
		const found = await valuesOf(shuffled, "timestamp");
		const stored = await valuesOf(reader, "timestamp");
		expect(found).not.toEqual(stored);
		expect(found.sort()).toEqual(stored.sort());
	});

	it("explains its arrays, which patterns choose", async () => {
		using dataset = await ChunkedDataset.open(SOURCE);
		const plan = { from: "frames", sample: { config, image: "u8" as const } };
		using all = dataset.reader({ ...plan, batch: 5 });
		const { fields } = await all.explain();
		for await (const batch of all) {
			expect(batch.names).toEqual(fields.map(({ name }) => name));
			for (const { name, shape } of fields) {
				expect(batch.columns.column(name).shape).toEqual([batch.length, ...shape]);
			}
		}
		using some = dataset.reader({ ...plan, fields: [/^target_/] });
		for await (const batch of some) {
			expect(batch.names).toHaveLength(4);
			expect(batch.names).toContain("target_yaws");
		}
	});

	it("resumes, and refuses the state of another config", async () => {
		using dataset = await ChunkedDataset.open(SOURCE);
		const plan = {
			from: "frames",
			sample: { config },
			fields: ["timestamp"],
			order: "blocks" as const,
			batch: 4,
		};
		using whole = dataset.reader(plan);
		const all = await valuesOf(whole, "timestamp");
		using begun = dataset.reader(plan);
		for await (const _ of begun) break;
		const state = await begun.state();
		using resumed = dataset.reader(plan);
		resumed.restore(state);
		expect(await valuesOf(resumed, "timestamp")).toEqual(all.slice(4));
		using other = dataset.reader({ ...plan, sample: undefined });
		other.restore(state);
		await expect(valuesOf(other, "timestamp")).rejects.toThrow("different: sample");
	});

	it("refuses unknown arrays and missing maps", async () => {
		using dataset = await ChunkedDataset.open(SOURCE);
		const sample = { config };
		using unknown = dataset.reader({ from: "frames", sample, fields: ["yaws"] });
		await expect(unknown.length()).resolves.toBe(12);
		await expect(valuesOf(unknown, "yaws")).rejects.toMatchObject({
			code: "not_found",
		});
		using vectorized = dataset.reader({
			from: "frames",
			sample: { config, vectorized: true },
		});
		await expect(valuesOf(vectorized, "yaw")).rejects.toThrow();
	});
});

describe.skipIf(!GOLDENS)("reader: samples with maps", () => {
	it("draws the images of the agents that L5Kit selects", async () => {
		using dataset = await openGolden("single");
		const given = { root: `${GOLDENS}/inputs`, image: "u8" as const };
		const sem = goldenConfig("B_sem");
		using agents = await AgentDataset.create(sem, dataset, given);
		await agents.index();
		using reader = dataset.reader({
			where: "scene == 0 and frame == 40",
			fields: ["image", "track_id", "frame_index"],
			sample: { config: sem, ...given },
		});
		let seen = 0;
		for await (const batch of reader) {
			const { data } = batch.column("image");
			const size = data.length / batch.length;
			for (let i = 0; i < batch.length; i += 1) {
				const track = batch.column("track_id").data[i] ?? 0;
				const same = await agents.getFrame(0, 40, BigInt(track));
				expect(data.subarray(i * size, (i + 1) * size)).toEqual(same.image.data);
				seen += 1;
			}
		}
		expect(seen).toBe((await agents.getFrameIndices(40)).length);
		expect(seen).toBeGreaterThan(0);
	}, 30_000);
});
