import { beforeAll, describe, expect, it, vi } from "vitest";
import { BevError } from "../../../src/base/errors.js";
import { RasterController } from "../../../src/elements/raster/raster-controller.js";
import { NO_RASTER } from "../../../src/elements/raster/raster-state.js";
import type {
	RasterAt,
	RasterMaker,
	RasterSource,
} from "../../../src/elements/raster/rasters.js";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import { Store } from "../../../src/elements/session/store.js";
import type { PictureOptions } from "../../../src/samples/options.js";
import type { Sample } from "../../../src/samples/sample.js";
import { fakeFrame, fakeMap } from "../../support/fake-dataset.js";

beforeAll(() => {
	vi.stubGlobal(
		"ImageData",
		class {
			constructor(
				readonly data: Uint8ClampedArray,
				readonly width: number,
				readonly height: number,
			) {}
		},
	);
});

function sampleOf({ frame }: RasterAt): Sample {
	const image = {
		data: new Uint8Array(24).fill(frame),
		shape: [2, 3, 4],
		dtype: "|u1",
	};
	const matrix = { data: Float64Array.of(2, 0, 1, 0, 2, 1, 0, 0, 1) };
	return { image, raster_from_world: matrix } as unknown as Sample;
}

/** A source that records requests and holds each sample until `go`. */
function slowSource(found?: string) {
	const asked: (RasterAt & PictureOptions)[] = [];
	const waiting: (() => void)[] = [];
	const opened: string[] = [];
	const maps: unknown[] = [];
	const closed = vi.fn();
	const source: RasterSource = {
		findConfig: async () =>
			found === undefined ? undefined : { name: "config.json", text: found },
		open: async (config, { map }) => {
			opened.push(config);
			maps.push(map);
			if (config.includes("bad"))
				throw new BevError("missing_key", "config: no raster");
			return {
				channels: ["one", "two"],
				sample: async (at, options) => {
					asked.push({ ...at, ...options });
					await new Promise<void>((resolve) => waiting.push(resolve));
					return sampleOf(at);
				},
				exact: async (at) => sampleOf(at),
				close: closed,
			};
		},
	};
	const go = async (): Promise<void> => {
		await vi.waitFor(() => expect(waiting).not.toHaveLength(0));
		waiting.shift()?.();
	};
	return { source, asked, opened, maps, closed, waiting, go };
}

const MAKER: RasterMaker = {
	channels: [],
	sample: async (at) => sampleOf(at),
	exact: async (at) => sampleOf(at),
	close: () => {},
};

function controller(state: Partial<ViewerState> = {}) {
	const shown = fakeFrame(0, 4, 6);
	const ready = { phase: "ready", mapState: "absent", shown } as const;
	const store = new Store<ViewerState>({ ...EMPTY_STATE, ...ready, ...state });
	return { store, controller: new RasterController(store) };
}

const frameOn = (store: Store<ViewerState>, frame: number): void =>
	store.patch({ shown: fakeFrame(0, frame, 6) });

describe("RasterController", () => {
	it("requests nothing while no panel is watching", async () => {
		const { source, opened } = slowSource();
		const { controller: images, store } = controller();
		images.serve(source);
		await Promise.resolve();
		expect(opened).toEqual([]);
		expect(store.state.raster).toEqual(NO_RASTER);
	});

	it("draws the displayed frame, and then only the latest", async () => {
		const { source, asked, go } = slowSource();
		const { controller: images, store } = controller();
		images.serve(source);
		images.watch();
		await vi.waitFor(() => expect(asked).toHaveLength(1));
		for (const frame of [5, 6, 7]) frameOn(store, frame);
		await go();
		await go();
		await vi.waitFor(() => expect(store.state.raster.picture?.frame).toBe(7));
		expect(asked.map(({ frame }) => frame)).toEqual([4, 7]);
		expect(store.state.raster.picture?.pixels.width).toBe(3);
	});

	it("detects changes during a search", async () => {
		const { source, asked, go } = slowSource();
		const { controller: images, store } = controller();
		images.serve(source);
		images.watch();
		await go();
		await vi.waitFor(() => expect(store.state.raster.picture?.frame).toBe(4));
		store.patch({ frame: 5 }); // requested and loaded immediately
		frameOn(store, 5);
		await go();
		await vi.waitFor(() => expect(store.state.raster.picture?.frame).toBe(5));
		expect(asked).toHaveLength(2);
	});

	it("draws the selected agent, and reports its absence", async () => {
		const { source, asked, go } = slowSource();
		const { controller: images, store } = controller({ selection: 3n });
		images.serve(source);
		images.watch();
		await go();
		await vi.waitFor(() => expect(store.state.raster.picture?.track).toBe(3n));
		store.patch({ selection: 99n });
		await vi.waitFor(() => expect(store.state.raster.picture).toBeUndefined());
		expect(asked).toHaveLength(1);
	});

	it("switches from boxes to a chosen map", async () => {
		const { source, opened, maps, closed } = slowSource();
		const { controller: images, store } = controller();
		images.serve(source);
		images.watch();
		await vi.waitFor(() => expect(store.state.raster.phase).toBe("ready"));
		const mapPlace = { map: "m.pb", meta: "meta.json" };
		store.patch({ map: fakeMap(), mapState: "present", mapPlace });
		await vi.waitFor(() => expect(store.state.raster.choice).toBe("map"));
		expect(maps).toEqual([undefined, mapPlace]);
		expect(opened[1]).toContain("py_semantic");
		expect(closed).toHaveBeenCalledOnce();
	});

	it("shows a channel alone", async () => {
		const { source, asked, go } = slowSource();
		const { controller: images, store } = controller();
		images.serve(source);
		images.watch();
		await go();
		await vi.waitFor(() => expect(store.state.raster.picture).toBeDefined());
		images.showChannel(1);
		await go();
		await vi.waitFor(() => expect(store.state.raster.picture?.channel).toBe(1));
		expect(asked.map(({ channel }) => channel)).toEqual([undefined, 1]);
	});

	it.each([
		["the config beside the data", '{"of":"ours"}', "beside", '{"of":"ours"}'],
		["boxes where there is none and no map", undefined, "boxes", "box_debug"],
	])("starts with %s", async (_, found, choice, expected) => {
		const { source, opened } = slowSource(found);
		const { controller: images, store } = controller();
		images.serve(source);
		images.watch();
		await vi.waitFor(() => expect(opened).toHaveLength(1));
		expect(opened[0]).toContain(expected);
		expect(store.state.raster.choice).toBe(choice);
	});

	it("reports an invalid config, and accepts another one", async () => {
		const { source, closed } = slowSource();
		const { controller: images, store } = controller();
		images.serve(source);
		images.watch();
		await vi.waitFor(() => expect(store.state.raster.phase).toBe("ready"));
		images.choose({ name: "mine.json", text: '{"bad":1}' });
		await vi.waitFor(() => expect(store.state.raster.phase).toBe("failed"));
		expect(store.state.raster.problem?.why).toContain("config: no raster");
		expect(store.state.raster.channels).toEqual([]);
		expect(closed).toHaveBeenCalledTimes(1);
		images.choose("boxes");
		await vi.waitFor(() => expect(store.state.raster.phase).toBe("ready"));
		expect(store.state.raster.problem).toBeUndefined();
	});

	it.each([
		["first", [0, 1]],
		["last", [1, 0]],
	])("uses the last of two configs, if the other opens %s", async (_, order) => {
		const opening: { name: string; open: () => void; closed: () => void }[] = [];
		const source: RasterSource = {
			findConfig: async () => undefined,
			open: (name) =>
				new Promise((resolve) => {
					const closed = vi.fn();
					const maker = { ...MAKER, channels: [name], close: closed };
					opening.push({ name, open: () => resolve(maker), closed });
				}),
		};
		const { controller: images, store } = controller();
		images.serve(source);
		images.watch();
		images.choose({ name: "one", text: '"one"' });
		await vi.waitFor(() =>
			expect(opening.some(({ name }) => name === '"one"')).toBe(true),
		);
		images.choose({ name: "two", text: '"two"' });
		await vi.waitFor(() =>
			expect(opening.some(({ name }) => name === '"two"')).toBe(true),
		);
		const pair = ['"one"', '"two"'].map((name) =>
			opening.find((one) => one.name === name),
		);
		for (const at of order) pair[at]?.open();
		await vi.waitFor(() => expect(store.state.raster.phase).toBe("ready"));
		await vi.waitFor(() => expect(pair[0]?.closed).toHaveBeenCalledOnce());
		expect(store.state.raster.channels).toEqual(['"two"']);
		expect(pair[1]?.closed).not.toHaveBeenCalled();
	});

	it.each(["before", "after", "never"])(
		"draws by a new config, and an old sample that comes %s changes nothing",
		async (when) => {
			const { source, asked, waiting } = slowSource();
			const { controller: images, store } = controller();
			images.serve(source);
			images.watch();
			await vi.waitFor(() => expect(asked).toHaveLength(1));
			const [old] = waiting.splice(0);
			images.choose({ name: "two", text: "2" });
			if (when === "before") old?.();
			frameOn(store, 5);
			await vi.waitFor(() => expect(asked).toHaveLength(2));
			waiting.shift()?.();
			await vi.waitFor(() => expect(store.state.raster.picture?.frame).toBe(5));
			const shown = store.state.raster.picture;
			if (when === "after") old?.();
			await new Promise((resolve) => setTimeout(resolve));
			expect(store.state.raster.picture).toBe(shown);
		},
	);

	it("ignores results found for a replaced data set", async () => {
		const first = slowSource('{"of":"first"}');
		const second = slowSource();
		const { controller: images, store } = controller({ mapState: "loading" });
		images.serve(first.source);
		images.watch();
		await Promise.resolve();
		store.patch({ mapState: "absent" });
		images.serve(second.source);
		await vi.waitFor(() => expect(store.state.raster.phase).toBe("ready"));
		expect(store.state.raster.found).toBeUndefined();
		expect(second.opened[0]).toContain("box_debug");
		expect(first.opened).toEqual([]);
	});

	it("keeps only the chosen config when the data set is closed", async () => {
		const { source, closed } = slowSource();
		const { controller: images, store } = controller();
		images.serve(source);
		const mine = { name: "mine.json", text: "{}" };
		images.watch();
		images.choose(mine);
		await vi.waitFor(() => expect(store.state.raster.phase).toBe("ready"));
		images.serve(undefined);
		expect(closed).toHaveBeenCalled();
		expect(store.state.raster).toEqual({ ...NO_RASTER, choice: mine });
	});
});
