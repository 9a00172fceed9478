import { afterEach, describe, expect, it, vi } from "vitest";
import { tinyDataset } from "../../../tests/support/tiny-dataset.js";
import {
	ChunkedDataset,
	EgoDataset,
	MemorySource,
	type Patch,
} from "../../src/index.js";
import { LocalClient } from "../../src/worker/local-client.js";
import { STUB_CONFIG } from "../support/configs.js";

const META = JSON.stringify({
	world_to_ecef: [
		[1, 0, 0, 0],
		[0, 1, 0, 0],
		[0, 0, 1, 6_378_137],
		[0, 0, 0, 1],
	],
});
const utf8 = new TextEncoder();

const CONFIG = {
	...STUB_CONFIG,
	raster_params: { ...STUB_CONFIG.raster_params, map_type: "py_semantic" },
};

/** The folder of an empty map, which counts reads. */
function folder() {
	const objects = new Map([
		["meta.json", utf8.encode(META)],
		["semantic_map/semantic_map.pb", new Uint8Array()],
	]);
	const source = new MemorySource(objects);
	return { source, read: vi.spyOn(source, "read") };
}

/** Counts maps that engines parse, and those they free. */
function countedMaps() {
	const made: number[] = [];
	const freed: number[] = [];
	const ask = LocalClient.prototype.ask;
	vi.spyOn(LocalClient.prototype, "ask").mockImplementation(function (
		this: LocalClient,
		query,
		options,
	) {
		if (query.kind === "keep" && query.name === "map") made.push(query.id);
		if (query.kind === "free" && made.includes(query.id)) freed.push(query.id);
		return ask.call(this, query, options);
	});
	return { made, freed };
}

const open = () =>
	ChunkedDataset.open(new MemorySource(tinyDataset()), { load: { worker: false } });

function moved(metres: number): Patch {
	const edit = { op: "move", scene: 1, track: 2, by: [0, metres] } as const;
	return { format: "bevscope-patch", version: 1, edits: [edit] };
}

afterEach(() => vi.restoreAllMocks());

describe("dataset/patched, maps", () => {
	it("a map is read and parsed once for five patches", async () => {
		const { made, freed } = countedMaps();
		const { source: root, read } = folder();
		using dataset = await open();
		let last: ChunkedDataset | undefined;
		for (let k = 1; k <= 5; k += 1) {
			const edited = await dataset.patched(moved(k));
			last?.close(); // before the next samples, as the viewer does
			last = edited;
			const samples = await EgoDataset.create(CONFIG, edited, { root });
			const { image } = await samples.sample(8);
			expect(image.data.length).toBeGreaterThan(0);
			if (k % 2) samples.close();
		}
		expect(made.length).toBe(1);
		expect(read).toHaveBeenCalledTimes(2);
		expect(freed).toEqual([]);
		last?.close();
		expect(freed).toEqual(made);
	});

	it("another root's map, and that of the stored scenes, are others", async () => {
		const { made, freed } = countedMaps();
		const [one, other] = [folder(), folder()];
		using dataset = await open();
		using edited = await dataset.patched(moved(1));
		const create = (of: ChunkedDataset, root: MemorySource) =>
			EgoDataset.create(CONFIG, of, { root });
		await create(edited, one.source);
		await create(edited, other.source);
		const stored = await create(dataset, one.source);
		expect(made.length).toBe(3);
		expect([one.read.mock.calls.length, other.read.mock.calls.length]).toEqual([4, 2]);
		stored.close();
		expect(freed).toEqual([made[2]]);
		edited.close();
		expect([...freed].sort()).toEqual([...made].sort());
	});

	it.each([0, 1])("freed once, if data set %i is closed first", async (i) => {
		const { made, freed } = countedMaps();
		const { source: root } = folder();
		using dataset = await open();
		const both = [await dataset.patched(moved(1)), await dataset.patched(moved(2))];
		const samples = await Promise.all(
			both.map((edited) => EgoDataset.create(CONFIG, edited, { root })),
		);
		both[i]?.close();
		samples[i]?.close();
		expect(freed).toEqual([]);
		await samples[1 - i]?.sample(8);
		both[1 - i]?.close();
		samples[1 - i]?.close();
		expect([made.length, freed]).toEqual([1, made]);
	});

	it("a map that was lost in a failure is read again", async () => {
		const { made } = countedMaps();
		const { source: root } = folder();
		using dataset = await open();
		using edited = await dataset.patched(moved(1));
		const first = await EgoDataset.create(CONFIG, edited, { root });
		first.close();
		const ask = vi.mocked(LocalClient.prototype.ask);
		const by = ask.mock.contexts.at(-1) as LocalClient;
		await by.ask({ kind: "free", id: made[0] ?? -1 });
		using edited2 = await dataset.patched(moved(2));
		const samples = await EgoDataset.create(CONFIG, edited2, { root });
		await samples.sample(8);
		expect(made.length).toBe(2);
	});
});
