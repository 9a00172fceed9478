import { describe, expect, it } from "vitest";
import type {
	CoreCommit,
	CoreLoader,
	CoreSave,
	CoreSaver,
	CoreZipWriter,
} from "../../src/core-save.js";
import { DataSaver, MemoryStore, toMap } from "../../src/save.js";
import { configJson } from "../../src/saving/config.js";
import { loadCore, Turns } from "../../src/saving/core.js";
import { methods } from "../support/methods.js";
import { CONFIG, rowsOf } from "./rows.js";

/** All names of an interface: a missing one does not compile. */
function names<T>(all: Record<keyof T, true>): string[] {
	return Object.keys(all).sort();
}

describe("saving: core", () => {
	it("has the functions of the types, and no others", async () => {
		const core = await loadCore(undefined);
		const functions = names<CoreSave>({
			normalConfig: true,
			firstSettings: true,
			checkSettings: true,
			partName: true,
			isPart: true,
			makeZipWriter: true,
			makeSaver: true,
			makeCommit: true,
			makeLoader: true,
			makeZip: true,
		});
		for (const name of functions)
			expect(core[name as keyof CoreSave]).toBeTypeOf("function");
		const map = new Map<string, Uint8Array<ArrayBuffer>>();
		const parts = new MemoryStore();
		using saver = await DataSaver.open(CONFIG, toMap(map), { parts });
		await saver.save(rowsOf(0, 10));
		await saver.commit();
		const made = core.makeSaver(configJson(CONFIG), 3);
		expect(methods(made)).toEqual(
			names<CoreSaver>({
				resume: true,
				needed: true,
				supply: true,
				add: true,
				clear: true,
				save: true,
				attach: true,
				flush: true,
				take: true,
				journal: true,
				confirm: true,
				rows: true,
				batches: true,
				delete: true,
			}),
		);
		made.flush();
		expect(made.take()).toBeNull();
		const commit = core.makeCommit(
			core.firstSettings(configJson(CONFIG), "create", "", "made"),
			"",
			"made",
		);
		expect(methods(commit)).toEqual(
			names<CoreCommit>({
				add: true,
				isPublished: true,
				rows: true,
				missing: true,
				supply: true,
				next: true,
				isComplete: true,
				delete: true,
			}),
		);
		const zip = core.makeZipWriter();
		expect(methods(zip)).toEqual(
			names<CoreZipWriter>({ put: true, finish: true, delete: true }),
		);
		const text = new TextDecoder().decode(map.get(".zmetadata"));
		const loader = core.makeLoader(text, "made", 2 ** 20);
		expect(methods(loader)).toEqual(
			names<CoreLoader>({
				config: true,
				commit: true,
				rows: true,
				chunkRows: true,
				attachmentKey: true,
				attachments: true,
				checkAttachment: true,
				ask: true,
				askRows: true,
				missing: true,
				supply: true,
				take: true,
				clear: true,
				heldBytes: true,
				chunks: true,
				delete: true,
			}),
		);
		for (const handle of [made, commit, zip, loader]) handle.delete();
	});

	it("runs tasks one at a time; a failed one does not stop the next", async () => {
		const turns = new Turns();
		const seen: string[] = [];
		const task = (name: string, fails: boolean) => () =>
			Promise.resolve().then(() => {
				seen.push(`${name} begins`);
				return Promise.resolve().then(() => {
					seen.push(`${name} ends`);
					if (fails) throw new Error(name);
					return name;
				});
			});
		const first = turns.run(task("a", true));
		const second = turns.run(task("b", false));
		await expect(first).rejects.toThrow("a");
		expect(await second).toBe("b");
		expect(seen).toEqual(["a begins", "a ends", "b begins", "b ends"]);
	});
});
