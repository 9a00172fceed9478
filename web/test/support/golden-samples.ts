import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { DirectorySource } from "../../../tests/support/directory-source.js";
import { GOLDENS } from "../../../tests/support/goldens.js";
import type { NpyArray } from "../../../tests/support/npz.js";
import {
	ChunkedDataset,
	type Sample,
	type SampleArray,
	type VectorizedSample,
} from "../../src/index.js";

interface Manifest {
	readonly configs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Returns a config that the goldens were made with. */
export function goldenConfig(name: string): Readonly<Record<string, unknown>> {
	const manifest = JSON.parse(
		readFileSync(`${GOLDENS}/manifest.json`, "utf8"),
	) as Manifest;
	const config = manifest.configs[name];
	if (config) return config;
	throw new Error(`goldens: no config ${name}`);
}

/** Opens the golden data set with one scene ("single") or five ("multi"). */
export const openGolden = (which: string): Promise<ChunkedDataset> =>
	ChunkedDataset.open(
		new DirectorySource(
			`${GOLDENS}/inputs/${which === "single" ? "single_scene" : "multi_scene"}.zarr`,
		),
	);

/** Tolerance from the goldens' README, relative for values above 1. */
function tolerance(key: string, dtype: string): number {
	if (dtype === "<f4") return /velocities|speed/.test(key) ? 1e-4 : 1e-5;
	return dtype === "<f8" ? 1e-9 : 0;
}

/** Compares one array; returns its number of values. */
function compare(
	name: string,
	ours: SampleArray | undefined,
	theirs: NpyArray,
	least: number,
): number {
	expect(ours?.shape, name).toEqual(theirs.shape);
	expect(ours?.dtype, name).toBe(theirs.dtype);
	const most = Math.max(tolerance(name, theirs.dtype), least);
	const far = Array.from<unknown>(ours?.data ?? []).filter((value, i) => {
		const [a, b] = [Number(value), Number(theirs.data[i])];
		return !(Math.abs(a - b) <= most * Math.max(1, Math.abs(b)));
	});
	expect(far, name).toEqual([]);
	return theirs.data.length;
}

type Arrays = Readonly<Record<string, SampleArray>>;

/**
 * Compares all keys of the samples except the image, which the core's tests compare.
 * `least` is the minimum tolerance. Returns the number of values.
 */
export async function compareAll(
	golden: ReadonlyMap<string, NpyArray>,
	sample: (index: number) => Promise<Sample<"none"> | VectorizedSample>,
	least = 0,
): Promise<number> {
	let compared = 0;
	for (const index of Array.from(golden.get("indices")?.data ?? [0], Number)) {
		const ours = await sample(index);
		const prefix = `${String(index).padStart(5, "0")}.`;
		for (const [name, theirs] of golden) {
			if (!name.startsWith(prefix) || name.endsWith(".image")) continue;
			compared += compare(
				name,
				(ours as unknown as Arrays)[name.slice(prefix.length)],
				theirs,
				least,
			);
		}
		ours[Symbol.dispose]();
	}
	return compared;
}
