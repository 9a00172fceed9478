import { describe, expect, it, vi } from "vitest";
import { TINY, tinyDataset } from "../../../../tests/support/tiny-dataset.js";
import { ReviewController } from "../../../src/elements/review/review-controller.js";
import type { ModelState } from "../../../src/elements/review/review-state.js";
import type { ViewerDataset } from "../../../src/elements/session/dataset.js";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import { Store } from "../../../src/elements/session/store.js";
import { BevError, ChunkedDataset, MemorySource } from "../../../src/index.js";
import type { RemoteReview } from "../../../src/reviewing/remote-review.js";
import { type ReadOptions, Reviewer } from "../../../src/reviewing/reviewer.js";
import { loadTools } from "../../../src/tools.js";
import { fakeFrame } from "../../support/fake-dataset.js";

const tools = await loadTools();

const HEAD = "timestamp,track_id,conf_0,coord_x00,coord_y00\r\n";
/** Agent 2 in frame 1 of scene 0, off by one metre; and a line of another time. */
const CSV = `${HEAD}${TINY.start + TINY.step},2,1.0,2.0,0.0\r\n77,2,1.0,0.0,0.0\r\n`;

async function made() {
	const dataset = await ChunkedDataset.open(new MemorySource(tinyDataset()));
	const seconds = new Float64Array(TINY.framesPerScene);
	const sceneInfo = { index: 0, host: "", startTime: 0n, seconds };
	const store = new Store<ViewerState>({ ...EMPTY_STATE, dataset, sceneInfo });
	const load = vi.fn(() => Reviewer.start({ worker: false }));
	const controller = new ReviewController(store, load);
	const reviewed = () =>
		vi.waitFor(() => expect(store.state.review.report).toBeDefined());
	return { store, controller, load, reviewed };
}

/** The members of a data set that are used, to be replaced individually. */
function tables(dataset: ViewerDataset): ViewerDataset {
	const { labels, scenes, frames, agents, stats } = dataset;
	return {
		...{ labels, scenes, frames, agents, stats },
		frame: (...asked) => dataset.frame(...asked),
		timeline: (...asked) => dataset.timeline(...asked),
		onStats: (callback) => dataset.onStats(callback),
		close: () => dataset.close(),
	};
}

/** Predictions whose reading is finished by the test, by name. */
function readByHand() {
	const reads = new Map<
		string,
		{ readonly signal: AbortSignal; readonly done: (review: RemoteReview) => void }
	>();
	const reviewer = {
		look: async () => {},
		compare: vi.fn(async () => undefined),
		read: (_: unknown, { name, signal }: ReadOptions) =>
			new Promise<RemoteReview>((done) => void reads.set(name, { signal, done })),
		close: vi.fn(),
	};
	const started = (name: string) =>
		vi.waitFor(() => {
			const read = reads.get(name);
			if (!read) throw new Error(`${name} is not being read`);
			return read;
		});
	return { load: async () => reviewer as unknown as Reviewer, started, reviewer };
}

let heldIds = 0;

function heldReview(size: number) {
	heldIds += 1;
	const shape = { size, modes: 1, steps: 1 };
	return { id: heldIds, shape, release: vi.fn() } as unknown as RemoteReview & {
		release: ReturnType<typeof vi.fn>;
	};
}

function models({ store }: { readonly store: Store<ViewerState> }) {
	const { models } = store.state.review;
	return {
		names: models.map(({ name }) => name),
		named: (name: string): ModelState => {
			const model = models.find((one) => one.name === name);
			if (!model) throw new Error(`there is no model ${name}`);
			return model;
		},
	};
}

describe("ReviewController", () => {
	it("reads two files at the same time, in any order", async () => {
		for (const order of [
			["first", "second"],
			["second", "first"],
		] as const) {
			const { load, started } = readByHand();
			const store = new Store<ViewerState>(EMPTY_STATE);
			const controller = new ReviewController(store, load);
			const given = [controller.give("", "first"), controller.give("", "second")];
			const reads = { first: await started("first"), second: await started("second") };
			expect(models({ store }).names).toEqual(["first", "second"]);
			const reviews = { first: heldReview(1), second: heldReview(2) };
			expect(reads.first.signal.aborted).toBe(false);
			for (const name of order) reads[name].done(reviews[name]);
			await Promise.all(given);
			const { named } = models({ store });
			expect(named("first").shape?.size).toBe(1);
			expect(named("second").shape?.size).toBe(2);
			expect([named("first").slot, named("second").slot]).toEqual([0, 1]);
			const { pair } = store.state.review;
			expect(pair).toEqual({ a: named("first").id, b: named("second").id });
		}
	});

	it("lets the newest file of a name win", async () => {
		for (const order of [
			[0, 1],
			[1, 0],
		] as const) {
			const { load, started } = readByHand();
			const store = new Store<ViewerState>(EMPTY_STATE);
			const controller = new ReviewController(store, load);
			const given = [controller.give("", "mine")];
			const first = await started("mine");
			given.push(controller.give("", "mine"));
			await vi.waitFor(async () => expect(await started("mine")).not.toBe(first));
			const reads = [first, await started("mine")];
			const reviews = [heldReview(1), heldReview(2)];
			expect(first.signal.aborted).toBe(true);
			for (const i of order) reads[i]?.done(reviews[i] as RemoteReview);
			await Promise.all(given);
			expect(store.state.review.models).toHaveLength(1);
			expect(store.state.review.shape?.size).toBe(2);
			expect(reviews[0]?.release).toHaveBeenCalledOnce();
			expect(reviews[1]?.release).not.toHaveBeenCalled();
		}
	});

	it("cancels one of two files, and reports the other's failure", async () => {
		const { store, controller } = await made();
		const good = controller.give(CSV, "good.csv");
		const wrong = controller.give(`${HEAD}1,2,0.5,0,0\n`, "wrong.csv");
		const stopped = controller.give(CSV, "stopped.csv");
		controller.cancelReading(models({ store }).named("stopped.csv").id);
		await Promise.all([good, wrong, stopped]);
		const { names, named } = models({ store });
		expect(names).toEqual(["good.csv", "wrong.csv"]);
		expect(named("good.csv")).toMatchObject({ phase: "ready", problem: undefined });
		expect(named("wrong.csv")).toMatchObject({ phase: "failed", reading: undefined });
		expect(named("wrong.csv").problem).toContain("wrong.csv line 2");
		expect(store.state.review).toMatchObject({ phase: "ready", pair: undefined });
	});

	it("ignores late answers of a removed model", async () => {
		const { load, started } = readByHand();
		const store = new Store<ViewerState>(EMPTY_STATE);
		const controller = new ReviewController(store, load);
		const given = [controller.give("", "kept"), controller.give("", "removed")];
		const [kept, removed] = [await started("kept"), await started("removed")];
		kept.done(heldReview(1));
		await given[0];
		controller.remove(models({ store }).named("removed").id);
		const before = store.state;
		const late = heldReview(2);
		removed.done(late);
		await given[1];
		expect(store.state).toBe(before);
		expect(late.release).toHaveBeenCalledOnce();
	});

	it("ignores late scores and lines of a removed model", async () => {
		const { load, started } = readByHand();
		const { store } = await made();
		const controller = new ReviewController(store, load);
		const given = [controller.give("", "kept"), controller.give("", "removed")];
		const lates: ((value: unknown) => void)[] = [];
		const waiting = () => new Promise((done) => void lates.push(done));
		for (const name of ["kept", "removed"]) {
			const held = Object.assign(heldReview(1), { score: waiting, lines: waiting });
			(await started(name)).done(held);
		}
		await vi.waitFor(() => expect(lates).toHaveLength(2));
		controller.remove(models({ store }).named("removed").id);
		const before = store.state;
		lates[1]?.({ count: 1, frames: [] });
		await given[1];
		expect(store.state).toBe(before);
		controller.clear();
		lates[0]?.({ count: 1, frames: [] });
		await given[0];
		expect(store.state.review).toMatchObject({ phase: "none", models: [] });
	});

	it("refuses a fifth model and reuses the colour of a removed one", async () => {
		const { store, controller } = await made();
		for (const name of ["a", "b", "c", "d"]) await controller.give(CSV, name);
		await controller.give(CSV, "e");
		expect(models({ store }).names).toEqual(["a", "b", "c", "d"]);
		expect(store.state.notices).toEqual([
			"Predictions: e not added: 4 models are open; remove one first",
		]);
		controller.remove(models({ store }).named("b").id);
		await controller.give(CSV, "e");
		expect(models({ store }).named("e").slot).toBe(1);
		await controller.give(CSV, "a"); // replaces the one of the same name
		expect(models({ store }).names).toEqual(["a", "c", "d", "e"]);
	});

	it("keeps the previous predictions when reading is cancelled or fails", async () => {
		const { store, controller } = await made();
		store.patch({ shown: fakeFrame(0, 1, 2) });
		await controller.give(CSV, "mine.csv", "first");
		const before = store.state.review;
		const again = controller.give(CSV, "mine.csv", "first");
		expect(models({ store }).named("mine.csv")).toEqual({
			...before.models[0],
			reading: { bytes: 0, all: undefined },
		});
		controller.cancelReading(models({ store }).named("mine.csv").id);
		await again;
		expect(store.state.review).toEqual(before);
		await controller.give(`${HEAD}1,2,0.5,0,0\n`, "mine.csv");
		expect(models({ store }).named("mine.csv")).toEqual({
			...before.models[0],
			problem: expect.stringContaining("mine.csv line 2"),
		});
	});

	it("compares two models in the scene, and over all scenes", async () => {
		const { store, controller } = await made();
		await controller.give(CSV, "a.csv");
		await controller.give(CSV.replace("2.0", "9.0"), "b.csv");
		await vi.waitFor(() => expect(store.state.review.comparison).toBeDefined());
		const { comparison } = store.state.review;
		expect(comparison).toMatchObject({ compared: 1, onlyA: 0, onlyB: 0 });
		expect(comparison?.meanA.ade).toBeCloseTo(1);
		expect(comparison?.meanB.ade).toBeCloseTo(8);
		expect([...(comparison?.rows.tracks ?? [])]).toEqual([2n]);
		const { named } = models({ store });
		controller.compare({ a: named("b.csv").id, b: named("a.csv").id });
		expect(store.state.review.comparison).toBeUndefined();
		await vi.waitFor(() =>
			expect(store.state.review.comparison?.meanA.ade).toBeCloseTo(8),
		);
		await controller.rankAll();
		const { ranking } = store.state.review;
		expect(ranking?.reports.size).toBe(2);
		expect(ranking?.comparison).toMatchObject({ compared: 1 });
		controller.remove(named("a.csv").id);
		const { review } = store.state;
		expect([review.pair, review.ranking]).toEqual([undefined, undefined]);
	});

	it("ranks the listed scenes again when another model is read", async () => {
		const { store, controller } = await made();
		await controller.give(CSV, "a.csv");
		const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
		vi.stubGlobal("fetch", async () => new Response(readable));
		const url = new URL("http://127.0.0.1/b.csv");
		const reading = controller.fetch(url, "b.csv");
		controller.list("worse-all");
		const ranked = (count: number) =>
			vi.waitFor(() => {
				const { ranking } = store.state.review;
				expect(ranking).toMatchObject({ running: false, done: TINY.scenes });
				expect(ranking?.reports.size).toBe(count);
			});
		await ranked(1);
		const writer = writable.getWriter();
		await writer.write(new TextEncoder().encode(CSV));
		await writer.close();
		await reading;
		vi.unstubAllGlobals();
		await ranked(2);
		expect(store.state.review.ranking?.comparison).toMatchObject({ compared: 1 });
	});

	it("reads a scene once for all models", async () => {
		const { store, controller } = await made();
		const { dataset } = store.state;
		if (!dataset) throw new Error("no data set");
		const rows = vi.spyOn(dataset.agents, "rows");
		await Promise.all([controller.give(CSV, "a.csv"), controller.give(CSV, "b.csv")]);
		expect(rows).toHaveBeenCalledOnce();
		await controller.give(CSV, "c.csv");
		expect(rows).toHaveBeenCalledOnce();
		expect(store.state.review.models.map(({ report }) => report?.count)).toEqual([
			1, 1, 1,
		]);
	});

	it("draws visible models only", async () => {
		const { store, controller } = await made();
		store.patch({ shown: fakeFrame(0, 1, 2) });
		await controller.give(CSV, "a.csv");
		await controller.give(CSV, "b.csv");
		const slots = () => store.state.review.drawn.map(({ slot }) => slot);
		await vi.waitFor(() => expect(slots()).toEqual([0, 1]));
		controller.show(models({ store }).named("a.csv").id, false);
		expect(slots()).toEqual([1]);
		const { drawn } = store.state.review;
		controller.choose(models({ store }).named("b.csv").id);
		expect(store.state.review.drawn).toBe(drawn);
		expect(store.state.review.name).toBe("b.csv");
	});

	it("reports bytes read after each piece", async () => {
		const { store, controller } = await made();
		const row = `${TINY.start},2,1.0,2.0,0.0\r\n`;
		const text = HEAD + row.repeat(20_000);
		const told: (number | undefined)[] = [];
		store.subscribe(({ review }) => void told.push(review.models[0]?.reading?.bytes));
		await controller.give(new Blob([text]), "large.csv");
		const bytes = told.filter((value) => value !== undefined);
		expect(bytes.length).toBeGreaterThan(3);
		expect(bytes).toEqual([...bytes].sort((a, b) => a - b));
		expect(bytes.at(-1)).toBe(text.length);
		expect(store.state.review.models[0]?.reading).toBeUndefined();
	});

	it("cancels between two pieces and frees memory", async () => {
		const { store, controller } = await made();
		const pulled = vi.fn();
		const row = new TextEncoder().encode(
			`${TINY.start},2,1.0,2.0,0.0\r\n`.repeat(5000),
		);
		const endless = new ReadableStream<Uint8Array>({
			start: (into) => into.enqueue(new TextEncoder().encode(HEAD)),
			pull: (into) => {
				pulled();
				into.enqueue(row);
			},
			cancel: () => void store.patch({ announcement: "source cancelled" }),
		});
		vi.stubGlobal("fetch", async () => new Response(endless));
		const reading = controller.fetch(
			new URL("http://127.0.0.1/endless.csv"),
			"endless.csv",
		);
		await vi.waitFor(() =>
			expect(store.state.review.models[0]?.reading?.bytes).toBeGreaterThan(1e6),
		);
		const [model] = store.state.review.models;
		expect(model?.reading?.all).toBeUndefined();
		controller.cancelReading(model?.id ?? 0);
		await reading;
		await vi.waitFor(() => expect(store.state.announcement).toBe("source cancelled"));
		vi.unstubAllGlobals();
		expect(store.state.review).toMatchObject({ phase: "none", models: [] });
	});

	it("keeps the last predictions for their steps, with their frame number", async () => {
		const { store, controller } = await made();
		const far = "timestamp,track_id,conf_0,coord_x00,coord_y00,coord_x01,coord_y01\n";
		await controller.give(`${far}${TINY.start + TINY.step},2,1,2,0,3,0\n`, "mine.csv");
		const at = async (frame: number) => {
			store.patch({ shown: fakeFrame(0, frame, 2) });
			await vi.waitFor(() => expect(store.state.review.linesDue).toBe(false));
			return store.state.review.lines?.frame;
		};
		const seen = [];
		for (const frame of [0, 1, 2, 3, 4, 2, 0]) seen.push(await at(frame));
		expect(seen).toEqual([undefined, 1, 1, 1, undefined, 1, undefined]);
	});

	it("scores a file for the open scene and returns the frame's modes", async () => {
		const { store, controller } = await made();
		store.patch({ shown: fakeFrame(0, 1, 2) });
		await controller.give(new Blob([CSV]), "mine.csv");
		const { phase, name, shape, report, lines } = store.state.review;
		expect({ phase, name }).toEqual({ phase: "ready", name: "mine.csv" });
		expect(shape).toEqual({ size: 2, modes: 1, steps: 1 });
		expect(report?.count).toBe(1);
		expect(report?.worst.rows.ade[0]).toMatchObject({ frame: 1, track: 2n, seen: 1 });
		expect(report?.mean.ade).toBeCloseTo(1);
		expect(report?.mean.nll).toBeCloseTo(0.5);
		expect([...(lines?.tracks ?? [])]).toEqual([2n]);
		store.patch({ shown: fakeFrame(0, 0, 2) });
		expect(store.state.review).toMatchObject({ lines: undefined, linesDue: false });
	});

	it("updates when another scene is opened", async () => {
		const { store, controller, reviewed } = await made();
		await controller.give(CSV, "mine.csv");
		const sceneInfo = {
			index: 1,
			host: "",
			startTime: 0n,
			seconds: new Float64Array(6),
		};
		store.patch({ sceneInfo });
		expect(store.state.review.report).toBeUndefined();
		await reviewed();
		expect(store.state.review.report?.count).toBe(0);
	});

	it("reports an invalid line and reads the next file", async () => {
		const { store, controller, load } = await made();
		await controller.give(`${HEAD}1,2,0.5,0,0\n`, "wrong.csv");
		expect(store.state.review.phase).toBe("failed");
		expect(store.state.review.models[0]?.problem).toContain("wrong.csv line 2");
		await controller.give(CSV, "wrong.csv");
		expect(store.state.review).toMatchObject({ phase: "ready", active: 1 });
		expect(store.state.review.models[0]?.problem).toBeUndefined();
		expect(load).toHaveBeenCalledOnce();
	});

	it("accepts arrays, and clears them", async () => {
		const { store, controller } = await made();
		store.patch({ review: { ...store.state.review, by: "fde" } });
		await controller.give(tools.readPredictions(CSV, 1), "given");
		expect(store.state.review.report?.count).toBe(1);
		controller.clear();
		expect(store.state.review).toMatchObject({ phase: "none", by: "fde" });
		expect(store.state.review.report).toBeUndefined();
	});

	it("ranks all scenes until cancelled", async () => {
		const { store, controller } = await made();
		await controller.give(CSV, "mine.csv");
		await controller.rankAll();
		const { ranking } = store.state.review;
		expect(ranking).toMatchObject({ running: false, done: TINY.scenes });
		const report = ranking?.reports.get(store.state.review.active ?? 0);
		expect(report).toMatchObject({ found: 1, compared: 1 });
		expect(report?.worst.ade[0]).toMatchObject({ scene: 0, frame: 1 });
		const unsubscribe = store.subscribe((state) => {
			if (state.review.ranking?.running) controller.stopRanking();
		});
		await controller.rankAll();
		unsubscribe();
		expect(store.state.review.ranking).toMatchObject({ running: false, done: 0 });
		const lost = controller.rankAll();
		controller.clear();
		await lost;
		expect(store.state.review.ranking).toBeUndefined();
	});

	it("leaves damaged scenes out of the ranking, and names them", async () => {
		const { store, controller } = await made();
		// The time of CSV's second line becomes one of scene 1.
		const second = TINY.start + BigInt(TINY.framesPerScene) * TINY.step;
		await controller.give(CSV.replace("77,2", `${second},2`), "mine.csv");
		const { dataset } = store.state;
		if (!dataset) throw new Error("no data set");
		const rows = vi.fn(dataset.agents.rows.bind(dataset.agents));
		rows.mockRejectedValueOnce(new BevError("corrupt_chunk", "agents/0: damaged"));
		const agents = { length: 0, rows };
		store.patch({ dataset: { ...tables(dataset), agents } });
		await controller.rankAll();
		const { ranking } = store.state.review;
		expect(ranking).toMatchObject({
			...{ running: false, done: TINY.scenes, problem: undefined },
			leftOut: [{ scene: 0, why: "agents/0: damaged" }],
		});
		const report = ranking?.reports.get(store.state.review.active ?? 0);
		expect(report).toMatchObject({ found: 1 });
		expect(report?.worst.ade[0]).toMatchObject({ scene: 1 });
	});

	it("names a scene that cannot be ranked, and keeps previous results", async () => {
		const { store, controller } = await made();
		await controller.give(CSV, "mine.csv");
		const { dataset } = store.state;
		const agents = {
			length: 0,
			rows: () => Promise.reject(new Error("agents/0: HTTP 503")),
		};
		store.patch({ dataset: dataset && { ...tables(dataset), agents } });
		await controller.rankAll();
		expect(store.state.review.ranking).toMatchObject({
			running: false,
			problem: "agents/0: HTTP 503",
		});
	});

	it("reports a failed load of the tools, and retries", async () => {
		const { store, controller, load } = await made();
		load.mockRejectedValueOnce(new Error("HTTP 503"));
		await controller.give(CSV, "mine.csv");
		expect(store.state.review).toMatchObject({ phase: "failed" });
		await controller.give(CSV, "mine.csv");
		expect(store.state.review).toMatchObject({ phase: "ready" });
	});
});
