import { describe, expect, it } from "vitest";
import type { CoreReader } from "../../src/core.js";
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

const { module } = await compile(undefined, "plans");

/** Reads all batches of a plan; returns by how much the module's memory has grown. */
async function growth(byteBudget: number, order: string) {
	const core = await instantiate(module);
	const engine = new core.Engine(byteBudget, "");
	const plan = {
		from: "x",
		fields: ["a"],
		order: { mode: order },
		batch: { size: 1024 },
	};
	const reader = core.reader?.(engine, JSON.stringify(plan), null, null);
	if (!reader) throw new Error("no readers");
	let [rows, first, last] = [0, 0, 0];
	while (!reader.atEnd()) {
		reader.advance();
		supply(reader, engine);
		const [array] = reader.build();
		last = array?.data.buffer.byteLength ?? 0;
		if (rows === 0) first = last;
		rows += reader.progress().items;
	}
	reader.delete();
	engine.delete();
	return { rows, grown: last - first };
}

type Engine = InstanceType<Awaited<ReturnType<typeof instantiate>>["Engine"]>;

function supply(reader: CoreReader, engine: Engine): void {
	for (let asked = reader.missing(); asked.length > 0; asked = reader.missing()) {
		for (const { key, begin, end } of asked) {
			const bytes = DOCUMENTS.get(key) ?? (/^x\/\d+$/.test(key) ? CHUNK : undefined);
			if (!bytes) engine.supplyAbsent(key);
			else
				engine.supply(key, begin, end, begin < 0 ? bytes : bytes.subarray(begin, end));
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
