import { describe, expect, it, vi } from "vitest";
import { TINY, tinyDataset } from "../../../tests/support/tiny-dataset.js";
import type { ViewerDataset } from "../../src/elements/dataset.js";
import { ReviewDesk } from "../../src/elements/review-desk.js";
import { EMPTY_STATE, type ViewerState } from "../../src/elements/state.js";
import { Store } from "../../src/elements/store.js";
import { ChunkedDataset, MemorySource } from "../../src/index.js";
import { loadTools } from "../../src/tools.js";
import { fakeFrame } from "../support/fake-dataset.js";

const tools = await loadTools();

const HEAD = "timestamp,track_id,conf_0,coord_x00,coord_y00\r\n";
/** Agent 2 in frame 1 of scene 0, a metre too far; and one of another time. */
const CSV = `${HEAD}${TINY.start + TINY.step},2,1.0,2.0,0.0\r\n77,2,1.0,0.0,0.0\r\n`;

async function made() {
	const dataset = await ChunkedDataset.open(new MemorySource(tinyDataset()));
	const seconds = new Float64Array(TINY.framesPerScene);
	const sceneInfo = { index: 0, host: "", startTime: 0n, seconds };
	const store = new Store<ViewerState>({ ...EMPTY_STATE, dataset, sceneInfo });
	const load = vi.fn(async () => tools);
	const desk = new ReviewDesk(store, load);
	const reviewed = () =>
		vi.waitFor(() => expect(store.state.review.report).toBeDefined());
	return { store, desk, load, reviewed };
}

/** The parts of a data set that are read, to be replaced one by one. */
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

describe("ReviewDesk", () => {
	it("scores a file beside the scene that is open, and shows the frame's modes", async () => {
		const { store, desk } = await made();
		store.patch({ shown: fakeFrame(0, 1, 2) });
		await desk.give(new Blob([CSV]), "mine.csv");
		const { phase, name, shape, report, lines } = store.state.review;
		expect({ phase, name }).toEqual({ phase: "ready", name: "mine.csv" });
		expect(shape).toEqual({ size: 2, modes: 1, steps: 1 });
		expect(report?.rows).toHaveLength(1);
		expect(report?.rows[0]).toMatchObject({ frame: 1, track: 2n, seen: 1 });
		expect(report?.mean.ade).toBeCloseTo(1);
		expect(report?.mean.nll).toBeCloseTo(0.5);
		expect([...(lines?.tracks ?? [])]).toEqual([2n]);
		store.patch({ shown: fakeFrame(0, 2, 2) });
		expect(store.state.review.lines?.tracks).toHaveLength(0);
	});

	it("follows the viewer into another scene", async () => {
		const { store, desk, reviewed } = await made();
		await desk.give(CSV, "mine.csv");
		const sceneInfo = {
			index: 1,
			host: "",
			startTime: 0n,
			seconds: new Float64Array(6),
		};
		store.patch({ sceneInfo });
		expect(store.state.review.report).toBeUndefined();
		await reviewed();
		expect(store.state.review.report?.rows).toEqual([]);
	});

	it("says which line is wrong, and reads the next file all the same", async () => {
		const { store, desk, load } = await made();
		await desk.give(`${HEAD}1,2,0.5,0,0\n`, "wrong.csv");
		expect(store.state.review.phase).toBe("failed");
		expect(store.state.review.problem).toContain("wrong.csv line 2");
		await desk.give(CSV, "right.csv");
		expect(store.state.review).toMatchObject({ phase: "ready", problem: undefined });
		expect(load).toHaveBeenCalledOnce();
	});

	it("takes arrays, and forgets them", async () => {
		const { store, desk } = await made();
		store.patch({ review: { ...store.state.review, by: "fde" } });
		await desk.give(tools.readPredictions(CSV, 1), "given");
		expect(store.state.review.report?.rows).toHaveLength(1);
		desk.clear();
		expect(store.state.review).toMatchObject({ phase: "none", by: "fde" });
		expect(store.state.review.report).toBeUndefined();
	});

	it("ranks all scenes, and ends where it is told to", async () => {
		const { store, desk } = await made();
		await desk.give(CSV, "mine.csv");
		await desk.rankAll();
		const { ranking } = store.state.review;
		expect(ranking).toMatchObject({ running: false, done: TINY.scenes });
		expect(ranking?.report).toMatchObject({ found: 1, compared: 1 });
		expect(ranking?.report?.worst.ade[0]).toMatchObject({ scene: 0, frame: 1 });
		const unsubscribe = store.subscribe((state) => {
			if (state.review.ranking?.running) desk.stopRanking();
		});
		await desk.rankAll();
		unsubscribe();
		expect(store.state.review.ranking).toMatchObject({ running: false, done: 0 });
		const lost = desk.rankAll();
		desk.clear();
		await lost;
		expect(store.state.review.ranking).toBeUndefined();
	});

	it("tells which scene cannot be ranked, and keeps those before it", async () => {
		const { store, desk } = await made();
		await desk.give(CSV, "mine.csv");
		const { dataset } = store.state;
		const agents = {
			length: 0,
			rows: () => Promise.reject(new Error("agents/0: HTTP 503")),
		};
		store.patch({ dataset: dataset && { ...tables(dataset), agents } });
		await desk.rankAll();
		expect(store.state.review.ranking).toMatchObject({
			running: false,
			problem: "agents/0: HTTP 503",
		});
	});

	it("lets the last one given win", async () => {
		const { store, desk } = await made();
		const first = desk.give(CSV, "first.csv");
		await Promise.all([first, desk.give(CSV, "second.csv")]);
		expect(store.state.review).toMatchObject({ phase: "ready", name: "second.csv" });
	});

	it("tells that the tools cannot be loaded, and tries again", async () => {
		const { store, desk, load } = await made();
		load.mockRejectedValueOnce(new Error("HTTP 503"));
		await desk.give(CSV, "mine.csv");
		expect(store.state.review).toMatchObject({ phase: "failed" });
		await desk.give(CSV, "mine.csv");
		expect(store.state.review).toMatchObject({ phase: "ready" });
	});
});
