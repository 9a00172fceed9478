import { describe, expect, it } from "vitest";
import {
	argoverse2Map,
	argoverse2Tracks,
} from "../../../../tests/support/argoverse2.js";
import type { ConvertRequest } from "../../../src/converting/protocol.js";
import { openScenarios } from "../../../src/elements/open/open-scenarios.js";
import {
	type LoadScenario,
	ScenarioSet,
	type ScenarioSource,
} from "../../../src/elements/open/scenario-set.js";
import { plainConfig } from "../../../src/elements/raster/rasters.js";
import { listedScenes } from "../../../src/elements/scenes/listed-scenes.js";
import type { Opened } from "../../../src/elements/session/dataset.js";
import { ChunkedDataset } from "../../../src/index.js";

const NEVER = new AbortController().signal;

/** Made-up scenarios, whose ego vehicle starts at 1000 + 100 k metres. */
function sourcesOf(count: number): { sources: ScenarioSource[]; asked: number[] } {
	const asked: number[] = [];
	const sources = Array.from({ length: count }, (_, k): ScenarioSource => {
		const request = async (): Promise<ConvertRequest> => {
			asked.push(k);
			const [name, x] = [`scenario_s${k}.parquet`, 1000 + 100 * k];
			const file = new Blob([argoverse2Tracks(`s${k}`, { x })]);
			const map = { file: new Blob([argoverse2Map(x, k + 1)]), name: "map" };
			return { kind: "argoverse2", file, name, map };
		};
		return { name: `s${k}`, request };
	});
	return { sources, asked };
}

async function opened(count: number) {
	const { sources, asked } = sourcesOf(count);
	const set = await openScenarios(sources, {
		open: (from) => ChunkedDataset.open(from),
	});
	return { set, asked, dataset: set.dataset };
}

describe("open: several scenarios", () => {
	it("convert a scenario when it is read, and none before", async () => {
		const { set, dataset, asked } = await opened(1000);
		expect(dataset.scenes.length).toBe(1000);
		const [first, ...more] = await listedScenes(dataset, 700, 2, NEVER);
		expect(first).toMatchObject({ index: 700, host: "s700", startTime: undefined });
		expect(more).toHaveLength(1);
		expect(asked).toEqual([]);
		const view = await dataset.frame(700, 3);
		expect(view).toMatchObject({ scene: 700, frame: 3 });
		expect(view.ego.centroid[0]).toBe(71_001.5);
		expect(dataset.labels).toContain("PERCEPTION_LABEL_CAR");
		expect(await set.findMap({}, 700)).toMatchObject({ lanes: { length: 701 } });
		expect(asked).toEqual([700]);
		dataset.close();
	});

	it("number their rows alike in scenes, frames and agents", async () => {
		const { dataset } = await opened(3);
		const scenes = await dataset.scenes.rows(2, 3);
		expect(scenes.strings("host")).toEqual(["austin"]);
		const [begin = 0, end = 0] = Array.from(
			scenes.column("frame_index_interval").data,
			Number,
		);
		expect(end - begin).toBe(52);
		const frames = await dataset.frames.rows(begin + 1, begin + 2);
		const [from = 0, to = 0] = Array.from(
			frames.column("agent_index_interval").data,
			Number,
		);
		const agents = await dataset.agents.rows(from, to);
		const view = await dataset.frame(2, 1);
		expect(view.index).toBe(begin + 1);
		expect(Array.from(agents.column("track_id").data)).toEqual([
			...view.agents.track_id,
		]);
		expect(view.agents.row[0]).toBe(BigInt(from));
		await expect(dataset.frames.rows(begin - 1, begin + 1)).rejects.toThrow(
			"expected rows of one scene",
		);
		await expect(dataset.frame(3, 0)).rejects.toThrow("scene 3: not found");
		dataset.close();
	});

	it("have attributes, tracks and a map by scene", async () => {
		const { set, dataset } = await opened(2);
		expect((await dataset.timeline(1)).scene).toBe(1);
		const { bevscope } = dataset.attrs as { bevscope: { scenes: unknown[] } };
		expect(bevscope.scenes[0]).toBeUndefined();
		expect(bevscope.scenes[1]).toMatchObject({ scenario_id: "s1", focal: 7 });
		expect((await set.findMap({}, 0))?.lanes.length).toBe(1);
		expect((await set.findMap({}, 1))?.lanes.length).toBe(2);
		const selected = await set.selectScene?.(1, {}, {});
		const { agents } = await dataset.frame(1, 0);
		expect(selected?.first).toBe(Number(agents.row[0]));
		dataset.close();
	});

	it("have rasters, each of its own scenario", async () => {
		const { set, dataset, asked } = await opened(3);
		const config = plainConfig("box_debug");
		const maker = await set.rasters?.open(config, {});
		if (!maker) throw new Error("no rasters");
		expect(maker.channels.length).toBeGreaterThan(0);
		const at = async (scene: number) => {
			const sample = await maker.sample({ scene, frame: 30, track: 7n }, {});
			return Array.from(sample.centroid.data, Number);
		};
		expect(await at(2)).toEqual([1200 + 12 + 15, 500]);
		expect(await at(1)).toEqual([1100 + 12 + 15, 500]);
		expect(await at(2)).toEqual([1200 + 12 + 15, 500]);
		expect(asked).toEqual([0, 2, 1]);
		maker.close();
		dataset.close();
	});

	it("report a scenario that cannot be converted, and convert it again", async () => {
		const { sources } = sourcesOf(2);
		let broken = true;
		const [first, second] = sources as [ScenarioSource, ScenarioSource];
		const request = async () => {
			if (broken) throw new Error("unplugged");
			return second.request();
		};
		const { dataset } = await openScenarios([first, { name: "b", request }], {
			open: (from) => ChunkedDataset.open(from),
		});
		await expect(dataset.frame(1, 0)).rejects.toThrow("unplugged");
		expect((await dataset.frame(0, 0)).scene).toBe(0);
		broken = false;
		expect((await dataset.frame(1, 0)).ego.centroid[0]).toBe(1100);
		dataset.close();
	});
});

/** Scenarios that count how often they are opened and closed. */
function counting(count: number) {
	const log: string[] = [];
	const waiting = new Map<number, () => void>();
	const sources = Array.from({ length: count }, (_, k) => ({
		name: `${k}`,
		request: () => Promise.reject(new Error("not used")),
	}));
	const load: LoadScenario = async ({ name }, { signal }) => {
		log.push(`open ${name}`);
		signal.addEventListener("abort", () => log.push(`abort ${name}`));
		await new Promise<void>((resolve) => waiting.set(Number(name), resolve));
		const dataset = {
			labels: [],
			stats: { bytes: 1, requests: 0, absentChunks: 0 },
			onStats: () => () => {},
			timeline: async () => ({ scene: 0, name }),
			close: () => log.push(`close ${name}`),
		};
		const release = () => log.push(`release ${name}`);
		return {
			dataset,
			findMap: async () => ({ release }),
		} as unknown as Opened;
	};
	const set = new ScenarioSet(sources, load);
	const read = async (scene: number): Promise<unknown> => {
		const reading = set.timeline(scene);
		await Promise.resolve();
		waiting.get(scene)?.();
		return reading;
	};
	return { set, log, waiting, read };
}

describe("open: a set of scenarios", () => {
	it("keeps the last four, and closes the least recently used", async () => {
		const { set, log, read } = counting(10);
		for (const scene of [0, 1, 2, 3, 0, 4]) await read(scene);
		expect(log.filter((line) => line.startsWith("open"))).toHaveLength(5);
		expect(log.filter((line) => line.startsWith("close"))).toEqual(["close 1"]);
		expect(set.stats.bytes).toBe(5);
		set.close();
	});

	it("shares one conversion between two readers", async () => {
		const { set, log, waiting } = counting(2);
		const both = [set.timeline(1), set.timeline(1)];
		await Promise.resolve();
		waiting.get(1)?.();
		expect(await Promise.all(both)).toMatchObject([{ scene: 1 }, { scene: 1 }]);
		expect(log).toEqual(["open 1"]);
		set.close();
	});

	it("cancels a conversion when its last reader leaves", async () => {
		const { set, log, waiting, read } = counting(3);
		const [one, two] = [new AbortController(), new AbortController()];
		const reads = [one, two].map(({ signal }) => set.timeline(0, { signal }));
		one.abort();
		await expect(reads[0]).rejects.toThrow();
		expect(log).toEqual(["open 0"]);
		two.abort();
		await expect(reads[1]).rejects.toThrow();
		expect(log).toEqual(["open 0", "abort 0"]);
		// The late answer is closed, and is not taken for the next reader's.
		const late = waiting.get(0);
		expect(await read(0)).toMatchObject({ name: "0" });
		late?.();
		await Promise.resolve();
		await new Promise((resolve) => setTimeout(resolve));
		expect(log).toEqual(["open 0", "abort 0", "open 0", "close 0"]);
		set.close();
	});

	it("keeps a scenario open until its map is released", async () => {
		const { set, log, waiting, read } = counting(10);
		const finding = set.sceneMap(0, {});
		await Promise.resolve();
		waiting.get(0)?.();
		const map = await finding;
		for (const scene of [1, 2, 3, 4, 5]) await read(scene);
		expect(log).not.toContain("close 0");
		map?.release();
		expect(log.at(-1)).toBe("release 0");
		await read(6);
		expect(log.filter((line) => line.startsWith("close"))).toContain("close 0");
		set.close();
	});

	it("closes all, also those that are still opening", async () => {
		const { set, log, waiting, read } = counting(2);
		await read(0);
		const reading = set.timeline(1);
		await Promise.resolve();
		set.close();
		waiting.get(1)?.();
		await expect(reading).rejects.toThrow("closed");
		expect(log).toContain("close 0");
		expect(log).toContain("close 1");
	});
});
