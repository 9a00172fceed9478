import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { GOLDENS } from "../../tests/support/goldens.js";
import { TINY, tinyDataset } from "../../tests/support/tiny-dataset.js";
import { sceneTracks } from "../src/elements/review/scene-tracks.js";
import { BevError, ChunkedDataset, MemorySource } from "../src/index.js";
import type { Predictions, Score } from "../src/tools.js";
import { loadTools } from "../src/tools.js";
import { openGolden } from "./support/golden-samples.js";

const tools = await loadTools();
const { signal } = new AbortController();

/** Two modes of two steps for agent 2 in frame 1: it continues, or turns back. */
function predicted(confidences: readonly [number, number] = [0.75, 0.25]): Predictions {
	return {
		timestamps: BigInt64Array.of(TINY.start + TINY.step),
		track_ids: BigInt64Array.of(2n),
		confidences: Float64Array.from(confidences),
		coords: Float64Array.of(1, 0, 2, 0, -1, 0, -2, 0),
	};
}

describe("PredictionReview", () => {
	it("scores a scene's predictions and returns them in world", async () => {
		const dataset = await ChunkedDataset.open(new MemorySource(tinyDataset()));
		const tracks = await sceneTracks(dataset, 0, signal);
		using review = tools.review(predicted());
		expect(review.shape).toEqual({ size: 1, modes: 2, steps: 2 });
		const { rows, frames, unknown } = review.lookAt(tracks);
		expect(rows).toHaveLength(1);
		expect(rows[0]).toMatchObject({ frame: 1, track: 2n, seen: 2, ade: 0, fde: 0 });
		expect(rows[0]?.nll).toBeCloseTo(-Math.log(0.75 + 0.25 * Math.exp(-10)), 9);
		expect(frames.map(({ frame, count }) => [frame, count])).toEqual([[1, 1]]);
		expect(unknown).toBe(0);
		const { modes, confidences, truth, truthSteps, truthTracks } = review.lines(1);
		expect([...confidences]).toEqual([0.75, 0.25]);
		expect([...modes.offsets]).toEqual([0, 3, 6]);
		expect([...modes.points.slice(0, 6)]).toEqual([...truth.points]);
		expect([...truthTracks]).toEqual([2n]);
		expect([...truthSteps]).toEqual([0, 1, 2]);
		expect(review.lines(0).confidences).toHaveLength(0);
		dataset.close();
	});

	it("may be released several times", () => {
		using review = tools.review(predicted());
		using ranking = review.ranking(3);
		for (let i = 0; i < 2; i += 1) {
			ranking.release();
			review.release();
		}
	});

	it("throws BevErrors after its release", () => {
		const review = tools.review(predicted());
		review.release();
		expect(() => review.shape).toThrow(BevError);
		expect(() => review.lines(0)).toThrow(BevError);
		expect(() => review.ranking(3)).toThrow(BevError);
	});

	it("finds nothing in a scene with other timestamps", async () => {
		const dataset = await ChunkedDataset.open(new MemorySource(tinyDataset()));
		using review = tools.review(predicted());
		const { rows, mean } = review.lookAt(await sceneTracks(dataset, 1, signal));
		expect(rows).toEqual([]);
		expect(mean.ade).toBeNaN();
		dataset.close();
	});

	it("ranks predictions of several scenes, independent of the current one", async () => {
		const dataset = await ChunkedDataset.open(new MemorySource(tinyDataset()));
		const all = predicted();
		const later = TINY.start + BigInt(TINY.framesPerScene) * TINY.step;
		using review = tools.review({
			timestamps: BigInt64Array.of(...all.timestamps, later),
			track_ids: BigInt64Array.of(2n, 3n),
			confidences: Float64Array.of(...all.confidences, 1, 0),
			coords: Float64Array.of(...all.coords, 1, 4, 2, 4, 0, 0, 0, 0),
		});
		using ranking = review.ranking(10);
		expect(ranking.wants(BigInt64Array.of(later, later + 1n))).toBe(true);
		expect(ranking.wants(BigInt64Array.of(later + 1n))).toBe(false);
		for (const scene of [0, 1]) {
			ranking.add(scene, await sceneTracks(dataset, scene, signal));
		}
		const { found, compared, mean, worst } = ranking.report();
		expect([found, compared]).toEqual([2, 2]);
		expect(mean.fde).toBeCloseTo(1); // of 0 and, by the mode that stays, 2
		expect(worst.fde.map(({ scene, frame, track }) => [scene, frame, track])).toEqual([
			[1, 0, 3n],
			[0, 1, 2n],
		]);
		const { worst: here } = review.lookAt(await sceneTracks(dataset, 0, signal));
		expect(here.rows.nll.map(({ track }) => track)).toEqual([2n]);
		expect(here.tracks).toEqual(here.rows);
		expect(ranking.report().worstTracks).toEqual(worst);
		dataset.close();
	});

	it("is ranked in other scenes, whose lines can be read", async () => {
		const dataset = await ChunkedDataset.open(new MemorySource(tinyDataset()));
		using review = tools.review(predicted());
		using ranking = review.ranking(0);
		const tracks = await sceneTracks(dataset, 0, signal);
		ranking.add(0, tracks);
		review.lookAt(tracks);
		expect([...ranking.lines(1).tracks]).toEqual([2n, 2n]);
		expect(ranking.lines(1)).toEqual(review.lines(1));
		ranking.add(1, await sceneTracks(dataset, 1, signal));
		expect([...ranking.lines(1).tracks]).toEqual([]);
		expect([...review.lines(1).tracks]).toEqual([2n, 2n]);
		dataset.close();
	});

	it("rejects an invalid file, naming the line", () => {
		const text = "timestamp,track_id,conf_0,coord_x00,coord_y00\n1,2,0.5,1,1\n";
		expect(() => tools.review(text, "mine.csv")).toThrow(
			expect.objectContaining({
				code: "invalid_argument",
				message: "mine.csv line 2: confidences do not sum to 1 (found 0.5)",
			}) as Error,
		);
		expect(() => tools.review(predicted([2, -1]))).toThrow(
			/negative confidence \(found -1/,
		);
	});
});

describe.skipIf(!GOLDENS)("PredictionReview of L5Kit's files", () => {
	it("has L5Kit's means over all scenes", async () => {
		const read = (name: string): string =>
			readFileSync(`${GOLDENS}/outputs/eval/${name}`, "utf8");
		const expected = JSON.parse(read("metrics.json")) as Record<string, number>;
		using dataset = await openGolden("multi");
		using review = tools.review(read("pred.csv"), "pred.csv");
		const scores: Score[] = [];
		for (let scene = 0; scene < dataset.scenes.length; scene += 1) {
			const { rows } = review.lookAt(await sceneTracks(dataset, scene, signal));
			scores.push(...rows);
		}
		expect(scores).toHaveLength(review.shape.size);
		const mean = (of: keyof Score): number =>
			scores.reduce((sum, score) => sum + score[of], 0) / scores.length;
		const wanted = (name: string): number => expected[name] ?? Number.NaN;
		// Files have five decimals, and L5Kit's ground truth is float32.
		expect(mean("nll")).toBeCloseTo(wanted("neg_multi_log_likelihood"), 3);
		expect(mean("ade")).toBeCloseTo(wanted("average_displacement_error_oracle"), 4);
		expect(mean("fde")).toBeCloseTo(wanted("final_displacement_error_oracle"), 4);
	});
});

describe("PredictionComparison", () => {
	it("compares two models in a scene that was prepared once", async () => {
		const dataset = await ChunkedDataset.open(new MemorySource(tinyDataset()));
		using scene = tools.reviewScene(await sceneTracks(dataset, 0, signal));
		using a = tools.review(predicted());
		const far = predicted();
		far.coords.set([9, 0, 9, 0, 9, 0, 9, 0]);
		using b = tools.review(far);
		expect(a.lookAt(scene).mean.ade).toBe(0);
		expect(b.lookAt(scene).mean.ade).toBeCloseTo(7.5);
		using comparison = tools.comparison();
		comparison.add(4, a, b);
		const { rows, frames, compared, meanA, meanB } = comparison.report(9);
		expect(compared).toBe(1);
		expect([meanA.ade, meanB.ade]).toEqual([0, 7.5]);
		expect([...rows.scenes, ...rows.frames]).toEqual([4, 1]);
		expect([...rows.tracks]).toEqual([2n]);
		expect([rows.a[0], rows.b[0]]).toEqual([0, 7.5]);
		expect([...rows.worst.nll]).toEqual([0]);
		expect(rows.worstTracks).toEqual(rows.worst);
		expect([...frames.counts]).toEqual([1]);
		dataset.close();
	});

	it("compares rankings to which the same scene was added", async () => {
		const dataset = await ChunkedDataset.open(new MemorySource(tinyDataset()));
		const tracks = await sceneTracks(dataset, 0, signal);
		using scene = tools.reviewScene(tracks);
		using review = tools.review(predicted());
		using a = review.ranking(3);
		using b = review.ranking(3);
		using comparison = tools.comparison();
		a.add(0, scene);
		b.add(0, scene);
		comparison.add(0, a, b);
		expect(comparison.report(9).rows.worst.ade).toHaveLength(1);
		b.add(1, tracks); // another object
		const code = expect.objectContaining({ code: "invalid_argument" });
		expect(() => comparison.add(1, a, b)).toThrow(code);
		dataset.close();
	});

	it("throws BevErrors after a release", () => {
		using review = tools.review(predicted());
		const comparison = tools.comparison();
		for (let i = 0; i < 2; i += 1) comparison.release();
		expect(() => comparison.add(0, review, review)).toThrow(BevError);
	});
});
