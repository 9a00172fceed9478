import { describe, expect, it } from "vitest";
import { tinyDataset } from "../../../tests/support/tiny-dataset.js";
import { camelNames, coreNames } from "../../src/base/names.js";
import {
	AgentDataset,
	ChunkedDataset,
	MemorySource,
	type ReaderOptions,
	selectScene,
} from "../../src/index.js";
import { STUB_CONFIG as CONFIG } from "../support/configs.js";

const SOURCE = new MemorySource(tinyDataset());

/** An option by its name, and by its former one. */
type Pair = readonly [now: object, former: object];

/** Returns the number of items of both forms of a reader's options, and with both at once. */
async function counted([now, former]: Pair, more: ReaderOptions = {}) {
	using dataset = await ChunkedDataset.open(SOURCE);
	const count = async (given: object) => {
		using reader = dataset.reader({ batch: 7, ...more, ...given });
		let items = 0;
		for await (const batch of reader) items += batch.length;
		return items;
	};
	const both = merged(now, former);
	await expect(count(both)).rejects.toMatchObject({
		code: "invalid_argument",
		message: expect.stringMatching(/: (\w+) and \w+ \(found both, expected \1\)/),
	});
	return [await count(now), await count(former)] as const;
}

/** Merges two objects and the objects in them. */
function merged(a: object, b: object): object {
	const all: Record<string, unknown> = { ...a };
	for (const [name, value] of Object.entries(b)) {
		const other = all[name];
		const isBoth = typeof other === "object" && other !== null;
		all[name] = isBoth ? merged(other, Object(value)) : value;
	}
	return all;
}

describe("base/names", () => {
	it("options of the core are in snake case, by either name", () => {
		expect(coreNames("x", { maxGapS: 1, past: 2, dropLast: undefined })).toEqual({
			max_gap_s: 1,
			past: 2,
		});
		expect(coreNames("x", { max_gap_s: 1 })).toEqual({ max_gap_s: 1 });
		expect(() => coreNames("window", { maxGapS: 1, max_gap_s: 1 })).toThrow(
			"window: maxGapS and max_gap_s (found both, expected maxGapS)",
		);
		expect(coreNames("x", { maxGapS: undefined, max_gap_s: 1 })).toEqual({
			max_gap_s: 1,
		});
	});

	it("results have both names, and list those in camel case", () => {
		const made = camelNames<Record<string, number>>({ rank_error: 0.5, rows: 2 });
		expect(made).toEqual({ rankError: 0.5, rows: 2 });
		expect(made.rank_error).toBe(0.5);
		expect(Object.keys(made)).toEqual(["rankError", "rows"]);
	});

	it("a reader takes an option by either name, and refuses both", async () => {
		const window = { past: 1 };
		const pairs: readonly (readonly [Pair, ReaderOptions?])[] = [
			[[{ onDamage: "skip" }, { on_damage: "skip" }]],
			[[{ batch: { dropLast: true } }, { batch: { drop_last: true } }]],
			[[{ batch: { byBlock: true } }, { batch: { by_block: true } }]],
			[
				[
					{ window: { ...window, maxGapS: 0.05 } },
					{ window: { ...window, max_gap_s: 0.05 } },
				],
			],
			[
				[
					{ window: { ...window, fieldsAt: { "-1": ["yaw"] } } },
					{ window: { ...window, fields_at: { "-1": ["yaw"] } } },
				],
			],
			[
				[
					{ shard: { index: 0, count: 2, allowEmpty: true } },
					{ shard: { index: 0, count: 2, allow_empty: true } },
				],
				{ where: "row < 0" },
			],
		];
		for (const [pair, more] of pairs) {
			const [now, former] = await counted(pair, more);
			expect(former, JSON.stringify(pair)).toBe(now);
		}
	});

	it("a reader of samples takes its rules by either name, and refuses both", async () => {
		const sample = { config: CONFIG, image: "none" } as const;
		const [now, former] = await counted([
			{ sample: { ...sample, minFrameHistory: 1, useStored: false } },
			{ sample: { ...sample, min_frame_history: 1, use_stored: false } },
		]);
		expect(former).toBe(now);
	});

	it("data sets of samples and selections do so, too", async () => {
		using dataset = await ChunkedDataset.open(SOURCE);
		const length = async (given: object) => {
			using agents = await AgentDataset.create(CONFIG, dataset, {
				image: "none",
				...given,
			});
			await agents.index();
			expect(agents.agents_indices).toBe(agents.agentsIndices);
			return agents.length;
		};
		const rules = { minFrameHistory: 2, maxDistanceToEgo: 10 };
		const former = { min_frame_history: 2, max_distance_to_ego: 10 };
		expect(await length(former)).toBe(await length(rules));
		await expect(length({ ...rules, ...former })).rejects.toMatchObject({
			message:
				"samples: minFrameHistory and min_frame_history (found both, expected minFrameHistory)",
		});
		const distance = { maxDistanceToEgo: 5, labelThreshold: 0.2 };
		const old = { max_distance_to_ego: 5, label_threshold: 0.2 };
		const found = await selectScene(dataset, 0, distance);
		expect((await selectScene(dataset, 0, old)).mask).toEqual(found.mask);
		await expect(selectScene(dataset, 0, { ...distance, ...old })).rejects.toThrow(
			"selection: maxDistanceToEgo and max_distance_to_ego",
		);
	});

	it("explanations, descriptions and metadata have their former names", async () => {
		using dataset = await ChunkedDataset.open(SOURCE);
		using reader = dataset.reader({ fields: ["yaw"] });
		const explained = await reader.explain();
		expect(explained.chunk_rows).toBe(explained.chunkRows);
		expect(explained.chunkRows).toBeGreaterThan(0);
		expect(explained.statistics_problem).toBe(explained.statisticsProblem);
		const [column] = (await reader.describe()).columns;
		expect(column?.rankError).toBe(0);
		expect(column?.rank_error).toBe(0);
		const { description } = dataset;
		expect(description.has_traffic_light_faces).toBe(description.hasTrafficLightFaces);
	});
});
