import { describe, expect, it } from "vitest";
import { Core, type Handle } from "../../src/core/core.js";
import { compile } from "../../src/loading/compile.js";
import { instantiate } from "../../src/worker/core-module.js";

const MIB = 2 ** 20;

/** Chunks of an array of records, and the size of one. */
const CHUNKS = 128;
const ROWS = 8192;
const FIELDS = ["a", "b", "c", "d", "e", "f", "g", "h"];
const CHUNK = new Uint8Array(new Float64Array(ROWS * FIELDS.length).fill(1.5).buffer);

const utf8 = (value: unknown): Uint8Array =>
	new TextEncoder().encode(JSON.stringify(value));

const DOCUMENTS = new Map([
	[".zgroup", utf8({ zarr_format: 2 })],
	[
		"x/.zarray",
		utf8({
			zarr_format: 2,
			shape: [CHUNKS * ROWS],
			chunks: [ROWS],
			dtype: FIELDS.map((name) => [name, "<f8"]),
			compressor: null,
			fill_value: null,
			filters: null,
			order: "C",
		}),
	],
]);

const { module } = await compile(undefined, "every");

/** Reads all batches of a plan; returns by how much the module's memory has grown. */
async function growth(byteBudget: number, order: string) {
	const core = new Core(await instantiate(module));
	const engine = core.run("engine", { byte_budget: byteBudget });
	const plan = JSON.stringify({
		from: "x",
		fields: ["a"],
		order: { mode: order },
		batch: { size: 1024 },
	});
	const reader = core.run("reader", {
		engine,
		plan,
		counts: false,
		epoch: 0,
		items: 0,
	});
	let [rows, first, last] = [0, 0, 0];
	while (!core.run("reader_at_end", { reader })) {
		core.run("advance_reader", { reader });
		supply(core, reader, engine);
		const [array] = core.build(reader);
		last = array?.data.buffer.byteLength ?? 0;
		if (rows === 0) first = last;
		rows += core.run("batch_size", { reader });
	}
	core.release(reader);
	core.release(engine);
	return { rows, grown: last - first };
}

function supply(core: Core, reader: Handle<"Reader">, engine: Handle<"Engine">): void {
	for (let asked = core.missing(reader); asked.length; asked = core.missing(reader)) {
		for (const { key, begin, end } of asked) {
			const bytes = DOCUMENTS.get(key) ?? (/^x\/\d+$/.test(key) ? CHUNK : undefined);
			const part = begin < 0 ? bytes : bytes?.subarray(begin, end);
			if (part) core.run("supply", { engine, key, begin, end, bytes: part });
			else core.run("supply_absent", { engine, key });
		}
	}
}

describe("reader/memory", () => {
	it("a reader's module grows by at most the byte budget and a tenth", async () => {
		for (const order of ["none", "blocks"]) {
			const { rows, grown } = await growth(16 * MIB, order);
			expect(rows).toBe(CHUNKS * ROWS);
			expect(grown).toBeLessThanOrEqual(17.6 * MIB);
		}
		// With a larger budget it keeps all 64 MiB.
		expect((await growth(256 * MIB, "none")).grown).toBeGreaterThan(32 * MIB);
	});
});
