import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { sensorDataset } from "../../../../tests/support/sensor-dataset.js";
import { tinyDataset } from "../../../../tests/support/tiny-dataset.js";
import { Sensors } from "../../../src/elements/sensors/sensors.js";
import type { SensorsView } from "../../../src/elements/sensors/sensors-view.js";
import type { ViewerDataset } from "../../../src/elements/session/dataset.js";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import { Store } from "../../../src/elements/session/store.js";
import { ChunkedDataset, MemorySource } from "../../../src/index.js";

let objects: Map<string, Uint8Array>;
let frames: ChunkedDataset;
const close = vi.fn<() => void>();

beforeAll(async () => {
	objects = await sensorDataset({
		rows: [
			{ frame: 0 },
			{ frame: 1, absent: ["left"], points: 3 },
			{ frame: 2, points: 0 },
			{ frame: 4 },
			{ frame: 7 },
		],
	});
	frames = await ChunkedDataset.open(new MemorySource(tinyDataset()));
	return () => frames.close();
});

beforeEach(() => {
	vi.stubGlobal("createImageBitmap", async (blob: Blob) => {
		if (blob.size < 100) throw new Error("too short");
		return { width: 32, height: 24, close };
	});
});

afterEach(() => {
	vi.unstubAllGlobals();
	close.mockClear();
});

const INFO = { index: 0, host: "host-0", startTime: 0n, seconds: new Float64Array(6) };

async function made(more: Partial<ViewerState> = {}) {
	const read: string[] = [];
	const source = new MemorySource(objects);
	const from = await ChunkedDataset.open({
		read: (key, options) => {
			read.push(key);
			return source.read(key, options);
		},
	});
	const store = new Store<ViewerState>({
		...EMPTY_STATE,
		...{ phase: "ready", sceneInfo: INFO, ...more },
	});
	let why: string | undefined;
	const reader: ViewerDataset["reader"] = (options) => {
		if (why !== undefined) throw new Error(why);
		return from.reader(options);
	};
	const dataset = { attrs: from.attrs, reader } as ViewerDataset;
	const sensors = new Sensors(store, frames, dataset);
	await sensors.open();
	sensors.visible = true;
	const sensed = () => store.state.sensed as SensorsView;
	const seek = async (frame: number) => {
		store.patch({ frame });
		await sensed().settled();
	};
	await sensed()?.settled();
	const states = () => sensed().cameras.map(({ shown }) => shown.state);
	const end = () => {
		sensors.dispose();
		from.close();
	};
	const fail = (problem: string | undefined) => {
		why = problem;
	};
	return {
		fail,
		...{ store, sensors, sensed, seek, states, read },
		[Symbol.dispose]: end,
	};
}

describe("sensors", () => {
	it("shows the images of the frame, and says which it does not have", async () => {
		using it = await made();
		expect(it.sensed().cameras.map(({ name }) => name)).toEqual([
			"front",
			"left",
			"right",
		]);
		expect(it.states()).toEqual(["current", "current", "current"]);
		await it.seek(1);
		expect(it.states()).toEqual(["current", "null", "current"]);
		await it.seek(3);
		expect(it.states()).toEqual(["absent", "absent", "absent"]);
		expect(it.sensed().pointWords).toBe("none");
	});

	it("reads the objects of shown cameras only", async () => {
		using it = await made({ cameras: "left", layers: new Set(["ego"]) });
		for (const frame of [1, 4, 0]) await it.seek(frame);
		const chunks = it.read.filter((key) => !/(^|\/)(\.|zarr.json)/.test(key));
		const arrays = new Set(chunks.map((key) => key.split("/")[0]));
		const known = ["frame_index", "left", "left_valid", "left_values"];
		expect([...arrays].sort()).toEqual(known);
		const before = it.read.length;
		it.sensors.toggle(); // closed
		await it.seek(2);
		expect(it.read.length).toBe(before);
		expect(it.store.state.cameras).toBe(":,left");
	});

	it("decodes an enlarged camera at a larger size, and hides it with its camera", async () => {
		using it = await made();
		it.sensors.enlarge("right");
		await it.sensed().settled();
		expect(it.sensed().cameras.map(({ large }) => large)).toEqual([false, false, true]);
		expect(it.store.state.cameras).toBe("*,:right");
		it.sensors.toggleCamera("right");
		expect(it.store.state.cameras).toBe("front,left");
	});

	it("counts the points of the frame while their layer is on", async () => {
		using it = await made();
		expect(it.sensed().pointWords).toBe("400");
		expect(it.store.state.pageLayers.map(({ name }) => name)).toEqual([
			"sensor points",
		]);
		await it.seek(1);
		expect(it.sensed().pointWords).toBe("3");
		it.store.patch({ layers: new Set() });
		expect(it.sensed().pointWords).toBe("");
	});

	it("shows the rows of another scene", async () => {
		using it = await made();
		it.store.patch({ sceneInfo: { ...INFO, index: 1 }, scene: 1, frame: 1 });
		await it.sensed().settled();
		expect(it.states()).toEqual(["current", "current", "current"]);
		await it.seek(0);
		expect(it.states()).toEqual(["absent", "absent", "absent"]);
	});

	it("says why rows belong to no frames, and asks again on request", async () => {
		using it = await made();
		it.fail("down");
		it.store.patch({ sceneInfo: { ...INFO, index: 1 }, scene: 1, frame: 1 });
		await it.sensed().settled();
		expect(it.sensed().cameras[0]?.shown).toEqual({ state: "failed", why: "down" });
		expect(it.sensed().pointWords).toBe("failed");
		it.fail(undefined);
		it.sensors.retry();
		await it.sensed().settled();
		expect(it.states()).toEqual(["current", "current", "current"]);
	});

	it("reports cameras of a link that the data lacks", async () => {
		using it = await made({ cameras: "front,rear" });
		expect(it.store.state.notices).toEqual([
			"Link: unknown cameras (found rear, expected front, left, right)",
		]);
	});

	it("closes all images and leaves the state when it is disposed of", async () => {
		const it = await made();
		it[Symbol.dispose]();
		expect(close).toHaveBeenCalledTimes(3);
		expect(it.store.state.sensed).toBeUndefined();
		expect(it.store.state.pageLayers).toEqual([]);
	});
});
