import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readNpz } from "../../../../tests/support/npz.js";
import { npyOf, npzOf } from "../../../src/elements/raster/npz.js";
import type { Sample } from "../../../src/samples/sample.js";

it("a sample's arrays round-trip through its .npz", async () => {
	const part = new Float32Array(8).subarray(2);
	part.set([1, 2, 3, 4, 5, 6]);
	const sample = {
		image: { data: part, shape: [1, 2, 3], dtype: "<f4" },
		track_id: { data: BigInt64Array.of(-1n), shape: [], dtype: "<i8" },
		host_id: { data: Uint8Array.of(7, 8), shape: [2], dtype: "|u1" },
	} as unknown as Sample;
	const folder = mkdtempSync(join(tmpdir(), "npz-"));
	try {
		const path = join(folder, "sample.npz");
		writeFileSync(path, new Uint8Array(await (await npzOf(sample)).arrayBuffer()));
		const read = readNpz(path);
		expect([...read.keys()]).toEqual(["image", "track_id", "host_id"]);
		const { image, track_id, host_id } = Object.fromEntries(read);
		expect(image?.shape).toEqual([1, 2, 3]);
		expect(Array.from(image?.data ?? [])).toEqual([1, 2, 3, 4, 5, 6]);
		expect(track_id?.shape).toEqual([]);
		expect(Array.from(track_id?.data ?? [])).toEqual([-1n]);
		expect(host_id?.shape).toEqual([2]);
	} finally {
		rmSync(folder, { recursive: true });
	}
});

it("an image is compressed without loss", async () => {
	const pixels = Float32Array.from({ length: 3 * 224 * 224 }, (_, i) => (i % 7) / 7);
	const sample = {
		image: { data: pixels, shape: [3, 224, 224], dtype: "<f4" },
	} as unknown as Sample;
	const npz = await npzOf(sample);
	expect(npz.size).toBeLessThan(pixels.byteLength / 10);
	const folder = mkdtempSync(join(tmpdir(), "npz-"));
	try {
		const path = join(folder, "sample.npz");
		writeFileSync(path, new Uint8Array(await npz.arrayBuffer()));
		expect(readNpz(path).get("image")?.data).toEqual(pixels);
	} finally {
		rmSync(folder, { recursive: true });
	}
});

it(".npy data starts at a multiple of 64 bytes", () => {
	for (const shape of [[1], [1, 1, 1, 1], Array.from({ length: 30 }, () => 1)]) {
		const npy = npyOf({ data: Uint8Array.of(9), shape, dtype: "|u1" });
		expect((npy.length - 1) % 64).toBe(0);
		expect(npy.at(-1)).toBe(9);
		expect(npy.at(-2)).toBe(10); // the end of the header line
	}
});
