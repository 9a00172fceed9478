import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Converter } from "../../src/converting/converter.js";
import type { Converted, VersionScene } from "../../src/converting/protocol.js";
import { nuscenesFiles } from "../../tools/examples/nuscenes.mjs";
import { tableParts } from "../support/nuscenes-tables.js";
import { watchWasmMemory } from "../support/wasm-memory.js";

const FILES = nuscenesFiles();
const MAP = "maps/expansion/boston-seaport.json";

let converter: Converter;
async function start(): Promise<void> {
	converter?.close();
	converter = await Converter.start();
}
beforeEach(start);
afterEach(() => {
	vi.restoreAllMocks();
	converter.close();
});

function textOf(table: string): string {
	const folder = table === "prediction_scenes" ? "maps/prediction" : "v1.0-example";
	return FILES.get(`${folder}/${table}.json`) ?? "";
}

/** Passes all files in parts of `step` bytes; `changed` replaces texts. */
async function read(
	changed: Record<string, string> = {},
	step = 1e6,
): Promise<readonly VersionScene[]> {
	let scenes: readonly VersionScene[] = [];
	for (const table of await converter.ask({ kind: "files" })) {
		const whole = new TextEncoder().encode(changed[table] ?? textOf(table));
		for (let at = 0; at < whole.length; at += step) {
			scenes = await converter.ask({
				...{ kind: "table", table, name: "v1.0-example" },
				part: whole.slice(at, at + step),
				isLast: at + step >= whole.length,
			});
		}
	}
	return scenes;
}

function converted(scene: number, map?: string): Promise<Converted> {
	return converter.ask({
		...{ kind: "nuscenes", name: "v1.0-example", scene, location: "boston-seaport" },
		map: map === undefined ? undefined : { file: new Blob([map]), name: MAP },
	});
}

/** Whether two conversions have the same report and objects, byte by byte. */
function isSame(a: Converted, b: Converted): boolean {
	const others = new Map(b.objects);
	const isEqual = ([key, bytes]: Converted["objects"][number]) =>
		Buffer.compare(bytes, others.get(key) ?? new Uint8Array()) === 0;
	return a.report === b.report && a.objects.every(isEqual) && others.size > 0;
}

describe("converting: nuScenes", () => {
	it("reads tables in parts of any size", async () => {
		const scenes = await read();
		expect(scenes).toEqual([
			{ name: "scene-9000", location: "boston-seaport", tags: [] },
			{ name: "scene-9001", location: "boston-seaport", tags: [] },
		]);
		const whole = await converted(1);
		expect(await read({}, 1000)).toEqual(scenes);
		expect(isSame(await converted(1), whole)).toBe(true);
	});

	it("converts with the map of the location, which is read once", async () => {
		await read();
		const before = new Map((await converted(0)).objects);
		expect(before.has("semantic_map/semantic_map.pb")).toBe(false);
		const first = await converted(0, FILES.get(MAP));
		expect(new Map(first.objects).has("semantic_map/semantic_map.pb")).toBe(true);
		expect(JSON.parse(first.report)).toMatchObject({ counts: { frames: 19 } });
		expect(isSame(await converted(0, "no longer read"), first)).toBe(true);
	});

	it("has no map for unknown locations, whose names are in no path", async () => {
		const log = textOf("log").replace("boston-seaport", "../../here");
		expect((await read({ log })).map(({ location }) => location)).toEqual(["", ""]);
		expect(JSON.parse((await converted(0)).report).counts.frames).toBe(19);
	});

	it("names version, table, record and field of what is invalid", async () => {
		const scene = textOf("scene").replace('"log"', '"other"');
		await expect(read({ scene })).rejects.toMatchObject({
			code: "invalid_metadata",
			message: "v1.0-example: scene.json: record 0: log_token: not in table log",
		});
		await expect(read({ log: "[{" })).rejects.toThrow("log.json: not a JSON array");
		await read();
		await expect(converted(2)).rejects.toMatchObject({ code: "out_of_range" });
		const map = converted(0, '{"node": [{"token": 1, "x": 0, "y": 0}]}');
		await expect(map).rejects.toThrow(`${MAP}: map: node 0: token: not a text`);
	});

	it("refuses scenes before their tables, and tables in another order", async () => {
		await expect(converted(0)).rejects.toMatchObject({ code: "invalid_argument" });
		await converter.ask({ kind: "files" });
		await expect(converted(0)).rejects.toThrow("not all tables were read");
		const early = converter.ask({
			...{ kind: "table", table: "scene", name: "v1.0-example", isLast: true },
			part: new TextEncoder().encode(textOf("scene")),
		});
		await expect(early).rejects.toThrow("in another order");
	});

	/** BEV_LARGE reads tables with the numbers of records of v1.0-trainval, 3 GB. */
	it("takes memory by the number of boxes, not by the size of the tables", async () => {
		const isLarge = process.env.BEV_LARGE !== undefined;
		const size = isLarge
			? { scenes: 850, samples: 40, instances: 76, seen: 18, data: 77 }
			: { scenes: 40, samples: 40, instances: 34, seen: 40, data: 4 };
		const boxes = size.scenes * size.instances * size.seen;
		const memory = watchWasmMemory();
		await start();
		let bytes = 0;
		let found: readonly VersionScene[] = [];
		for (const table of await converter.ask({ kind: "files" })) {
			if (table === "prediction_scenes") break;
			const parts = tableParts(table, size);
			for (let one = parts.next(); !one.done; ) {
				const after = parts.next();
				const part = new TextEncoder().encode(one.value);
				const asked = { kind: "table", part, name: "made-up", table } as const;
				found = await converter.ask({ ...asked, isLast: after.done === true });
				bytes += part.length;
				one = after;
			}
		}
		expect(found).toHaveLength(size.scenes);
		const read = memory();
		if (isLarge) console.log({ bytes, boxes, read, perBox: read / boxes });
		// The small version's memory is mostly that of a part of a table.
		expect(read).toBeLessThan(isLarge ? 256e6 : 64e6);
		for (let scene = 0; scene < size.scenes; scene += isLarge ? 10 : 1) {
			const asked = { kind: "nuscenes", name: "made-up", scene } as const;
			const there = { location: "none", map: undefined };
			const { objects } = await converter.ask({ ...asked, ...there });
			expect(objects.length).toBeGreaterThan(4);
		}
		expect(memory()).toBeLessThan(read + 8e6);
	}, 1_800_000);
});
