import { describe, expect, it } from "vitest";
import { ChunkedDataset } from "../../../src/dataset/dataset.js";
import { openVersionIn } from "../../../src/elements/open/open-version.js";
import { FileSource } from "../../../src/source/file-source.js";
import { nuscenesFiles } from "../../../tools/examples/nuscenes.mjs";

const VERSION = "v1.0-example";
const EXAMPLE = [...nuscenesFiles()];

/** Opens the example; `changed` replaces texts by path, "" removes a file. */
function opened(
	changed: Readonly<Record<string, string>> = {},
	onProgress?: (progress: { readonly what: string; readonly bytes: number }) => void,
) {
	const files = EXAMPLE.map(([path, text]) => [path, changed[path] ?? text] as const);
	const kept = files.filter(([, text]) => text !== "");
	const source = new FileSource(
		new Map(kept.map(([path, text]) => [path, new Blob([text])])),
	);
	return openVersionIn(source, VERSION, {
		...{ name: "data", onProgress },
		open: (from) => ChunkedDataset.open(from),
	});
}

function rowsOf(path: string): Record<string, unknown>[] {
	return JSON.parse(nuscenesFiles().get(path) ?? "");
}

describe("open: a version of nuScenes", () => {
	it("is a scene per scene, each with the map of its location", async () => {
		const { dataset, findMap } = await opened();
		expect(dataset.names).toEqual(["scene-9000", "scene-9001"]);
		const second = await dataset.frame(1, 3);
		expect(second.agents.track_id).toHaveLength(11);
		expect((await findMap({}, 1))?.lanes.length).toBe(20);
		dataset.close();
		await expect(dataset.frame(0, 0)).rejects.toThrow();
	});

	it("tells how much of the tables is read", async () => {
		const told: number[] = [];
		const { dataset } = await opened({}, ({ what, bytes }) => {
			if (what === "Reading the tables") told.push(bytes);
		});
		const all = EXAMPLE.filter(([path]) => !path.startsWith("maps/expansion"));
		expect(told.at(-1)).toBe(all.reduce((sum, [, text]) => sum + text.length, 0));
		dataset.close();
	});

	it("opens without maps and without the challenge's list", async () => {
		const { dataset, findMap } = await opened({
			"maps/expansion/boston-seaport.json": "",
			"maps/prediction/prediction_scenes.json": "",
		});
		expect((await dataset.frame(0, 0)).agents.track_id).toHaveLength(11);
		expect(await findMap({}, 0)).toBeUndefined();
		dataset.close();
	});

	it("of one scene is that scene's data set", async () => {
		const of = (table: string, field: string) => {
			const path = `${VERSION}/${table}.json`;
			const rows = rowsOf(path).filter((row) => !/^\w+-1/.test(`${row[field]}`));
			return [path, JSON.stringify(rows)] as const;
		};
		const tables = [
			of("scene", "token"),
			of("sample", "token"),
			of("instance", "token"),
			of("sample_data", "token"),
			of("ego_pose", "token"),
			of("sample_annotation", "token"),
		];
		const list = '{"scene-9000": ["instance-0-2_sample-0-4"]}';
		const { dataset } = await opened({
			...Object.fromEntries(tables),
			"maps/prediction/prediction_scenes.json": list,
		});
		expect(dataset.scenes.length).toBe(1);
		expect((await dataset.frame(0, 0)).agents.track_id).toHaveLength(11);
		dataset.close();
	});

	it("is refused without a table, or with a damaged one", async () => {
		await expect(opened({ [`${VERSION}/ego_pose.json`]: "" })).rejects.toMatchObject({
			code: "not_found",
			message: `${VERSION}/ego_pose.json: not found`,
		});
		const cut = (nuscenesFiles().get(`${VERSION}/sample.json`) ?? "").slice(0, -1);
		await expect(opened({ [`${VERSION}/sample.json`]: cut })).rejects.toMatchObject({
			code: "invalid_metadata",
			message: expect.stringMatching(`^${VERSION}: sample.json: not a JSON array`),
		});
		await expect(opened({ [`${VERSION}/scene.json`]: "[]" })).rejects.toThrow();
	});
});
