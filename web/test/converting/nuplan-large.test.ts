import { execFileSync } from "node:child_process";
import {
	closeSync,
	existsSync,
	fstatSync,
	mkdtempSync,
	openSync,
	readSync,
	rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { Converter } from "../../src/converting/converter.js";
import { convertLogScene, logScenes, logTags } from "../../src/converting/log.js";
import { watchWasmMemory } from "../support/wasm-memory.js";

/**
 * What large logs of nuPlan take, in bytes and requests. BEV_LARGE names a folder for logs
 * of 1 GB, of which at most 20 MB are read.
 */
const SCRIPT = fileURLToPath(
	new URL("../../../tests/python/interop/nuplan_files.py", import.meta.url),
);
const LARGE = process.env.BEV_LARGE;
const SIZE = LARGE
	? { scenes: 130, sweeps: 400, boxes: 170 }
	: { scenes: 24, sweeps: 200, boxes: 40 };
const FIRST_SCENE_BYTES = LARGE ? 20e6 : 6e6;

let folder = "";
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), "bevscope-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const open: { close(): void }[] = [];
afterEach(() => {
	vi.restoreAllMocks();
	for (const one of open.splice(0)) one.close();
});

async function started(): Promise<Converter> {
	const converter = await Converter.start();
	open.push(converter);
	return converter;
}

/** Makes a log, and counts what is read of it. */
function made(
	name: string,
	size: Readonly<Record<string, number>>,
	...more: readonly string[]
) {
	const path = join(LARGE ?? folder, `${name}.db`);
	const words = Object.entries(size).flatMap(([key, value]) => [
		`--${key}`,
		`${value}`,
	]);
	if (!existsSync(path)) execFileSync("python3", [SCRIPT, path, ...words, ...more]);
	const descriptor = openSync(path, "r");
	open.push({ close: () => closeSync(descriptor) });
	const count = { bytes: 0, requests: 0 };
	const read = async (begin: number, end: number) => {
		const out = new Uint8Array(end - begin);
		count.bytes += end - begin;
		count.requests += 1;
		return out.subarray(0, readSync(descriptor, out, 0, end - begin, begin));
	};
	return { name: `${name}.db`, size: fstatSync(descriptor).size, read, count };
}

/** Counts how often a converter waits for bytes. */
function waitsOf(converter: Converter): () => number {
	const asked = vi.spyOn(converter, "ask");
	return () => asked.mock.calls.filter(([{ kind }]) => kind === "supply").length;
}

const alone = (log: ReturnType<typeof made>) => ({ log, map: undefined });

describe("converting: a large log of nuPlan", () => {
	for (const [name, ...more] of [["ordered"], ["indexed", "--indexed"]] as const) {
		it(`that is ${name} shows its first scene with a part of its bytes`, async () => {
			const log = made(name, SIZE, ...more);
			const converter = await started();
			const waits = waitsOf(converter);
			expect((await logScenes(converter, alone(log))).scanned).toEqual([]);
			const opening = { ...log.count, waits: waits() };
			await convertLogScene(converter, { ...alone(log), scene: 0 });
			const first = { ...log.count, waits: waits() };
			expect(opening.waits).toBeLessThan(40);
			expect(first.waits).toBeLessThan(80);
			expect(first.bytes).toBeLessThan(FIRST_SCENE_BYTES);
			expect(log.size).toBeGreaterThan((LARGE ? 50 : 3) * FIRST_SCENE_BYTES);
			await convertLogScene(converter, { ...alone(log), scene: 9 });
			const next = log.count.bytes - first.bytes;
			expect(next).toBeLessThan(first.bytes);
			expect(waits() - first.waits).toBeLessThan(first.waits);
			await logTags(converter, alone(log));
			if (LARGE)
				console.log(name, log.size, { opening, first, next }, log.count, waits());
		}, 600_000);
	}

	it("in any order is read whole once, which is said, or refused", async () => {
		const log = made("shuffled", SIZE, "--shuffled");
		const converter = await started();
		const { scanned } = await logScenes(converter, alone(log));
		expect(scanned).toContain("lidar_box");
		const first = convertLogScene(converter, { ...alone(log), scene: 0 });
		if (LARGE) {
			const said = "shuffled.db: rows of a scene are spread over more than 48 MB";
			await expect(first).rejects.toThrow(said);
			return;
		}
		await first;
		const { bytes } = log.count;
		expect(bytes).toBeGreaterThan(log.size / 2);
		await convertLogScene(converter, { ...alone(log), scene: 1 });
		expect(log.count.bytes - bytes).toBeLessThan(log.size);
	}, 600_000);

	it("is shown scene by scene in memory that its size does not raise", async () => {
		const memory = watchWasmMemory();
		const log = made("ordered", SIZE);
		const converter = await started();
		await logScenes(converter, alone(log));
		const sizes: number[] = [];
		for (let scene = 0; scene < SIZE.scenes; scene += 1) {
			await convertLogScene(converter, { ...alone(log), scene });
			sizes.push(memory());
		}
		if (LARGE) console.log("memory", sizes.map((size) => size / 1e6).join(" "));
		expect(sizes.at(-1)).toBeLessThan(120e6);
	}, 1_200_000);

	it("of two thousand scenes is listed with one reading of each page", async () => {
		const size = { scenes: 2000, sweeps: 20, boxes: 1, lights: 1 };
		const log = made("many", size);
		const converter = await started();
		const waits = waitsOf(converter);
		const begin = performance.now();
		const { names, scanned } = await logScenes(converter, alone(log));
		const milliseconds = performance.now() - begin;
		expect(waits()).toBeLessThan(40);
		expect(names).toHaveLength(2000);
		expect(scanned).toEqual([]);
		const listed = { ...log.count };
		expect(listed.bytes).toBeLessThan(log.size);
		expect(listed.requests).toBeLessThan(400);
		const tags = await logTags(converter, alone(log));
		expect(tags).toHaveLength(2000);
		expect(log.count.bytes).toBeLessThan(log.size * 1.01);
		if (LARGE)
			console.log("many", log.size, { listed, milliseconds }, log.count, waits());
	}, 600_000);
});
