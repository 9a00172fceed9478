import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
	motionSubmission,
	smoothScenes,
	submission,
} from "../../../../tests/support/submission.js";
import { LONG, tfrecords, waymoScenario } from "../../../../tests/support/waymo.js";
import { Converter } from "../../../src/converting/converter.js";
import { FuturesController } from "../../../src/elements/futures/futures-controller.js";
import { rangedBlob } from "../../../src/elements/futures/ranged-file.js";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import { Store } from "../../../src/elements/session/store.js";
import { ChunkedDataset, MemorySource } from "../../../src/index.js";
import { Reviewer } from "../../../src/reviewing/reviewer.js";

/** A viewer's state with the scenes `a` and `b`, the second moved. */
async function made() {
	const converter = await Converter.start();
	const file = new Blob([tfrecords(waymoScenario("a", 1000, LONG))]);
	const request = { kind: "waymo", file, name: "made", begin: 0, index: 0 } as const;
	const { objects } = await converter.ask({ ...request, end: file.size });
	converter.close();
	const source = new MemorySource(objects);
	const dataset = await ChunkedDataset.open(source);
	const key = (name: string) => ({ source, key: name });
	const map = await dataset.map(key("semantic_map/semantic_map.pb"), key("meta.json"));
	const seconds = new Float64Array(LONG.steps);
	const sceneInfo = { index: 0, host: "", startTime: 0n, seconds };
	const store = new Store<ViewerState>({ ...EMPTY_STATE, dataset, sceneInfo, map });
	let drawn = 0;
	const controller = new FuturesController(
		store,
		() => Reviewer.start({ worker: false }),
		() => {
			drawn += 1;
		},
	);
	const add = (bytes: Uint8Array<ArrayBuffer>, name = "made.binproto") =>
		controller.add({ file: rangedBlob(new Blob([bytes]), name), address: undefined });
	return { controller, store, add, drawn: () => drawn };
}

const first = (store: Store<ViewerState>) => store.state.futures?.sets[0];

describe("elements/futures/futures-controller", () => {
	it("joins a submission with the displayed scene by ids, and measures it", async () => {
		const { store, add, drawn } = await made();
		await add(submission([{ id: "a", scenes: smoothScenes(32) }]));
		const set = first(store);
		expect(set?.problem).toBeUndefined();
		expect(set?.about).toEqual({
			kind: "sim agents",
			scenarios: 1,
			card: {
				method: "made",
				affiliation: "Example University",
				link: "https://example.com/made",
				parameters: "200K",
			},
		});
		const here = set?.here;
		expect(here).toMatchObject({ rollouts: 32, steps: 80, firstStep: 11, stride: 1 });
		expect(here?.ids).toEqual(BigUint64Array.of(7n, 20n, 8n, 9n));
		expect(here?.joint).toBe(true);
		expect(here?.mismatches).toEqual([]);
		expect(here?.poses.length).toBe(32 * 4 * 4 * 80);
		// The rows of the ego vehicle and the tracks to predict, by id: 7, 8 and 20.
		expect(here?.measures.evaluated).toEqual(Float64Array.of(0, 2, 1));
		// Vehicle 7 stops in the last three futures.
		const colliding = Array.from(here?.measures.colliding ?? []);
		expect(colliding.slice(-3)).toEqual([2, 2, 2]);
		expect(colliding[0]).toBe(0);
		expect(here?.measures.collision_with[31 * 4]).toBe(1);
		// The pedestrian and the vehicle beside the lanes are not judged.
		expect(here?.measures.off_lane_step.slice(2, 4)).toEqual(Float64Array.of(-2, -2));
		expect(drawn()).toBeGreaterThan(0);
	});

	it("names what does not match", async () => {
		const { store, add } = await made();
		const scenes = smoothScenes(2);
		scenes.forEach((agents) => {
			agents.splice(0, 1, { ...(agents[0] ?? { poses: [] }), id: 77 });
		});
		await add(submission([{ id: "a", scenes }]));
		expect(first(store)?.here?.mismatches).toEqual([
			"agents missing: 1 (a/7)",
			"unknown agents: 1 (a/77)",
			"wrong number of rollouts or modes: 1 (a: found 2, expected 32)",
		]);
	});

	it("shows modes of single agents at their frames", async () => {
		const { store, add } = await made();
		const [agents = []] = smoothScenes(1);
		const two = agents.filter(({ id }) => id === 7 || id === 8);
		await add(motionSubmission("a", two, [0.5, 0.3, 0.2]));
		expect(first(store)?.here).toMatchObject({
			...{ rollouts: 3, steps: 16, firstStep: 15, stride: 5, values: 2 },
			...{ joint: false, sizes: undefined, mismatches: [] },
		});
	});

	it("says so if the submission lacks the scene, or is damaged", async () => {
		const { store, add, controller } = await made();
		const file = submission([{ id: "b", scenes: smoothScenes(1) }]);
		await add(file);
		expect(first(store)?.here).toBeNull();
		await add(file.subarray(0, 1000));
		expect(first(store)?.problem).toContain("made.binproto: ");
		controller.remove(0);
		expect(store.state.futures).toBeUndefined();
	});

	it("opens a file by its side file, unless that is of another file", async () => {
		const { store, controller } = await made();
		const bytes = submission([{ id: "a", scenes: smoothScenes(2) }]);
		const name = "m.binproto";
		const asked: (readonly [number, number])[] = [];
		const blob = rangedBlob(new Blob([bytes]), name);
		const file = {
			...blob,
			read: (begin: number, end: number, signal: AbortSignal) => {
				asked.push([begin, end]);
				return blob.read(begin, end, signal);
			},
		};
		const { length } = bytes;
		// After the tag of the scenario and the varint of its length.
		const begin = 2 + bytes.subarray(1).findIndex((byte) => byte < 0x80);
		const hash = createHash("sha256").update(bytes.subarray(0, 4096));
		const ends = hash.update(bytes.subarray(length - 4096)).digest("hex");
		const index = {
			...{ format: "bevscope-submission-index", version: 1, size: length, ends },
			...{ kind: "sim agents", method: "made", affiliation: "", link: "" },
			...{ parameters: "", scenarios: [["a", begin, length]] },
		};
		const add = (text: string) => {
			const sideFile = { text, isOlder: false };
			return controller.add({ file: { ...file, sideFile }, address: undefined });
		};
		await add(JSON.stringify(index));
		expect(first(store)?.about?.scenarios).toBe(1);
		expect(store.state.notices).toEqual([]);
		expect(asked).toEqual([
			[0, 4096],
			[length - 4096, length],
			[begin, length],
		]);
		await add(JSON.stringify({ ...index, size: 7 }));
		expect(first(store)?.here?.rollouts).toBe(2);
		expect(store.state.notices).toEqual([
			expect.stringMatching(/^m\.binproto\.index\.json: ignored: of a file of another/),
		]);
	});

	it("adds shards of a submission to it, and shows two submissions", async () => {
		const { store, add } = await made();
		const shard = (id: string) => submission([{ id, scenes: smoothScenes(2) }]);
		await add(shard("b"), "m.binproto-00000-of-00002");
		expect(first(store)?.here).toBeNull();
		await add(shard("a"), "m.binproto-00001-of-00002");
		expect(store.state.futures?.sets).toHaveLength(1);
		expect(first(store)?.about?.scenarios).toBe(2);
		expect(first(store)?.here?.rollouts).toBe(2);
		await add(
			submission([{ id: "a", scenes: smoothScenes(3) }], "other"),
			"n.binproto",
		);
		await add(
			submission([{ id: "a", scenes: smoothScenes(4) }], "third"),
			"o.binproto",
		);
		const names = store.state.futures?.sets.map(({ name }) => name);
		expect(names).toEqual(["m.binproto", "o.binproto"]);
	});

	it("opens two submissions at once, and closes one while it is opened", async () => {
		const { store, add, controller } = await made();
		const one = (count: number) =>
			submission([{ id: "a", scenes: smoothScenes(count) }]);
		await Promise.all([add(one(2), "m.binproto"), add(one(3), "n.binproto")]);
		const sets = () => store.state.futures?.sets ?? [];
		expect(sets().map(({ here }) => here?.rollouts)).toEqual([2, 3]);
		expect(sets().map(({ problem }) => problem)).toEqual([undefined, undefined]);
		const opening = add(one(4), "m.binproto");
		controller.remove(0);
		await opening;
		expect(sets().map(({ name, here }) => [name, here?.rollouts])).toEqual([
			["n.binproto", 3],
		]);
		const last = add(one(5), "o.binproto");
		controller.remove(1);
		controller.remove(0);
		await last;
		expect(store.state.futures).toBeUndefined();
		await add(one(6), "p.binproto");
		expect(first(store)?.here?.rollouts).toBe(6);
	});

	it("joins with the last of scenes that change quickly", async () => {
		const { store, add } = await made();
		await add(submission([{ id: "a", scenes: smoothScenes(2) }]));
		const { sceneInfo } = store.state;
		const other = { index: 1, host: "", startTime: 0n, seconds: new Float64Array(91) };
		store.patch({ sceneInfo: other });
		store.patch({ sceneInfo });
		store.patch({ sceneInfo: other });
		expect(first(store)?.here).toBeNull();
		store.patch({ sceneInfo });
		await expect.poll(() => first(store)?.here?.measures.ade.length).toBe(2);
		expect(first(store)?.problem).toBeUndefined();
	});

	it("measures until a horizon, which the measures name once they are of it", async () => {
		const { store, add, controller } = await made();
		await add(submission([{ id: "a", scenes: smoothScenes(2) }]));
		const measures = () => first(store)?.here?.measures;
		const [whole = 0] = measures()?.fde ?? [];
		expect(first(store)?.here?.secondsAhead).toBeCloseTo(8);
		expect(measures()?.seconds).toBeUndefined();
		controller.change({ seconds: 1 });
		expect(store.state.futures?.view.seconds).toBe(1);
		expect(measures()?.seconds).toBeUndefined();
		await expect.poll(() => measures()?.seconds).toBe(1);
		expect(measures()?.fde[0]).toBeLessThan(whole);
		controller.change({ seconds: undefined });
		await expect.poll(() => measures()?.seconds).toBeUndefined();
		expect(measures()?.fde[0]).toBe(whole);
	});

	it("tries to start the worker again after it failed", async () => {
		const store = new Store<ViewerState>(EMPTY_STATE);
		let starts = 0;
		const start = () => {
			starts += 1;
			return starts === 1
				? Promise.reject(new Error("no worker"))
				: Reviewer.start({ worker: false });
		};
		const controller = new FuturesController(store, start, () => {});
		const bytes = submission([{ id: "a", scenes: smoothScenes(1) }]);
		const add = () =>
			controller.add({
				file: rangedBlob(new Blob([bytes]), "m.binproto"),
				address: undefined,
			});
		await add();
		expect(first(store)?.problem).toContain("no worker");
		await add();
		expect(first(store)?.problem).toBeUndefined();
		expect(first(store)?.about?.scenarios).toBe(1);
		controller.remove(0);
	});

	it("names local files in links, and takes them in the order of the link", async () => {
		const { store, add, controller } = await made();
		const one = (count: number) =>
			submission([{ id: "a", scenes: smoothScenes(count) }]);
		const link = "local:m.binproto|/n.binproto|local:o%2540.csv";
		controller.show("1;second;a:n.binproto", link.split("|"));
		const futures = () => store.state.futures;
		expect(futures()?.address).toBe("local:m.binproto|local:o%2540.csv");
		const asked = (names: string) => [
			`The link's sender also had local results: ${names}. Drop them here to see them.`,
		];
		expect(store.state.notices).toEqual(asked("m.binproto, o%40.csv"));
		const file = rangedBlob(new Blob([one(3)]), "n.binproto");
		await controller.add({ file, address: "/n.binproto" });
		expect(futures()?.address).toBe(link);
		await add(one(2), "m.binproto");
		expect(futures()?.sets.map(({ name }) => name)).toEqual([
			"m.binproto",
			"n.binproto",
		]);
		expect(store.state.notices).toEqual(asked("o%40.csv"));
		const scores = { name: "o%40.csv", key: "file o%40.csv", scenarios: new Map() };
		controller.addScores({
			...{ ...scores, words: "o", columns: ["ade"], ofFutures: [] },
			...{ scenario: async () => undefined, futures: async () => [] },
		});
		expect(store.state.notices).toEqual([]);
		expect(futures()).toMatchObject({
			...{ address: link, link: "1;second;a:n.binproto" },
			local: ["m.binproto", "o%40.csv"],
		});
		expect(futures()?.scored.map(({ name }) => name)).toEqual([
			"n.binproto",
			"m.binproto",
		]);
		controller.remove(0);
		expect(futures()?.address).toBe("/n.binproto|local:o%2540.csv");
	});

	it("has the addresses of all shards in links", async () => {
		const { store, controller } = await made();
		const shard = (id: string, k: number) => {
			const bytes = submission([{ id, scenes: smoothScenes(2) }]);
			const name = `m.binproto-0000${k}-of-00002`;
			const file = rangedBlob(new Blob([bytes]), name);
			return controller.add({ file, address: `/${name}` });
		};
		await shard("b", 0);
		await shard("a", 1);
		expect(store.state.futures?.address).toBe(
			"/m.binproto-00000-of-00002|/m.binproto-00001-of-00002",
		);
	});

	it("splits the pictures of two submissions, with futures of the same rank", async () => {
		const { store, add, controller } = await made();
		const parts = () => store.state.futures?.parts.map(({ name }) => name);
		const one = (count: number) =>
			submission([{ id: "a", scenes: smoothScenes(count) }]);
		await add(one(5), "m.binproto");
		controller.change({ split: true });
		expect(parts()).toEqual([]);
		await add(one(9), "n.binproto");
		expect(parts()).toEqual(["m.binproto", "n.binproto"]);
		expect(store.state.futures?.link).toBe("split");
		controller.change({ rollout: 4, measure: "colliding" });
		expect(parts()?.[0]).toBe("m.binproto, future 4");
		expect(parts()?.[1]).toMatch(/^n\.binproto, future \d$/);
		store.patch({ shown: { scene: 0, frame: 20 } as ViewerState["shown"] });
		const simulated = controller.overlays();
		const [first, second] = store.state.futures?.parts ?? [];
		const of = (part: typeof first) =>
			part?.only({ ...store.state, simulated }).simulated ?? [];
		expect(of(first).length).toBeGreaterThan(0);
		expect(of(second).length).toBeGreaterThan(0);
		expect(of(first).length + of(second).length).toBe(simulated.length);
		controller.change({ split: false });
		expect(parts()).toEqual([]);
		expect(controller.overlays()).toHaveLength(of(first).length);
	});

	it("steps through the futures in the order of a measure", async () => {
		const { store, add, controller } = await made();
		await add(submission([{ id: "a", scenes: smoothScenes(4) }]));
		const shown = () => store.state.futures?.view.rollout;
		controller.step(1);
		expect(shown()).toBe(0);
		controller.step(-1);
		expect(shown()).toBeUndefined();
		controller.change({ measure: "colliding", order: "worst" });
		controller.step(1);
		expect(shown()).toBe(1);
		expect(store.state.futures?.link).toBe("1;colliding;worst");
		controller.show("3;outcome;best", []);
		expect(store.state.futures?.view).toEqual({
			...{ rollout: 3, colour: "outcome", measure: "ade", order: "best", active: 0 },
			split: false,
		});
	});
});
