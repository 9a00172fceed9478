import { describe, expect, it } from "vitest";
import { Core, type Handle, type OperationName } from "../../src/core/core.js";
import { compile } from "../../src/loading/compile.js";
import { instantiate } from "../../src/worker/core-module.js";

const utf8 = new TextEncoder();

/** Metadata of an uncompressed array. */
const RAW = {
	zarr_format: 2,
	compressor: null,
	fill_value: null,
	filters: null,
	order: "C",
};

type Engine = Handle<"Engine">;

const { module } = await compile(undefined);
const functions = await instantiate(module);
const core = new Core(functions);

function engineOf(byteBudget = 2 ** 20): Engine {
	return core.run("engine", { byte_budget: byteBudget });
}

function supply(engine: Engine, key: string, bytes: Uint8Array): void {
	core.run("supply", { engine, key, begin: -1, end: -1, bytes });
}

/** A store with one array `x` of one record, with a field per name. */
function fill(engine: Engine, names: readonly string[]): void {
	const dtype = names.map((name) => [name, "<i4"]);
	const zarray = { ...RAW, shape: [1], chunks: [1], dtype };
	const objects = new Map([
		[".zgroup", utf8.encode('{"zarr_format": 2}')],
		["x/.zarray", utf8.encode(JSON.stringify(zarray))],
		["x/0", new Uint8Array(Int32Array.from(names, (_, i) => i).buffer)],
	]);
	const query = core.run("rows", { engine, array: "x" });
	for (let asked = core.missing(query); asked.length > 0; asked = core.missing(query)) {
		for (const { key } of asked) {
			const bytes = objects.get(key);
			if (bytes) supply(engine, key, bytes);
			else core.run("supply_absent", { engine, key });
		}
	}
	core.release(query);
}

/** Returns the size of the module's memory with an engine that holds `x`. */
function memory(engine: Engine): number {
	const query = core.run("rows", { engine, array: "x" });
	const { byteLength } = core.build(query)[0]?.data.buffer ?? { byteLength: 0 };
	core.release(query);
	return byteLength;
}

/** Which of some operations each module has. */
const NAMES: readonly OperationName[] = [
	...(["frame", "samples", "map", "agent_index"] as const),
	...(["archive", "reader", "facts", "patch"] as const),
	...(["saver", "review_of", "converter"] as const),
];

describe("modules of the core", () => {
	it("each have the same functions and their own operations", async () => {
		const first = NAMES.slice(0, 4);
		const expected = {
			core: first,
			every: [...first, "archive", "reader", "facts", "patch"],
		};
		for (const kind of ["core", "every"] as const) {
			const { module: one } = await compile(
				undefined,
				kind === "core" ? undefined : kind,
			);
			const made = await instantiate(one);
			expect(Object.keys(made)).toEqual(expect.arrayContaining(Object.keys(functions)));
			expect(made.version()).toMatch(/^\d+\.\d+\.\d+$/);
			const own = new Core(made);
			expect(NAMES.filter((name) => own.has(name))).toEqual(expected[kind]);
		}
	});

	it("create items from masks", () => {
		const rows = (items: Handle<"AgentItems">): unknown[] => {
			const { agents_indices } = core.run("item_rows", { items });
			core.release(items);
			return Array.from<unknown>(agents_indices);
		};
		const mask = Uint8Array.of(0, 1, 1);
		expect(rows(core.run("items_of_mask", { mask }))).toEqual([1n, 2n]);
		const counts = Uint32Array.of(0, 9, 10, 1, 20, 0);
		expect(rows(core.run("items_of_counts", { counts }))).toEqual([1n]);
		const all = { counts, min_frame_history: 0 };
		expect(rows(core.run("items_of_counts", all))).toEqual([0n, 1n]);
	});

	it("accept any number of strings, of any length and script", () => {
		const engine = engineOf();
		const names = ["", "é".repeat(40), "日本", "🚗", "x".repeat(5000), "y"];
		fill(engine, names);
		const fields = [...names].reverse();
		const query = core.run("rows", { engine, array: "x", fields });
		const arrays = core.build(query);
		expect(arrays.map(({ name }) => name)).toEqual(fields);
		expect(arrays.map(({ data }) => data[0])).toEqual([5, 4, 3, 2, 1, 0]);
		core.release(query);
		core.release(engine);
	});

	it("refuse values that are no strings", () => {
		const engine = engineOf();
		const ask = (array: unknown, fields?: unknown) => (): void => {
			const given = { engine, array, fields } as { engine: Engine; array: string };
			core.release(core.run("rows", given));
		};
		const wrong = "fields: wrong kind (expected strings)";
		expect(ask("x", [5])).toThrow(wrong);
		expect(ask("x", "y")).toThrow(wrong);
		expect(ask([7])).toThrow("array: wrong kind (expected a string)");
		expect(ask("x", [])).not.toThrow();
		core.release(engine);
	});

	it("allocate nothing for rows that wait for chunks", () => {
		const engine = engineOf();
		fill(engine, ["a"]);
		const wide = { ...RAW, shape: [2 ** 22], chunks: [2 ** 20], dtype: "<f8" };
		supply(engine, "y/.zarray", utf8.encode(JSON.stringify(wide)));
		const before = memory(engine);
		const waiting = Array.from({ length: 8 }, () =>
			core.run("rows", { engine, array: "y" }),
		);
		for (const query of waiting) expect(core.missing(query).length).toBeGreaterThan(0);
		expect(memory(engine)).toBe(before);
		for (const query of waiting) core.release(query);
		core.release(engine);
	});

	it("free the strings of a call that throws", { timeout: 60_000 }, () => {
		const engine = engineOf();
		fill(engine, ["a"]);
		const fail = (): void => {
			const key = "k".repeat(2 ** 20);
			const bytes = new Uint8Array(1);
			const given = { engine, key, begin: 0.5, end: 1, bytes };
			expect(() => core.run("supply", given)).toThrow("begin");
		};
		fail();
		const before = memory(engine);
		for (let i = 0; i < 64; i += 1) fail();
		expect(memory(engine)).toBe(before);
		core.release(engine);
	});

	it("return the same views of what is built again in the same memory", () => {
		const engine = engineOf();
		fill(engine, ["a"]);
		const query = core.run("rows", { engine, array: "x" });
		expect(core.rebuild(query)).toBe(core.rebuild(query));
		expect(core.build(query)).not.toBe(core.build(query));
		const other = core.run("rows", { engine, array: "x" });
		expect(core.rebuild(other)).not.toBe(core.rebuild(query));
		core.release(other);
		core.release(query);
		core.release(engine);
	});

	it("throw errors with a code", () => {
		expect(() => engineOf(-1)).toThrow(
			expect.objectContaining({ code: "invalid_argument" }) as Error,
		);
		const damaged = { pb: Uint8Array.of(1), meta: Uint8Array.of(2) };
		expect(() => core.run("map", damaged)).toThrow(
			expect.objectContaining({ code: "invalid_metadata" }) as Error,
		);
		expect(() => functions.missing(0)).toThrow("a query");
	});
});
