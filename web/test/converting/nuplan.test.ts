import { afterEach, describe, expect, it } from "vitest";
import { Converter } from "../../src/converting/converter.js";
import {
	convertLogScene,
	localFile,
	logScenes,
	logTags,
	type RangedFile,
	remoteFile,
} from "../../src/converting/log.js";
import type { Converted } from "../../src/converting/protocol.js";
import { ChunkedDataset } from "../../src/index.js";
import { MemorySource } from "../../src/source/source.js";
import { nuplanBytes, nuplanFile } from "../support/nuplan-files.js";
import { sourceOf } from "../support/replies.js";

const open: { close(): void }[] = [];

afterEach(() => {
	for (const one of open.splice(0)) one.close();
});

/** Returns a file, and the number of bytes that were read of it. */
function fileOf(name: string): RangedFile & { count: { bytes: number } } {
	const file = localFile({ file: new Blob([nuplanBytes(name)]), name });
	const count = { bytes: 0 };
	const read = (begin: number, end: number) => {
		count.bytes += end - begin;
		return file.read(begin, end);
	};
	return { ...file, read, count };
}

const alone = (log: RangedFile) => ({ log, map: undefined });

/** Returns a server's answers to requests of ranges. */
function served(name: string) {
	const bytes = nuplanBytes(name);
	return (init: RequestInit): Response => {
		const range = /^bytes=(\d+)-(\d+)$/.exec(
			new Headers(init.headers).get("Range") ?? "",
		);
		if (!range) return new Response(bytes, { headers: { ETag: '"1"' } });
		const [begin, end] = [
			Number(range[1]),
			Math.min(Number(range[2]) + 1, bytes.length),
		];
		const headers = {
			"Content-Range": `bytes ${begin}-${end - 1}/${bytes.length}`,
			ETag: '"1"',
		};
		return new Response(bytes.slice(begin, end), { status: 206, headers });
	};
}

/** Returns contents by key, which compare faster than bytes. */
function contentsOf({ objects }: Converted): readonly (readonly string[])[] {
	return objects.map(([key, bytes]) => [key, Buffer.from(bytes).toString("base64")]);
}

async function started(): Promise<Converter> {
	const converter = await Converter.start();
	open.push(converter);
	return converter;
}

describe("converting: nuPlan", () => {
	it("lists the scenes of a log", async () => {
		const converter = await started();
		const scenes = await logScenes(converter, alone(fileOf("made-up.db")));
		const microseconds = [0n, 300_000n, 400_000n, 700_000n];
		expect(scenes).toEqual({
			names: ["scene-0000", "scene-0001"],
			scanned: [],
			times: BigInt64Array.from(
				microseconds,
				(time) => (1_620_000_000_000_000n + time) * 1000n,
			),
		});
	});

	it("reads the tags of all scenes, and nothing of a log twice", async () => {
		const converter = await started();
		const log = fileOf("made-up.db");
		await logScenes(converter, alone(log));
		const both = ["following_lane_with_lead", "on_intersection"];
		expect(await logTags(converter, alone(log))).toEqual([both, both]);
		await convertLogScene(converter, { ...alone(log), scene: 0 });
		expect(log.count.bytes).toBeLessThan(log.size + 200);
		const { bytes } = log.count;
		await convertLogScene(converter, { ...alone(log), scene: 1 });
		expect(log.count.bytes).toBe(bytes);
	});

	it("answers requests of one log that are made at once", async () => {
		const converter = await started();
		const files = { log: fileOf("made-up.db"), map: fileOf("map.gpkg") };
		const scenes = [0, 1, 0].map((scene) =>
			convertLogScene(converter, { ...files, scene }),
		);
		const [a, b, c] = (await Promise.all(scenes)).map(contentsOf);
		expect(a).toEqual(c);
		expect(a).not.toEqual(b);
	});

	it("opens a scene as a data set with its map", async () => {
		const converter = await started();
		const log = fileOf("made-up.db");
		const map = fileOf("map.gpkg");
		const { objects, report } = await convertLogScene(converter, {
			...{ log, map },
			scene: 1,
		});
		expect(map.count.bytes).toBeLessThan(map.size + 20_000);
		expect(JSON.parse(report)).toMatchObject({ counts: { frames: 4 } });
		const source = new MemorySource(objects);
		const dataset = await ChunkedDataset.open(source);
		open.push(dataset);
		expect(dataset.frames.length).toBe(4);
		const key = (name: string) => ({ source, key: name });
		const view = await dataset.map(
			key("semantic_map/semantic_map.pb"),
			key("meta.json"),
		);
		expect(view?.lanes.length).toBe(4);
		const { lights } = await dataset.frame(0, 0);
		expect(lights.face_id.slice(0, 3)).toEqual(["100/r", "100/y", "100/g"]);
	});

	it("reads a part of a log for its scenes", async () => {
		const log = fileOf("made-up.db");
		await logScenes(await started(), alone(log));
		expect(log.count.bytes).toBeLessThan(log.size + 200);
	});

	it("reads logs and maps at a URL by ranges", async () => {
		const converter = await started();
		const log = fileOf("made-up.db");
		const map = fileOf("map.gpkg");
		const ranges: string[] = [];
		const fetch = async (url: URL, init: RequestInit): Promise<Response> => {
			const name = url.pathname.replace("/set.zarr/", "");
			if (!nuplanFile(name)) return new Response("", { status: 404 });
			ranges.push(new Headers(init.headers).get("Range") ?? init.method ?? "whole");
			return served(name)(init);
		};
		const { source } = sourceOf({}, { fetch });
		expect(await remoteFile(source, "absent.db")).toBeUndefined();
		const there = await remoteFile(source, "made-up.db");
		const mapThere = await remoteFile(source, "map.gpkg");
		if (!there || !mapThere) throw new Error("not found");
		expect([there.size, mapThere.size]).toEqual([log.size, map.size]);
		expect((await logScenes(converter, alone(there))).names).toHaveLength(2);
		const scene = { log: there, map: mapThere, scene: 0 };
		const found = await convertLogScene(converter, scene);
		const expected = await convertLogScene(converter, { log, map, scene: 0 });
		expect(found.report).toEqual(expected.report);
		expect(contentsOf(found)).toEqual(contentsOf(expected));
		expect(ranges).not.toContain("whole");
	});

	it("reads one log after another, also after an aborted one", async () => {
		const converter = await started();
		const control = new AbortController();
		const log = fileOf("made-up.db");
		const stopping = {
			...log,
			read: async (begin: number, end: number) => {
				control.abort(new Error("enough"));
				return log.read(begin, end);
			},
		};
		const { signal } = control;
		await expect(logScenes(converter, alone(stopping), { signal })).rejects.toThrow(
			"enough",
		);
		expect((await logScenes(converter, alone(log))).names).toHaveLength(2);
	});

	it("rejects truncated logs and other files, naming them", async () => {
		const converter = await started();
		const file = new Blob([nuplanBytes("made-up.db")]);
		for (const [end, found] of [
			[50, "no SQLite header"],
			[9000, "made-up.db"],
		] as const) {
			const cut = localFile({ file: file.slice(0, end), name: "made-up.db" });
			const failure = logScenes(converter, alone(cut));
			await expect(failure).rejects.toMatchObject({ code: "corrupt_chunk" });
			await expect(failure).rejects.toThrow(found);
		}
		const log = fileOf("made-up.db");
		const missing = convertLogScene(converter, { log, map: undefined, scene: 2 });
		await expect(missing).rejects.toMatchObject({ code: "out_of_range" });
	});
});
