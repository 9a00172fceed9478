import { describe, expect, it } from "vitest";
import { DirectorySource } from "../../../tests/support/directory-source.js";
import { GOLDENS } from "../../../tests/support/goldens.js";
import { type NpyArray, readNpz } from "../../../tests/support/npz.js";
import { ChunkedDataset, type MapView } from "../../src/index.js";

const source = new DirectorySource(`${GOLDENS}/inputs`);
const meta = { source, key: "meta.json" };

/** Opens a map with the data set of five scenes, runs `use` and closes both. */
async function withMap(key: string, use: (map: MapView) => unknown): Promise<void> {
	const dataset = await ChunkedDataset.open(
		new DirectorySource(`${GOLDENS}/inputs/multi_scene.zarr`),
	);
	try {
		const map = await dataset.map({ source, key }, meta);
		if (!map) throw new Error(`${key} is not there`);
		await use(map);
		map.release();
	} finally {
		dataset.close();
	}
}

/** The x and y of all points of the lanes' boundaries on one side, from L5Kit. */
function expected(arrays: ReadonlyMap<string, NpyArray>, side: string): number[] {
	const lanes = [...arrays.keys()].filter((name) => name.endsWith(`.${side}`)).sort();
	return lanes.flatMap((name) =>
		Array.from(arrays.get(name)?.data as Float64Array).filter((_, i) => i % 3 < 2),
	);
}

function largestDifference(a: ArrayLike<number>, b: readonly number[]): number {
	return b.reduce(
		(most, value, i) => Math.max(most, Math.abs(value - (a[i] ?? NaN))),
		0,
	);
}

describe.skipIf(!GOLDENS)("api/map", () => {
	it("lanes equal L5Kit's to a micrometre", async () => {
		const arrays = readNpz(`${GOLDENS}/outputs/map/town_raw.npz`);
		await withMap("town_map.pb", ({ lanes }) => {
			expect(lanes.length).toBe(68);
			expect(lanes.left.offsets.length).toBe(69);
			for (const side of ["left", "right"] as const) {
				const points = expected(arrays, side);
				expect(lanes[side].points.length).toBe(points.length);
				expect(largestDifference(lanes[side].points, points)).toBeLessThan(1e-6);
			}
		});
	});

	it("crosswalks, faces and bounds are returned", async () => {
		await withMap("town_map.pb", ({ crosswalks, faces, bounds }) => {
			expect(crosswalks.id).toContain("krgC");
			expect(crosswalks.offsets.length).toBe(8);
			expect(faces.length).toBe(18);
			expect(faces.colour[faces.id.indexOf("+Y8k")]).toBe(1);
			expect(faces.colour[faces.id.indexOf("MGkm")]).toBe(0);
			expect(bounds.length).toBe(4);
			expect(bounds[2]).toBeGreaterThan(bounds[0] ?? NaN);
		});
	});

	it("lanes name their dividers, neighbours, limits, junctions and segments", async () => {
		await withMap("town_map.pb", ({ lanes, lights, junctions, segments }) => {
			const { left, junction, segment } = lanes;
			expect(left.z.length).toBe(left.points.length / 2);
			expect(left.dividers_first.length).toBe(lanes.length + 1);
			expect(left.dividers_first.at(-1)).toBe(left.dividers.length);
			expect(left.divider.length).toBe(lanes.length);
			for (let row = 0; row < lanes.length; row += 1) {
				const at = junction[row] ?? -1;
				expect(at >= 0).toBe(lanes.in_junction[row] === 1);
				const limit = segments.speed_limit[segment[row] ?? -1];
				if (limit !== undefined && lanes.orientation[row] !== 3) {
					expect(lanes.speed_limit[row]).toBe(limit);
				}
				const right = lanes.adjacent_right[row] ?? -1;
				expect(right).toBeLessThan(lanes.length);
			}
			for (let row = 0; row < junctions.length; row += 1) {
				const [begin, end] = [
					junctions.lanes_first[row],
					junctions.lanes_first[row + 1],
				];
				for (const lane of junctions.lanes.subarray(begin, end)) {
					expect(lane).toBeLessThan(lanes.length);
				}
			}
			expect(junctions.id.length + segments.id.length).toBeGreaterThan(0);
			expect(lights.position.length).toBe(2 * lights.length);
			expect(lights.length).toBeGreaterThan(0);
		});
	});

	it("an active face colours its lanes, red before green", async () => {
		await withMap("town_map.pb", async (map) => {
			const row = map.lanes.id.indexOf("6169");
			expect((await map.laneColours([]))[row]).toBe(0);
			expect((await map.laneColours(["+Y8k"]))[row]).toBe(3);
			expect((await map.laneColours(["+Y8k", "MGkm"]))[row]).toBe(1);
		});
	});

	it("an invalid map file is an error, and the next one is read", async () => {
		const dataset = await ChunkedDataset.open(
			new DirectorySource(`${GOLDENS}/inputs/multi_scene.zarr`),
		);
		const broken = dataset.map({ source, key: "aerial_map.png" }, meta);
		await expect(broken).rejects.toMatchObject({ code: "corrupt_chunk" });
		const missing = dataset.map({ source, key: "no_map.pb" }, meta);
		await expect(missing).resolves.toBeUndefined();
		const map = await dataset.map({ source, key: "town_map.pb" }, meta);
		expect(map?.lanes.length).toBe(68);
		dataset.close();
	});
});
