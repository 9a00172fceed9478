import { afterEach, describe, expect, it } from "vitest";
import { argoverse2Map, argoverse2Tracks } from "../../../tests/support/argoverse2.js";
import { tfrecords, waymoScenario } from "../../../tests/support/waymo.js";
import { Converter } from "../../src/converting/converter.js";
import type { Converted, ConvertRequest } from "../../src/converting/protocol.js";
import { ChunkedDataset } from "../../src/index.js";
import { MemorySource } from "../../src/source/source.js";
import { pickled } from "../../tools/examples/pickle.mjs";

const open: { close(): void }[] = [];

afterEach(() => {
	for (const one of open.splice(0)) one.close();
});

async function started(): Promise<Converter> {
	const converter = await Converter.start();
	open.push(converter);
	return converter;
}

async function opened({ objects }: Converted) {
	const source = new MemorySource(objects);
	const dataset = await ChunkedDataset.open(source);
	open.push(dataset);
	const key = (name: string) => ({ source, key: name });
	const map = await dataset.map(key("semantic_map/semantic_map.pb"), key("meta.json"));
	return { dataset, map };
}

function fileOf(content: string | Uint8Array<ArrayBuffer>): Blob {
	return new Blob([content]);
}

/** Converts record `index` of a file. */
async function waymo(content: Uint8Array<ArrayBuffer>, index = 0): Promise<Converted> {
	const converter = await started();
	const [file, name] = [fileOf(content), "made-up.tfrecord"];
	const limits = await converter.ask({ kind: "records", file, name });
	const [begin = 0, end = 0] = limits.slice(index, index + 2);
	return converter.ask({ kind: "waymo", file, name, begin, end, index });
}

function argoverse2(
	tracks: Uint8Array<ArrayBuffer>,
	map?: string | Uint8Array<ArrayBuffer>,
): ConvertRequest {
	return {
		kind: "argoverse2",
		file: fileOf(tracks),
		name: "scenario_a.parquet",
		map: map ? { file: fileOf(map), name: "log_map_archive_a.json" } : undefined,
	};
}

async function converted(
	tracks: Uint8Array<ArrayBuffer>,
	map?: string | Uint8Array<ArrayBuffer>,
): Promise<Converted> {
	return (await started()).ask(argoverse2(tracks, map));
}

describe("converting: Waymo", () => {
	it("opens a scenario as a data set with its map", async () => {
		const { dataset, map } = await opened(await waymo(tfrecords(waymoScenario("a"))));
		expect(dataset.scenes.length).toBe(1);
		expect(dataset.frames.length).toBe(6);
		const agents = await dataset.agents.rows(0, 3);
		expect(agents.column("track_id").data).toEqual(BigUint64Array.of(7n, 8n, 9n));
		expect(agents.column("centroid").data.slice(0, 2)).toEqual(
			Float64Array.of(1012, 500),
		);
		expect(map?.lanes.length).toBe(2);
		expect(map?.crosswalks.length).toBe(1);
	});

	it("names the faces of a lane, which colour it in the map", async () => {
		const { dataset, map } = await opened(await waymo(tfrecords(waymoScenario("a"))));
		const { lights } = await dataset.frame(0, 0);
		expect(lights.face_id).toEqual(["1/r", "1/y", "1/g"]);
		expect(lights.traffic_light_id).toEqual(["1/l", "1/l", "1/l"]);
		const red = 1;
		expect(await map?.laneColours(["1/r"])).toEqual(Uint8Array.of(red, 0));
	});

	it("converts each record by itself, without moving it", async () => {
		const file = tfrecords(waymoScenario("a"), waymoScenario("b", 1010));
		const { dataset, map } = await opened(await waymo(file, 1));
		const { scenes } = dataset.attrs.bevscope as { scenes: object[] };
		expect(scenes).toMatchObject([{ scenario_id: "b", record: 1 }]);
		const agents = await dataset.agents.rows(0, 1);
		expect(agents.column("centroid").data[0]).toBe(1022);
		expect(map?.lanes.id).toEqual(["1", "2"]);
	});

	it("rejects a flipped bit, a cut file, and a file without scenarios", async () => {
		const whole = tfrecords(waymoScenario("a"));
		for (const at of [0, 9, 40, whole.length - 1]) {
			const damaged = whole.slice();
			damaged[at] = (damaged[at] ?? 0) ^ 4;
			await expect(waymo(damaged)).rejects.toMatchObject({
				code: "corrupt_chunk",
				message: expect.stringMatching(/^made-up\.tfrecord: record at byte 0: /),
			});
		}
		await expect(waymo(whole.slice(0, -1))).rejects.toMatchObject({
			code: "corrupt_chunk",
		});
		await expect(waymo(new Uint8Array())).rejects.toMatchObject({
			code: "not_found",
			message: "made-up.tfrecord: no scenarios found",
		});
	});
});

describe("converting: Argoverse 2", () => {
	it("opens a scenario as a data set with its map", async () => {
		const { dataset, map } = await opened(
			await converted(argoverse2Tracks("a"), argoverse2Map()),
		);
		expect(dataset.frames.length).toBe(52);
		const frames = await dataset.frames.rows(0, 2);
		const stamps = frames.column("timestamp").data;
		// Exact: float64 holds the start to 64 ns, and the steps are 100 ms.
		expect(stamps).toEqual(
			BigInt64Array.of(315_986_559_459_579_008n, 315_986_559_559_579_008n),
		);
		const { agents, ego } = await dataset.frame(0, 20);
		expect(ego.centroid).toEqual(Float64Array.of(1010, 500));
		expect(agents.track_id.slice(0, 2)).toEqual(BigUint64Array.of(7n, 8n));
		expect(agents.centroid.slice(0, 2)).toEqual(Float64Array.of(1022, 500));
		expect(map?.lanes.id).toEqual(["1", "2"]);
		expect(map?.crosswalks.length).toBe(1);
		const { scenes } = dataset.attrs.bevscope as { scenes: object[] };
		expect(scenes).toMatchObject([
			{ scenario_id: "a", focal: 7, scored: [8], anchor_frame: 49, city: "austin" },
		]);
	});

	it("has no map if none is given", async () => {
		const { dataset, map } = await opened(await converted(argoverse2Tracks("a")));
		expect(dataset.frames.length).toBe(52);
		expect(map).toBeUndefined();
	});

	it("rejects invalid files and values, with file, column and row", async () => {
		const text = (message: string | RegExp) => ({
			message: expect.stringMatching(message),
		});
		const whole = argoverse2Tracks("a");
		await expect(converted(whole.slice(0, -5))).rejects.toMatchObject({
			code: "corrupt_chunk",
			...text(/^scenario_a\.parquet: not a readable Parquet file: /),
		});
		const columns = { heading: undefined, city: undefined };
		await expect(converted(argoverse2Tracks("a", { columns }))).rejects.toMatchObject(
			text(/^scenario_a\.parquet: columns not found: heading, city \(found track_id, /),
		);
		const data = Array.from({ length: 218 }, (_, row) => (row === 7 ? Number.NaN : 0));
		const broken = { heading: { data, type: "DOUBLE" } } as const;
		await expect(
			converted(argoverse2Tracks("a", { columns: broken })),
		).rejects.toMatchObject(text(/^scenario_a\.parquet: column heading: .* row 7/));
		await expect(converted(whole, '{"lane_segments": 5}')).rejects.toMatchObject(
			text(/^log_map_archive_a\.json: /),
		);
	});

	it("answers several requests at once, each with its own scenario", async () => {
		const converter = await started();
		const answers = await Promise.all(
			["a", "b", "c"].map((id) => converter.ask(argoverse2(argoverse2Tracks(id)))),
		);
		const ids = await Promise.all(
			answers.map(async (answer) => {
				const { dataset } = await opened(answer);
				return (dataset.attrs.bevscope as { scenes: { scenario_id: string }[] })
					.scenes[0]?.scenario_id;
			}),
		);
		expect(ids).toEqual(["a", "b", "c"]);
	});
});

describe("a converter", () => {
	it("rejects with the signal's reason, before and during a conversion", async () => {
		const converter = await started();
		const control = new AbortController();
		const { signal } = control;
		const asked = converter.ask(argoverse2(argoverse2Tracks("a")), { signal });
		const reason = new Error("enough");
		control.abort(reason);
		await expect(asked).rejects.toBe(reason);
		const again = converter.ask(argoverse2(argoverse2Tracks("a")), { signal });
		await expect(again).rejects.toBe(reason);
	});

	it("rejects when it is closed", async () => {
		const converter = await started();
		converter.close();
		await expect(converter.ask(argoverse2(argoverse2Tracks("a")))).rejects.toThrow(
			"closed",
		);
	});

	it("refuses what a pickle names, without calling it", async () => {
		const converter = await started();
		const hostile = Uint8Array.from(
			"\x80\x04cposix\nsystem\nX\x02\0\0\0id\x85R.",
			(one) => one.charCodeAt(0),
		);
		const file = fileOf(hostile);
		await expect(
			converter.ask({ kind: "scenarionet", file, name: "evil.pkl" }),
		).rejects.toMatchObject({
			code: "unsupported",
			message: expect.stringMatching(/^evil\.pkl: .*posix\.system is not admitted$/),
		});
	});

	it("lists the scenarios of a folder by its mapping", async () => {
		const converter = await started();
		const list = (content: object) => fileOf(pickled(content));
		const mapping = list({ "b.pkl": "part", "a.pkl": "" });
		const summary = list({ "a.pkl": {}, "b.pkl": {} });
		const asked = { kind: "lists", name: "set" } as const;
		expect(await converter.ask({ ...asked, summary, mapping })).toEqual([
			"a.pkl",
			"part/b.pkl",
		]);
		const outside = list({ "a.pkl": "../x" });
		await expect(
			converter.ask({ ...asked, summary: undefined, mapping: outside }),
		).rejects.toMatchObject({
			code: "invalid_metadata",
			message: expect.stringMatching(/^set: scenario file: outside the folder/),
		});
		await expect(
			converter.ask({ ...asked, summary: list({}), mapping: undefined }),
		).rejects.toMatchObject({ message: "set: no scenarios found" });
	});
});
