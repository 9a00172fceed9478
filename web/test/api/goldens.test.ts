import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DirectorySource } from "../../../tests/support/directory-source.js";
import { GOLDENS } from "../../../tests/support/goldens.js";
import { type NpyArray, readNpz } from "../../../tests/support/npz.js";
import {
	ChunkedDataset,
	type OpenOptions,
	type StructuredArray,
} from "../../src/index.js";

const open = (path: string, options?: OpenOptions): Promise<ChunkedDataset> =>
	ChunkedDataset.open(new DirectorySource(`${GOLDENS}/inputs/${path}`), options);

const golden = (name: string): Map<string, NpyArray> =>
	readNpz(`${GOLDENS}/outputs/data/${name}.npz`);

/** Compares every array `<array>.<field>` of a golden file with the columns read. */
async function compare(
	dataset: ChunkedDataset,
	arrays: ReadonlyMap<string, NpyArray>,
): Promise<number> {
	let compared = 0;
	for (const [name, { data, shape, dtype }] of arrays) {
		const [array = "", field = ""] = name.split(".");
		const structured: StructuredArray | undefined = dataset[array as "agents"];
		if (!structured?.fields.some((one) => one.name === field)) continue;
		const columns = await structured.rows(0, shape[0] ?? 0, { fields: [field] });
		if (dtype.startsWith("<U")) expect(columns.strings(field), name).toEqual(data);
		else {
			expect(columns.column(field).shape, name).toEqual(shape);
			expect(Array.from<unknown>(columns.column(field).data), name).toEqual(
				Array.from<unknown>(data),
			);
		}
		compared += 1;
	}
	return compared;
}

describe.skipIf(!GOLDENS)("api/goldens", () => {
	it("rows of a data set of five scenes are L5Kit's", async () => {
		const dataset = await open("multi_scene.zarr");
		expect(await compare(dataset, golden("multi_scene_arrays"))).toBeGreaterThan(14);
		dataset.close();
	});

	it("faces that a frame repeats are found", async () => {
		const dataset = await open("single_scene.zarr");
		const { anomalies } = await dataset.timeline(0);
		const repeated = anomalies.filter(({ kind }) => kind === "repeated-faces");
		expect(repeated).toHaveLength(1);
		const { frame = 0, amount } = repeated[0] ?? {};
		const { lights } = await dataset.frame(0, frame);
		expect(amount).toBe(lights.face_id.length - new Set(lights.face_id).size);
		expect(amount).toBeGreaterThan(0);
		dataset.close();
	});

	it("deliberately broken tracks of five scenes are found", async () => {
		const dataset = await open("multi_scene.zarr");
		const found = new Set<string>();
		for (let scene = 0; scene < dataset.scenes.length; scene += 1) {
			for (const { kind } of (await dataset.timeline(scene)).anomalies) found.add(kind);
		}
		for (const kind of ["turn", "resize", "tiny", "hole"] as const)
			expect([...found]).toContain(kind);
		dataset.close();
	});

	it("rows of the format before traffic lights are L5Kit's", async () => {
		const dataset = await open("old_format.zarr");
		expect(await compare(dataset, golden("old_format_arrays"))).toBeGreaterThan(10);
		expect(dataset.traffic_light_faces.length).toBe(0);
		dataset.close();
	});

	it("rows are the same under every codec", async () => {
		const codecs = ["raw", "zlib", "gzip", "zstd", "blosc_lz4_bit", "blosc_zstd_bit"];
		const content = golden("codecs_content");
		for (const codec of codecs) {
			const dataset = await open(`codecs/${codec}.zarr`);
			expect(await compare(dataset, content), codec).toBeGreaterThan(10);
			dataset.close();
		}
	});

	it("rows of a missing chunk are fill values on request", async () => {
		const dataset = await open("codecs/missing_chunk.zarr", { missing: "fill" });
		expect(await compare(dataset, golden("codecs_missing_chunk"))).toBeGreaterThan(10);
		expect(dataset.stats.absentChunks).toBe(1);
		expect(await dataset.absentChunks()).toEqual(["agents/1"]);
		dataset.close();
		const strict = await open("codecs/missing_chunk.zarr");
		await expect(strict.agents.rows()).rejects.toMatchObject({ code: "missing_key" });
		strict.close();
	});

	it("the summary is L5Kit's table", async () => {
		const path = `${GOLDENS}/outputs/data/str_tables.json`;
		const tables = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
		const dataset = await open("multi_scene.zarr");
		const text = await dataset.summary();
		expect(JSON.stringify(tables)).toContain(JSON.stringify(text).slice(1, -1));
		dataset.close();
	});
});
