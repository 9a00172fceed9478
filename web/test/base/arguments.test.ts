import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tinyDataset } from "../../../tests/support/tiny-dataset.js";
import {
	AgentDataset,
	agentsMask,
	BevError,
	ChunkedDataset,
	concatReaders,
	EgoAgentDatasetVectorized,
	EgoDataset,
	MemorySource,
	mixReaders,
	selectScene,
} from "../../src/index.js";
import { DataLoader, DataSaver, toMap } from "../../src/save.js";

// biome-ignore lint/suspicious/noExplicitAny: values of wrong types, as JavaScript passes
type Any = any;

/** Kinds of wrong values, which no function below accepts for the arguments it names. */
const WRONG: Readonly<Record<string, unknown>> = {
	null: null,
	NaN: Number.NaN,
	fraction: 0.5,
	negative: -1e9,
	huge: 2 ** 70,
	bigint: 2n ** 70n,
	text: "wrong",
	boolean: true,
	object: { wrong: 1 },
	array: [0.5, 1.5],
	nested: [[1], [1, 2]],
	function: () => 1,
	date: new Date(0),
};

const CONFIG = JSON.stringify({
	format_version: 4,
	model_params: {
		...{ history_num_frames: 2, future_num_frames: 2, step_time: 0.1 },
		render_ego_history: true,
	},
	raster_params: {
		...{ raster_size: [16, 16], pixel_size: [0.5, 0.5], ego_center: [0.5, 0.5] },
		...{ map_type: "box_debug", filter_agents_threshold: 0.5 },
		...{ disable_traffic_light_faces: false, set_origin_to_bottom: true },
	},
});
const SAVED = { name: "numbers", attributes: { x: "<i8" } };
const SOURCE = new MemorySource(tinyDataset());

let dataset: ChunkedDataset;
let samples: EgoDataset;
let agents: AgentDataset;
let loader: DataLoader;
let saver: DataSaver;

beforeAll(async () => {
	dataset = await ChunkedDataset.open(SOURCE);
	samples = await EgoDataset.create(CONFIG, dataset);
	const minima = { minFrameHistory: 0, minFrameFuture: 0 };
	agents = await AgentDataset.create(CONFIG, dataset, minima);
	await agents.index();
	const made = new Map<string, Uint8Array<ArrayBuffer>>();
	using first = await DataSaver.open(SAVED, toMap(made));
	await first.save({ x: new BigInt64Array(10) });
	await first.commit();
	loader = await DataLoader.open(new MemorySource(made));
	saver = await DataSaver.open(SAVED, toMap(new Map()));
});

afterAll(() => {
	for (const one of [loader, saver, agents, samples, dataset]) one.close();
});

/** Returns the first that is yielded. */
async function first(all: AsyncIterable<unknown>): Promise<unknown> {
	for await (const one of all) return one;
	return undefined;
}

const open = (options: Any) => ChunkedDataset.open(SOURCE, options);
const ego = (options: Any) => EgoDataset.create(CONFIG, dataset, options);
const indexed = async (options: Any) =>
	(await AgentDataset.create(CONFIG, dataset, options)).index();
const read = (options: Any) => first(dataset.reader(options));
const facts = (options: Any) => first(dataset.facts(options).parts());
const rows = (options: Any) => dataset.agents.rows(0, 5, options);
const saved = (options: Any) => DataSaver.open(SAVED, toMap(new Map()), options);
const mixed = (weight: Any, options: Any = {}) =>
	first(mixReaders([{ reader: dataset.reader(), weight }], options));
const moved = (move: (reader: Any) => void) => {
	const reader = dataset.reader();
	move(reader);
	return first(reader);
};

/** Calls by name, with the kinds that each accepts. */
const CALLS: Readonly<Record<string, readonly [(v: Any) => unknown, ...string[]]>> = {
	open: [(v) => ChunkedDataset.open(v)],
	"open(byteBudget)": [(byteBudget) => open({ byteBudget })],
	"open(missing)": [(missing) => open({ missing })],
	"open(cache)": [(cache) => open({ cache })],
	"open(persistent)": [(v) => open({ cache: { persistent: v } }), "boolean"],
	"open(limit)": [(limit) => open({ cache: { persistent: { limit } } })],
	"open(folder)": [(folder) => open({ folder }), "text"],
	"open(unknown)": [(v) => open({ bytebudget: v })],
	array: [(v) => dataset.array(v)],
	scene: [(v) => dataset.scene(v)],
	sceneFrames: [(v) => first(dataset.sceneFrames(v))],
	"frame(scene)": [(v) => dataset.frame(v, 0)],
	"frame(frame)": [(v) => dataset.frame(0, v)],
	"frame(options)": [(v) => dataset.frame(0, 1, v)],
	"frame(past)": [(past) => dataset.frame(0, 1, { past })],
	"frame(future)": [(future) => dataset.frame(0, 1, { future })],
	"frame(threshold)": [
		(threshold) => dataset.frame(0, 1, { threshold }),
		...["fraction", "negative", "huge"],
	],
	"frame(sequential)": [(v) => dataset.frame(0, 1, { sequential: v }), "boolean"],
	"frame(agents)": [(v) => dataset.frame(0, 1, { agents: v }), "boolean"],
	"frame(unknown)": [(v) => dataset.frame(0, 1, { pats: v } as Any)],
	prefetch: [(v) => dataset.prefetch(v, 0)],
	timeline: [(v) => dataset.timeline(v)],
	"timeline(track)": [(track) => dataset.timeline(0, { track })],
	"timeline(unknown)": [(v) => dataset.timeline(0, { trakc: v } as Any)],
	map: [(v) => dataset.map(v, v), "text"],
	"facts(table)": [(table) => facts({ table })],
	"facts(where)": [(where) => facts({ where })],
	"facts(map)": [(map) => facts({ map })],
	"facts(unknown)": [(v) => facts({ wehre: v })],
	"rows(begin)": [(v) => dataset.agents.rows(v)],
	"rows(end)": [(v) => dataset.agents.rows(0, v)],
	"rows(step)": [(step) => rows({ step })],
	"rows(fields)": [(fields) => rows({ fields })],
	"rows(field)": [(v) => rows({ fields: [v] })],
	"rows(unknown)": [(v) => rows({ feilds: v })],
	"rows(field of select)": [(field) => rows({ field })],
	"rows(begin as option)": [(begin) => rows({ begin })],
	"take(step)": [(step) => dataset.agents.take([0], { step } as Any)],
	"select(unknown)": [(v) => dataset.agents.select([0], { feild: v } as Any)],
	take: [(v) => dataset.agents.take(v)],
	"take(index)": [(v) => dataset.agents.take([v])],
	where: [(v) => dataset.agents.where(v)],
	select: [(v) => dataset.agents.select(v)],
	"select(axis)": [(v) => dataset.agents.select([v])],
	"select(field)": [(field) => dataset.agents.select([0], { field })],
	records: [(v) => dataset.agents.records(v)],
	"create(config)": [(v) => EgoDataset.create(v, dataset)],
	"create(dataset)": [(v) => EgoDataset.create(CONFIG, v)],
	"create(image)": [(image) => ego({ image })],
	"create(perturbation)": [(perturbation) => ego({ perturbation })],
	"create(unknown)": [(v) => ego({ iamge: v })],
	"create(mask)": [(mask) => indexed({ mask })],
	"create(history)": [(v) => indexed({ minFrameHistory: v })],
	"create(labelThreshold)": [(v) => indexed({ labelThreshold: v })],
	"create(evalMode)": [
		(evalMode) => EgoAgentDatasetVectorized.create(CONFIG, dataset, { evalMode }),
	],
	"create(distance)": [
		(v) => indexed({ maxDistanceToEgo: v }),
		...["fraction", "negative", "huge"],
	],
	vectorized: [(v) => EgoAgentDatasetVectorized.create(v, dataset)],
	sample: [(v) => samples.sample(v)],
	getFrame: [(v) => samples.getFrame(v, 0)],
	"getFrame(track)": [(v) => samples.getFrame(0, 0, v)],
	getFrameIndices: [(v) => agents.getFrameIndices(v)],
	getSceneIndices: [(v) => agents.getSceneIndices(v)],
	getSceneDataset: [(v) => agents.getSceneDataset(v)],
	sampleOfAgent: [(v) => agents.sampleOfAgent(v)],
	"samples(indices)": [(indices) => first(samples.samples({ indices }))],
	"samples(index)": [(v) => first(samples.samples({ indices: [v] }))],
	"samples(scenes)": [(scenes) => first(samples.samples({ scenes }))],
	"samples(batch)": [(batch) => first(samples.samples({ batch }))],
	"samples(prefetch)": [(prefetch) => first(samples.samples({ prefetch }))],
	"samples(unknown)": [(v) => first(samples.samples({ bacth: v } as Any))],
	reader: [read],
	"reader(from)": [(from) => read({ from })],
	"reader(where)": [(where) => read({ where }), "boolean"],
	"reader(fields)": [(fields) => read({ fields })],
	"reader(window)": [(window) => read({ window })],
	"reader(order)": [(order) => read({ order })],
	"reader(seed)": [(seed) => read({ order: { mode: "full", seed } })],
	"reader(shard)": [(shard) => read({ shard })],
	"reader(batch)": [(batch) => read({ batch })],
	"reader(onDamage)": [(onDamage) => read({ onDamage })],
	"reader(transform)": [(transform) => read({ transform })],
	"reader(epoch)": [(epoch) => read({ epoch })],
	"reader(sample)": [(sample) => read({ from: "frames", sample })],
	restore: [(v) => moved((reader) => reader.restore(v))],
	seek: [(v) => moved((reader) => reader.seek(v))],
	"seek(items)": [(items) => moved((reader) => reader.seek({ epoch: 0, items }))],
	describe: [(by) => dataset.reader().describe({ by })],
	concatReaders: [(v) => first(concatReaders(v))],
	mixReaders: [(v) => first(mixReaders(v))],
	"mixReaders(weight)": [(v) => mixed(v), "fraction", "huge"],
	"mixReaders(seed)": [(seed) => mixed(1, { seed })],
	agentsMask: [(v) => agentsMask(v)],
	"agentsMask(rules)": [(v) => agentsMask(dataset, v)],
	selectScene: [(v) => selectScene(dataset, v)],
	"selectScene(rule)": [
		(v) => selectScene(dataset, 0, { maxDistanceToEgo: v }),
		...["fraction", "negative", "huge"],
	],
	"saver(config)": [(v) => DataSaver.open(v, toMap(new Map()))],
	"saver(destination)": [(v) => DataSaver.open(SAVED, v)],
	"saver(saver)": [(v) => saved({ saver: v })],
	"saver(mode)": [(mode) => saved({ mode })],
	"saver(unknown)": [(v) => saved({ moed: v })],
	save: [(v) => saver.save(v)],
	"save(x)": [(x) => saver.save({ x })],
	"attach(name)": [(v) => saver.attach(v, new Uint8Array(1)), "text"],
	"attach(bytes)": [(v) => saver.attach("a.bin", v)],
	loader: [(v) => DataLoader.open(v)],
	"loader(byteBudget)": [(byteBudget) => DataLoader.open(SOURCE, { byteBudget })],
	"loader(unknown)": [(v) => DataLoader.open(SOURCE, { byteBugdet: v } as Any)],
	"loader.rows(begin)": [(v) => loader.rows(v, 5)],
	"loader.rows(end)": [(v) => loader.rows(0, v)],
	"loader.items": [(v) => loader.items(v)],
	"loader.items(item)": [(v) => loader.items([v])],
	"loader.batches": [(v) => first(loader.batches(v))],
	"loader.batches(begin)": [(begin) => first(loader.batches(2, { begin }))],
	"loader.attachment": [(v) => loader.attachment(v)],
};

describe("arguments", () => {
	it.each(Object.entries(CALLS))(
		"%s refuses wrong kinds",
		async (_, [call, ...accepts]) => {
			const odd: string[] = [];
			for (const [kind, value] of Object.entries(WRONG)) {
				const said = await Promise.resolve(value)
					.then(call)
					.then(
						() => "accepted",
						(error: unknown) => {
							const known = error instanceof BevError && error.code !== "internal";
							return known ? "refused" : `${error}`;
						},
					);
				if (said !== (accepts.includes(kind) ? "accepted" : "refused"))
					odd.push(`${kind}: ${said}`);
			}
			expect(odd).toEqual([]);
		},
	);

	it("are not mistaken for members that every object has", async () => {
		const inherited = { constructor: 1, toString: 2 } as Any;
		await expect(dataset.frame(0, 1, inherited)).rejects.toThrow("unknown option");
	});

	it("names thing, found, expected and the known names", async () => {
		const said = async (call: () => unknown): Promise<string> =>
			Promise.resolve()
				.then(call)
				.then(String, ({ message }: Error) => message);
		expect(await said(() => dataset.frame(0, 0.5))).toBe(
			"frame: frame: invalid argument (found 0.5, expected an integer from 0 to 2^53)",
		);
		expect(await said(() => rows({ feilds: ["yaw"] }))).toBe(
			'agents: rows: unknown option "feilds" (expected fields, signal, step)',
		);
		expect(await said(() => dataset.timeline(0, { track: 3 as Any }))).toBe(
			"timeline: track: invalid argument (found 3, expected a bigint of 64 bits)",
		);
	});
});
