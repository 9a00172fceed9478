import { describe, expect, it } from "vitest";
import {
	areScenes,
	simulationsIn,
} from "../../../src/elements/open/simulation-files.js";
import { FileSource } from "../../../src/source/file-source.js";
import { folderOf } from "../../../src/source/folder.js";

const SCENE = '{"timestamp_us": 1, "ego": {"pose": [0, 0, 0]}}';

async function found(texts: Readonly<Record<string, string>>) {
	const files = Object.entries(texts).map(
		([path, text]) => [path, new Blob([text])] as const,
	);
	const sources = await simulationsIn(new FileSource(folderOf(new Map(files))));
	return Promise.all(
		sources.map(async ({ name, request }) => {
			const asked = await request();
			if (asked.kind !== "simulation") throw new Error("another kind");
			return [name, ...asked.files.map((file) => file.name)];
		}),
	);
}

describe("open: simulations of nuPlan in files", () => {
	it("knows scenes by their begin", () => {
		expect(areScenes(`\n[${SCENE}]`)).toBe(true);
		expect(areScenes('{"ego": {}, "format": "bevscope-notes"}')).toBe(false);
		expect(areScenes('{"timestamp_us": 1}')).toBe(false);
		expect(areScenes("ego: {timestamp_us: 1}")).toBe(false);
	});

	it("finds logs alone and in nuPlan's folders", async () => {
		expect(await found({ "ab.msgpack.xz": "", "cd.pkl.xz": "" })).toEqual([
			["ab", "ab.msgpack.xz"],
			["cd", "cd.pkl.xz"],
		]);
		expect(
			await found({
				"simulation_log/idm/type/log/b/b.msgpack.xz": "",
				"simulation_log/idm/type/log/a/a.msgpack.xz": "",
			}),
		).toEqual([
			["a", "a.msgpack.xz"],
			["b", "b.msgpack.xz"],
		]);
	});

	it("finds the scenes of a folder, one file or one per step", async () => {
		const scenes = { "idm/t/l/ab/1.json": SCENE, "idm/t/l/ab/2.json": SCENE };
		expect(await found(scenes)).toEqual([["ab", "1.json", "2.json"]]);
		expect(await found({ "ab.json": `[${SCENE}]` })).toEqual([["ab", "ab.json"]]);
		expect(await found({ "x/ab/1.msgpack.xz": "", "x/ab/2.msgpack.xz": "" })).toEqual([
			["ab", "1.msgpack.xz", "2.msgpack.xz"],
		]);
	});

	it("looks for none in other data sets", async () => {
		expect(await found({ "a.zarr/.zgroup": "{}", "a.zarr/a/x.pkl.xz": "" })).toEqual(
			[],
		);
		expect(await found({ ".zgroup": "{}", "x.pkl.xz": "" })).toEqual([]);
		expect(await found({ "notes.json": "{}", "a.txt": "" })).toEqual([]);
	});
});
