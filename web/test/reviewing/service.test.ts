import { describe, expect, it } from "vitest";
import type { CoreReview } from "../../src/core-tools.js";
import type { SceneReport } from "../../src/reviewing/protocol.js";
import { ReviewService } from "../../src/reviewing/service.js";
import type { Predictions } from "../../src/tools.js";

const NONE: Predictions = {
	timestamps: new BigInt64Array(),
	track_ids: new BigInt64Array(),
	confidences: new Float64Array(),
	coords: new Float64Array(),
};

const order = (name: string) => ({ name, data: new Uint32Array() });
const ORDERS = ["ade", "fde", "nll"].map(order);

/** A service whose core writes what it is asked for. */
function made() {
	const asked: string[] = [];
	const told = (words: string): void => void asked.push(words);
	const review = {
		shape: () => ({ size: 0, modes: 1, steps: 50 }),
		count: (counting: string) => told(`count ${counting}`),
		lookAtScene: () => told("look"),
		report: () => ({
			...{ rows: [], frames: [], breakdown: { compared: 85, missed: 71 } },
			...{ row_orders: ORDERS, frame_orders: ORDERS, track_orders: ORDERS },
			begun: 275,
		}),
		ranking: (most: number) => {
			told(`ranking ${most}`);
			return { delete: () => {} };
		},
		delete: () => {},
	} as unknown as CoreReview;
	const core = {
		reviewOf: () => review,
		makeReviewScene: () => ({ delete: () => {} }),
		makeComparison: () => ({ delete: () => {} }),
	};
	const service = new ReviewService(
		core as unknown as ConstructorParameters<typeof ReviewService>[0],
	);
	service.answer({ kind: "arrays", review: 1, predictions: NONE });
	const tracks = {
		timestamps: new BigInt64Array(),
		ego_translation: new Float64Array(),
		agent_index_interval: new BigInt64Array(),
		track_ids: new BigUint64Array(),
		centroids: new Float64Array(),
	};
	service.answer({ kind: "look", tracks });
	return { service, asked };
}

describe("reviewing/service", () => {
	it("counts as asked before it scores a scene or makes a ranking", () => {
		const { service, asked } = made();
		const scene = { kind: "scene", review: 1, counting: "recorded" } as const;
		const report = service.answer(scene) as SceneReport;
		expect(report).toMatchObject({ begun: 275, breakdown: { compared: 85 } });
		const rank = { kind: "rank", ranking: 1, reviews: [1], pair: undefined } as const;
		service.answer({ ...rank, most: 200, counting: "l5kit" });
		service.answer({ ...rank, ranking: 2, most: 0, counting: undefined });
		expect(asked).toEqual([
			"count recorded",
			"look",
			"count l5kit",
			"ranking 200",
			"ranking 0",
		]);
	});
});
