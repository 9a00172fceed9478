import { describe, expect, it } from "vitest";
import type {
	CoreAerial,
	CoreAgentIndex,
	CoreAgentItems,
	CoreEngine,
	CoreFactChoice,
	CoreFacts,
	CoreMap,
	CoreMixture,
	CoreModule,
	CoreReader,
	CoreReaderDescription,
	CoreReaderOrder,
	CoreRows,
	CoreSamples,
	CoreSelect,
	CoreStoreQuery,
} from "../src/core.js";
import { compile } from "../src/loading/compile.js";
import { instantiate } from "../src/worker/core-module.js";
import { STUB_CONFIG } from "./support/configs.js";
import { methods } from "./support/methods.js";

const utf8 = new TextEncoder();
const UNIT = [
	[1, 0, 0, 0],
	[0, 1, 0, 0],
	[0, 0, 1, 0],
	[0, 0, 0, 1],
];
const META = utf8.encode(JSON.stringify({ world_to_ecef: UNIT, ecef_to_aerial: UNIT }));
const STUB = JSON.stringify(STUB_CONFIG);

/** All names of an interface: a missing one does not compile. */
function names<T>(all: Record<keyof T, true>): string[] {
	return Object.keys(all).sort();
}

/** Metadata of an uncompressed array. */
const RAW = {
	zarr_format: 2,
	compressor: null,
	fill_value: null,
	filters: null,
	order: "C",
};

/** A store with one array `x` of one record, with a field per name. */
function fill(engine: CoreEngine, names: readonly string[]): void {
	const dtype = names.map((name) => [name, "<i4"]);
	const zarray = { ...RAW, shape: [1], chunks: [1], dtype };
	const objects = new Map([
		[".zgroup", utf8.encode('{"zarr_format": 2}')],
		["x/.zarray", utf8.encode(JSON.stringify(zarray))],
		["x/0", new Uint8Array(Int32Array.from(names, (_, i) => i).buffer)],
	]);
	const query = engine.rows({ array: "x" });
	for (let asked = query.missing(); asked.length > 0; asked = query.missing()) {
		for (const { key } of asked) {
			const bytes = objects.get(key);
			if (bytes) engine.supply(key, -1, -1, bytes);
			else engine.supplyAbsent(key);
		}
	}
	query.delete();
}

/** Returns the size of the module's memory with an engine that holds `x`. */
function memory(engine: CoreEngine): number {
	const query = engine.rows({ array: "x" });
	const { byteLength } = query.build()[0]?.data.buffer ?? { byteLength: 0 };
	query.delete();
	return byteLength;
}

const { module } = await compile(undefined);
const core = await instantiate(module);

describe("core", () => {
	it("exports the expected functions and classes", () => {
		for (const name of names<
			Omit<
				CoreModule,
				| "concatenation"
				| "describeFacts"
				| "factChoice"
				| "facts"
				| "makeZip"
				| "mixture"
				| "reader"
				| "readerDescription"
				| "readerOfCounts"
			>
		>({
			Engine: true,
			parseMap: true,
			makeAerial: true,
			samples: true,
			dataKeys: true,
			select: true,
			agentIndex: true,
			itemsOfMask: true,
			itemsOfCounts: true,
			itemsOfScene: true,
			itemsOfFrame: true,
			version: true,
		})) {
			expect(core).toHaveProperty(name, expect.any(Function));
		}
		expect(core.version()).toMatch(/^\d+\.\d+\.\d+$/);
	});

	it("the full module has the same exports, and archives", async () => {
		const { module: every } = await compile(undefined, "every");
		const full = await instantiate(every);
		expect(full.version()).toBe(core.version());
		expect(Object.keys(full)).toEqual(expect.arrayContaining(Object.keys(core)));
		expect(full.makeZip).toBeTypeOf("function");
		expect(core.makeZip).toBeUndefined();
	});

	it("the module for readers has the exports of the full one, and readers", async () => {
		const { module: plans } = await compile(undefined, "plans");
		const stream = await instantiate(plans);
		expect(stream.version()).toBe(core.version());
		expect(Object.keys(stream)).toEqual(expect.arrayContaining(Object.keys(core)));
		expect(stream.makeZip).toBeTypeOf("function");
		expect(core.reader).toBeUndefined();
		const engine = new stream.Engine(1000, "");
		const reader = stream.reader?.(engine, "{}", null, null);
		expect(methods(reader ?? {})).toEqual(
			names<CoreReader>({
				missing: true,
				ahead: true,
				build: true,
				advance: true,
				atEnd: true,
				seek: true,
				restore: true,
				state: true,
				explain: true,
				skipped: true,
				progress: true,
				delete: true,
			}),
		);
		reader?.delete();
		const facts = stream.facts?.(engine, null);
		expect(methods(facts ?? {})).toEqual(
			names<CoreFacts>({
				missing: true,
				ahead: true,
				build: true,
				seek: true,
				add: true,
				leaveOut: true,
				chunks: true,
				delete: true,
			}),
		);
		facts?.delete();
		const choice = stream.factChoice?.("tracks", "cut_in");
		expect(methods(choice ?? {})).toEqual(
			names<CoreFactChoice>({ select: true, delete: true }),
		);
		choice?.delete();
		expect(stream.describeFacts?.()).toContain('"unit":"m/s"');
		engine.delete();
		const mixture = stream.mixture?.('{"weights": [1, 2]}');
		expect(methods(mixture ?? {})).toEqual(
			names<CoreMixture>({
				choice: true,
				took: true,
				exhausted: true,
				reset: true,
				state: true,
				readerStates: true,
				restore: true,
				delete: true,
			}),
		);
		const states = ["a", "b"];
		expect(mixture?.readerStates(mixture.state(states))).toEqual(states);
		mixture?.delete();
	});

	it("the module for readers has descriptions and concatenations", async () => {
		const { module: plans } = await compile(undefined, "plans");
		const stream = await instantiate(plans);
		const engine = new stream.Engine(1000, "");
		const description = stream.readerDescription?.(engine, "{}", ["label"]);
		expect(methods(description ?? {})).toEqual(
			names<CoreReaderDescription>({
				missing: true,
				step: true,
				progress: true,
				json: true,
				delete: true,
			}),
		);
		description?.delete();
		engine.delete();
		const order = stream.concatenation?.(2);
		expect(methods(order ?? {})).toEqual(
			names<CoreReaderOrder>({
				choice: true,
				exhausted: true,
				reset: true,
				state: true,
				readerStates: true,
				restore: true,
				delete: true,
			}),
		);
		order?.exhausted();
		expect(order?.choice()).toBe(1);
		order?.exhausted();
		expect(order?.choice()).toBe(-1);
		order?.delete();
	});

	it("has exactly the documented methods of Engine and Query", () => {
		const engine = new core.Engine(1000, "");
		const all = names<CoreEngine>({
			open: true,
			rows: true,
			frame: true,
			frameAt: true,
			scene: true,
			timeline: true,
			summary: true,
			supply: true,
			supplyAbsent: true,
			forgetFailures: true,
			describe: true,
			cache: true,
			absentCount: true,
			absentChunks: true,
			delete: true,
		});
		expect(methods(engine)).toEqual(all);
		const query = engine.open();
		const ofQuery = names<CoreStoreQuery>({
			missing: true,
			ahead: true,
			build: true,
			delete: true,
		});
		expect(methods(query)).toEqual(ofQuery);
		query.delete();
		engine.delete();
	});

	it("has a map's methods", () => {
		const map = core.parseMap(new Uint8Array(), META);
		const all = names<CoreMap>({
			build: true,
			near: true,
			crosswalksNear: true,
			laneByCount: true,
			laneByMetres: true,
			lightFeature: true,
			geodetic: true,
			laneColours: true,
			delete: true,
		});
		expect(methods(map)).toEqual(all);
		expect(map.laneColours(["face"])).toHaveLength(0);
		map.delete();
	});

	it("has the methods of samplers and items", () => {
		const engine = new core.Engine(1000, "");
		const query = { missing: true, build: true, delete: true } as const;
		const made = [
			{
				object: core.samples(engine, { config: STUB }, null, null, null),
				names: names<CoreSamples>({
					...query,
					atFrame: true,
					atAgent: true,
					atEgo: true,
					atTrack: true,
					expectMore: true,
					channels: true,
					releasePins: true,
					buildInParts: true,
					nextPart: true,
					showChannel: true,
					showAll: true,
				}),
			},
			{
				object: core.select(engine, {}),
				names: names<CoreSelect>({
					...query,
					ahead: true,
					next: true,
					report: true,
					progress: true,
				}),
			},
			{
				object: core.agentIndex(engine, STUB, {}),
				names: names<CoreAgentIndex>({
					...query,
					ahead: true,
					progress: true,
					report: true,
					items: true,
				}),
			},
			{
				object: core.makeAerial(1, 1, META),
				names: names<CoreAerial>({ putRows: true, delete: true }),
			},
			{
				object: core.itemsOfMask(Uint8Array.of(0, 1, 1)),
				names: names<CoreAgentItems>({ rows: true, delete: true }),
			},
		];
		for (const { object, names } of made) {
			expect(methods(object)).toEqual(names);
			object.delete();
		}
		engine.delete();
	});

	it("creates items from masks", () => {
		const rows = (items: CoreAgentItems): unknown[] => {
			const [{ data } = { data: [] }] = items.rows();
			const all = Array.from<unknown>(data);
			items.delete();
			return all;
		};
		expect(rows(core.itemsOfMask(Uint8Array.of(0, 1, 1)))).toEqual([1n, 2n]);
		const counts = Uint32Array.of(0, 9, 10, 1, 20, 0);
		expect(rows(core.itemsOfCounts(counts, {}))).toEqual([1n]);
		expect(rows(core.itemsOfCounts(counts, { min_frame_history: 0 }))).toEqual([
			0n,
			1n,
		]);
	});

	it("accepts any number of strings, of any length and script", () => {
		const engine = new core.Engine(2 ** 20, "");
		const names = ["", "é".repeat(40), "日本", "🚗", "x".repeat(5000), "y"];
		fill(engine, names);
		const fields = [...names].reverse();
		const query = engine.rows({ array: "x", fields });
		const arrays = query.build();
		expect(arrays.map(({ name }) => name)).toEqual(fields);
		expect(arrays.map(({ data }) => data[0])).toEqual([5, 4, 3, 2, 1, 0]);
		query.delete();
		engine.delete();
	});

	it("rejects non-string arguments", () => {
		const engine = new core.Engine(2 ** 20, "");
		const ask = (array: unknown, fields: unknown) => (): void =>
			engine.rows({ array, fields } as unknown as CoreRows).delete();
		expect(ask("x", [5])).toThrow("non-string");
		expect(ask([7], undefined)).toThrow("non-string");
		expect(ask([], undefined)).not.toThrow();
		engine.delete();
	});

	it("allocates nothing for rows that wait for chunks", () => {
		const engine = new core.Engine(2 ** 20, "");
		fill(engine, ["a"]);
		const wide = { ...RAW, shape: [2 ** 22], chunks: [2 ** 20], dtype: "<f8" };
		engine.supply("y/.zarray", -1, -1, utf8.encode(JSON.stringify(wide)));
		const before = memory(engine);
		const waiting = Array.from({ length: 8 }, () => engine.rows({ array: "y" }));
		for (const query of waiting) expect(query.missing().length).toBeGreaterThan(0);
		expect(memory(engine)).toBe(before);
		for (const query of waiting) query.delete();
		engine.delete();
	});

	it("frees the strings of a call that throws", { timeout: 60_000 }, () => {
		const engine = new core.Engine(2 ** 20, "");
		fill(engine, ["a"]);
		const fail = (): void => {
			const key = "k".repeat(2 ** 20);
			expect(() => engine.supply(key, 0.5, 1, new Uint8Array(1))).toThrow("begin");
		};
		fail();
		const before = memory(engine);
		for (let i = 0; i < 64; i += 1) fail();
		expect(memory(engine)).toBe(before);
		engine.delete();
	});

	it("reports the expected number of arguments", () => {
		const { supplyAbsent } = core.Engine.prototype as unknown as {
			supplyAbsent: () => void;
		};
		expect(supplyAbsent).toThrow("0 arguments, expected 1");
	});

	it("throws errors with a code", () => {
		expect(() => new core.Engine(-1, "")).toThrow(
			expect.objectContaining({ code: "invalid_argument" }) as Error,
		);
		expect(() => core.parseMap(Uint8Array.of(1), Uint8Array.of(2))).toThrow(
			expect.objectContaining({ code: "invalid_metadata" }) as Error,
		);
	});
});
