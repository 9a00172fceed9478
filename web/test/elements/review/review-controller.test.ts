import { describe, expect, it, vi } from "vitest";
import { TINY, tinyDataset } from "../../../../tests/support/tiny-dataset.js";
import { ReviewController } from "../../../src/elements/review/review-controller.js";
import type { ViewerDataset } from "../../../src/elements/session/dataset.js";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import { Store } from "../../../src/elements/session/store.js";
import { ChunkedDataset, MemorySource } from "../../../src/index.js";
import type { HeldReview } from "../../../src/reviewing/held-review.js";
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
		{ readonly signal: AbortSignal; readonly done: (review: HeldReview) => void }
	>();
	const reviewer = {
		read: (_: unknown, { name, signal }: ReadOptions) =>
			new Promise<HeldReview>((done) => void reads.set(name, { signal, done })),
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

function heldReview(size: number) {
	const shape = { size, modes: 1, steps: 1 };
	return { shape, release: vi.fn() } as unknown as HeldReview & {
		release: ReturnType<typeof vi.fn>;
	};
}

describe("ReviewController", () => {
	it.each([
		["first", "second"],
		["second", "first"],
	] as const)(
		"lets the newest file win when the %s is read before the %s",
		async (...order) => {
			const { load, started } = readByHand();
			const store = new Store<ViewerState>(EMPTY_STATE);
			const controller = new ReviewController(store, load);
			const given = [controller.give("", "first")];
			const first = await started("first");
			given.push(controller.give("", "second"));
			const reads = { first, second: await started("second") };
			const reviews = { first: heldReview(1), second: heldReview(2) };
			expect(first.signal.aborted).toBe(true);
			for (const name of order) reads[name].done(reviews[name]);
			await Promise.all(given);
			expect(store.state.review).toMatchObject({ phase: "ready", name: "second" });
			expect(store.state.review.shape?.size).toBe(2);
			expect(reviews.first.release).toHaveBeenCalledOnce();
			expect(reviews.second.release).not.toHaveBeenCalled();
		},
	);

	it("keeps the previous predictions when reading is cancelled or fails", async () => {
		const { store, controller } = await made();
		store.patch({ shown: fakeFrame(0, 1, 2) });
		await controller.give(CSV, "first.csv", "first");
		const before = store.state.review;
		const second = controller.give(CSV, "second.csv", "second");
		expect(store.state.review).toEqual({
			...before,
			reading: { name: "second.csv", address: "second", bytes: 0, all: undefined },
		});
		controller.cancelReading();
		await second;
		expect(store.state.review).toEqual(before);
		await controller.give(`${HEAD}1,2,0.5,0,0\n`, "wrong.csv");
		expect(store.state.review).toEqual({
			...before,
			problem: expect.stringContaining("wrong.csv line 2"),
		});
	});

	it("announces a replacement and keeps the previous means", async () => {
		const { store, controller } = await made();
		await controller.give(CSV, "first.csv");
		expect(store.state).toMatchObject({ notices: [], review: { before: undefined } });
		expect(store.state.review.report).toMatchObject({ compared: 1, missed: 0 });
		await controller.give(CSV.replace("2.0", "9.0"), "second.csv");
		expect(store.state.notices).toEqual(["Predictions: second.csv replaced first.csv"]);
		expect(store.state.review.report?.mean.ade).toBeCloseTo(8);
		expect(store.state.review.report).toMatchObject({ compared: 1, missed: 1 });
		const { before } = store.state.review;
		expect(before?.name).toBe("first.csv");
		expect(before?.mean.ade).toBeCloseTo(1);
		const seconds = new Float64Array(TINY.framesPerScene);
		store.patch({ sceneInfo: { index: 1, host: "", startTime: 0n, seconds } });
		expect(store.state.review.before).toBeUndefined(); // these were means of another scene
	});

	it("reports bytes read after each piece", async () => {
		const { store, controller } = await made();
		const row = `${TINY.start},2,1.0,2.0,0.0\r\n`;
		const text = HEAD + row.repeat(20_000);
		const told: (number | undefined)[] = [];
		store.subscribe(({ review }) => void told.push(review.reading?.bytes));
		await controller.give(new Blob([text]), "large.csv");
		const bytes = told.filter((value) => value !== undefined);
		expect(bytes.length).toBeGreaterThan(3);
		expect(bytes).toEqual([...bytes].sort((a, b) => a - b));
		expect(bytes.at(-1)).toBe(text.length);
		expect(store.state.review.reading).toBeUndefined();
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
			expect(store.state.review.reading?.bytes).toBeGreaterThan(1e6),
		);
		expect(store.state.review.reading?.all).toBeUndefined();
		controller.cancelReading();
		await reading;
		await vi.waitFor(() => expect(store.state.announcement).toBe("source cancelled"));
		vi.unstubAllGlobals();
		expect(store.state.review).toMatchObject({ phase: "none", reading: undefined });
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
		expect(store.state.review.problem).toContain("wrong.csv line 2");
		await controller.give(CSV, "right.csv");
		expect(store.state.review).toMatchObject({ phase: "ready", problem: undefined });
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
		expect(ranking?.report).toMatchObject({ found: 1, compared: 1 });
		expect(ranking?.report?.worst.ade[0]).toMatchObject({ scene: 0, frame: 1 });
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

	it("uses the last file", async () => {
		const { store, controller } = await made();
		const first = controller.give(CSV, "first.csv");
		await Promise.all([first, controller.give(CSV, "second.csv")]);
		expect(store.state.review).toMatchObject({ phase: "ready", name: "second.csv" });
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
