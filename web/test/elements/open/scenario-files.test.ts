import { describe, expect, it } from "vitest";
import {
	scenarioFilesIn,
	scenariosIn,
	versionsIn,
} from "../../../src/elements/open/scenario-files.js";
import { FileSource } from "../../../src/source/file-source.js";
import { type Folder, folderOf } from "../../../src/source/folder.js";

/** Returns files of these paths, whose content is their path, and counts listings. */
function counted(paths: readonly string[]) {
	const inner = folderOf(new Map(paths.map((path) => [path, new Blob([path])])));
	const listed: string[] = [];
	const read: string[] = [];
	const folder: Folder = {
		file: (path) => {
			read.push(path);
			return inner.file(path);
		},
		list: (path) => {
			listed.push(path.replace(/\/$/, ""));
			return inner.list(path);
		},
	};
	return { files: new FileSource(folder), listed, read };
}

const folderFiles = (folder: string, id: string) => [
	`${folder}/log_map_archive_${id}.json`,
	`${folder}/scenario_${id}.parquet`,
];

async function described(paths: readonly string[]) {
	const scenarios = await scenariosIn(counted(paths).files);
	return scenarios.map(({ name }) => name);
}

describe("open: Argoverse 2 scenarios in files", () => {
	it("finds the tracks and the map beside them", async () => {
		const { files } = counted(["scenario_a.parquet", "log_map_archive_a.json"]);
		const [only, ...more] = await scenariosIn(files);
		expect(more).toEqual([]);
		expect(only?.name).toBe("a");
		const request = await only?.request();
		expect(request).toMatchObject({ kind: "argoverse2", name: "scenario_a.parquet" });
		if (request?.kind !== "argoverse2") throw new Error("another kind");
		expect(await request.file.text()).toBe("scenario_a.parquet");
		expect(request.map?.name).toBe("log_map_archive_a.json");
		expect(await request.map?.file.text()).toBe("log_map_archive_a.json");
	});

	it("takes no other scenario's map", async () => {
		const { files } = counted(["scenario_a.parquet", "log_map_archive_b.json"]);
		const [only] = await scenariosIn(files);
		expect(await only?.request()).toMatchObject({ map: undefined });
	});

	it("finds several scenarios in a folder, and folders of scenarios", async () => {
		expect(await described(["scenario_b.parquet", "scenario_a.parquet"])).toEqual([
			"a",
			"b",
		]);
		expect(
			await described([...folderFiles("b", "b"), ...folderFiles("a", "a")]),
		).toEqual(["a", "b"]);
		const split = ["train", "val"].flatMap((part) =>
			["a", "b"].flatMap((id) => folderFiles(`av2/${part}/${id}`, id)),
		);
		expect(await described(split)).toEqual([
			"av2/train/a",
			"av2/train/b",
			"av2/val/a",
			"av2/val/b",
		]);
	});

	it("lists two folders of 1,000, and reads no file", async () => {
		const ids = Array.from({ length: 1000 }, (_, i) => `${1000 + i}`);
		const { files, listed, read } = counted(ids.flatMap((id) => folderFiles(id, id)));
		const scenarios = await scenariosIn(files);
		expect(scenarios.map(({ name }) => name)).toEqual(ids);
		expect(listed).toEqual(["", "1000"]);
		expect(read).toEqual([]);
		expect(await scenarios[700]?.request()).toMatchObject({
			name: "scenario_1700.parquet",
		});
		expect(listed.slice(2)).toEqual(["1700"]);
		expect(read).toEqual([
			"1700/scenario_1700.parquet",
			"1700/log_map_archive_1700.json",
		]);
	});

	it("finds none in other folders", async () => {
		expect(await described(["a.zarr/.zgroup", "a.zarr/agents/.zarray"])).toEqual([]);
		expect(await described([".zgroup", "scenario_a.parquet"])).toEqual([]);
		expect(await described(["a/b/c/d/e/scenario_a.parquet"])).toEqual([]);
		expect(await described(["submission.parquet", "log_map_archive_a.json"])).toEqual(
			[],
		);
		expect(await described([])).toEqual([]);
	});

	it("reports a folder without a scenario, or with two, when it is opened", async () => {
		const { files } = counted([
			...folderFiles("a", "a"),
			"b/notes.txt",
			...folderFiles("c", "c"),
			"c/scenario_d.parquet",
		]);
		const [, b, c] = await scenariosIn(files);
		await expect(b?.request()).rejects.toThrow(
			"b: no scenario (found none, expected one scenario_ID.parquet)",
		);
		await expect(c?.request()).rejects.toThrow("c: no scenario (found 2, expected one");
	});
});

describe("open: scenarios that are a file each", () => {
	const found = (files: Readonly<Record<string, string>>) => {
		const blobs = Object.entries(files).map(
			([path, text]) => [path, new Blob([text])] as const,
		);
		return scenarioFilesIn(new FileSource(folderOf(new Map(blobs))));
	};
	const road = "<commonRoad>";

	it("are pickles, or XML files of CommonRoad, at the top or in folders", async () => {
		const paths = async (files: Readonly<Record<string, string>>) =>
			(await found(files)).paths;
		expect(await paths({ "b.xml": "", "a.xml": road })).toEqual(["a.xml", "b.xml"]);
		expect(await paths({ "d/a.xml": road, "e/b.xml": road })).toEqual([
			"d/a.xml",
			"e/b.xml",
		]);
		expect(await paths({ "a.xml": road, "b.pkl": "" })).toEqual(["b.pkl"]);
		expect(await paths({ "a.xml": "<project/>" })).toEqual([]);
		expect(await paths({ "a.xml": road, "b.tfrecord": "" })).toEqual([]);
		expect(await paths({ "a.xml": road, "b.zarr/.zgroup": "" })).toEqual([]);
	});
});

describe("open: versions of nuScenes in files", () => {
	const mini = ["v1.0-mini/log.json", "v1.0-mini/sample_annotation.json"];

	it("finds the tables at the top, or in folders named as versions are", async () => {
		const found = (paths: readonly string[], root?: string) =>
			versionsIn(counted(paths).files, root);
		expect(await found(["log.json", "sample_annotation.json"])).toEqual([""]);
		expect(await found([...mini, "maps/expansion/x.json"])).toEqual(["v1.0-mini"]);
		const two = ["v1.0-trainval/sample_annotation.json", ...mini];
		expect(await found(two)).toEqual(["v1.0-mini", "v1.0-trainval"]);
		expect(await found(two, "v1.0-trainval")).toEqual(["v1.0-trainval"]);
		expect(await found(two, "v1.0-test")).toEqual([]);
		expect(await found(["v1.0-mini/log.json", "a/sample_annotation.json"])).toEqual([]);
		expect(await found(["a/sample_annotation.json"], "a")).toEqual([]);
	});

	it("lists no other folders", async () => {
		const { files, listed } = counted([...mini, "samples/LIDAR_TOP/a.pcd"]);
		await versionsIn(files, undefined);
		expect(listed).toEqual([""]);
	});
});
