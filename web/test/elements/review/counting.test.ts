import { describe, expect, it, vi } from "vitest";
import {
	coverageWords,
	missShare,
	pairsWords,
} from "../../../src/elements/review/counting.js";
import { ReviewController } from "../../../src/elements/review/review-controller.js";
import type { ViewerDataset } from "../../../src/elements/session/dataset.js";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import { Store } from "../../../src/elements/session/store.js";
import type { Reviewer } from "../../../src/reviewing/reviewer.js";

const counted = (compared: number, missed: number, begun: number) => ({
	breakdown: { compared, missed },
	begun,
});

/** A data set of one scene without frames. */
const DATASET = {
	stats: { bytes: 0, requests: 0, absentChunks: 0 },
	...Object.fromEntries(
		["scenes", "frames", "agents"].map((name) => [
			name,
			{
				length: 1,
				rows: async () => ({
					length: name === "scenes" ? 1 : 0,
					column: (field: string) => ({
						data: /centroid|ego_translation/.test(field)
							? new Float64Array()
							: /label/.test(field)
								? new Float32Array()
								: field === "track_id"
									? new BigUint64Array()
									: new BigInt64Array(2),
					}),
					strings: () => [""],
				}),
			},
		]),
	),
} as unknown as ViewerDataset;

/** A controller with one model, and what its reviewer was asked. */
async function made() {
	const asked: string[] = [];
	const ranking = {
		wants: async () => true,
		add: async () => {},
		report: async () => ({ models: [], comparison: undefined }),
		release: () => {},
	};
	const held = {
		id: 1,
		shape: { size: 1, modes: 1, steps: 50 },
		score: async (counting: string) => {
			asked.push(`score ${counting}`);
			return { ...counted(85, 71, 275), count: 285, frames: [] };
		},
		release: () => {},
	};
	const reviewer = {
		look: async () => {},
		read: async () => held,
		ranking: (_: unknown, { counting }: { counting?: string } = {}) => {
			asked.push(`rank ${counting}`);
			return ranking;
		},
		close: () => {},
	} as unknown as Reviewer;
	const sceneInfo = { index: 0, host: "", startTime: 0n, seconds: new Float64Array(2) };
	const store = new Store<ViewerState>({ ...EMPTY_STATE, dataset: DATASET, sceneInfo });
	const controller = new ReviewController(store, async () => reviewer);
	await controller.give("", "cv");
	return { store, controller, asked };
}

describe("review/counting", () => {
	it("says of how many pairs with a recorded step the means are", () => {
		const report = { compared: 1, rows: { seen: Uint32Array.of(50, 0, 12, 0) } };
		expect(pairsWords(report, "recorded")).toBe("1 of 2 pairs end inside the scene");
		expect(pairsWords({ ...report, compared: 2 }, "l5kit")).toBe("2 pairs");
	});

	it("says of how many predictions the scores are", () => {
		const known = counted(85, 71, 275);
		expect(coverageWords(known, "recorded")).toBe("85 of 275 end inside the scene");
		expect(missShare(known)).toBe("84 %");
		expect(coverageWords(known, "l5kit")).toBeUndefined();
		expect(missShare(counted(0, 0, 275))).toBe("\u2013");
	});

	it("scores recorded ends by default, and as L5Kit on demand", async () => {
		const { store, controller, asked } = await made();
		expect(store.state.review.problem).toBeUndefined();
		expect(asked).toEqual(["score recorded"]);
		controller.count("recorded");
		expect(asked).toHaveLength(1);
		controller.count("l5kit");
		expect(store.state.review.report).toBeUndefined();
		await vi.waitFor(() => expect(store.state.review.report).toBeDefined());
		expect(asked).toEqual(["score recorded", "score l5kit"]);
	});

	it("ranks all scenes again, and keeps the choice without models", async () => {
		const { store, controller, asked } = await made();
		controller.list("all");
		await vi.waitFor(() => expect(asked).toContain("rank recorded"));
		controller.count("l5kit");
		await vi.waitFor(() => expect(asked).toContain("rank l5kit"));
		controller.clear();
		expect(store.state.review.counting).toBe("l5kit");
	});
});
