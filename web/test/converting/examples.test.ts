import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Converter } from "../../src/converting/converter.js";
import {
	convertLogScene,
	localFile,
	logScenes,
	logTags,
} from "../../src/converting/log.js";
import type { Converted, VersionScene } from "../../src/converting/protocol.js";
import { ChunkedDataset } from "../../src/index.js";
import { MemorySource } from "../../src/source/source.js";
import { EXAMPLES, writeExamples } from "../../tools/examples/write.mjs";

let top = "";
let converter: Converter;

beforeAll(async () => {
	top = mkdtempSync(join(tmpdir(), "bevscope-"));
	writeExamples(top);
	converter = await Converter.start();
}, 60_000);
afterAll(() => {
	converter.close();
	rmSync(top, { recursive: true });
});

function named(path: string) {
	const name = path.split("/").at(-1) ?? "";
	return { name, file: new Blob([readFileSync(join(top, path))]) };
}

async function opened({ objects, report }: Converted) {
	const source = new MemorySource(objects);
	const dataset = await ChunkedDataset.open(source);
	const key = (name: string) => ({ source, key: name });
	const map = await dataset.map(key("semantic_map/semantic_map.pb"), key("meta.json"));
	if (!map) throw new Error("the example has no map");
	return { dataset, map, report: JSON.parse(report) };
}

function argoverse2(): Promise<Converted> {
	const id = EXAMPLES.argoverse2.split("/").at(-1);
	const tracks = named(`${EXAMPLES.argoverse2}/scenario_${id}.parquet`);
	const map = named(`${EXAMPLES.argoverse2}/log_map_archive_${id}.json`);
	return converter.ask({ kind: "argoverse2", ...tracks, map });
}

async function waymo(index: number): Promise<Converted> {
	const records = named(EXAMPLES.waymo);
	const limits = await converter.ask({ kind: "records", ...records });
	expect(limits).toHaveLength(3);
	const [begin = 0, end = 0] = limits.slice(index, index + 2);
	return converter.ask({ kind: "waymo", ...records, begin, end, index });
}

function scenarionet(): Promise<Converted> {
	return converter.ask({ kind: "scenarionet", ...named(EXAMPLES.scenarionet) });
}

async function interaction(index: number, ego?: string): Promise<Converted> {
	const path = EXAMPLES.interaction;
	const map = named("interaction/maps/DR_Example.osm");
	const file = { ...named(path), name: path };
	const maps = ["interaction/maps/DR_Example.osm"];
	const answer = await converter.ask({ kind: "tracks", ...file, maps });
	expect(answer).toMatchObject({
		location: "DR_Example",
		pedestrians: "",
		map: maps[0],
	});
	expect(answer.cases).toHaveLength(2);
	const [begin, end] = answer.cases[index] ?? [0, 0];
	const asked = { kind: "interaction", ...file, begin, end, map, ego } as const;
	return converter.ask({ ...asked, pedestrians: undefined });
}

function commonroad(ego?: string): Promise<Converted> {
	return converter.ask({ kind: "commonroad", ...named(EXAMPLES.commonroad), ego });
}

async function nuscenes(scene: number): Promise<Converted> {
	const folder = join(EXAMPLES.nuscenes, "..");
	let scenes: readonly VersionScene[] = [];
	for (const table of await converter.ask({ kind: "files" })) {
		const isList = table === "prediction_scenes";
		const parent = isList ? join(folder, "maps/prediction") : EXAMPLES.nuscenes;
		const part = new Uint8Array(readFileSync(join(top, parent, `${table}.json`)));
		const asked = {
			kind: "table",
			part,
			name: "example",
			table,
			isLast: true,
		} as const;
		scenes = await converter.ask(asked);
	}
	const { location = "" } = scenes[scene] ?? {};
	expect(scenes.map(({ name }) => name)).toEqual(["scene-9000", "scene-9001"]);
	const map = named(join(folder, `maps/expansion/${location}.json`));
	return converter.ask({ kind: "nuscenes", name: "example", scene, location, map });
}

function nuplan(scene: number): Promise<Converted> {
	const [log, map] = [EXAMPLES.nuplan, join(EXAMPLES.nuplan, "../map.gpkg")].map(
		(path) => localFile(named(path)),
	);
	if (!log) throw new Error("no log");
	return convertLogScene(converter, { log, map, scene });
}

describe("the example scenarios", () => {
	it("are a log of nuPlan with the map of its city", async () => {
		const log = localFile(named(EXAMPLES.nuplan));
		const files = { log, map: undefined };
		const seconds = [0n, 9n, 60n, 69n];
		expect(await logScenes(converter, files)).toEqual({
			names: ["scene-9000", "scene-9001"],
			scanned: [],
			times: BigInt64Array.from(
				seconds,
				(time) => (1_620_860_400n + time) * 1_000_000_000n,
			),
		});
		const tags = ["near_pedestrian_on_crosswalk", "on_intersection"];
		expect(await logTags(converter, files)).toEqual([tags, tags]);
		const { dataset, map, report } = await opened(await nuplan(1));
		expect(report).toMatchObject({ counts: { frames: 91 } });
		expect(map.lanes).toHaveLength(20);
		const { ego, agents, lights } = await dataset.frame(0, 30);
		expect(agents.row).toHaveLength(11);
		expect(lights.face_id).toHaveLength(36);
		expect(Math.hypot(...ego.centroid)).toBeGreaterThan(0);
		dataset.close();
	});

	it("are a scenario of Argoverse 2 with a focal and two scored tracks", async () => {
		const { dataset, map, report } = await opened(await argoverse2());
		expect(report).toMatchObject({
			counts: { frames: 110, agents: 1210 },
			roles: { focal: 1, scored: 2 },
			map: { lanes: 20, crosswalks: 4, junctions: 1 },
		});
		expect(map.lanes.ahead).toHaveLength(24);
		dataset.close();
	});

	it("are two scenarios of Waymo with lights that change", async () => {
		const { dataset, map, report } = await opened(await waymo(0));
		expect(report).toMatchObject({
			counts: { frames: 91, agents: 1001 },
			roles: { focal: 1, scored: 2 },
			map: { lanes: 20, crosswalks: 4, lights: 4 },
		});
		const lit = async (frame: number) => {
			const { lights } = await dataset.frame(0, frame);
			return lights.face_id.filter((_, i) => lights.state[i] === 0);
		};
		expect(await lit(0)).toEqual(["101/r", "102/g", "103/r", "104/g"]);
		expect(await lit(60)).toEqual(["101/r", "102/y", "103/r", "104/y"]);
		expect(await lit(85)).toEqual(["101/g", "102/r", "103/g", "104/r"]);
		expect(map.lights.length).toBe(4);
		dataset.close();
		const second = await opened(await waymo(1));
		expect(second.report.counts.frames).toBe(91);
		second.dataset.close();
	});

	it("are a scenario of ScenarioNet with lights and outlines of lanes", async () => {
		const { dataset, map, report } = await opened(await scenarionet());
		expect(report).toMatchObject({
			counts: { frames: 91, agents: 1001 },
			roles: { focal: 1, scored: 2 },
			map: { lanes: 20, crosswalks: 4, lights: 4 },
		});
		expect(report.lost).not.toHaveProperty("outline of a lane");
		expect(map.lanes.ahead).toHaveLength(24);
		const { lights } = await dataset.frame(0, 85);
		const lit = lights.face_id.filter((_, i) => lights.state[i] === 0);
		expect(lit).toEqual(["101/g", "102/r", "103/g", "104/r"]);
		dataset.close();
	});

	it("are two cases of INTERACTION, with an ego vehicle that stands", async () => {
		const { dataset, map, report } = await opened(await interaction(1));
		expect(report).toMatchObject({
			counts: { frames: 40, agents: 480 },
			tracks: { car: 8, "pedestrian/bicycle": 4 },
			lost: { "ego vehicle (fixed at the centroid)": 1 },
			map: { lanes: 20, crosswalks: 4, lights: 4, junctions: 1 },
		});
		expect(map.lanes.ahead).toHaveLength(24);
		const { agents } = await dataset.frame(0, 0);
		const [x = 0, y = 0] = agents.centroid;
		expect(await map.lanesNear(x, y, 0)).toHaveLength(1);
		const [first, last] = [await dataset.frame(0, 0), await dataset.frame(0, 39)];
		expect(first.ego.centroid).toEqual(last.ego.centroid);
		dataset.close();
	});

	it("are a scenario of CommonRoad whose ego vehicle stands at its problem's start", async () => {
		const { dataset, map, report } = await opened(await commonroad());
		expect(report).toMatchObject({
			counts: { frames: 91, agents: 1001 },
			lost: { "repeated ego poses": 90 },
			map: { lanes: 20, crosswalks: 4, lights: 4, junctions: 1 },
		});
		expect(map.lanes.ahead).toHaveLength(24);
		const lit = async (frame: number) => {
			const { lights } = await dataset.frame(0, frame);
			return lights.face_id.filter((_, i) => lights.state[i] === 0);
		};
		expect(await lit(0)).toEqual(["500/r", "501/g", "502/r", "503/g"]);
		expect(await lit(60)).toEqual(["500/r", "501/y", "502/r", "503/y"]);
		expect(await lit(85)).toEqual(["500/g", "501/r", "502/g", "503/r"]);
		const [first, last] = [await dataset.frame(0, 0), await dataset.frame(0, 90)];
		expect(last.ego.centroid).toEqual(first.ego.centroid);
		dataset.close();
	});

	it("have an obstacle or track as the ego vehicle if it is named", async () => {
		for (const read of [commonroad, (ego?: string) => interaction(1, ego)]) {
			const { dataset: without } = await opened(await read());
			const { agents, ego } = await without.frame(0, 0);
			expect(ego.is_virtual).toBe(true);
			const track = agents.track_id[0];
			const { dataset } = await opened(await read(`${track}`));
			const frame = await dataset.frame(0, 0);
			expect(frame.ego.is_virtual).toBe(false);
			expect(frame.ego.centroid.subarray(0, 2)).toEqual(agents.centroid.subarray(0, 2));
			expect(frame.agents.track_id).not.toContain(track);
			await expect(read("99999")).rejects.toMatchObject({
				code: "not_found",
				message: expect.stringMatching(/99999 for the ego vehicle \(expected one of /),
			});
			without.close();
			dataset.close();
		}
	});

	it("are two scenes of nuScenes with key frames 0.5 s apart", async () => {
		const { dataset, map, report } = await opened(await nuscenes(1));
		expect(report).toMatchObject({
			counts: { frames: 19, agents: 209 },
			roles: { scored: 3 },
			map: { lanes: 20, crosswalks: 4, lights: 4, junctions: 1 },
		});
		expect(report.lost).not.toHaveProperty("velocity that is unknown");
		expect(map.lanes.ahead).toHaveLength(24);
		const frames = await dataset.frames.rows(0, 2, { fields: ["timestamp"] });
		const [first, second] = frames.column("timestamp").data;
		expect(Number(second) - Number(first)).toBe(5e8);
		dataset.close();
	});

	it("have the ego vehicle on a lane, in its direction", async () => {
		const all = [argoverse2(), waymo(0), scenarionet(), commonroad(), nuscenes(0)];
		for (const converted of await Promise.all(all)) {
			const { dataset, map } = await opened(converted);
			const { ego } = await dataset.frame(0, 0);
			const [x = 0, y = 0] = ego.centroid;
			const [lane = -1, ...more] = await map.lanesNear(x, y, 0);
			expect(more).toEqual([]);
			expect(map.lanes.id[lane]).toBe("104");
			const { mid } = await map.laneLines(lane, { count: 2 });
			const [x0 = 0, y0 = 0, , x1 = 0, y1 = 0] = mid;
			expect(Math.atan2(y1 - y0, x1 - x0)).toBeCloseTo(ego.yaw, 3);
			dataset.close();
		}
	});
});
