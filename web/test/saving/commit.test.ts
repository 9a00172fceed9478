import { mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
	commitParts,
	DataLoader,
	DataSaver,
	type Destination,
	discardParts,
	MemoryStore,
	type ObjectStore,
	type SaveMode,
	type SaverOptions,
	toMap,
	toNodeFolder,
} from "../../src/save.js";
import { CONFIG, contentOf, rowsOf } from "./rows.js";

vi.setConfig({ testTimeout: 60_000 });

type Objects = Map<string, Uint8Array<ArrayBuffer>>;

const folders: string[] = [];

function temporary(): string {
	const folder = mkdtempSync(join(tmpdir(), "bev-commit-"));
	folders.push(folder);
	return folder;
}

afterEach(() => {
	for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Saves rows `begin` to `end - 1` in steps of `step`, and finishes. */
async function saveRows(
	to: Destination,
	[begin, end]: readonly [number, number],
	options: SaverOptions,
	step = 10,
): Promise<void> {
	using saver = await DataSaver.open(CONFIG, to, options);
	for (let at = begin; at < end; at += step) {
		await saver.save(rowsOf(at, Math.min(at + step, end)));
		if (at % 3 === 0) await saver.flush();
	}
	await saver.finish();
}

/** Checks that a data set has rows 0 to `count - 1`. */
async function expectRows(from: Parameters<typeof DataLoader.open>[0], count: number) {
	using loader = await DataLoader.open(from);
	expect(loader.length).toBe(count);
	const { image, label, mark } = await loader.rows(0, count);
	const expected = rowsOf(0, count);
	expect(image?.data).toEqual(expected.image);
	expect(label?.data).toEqual(expected.label);
	expect(mark?.data).toEqual(expected.mark);
}

/** Destinations whose data set is replaced at once, and how it is loaded. */
const REPLACED = [
	[
		"map",
		() => {
			const map: Objects = new Map();
			return { to: toMap(map), parts: new MemoryStore(), load: async () => map };
		},
	],
	[
		"folder",
		() => {
			const path = join(temporary(), "d.zarr");
			const parts = undefined as ObjectStore | undefined;
			return { to: toNodeFolder(path), parts, load: () => contentOf(path) };
		},
	],
] as const;

describe("saving: several savers", () => {
	it("at once, in ten runs: rows in the order of their numbers, equal bytes", async () => {
		let expected: Objects | undefined;
		for (let run = 0; run < 10; run += 1) {
			const map: Objects = new Map();
			const [to, parts] = [toMap(map), new MemoryStore()];
			const ranges = [
				[0, 45],
				[45, 148],
				[148, 150],
				[150, 215],
			] as const;
			const savers = ranges.map((range, saver) =>
				saveRows(to, range, { saver: saver * 5, parts }, 7 + ((run + saver) % 4)),
			);
			await Promise.all(run % 2 ? savers.reverse() : savers);
			expect(map.size).toBe(0);
			expect(await commitParts(to, { parts })).toBe(215);
			await expectRows(map, 215);
			expected ??= map;
			expect(map).toEqual(expected);
			expect(await parts.list()).toEqual([]);
		}
	});

	it("agree on configuration and mode; a number is used once at a time", async () => {
		const map: Objects = new Map();
		const [to, parts] = [toMap(map), new MemoryStore()];
		const first = await DataSaver.open(CONFIG, to, { parts });
		const open = (change: object, options: SaverOptions) =>
			DataSaver.open({ ...CONFIG, ...change }, to, { parts, ...options });
		await expect(open({}, {})).rejects.toThrow(
			"map: locked (another saver has the number 0)",
		);
		await expect(open({ maxObjectSize: 4096 }, { saver: 1 })).rejects.toThrow(
			/other savers use another config \(max_object_size: found 2048, given 4096\)/,
		);
		await expect(open({}, { saver: 1, mode: "append" })).rejects.toThrow(
			"map: other savers use mode create (given append)",
		);
		await expect(open({}, { saver: -1 })).rejects.toMatchObject({ name: "BevError" });
		const mode = "other" as SaveMode;
		await expect(open({}, { saver: 1, mode })).rejects.toThrow(/mode/);
		first.close();
		(await open({}, { saver: 0 })).close();
		await discardParts(to, parts);
		(await open({ maxObjectSize: 4096 }, { mode: "append" })).close();
	});

	it("are not committed while one runs or is incomplete, nor discarded", async () => {
		const map: Objects = new Map();
		const [to, parts] = [toMap(map), new MemoryStore()];
		await expect(commitParts(to, { parts })).rejects.toMatchObject({
			code: "not_found",
			message: "map: no saved parts",
		});
		await saveRows(to, [0, 30], { saver: 1, parts });
		const running = await DataSaver.open(CONFIG, to, { saver: 2, parts });
		const refused = /map: locked \(savers are running\)/;
		await expect(commitParts(to, { parts })).rejects.toThrow(refused);
		await expect(discardParts(to, parts)).rejects.toThrow(refused);
		running.close();
		await expect(commitParts(to, { parts })).rejects.toThrow(
			"saver 2: part is not complete (resume and finish it, or abort it)",
		);
		expect(map.size).toBe(0);
		const again = await DataSaver.open(CONFIG, to, { saver: 2, parts });
		await again.abort();
		expect(await commitParts(to, { parts })).toBe(30);
		await expectRows(map, 30);
	});

	it("that abort leave nothing, or the parts of others", async () => {
		const [to, parts] = [toMap(new Map()), new MemoryStore()];
		const first = await DataSaver.open(CONFIG, to, { parts });
		const second = await DataSaver.open(CONFIG, to, { parts, saver: 1 });
		await first.save(rowsOf(0, 50));
		await first.abort();
		expect(await parts.list()).toContain("settings.json");
		await second.abort();
		expect(await parts.list()).toEqual([]);
	});

	it("finish, and can neither save nor finish again", async () => {
		const [to, parts] = [toMap(new Map()), new MemoryStore()];
		const saver = await DataSaver.open(CONFIG, to, { parts });
		await saver.finish();
		for (const call of [saver.finish(), saver.save(rowsOf(0, 1)), saver.abort()]) {
			await expect(call).rejects.toThrow("map: the saver has ended");
		}
		expect(await saver.commit()).toBe(0);
		await expect(saver.commit()).rejects.toThrow("map: the saver has ended");
	});

	it("commit once, when two commits are called at once", async () => {
		for (let run = 0; run < 10; run += 1) {
			const map: Objects = new Map();
			const [to, parts] = [toMap(map), new MemoryStore()];
			await saveRows(to, [0, 60], { parts });
			const calls = [commitParts(to, { parts }), commitParts(to, { parts })];
			const done = await Promise.allSettled(calls);
			const rows = done.flatMap((each) =>
				each.status === "fulfilled" ? [each.value] : [],
			);
			expect(rows).toEqual([60]);
			await expectRows(map, 60);
		}
	});

	it("in a folder, found by another process's commit", async () => {
		const path = join(temporary(), "d.zarr");
		await Promise.all([
			saveRows(toNodeFolder(path), [50, 90], { saver: 1 }),
			saveRows(toNodeFolder(path), [0, 50], { saver: 0 }),
		]);
		expect(readdirSync(join(path, ".."))).toEqual(["d.zarr.parts-web"]);
		expect(await commitParts(toNodeFolder(path))).toBe(90);
		expect(readdirSync(join(path, ".."))).toEqual(["d.zarr"]);
		await expectRows(await contentOf(path), 90);
	});
});

describe.each(REPLACED)("saving: replacing a %s", (_, make) => {
	it("append: rows follow; readers see the old ones until the commit", async () => {
		const { to, parts, load } = make();
		let rows = 0;
		for (const count of [5, 20, 200, 3]) {
			const saver = await DataSaver.open(CONFIG, to, { mode: "append", parts });
			await saver.save(rowsOf(rows, rows + count));
			await saver.flush();
			if (rows > 0) await expectRows(await load(), rows);
			rows += count;
			expect(await saver.commit()).toBe(rows);
			await expectRows(await load(), rows);
		}
	});

	it("replace: the commit begins anew, with any configuration", async () => {
		const { to, parts, load } = make();
		await saveRows(to, [0, 90], { parts });
		await commitParts(to, { parts });
		const other = { ...CONFIG, maxObjectSize: 4096 };
		await expect(DataSaver.open(other, to, { parts })).rejects.toThrow(
			/already exists \(append and replace must be asked for\)/,
		);
		await expect(DataSaver.open(other, to, { parts, mode: "append" })).rejects.toThrow(
			/has another config \(max_object_size: found 2048/,
		);
		const saver = await DataSaver.open(other, to, { parts, mode: "replace" });
		await saver.save(rowsOf(0, 40));
		await expectRows(await load(), 90);
		expect(await saver.commit()).toBe(40);
		await expectRows(await load(), 40);
	});

	it("a data set replaced since the savers began is kept", async () => {
		const { to, parts, load } = make();
		await saveRows(to, [0, 30], { parts });
		await commitParts(to, { parts });
		const aside = new MemoryStore();
		await saveRows(to, [30, 60], { mode: "append", parts });
		await saveRows(to, [0, 70], { mode: "replace", parts: aside });
		await commitParts(to, { parts: aside });
		await expect(commitParts(to, { parts })).rejects.toMatchObject({
			code: "changed",
			message: `${to.name}: was replaced since the savers began`,
		});
		await expectRows(await load(), 70);
		await discardParts(to, parts);
	});

	it("two commits at once: one publishes, the other fails, nothing is mixed", async () => {
		for (let run = 0; run < 5; run += 1) {
			const { to, parts, load } = make();
			await saveRows(to, [0, 30], { parts });
			await commitParts(to, { parts });
			const stores = [new MemoryStore(), new MemoryStore()];
			const counts = [100, 111];
			for (const [i, store] of stores.entries()) {
				await saveRows(to, [0, counts[i] ?? 0], { mode: "replace", parts: store });
			}
			const calls = stores.map((store) => commitParts(to, { parts: store }));
			const done = await Promise.allSettled(calls);
			const won = done.findIndex((each) => each.status === "fulfilled");
			expect(done.filter((each) => each.status === "fulfilled")).toHaveLength(1);
			await expectRows(await load(), counts[won] ?? 0);
		}
	});

	it("a commit interrupted before it removed the parts is completed", async () => {
		const { to, load } = make();
		const parts = new MemoryStore();
		const clear = parts.clear.bind(parts);
		await saveRows(to, [0, 30], { parts });
		parts.clear = async () => {
			throw new Error("killed");
		};
		await expect(commitParts(to, { parts })).rejects.toThrow("killed");
		await expectRows(await load(), 30);
		parts.clear = clear;
		expect(await commitParts(to, { parts })).toBe(30);
		expect(await parts.list()).toEqual([]);
		await expectRows(await load(), 30);
	});

	it("a failed write leaves the old data set, and the commit can be repeated", async () => {
		const { to, parts, load } = make();
		await saveRows(to, [0, 30], { parts });
		await commitParts(to, { parts });
		await saveRows(to, [30, 200], { mode: "append", parts });
		for (const failing of [0, 3, 9]) {
			let puts = 0;
			const put: Destination["put"] = async (...given) => {
				if (puts === failing) throw new Error("disk full");
				puts += 1;
				await to.put(...given);
			};
			const store = parts ?? to.parts?.();
			const commit = commitParts({ ...to, put }, { parts: store });
			await expect(commit).rejects.toThrow("disk full");
			await expectRows(await load(), 30);
		}
		expect(await commitParts(to, { parts })).toBe(200);
		await expectRows(await load(), 200);
	});
});

describe("saving: destinations that cannot replace", () => {
	it("refuse to append and replace, before a row is saved", async () => {
		const { replaces: _, ...to } = toMap(new Map([[".zattrs", new Uint8Array(2)]]));
		for (const mode of ["append", "replace"] as const) {
			await expect(DataSaver.open(CONFIG, to, { mode })).rejects.toMatchObject({
				code: "unsupported",
				message:
					"map: cannot be replaced at once (expected a .zip, or mode create and an unused name)",
			});
		}
	});

	it("are refused if what is there is not a saver's", async () => {
		for (const content of [{}, { ".zattrs": "{}" }]) {
			const objects = Object.entries({ ".zgroup": "{}", ...content }).map(
				([key, text]) => [key, new TextEncoder().encode(text)] as const,
			);
			const opened = DataSaver.open(CONFIG, toMap(new Map(objects)), {
				mode: "append",
			});
			await expect(opened).rejects.toThrow("map: not a data set written by a saver");
		}
	});

	it("a folder whose replacement was killed between two renames is restored", async () => {
		const path = join(temporary(), "d.zarr");
		const to = toNodeFolder(path);
		await saveRows(to, [0, 30], {});
		await commitParts(to);
		renameSync(path, `${path}.replaced-web`);
		const saver = await DataSaver.open(CONFIG, to, { mode: "append" });
		await saver.save(rowsOf(30, 31));
		expect(await saver.commit()).toBe(31);
		await expectRows(await contentOf(path), 31);
		expect(readdirSync(join(path, ".."))).toEqual(["d.zarr"]);
	});
});
