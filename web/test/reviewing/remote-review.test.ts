import { describe, expect, it } from "vitest";
import type { Port } from "../../src/core/port.js";
import { Reviewer } from "../../src/reviewing/reviewer.js";
import type { Predictions } from "../../src/tools.js";

const NONE: Predictions = {
	timestamps: new BigInt64Array(),
	track_ids: new BigInt64Array(),
	confidences: new Float64Array(),
	coords: new Float64Array(),
};
const TRACKS = {
	timestamps: new BigInt64Array(),
	ego_translation: new Float64Array(),
	agent_index_interval: new BigInt64Array(),
	track_ids: new BigUint64Array(),
	centroids: new Float64Array(),
};
const OPTIONS = {
	name: "x",
	signal: new AbortController().signal,
	onProgress: () => {},
};

const order = new Uint32Array();
const ORDERS = { by_ade: order, by_fde: order, by_nll: order };
const report = Object.fromEntries([
	...["rows", "tracks", "frames"].flatMap((group) =>
		Object.entries(ORDERS).map(([name, data]) => [`${group}.${name}`, data]),
	),
	["horizon", new Float64Array()],
	...Object.entries({ begun: 275, compared: 85, missed: 71, unknown: 0 }),
]);

/** A reviewer whose core writes what it is asked for. */
function made() {
	const asked: string[] = [];
	let last = 0;
	const port = {
		async run(name: string, given: Record<string, unknown>) {
			const { counting, review, scene, tracks, most } = given;
			const words = [counting, review && `of ${review}`, scene && `scene ${scene}`];
			words.push(tracks && `tracks ${tracks}`, most !== undefined && `most ${most}`);
			asked.push([name, ...words.filter(Boolean)].join(" "));
			if (name === "review") return report;
			last += 1;
			return last;
		},
		release: (id: number) => asked.push(`release ${id}`),
	};
	return { asked, reviewer: new Reviewer(port as unknown as Port) };
}

describe("reviewing/held-review", () => {
	it("counts as asked before it scores a scene or makes a ranking", async () => {
		const { reviewer, asked } = made();
		const review = await reviewer.read(NONE, OPTIONS);
		await reviewer.look(TRACKS);
		asked.length = 0;
		expect(await review.score("recorded")).toMatchObject({
			begun: 275,
			breakdown: { compared: 85 },
		});
		reviewer.ranking([review], { most: 200, counting: "l5kit" });
		reviewer.ranking([review]);
		expect(asked).toEqual([
			"set_counting recorded of 1",
			"review of 1 scene 3 most 1000",
			"set_counting l5kit of 1",
			"ranking of 1 most 200",
			"ranking of 1 most 0",
		]);
	});

	it("scores the scene of the time it was asked, if another one is looked at", async () => {
		const { reviewer, asked } = made();
		const review = await reviewer.read(NONE, OPTIONS);
		await reviewer.look(TRACKS);
		asked.length = 0;
		const scored = review.score("l5kit");
		const looked = reviewer.look(TRACKS);
		await Promise.all([scored, looked]);
		expect(asked).toEqual([
			"review_scene",
			"set_counting l5kit of 1",
			"review of 1 scene 3 most 1000",
			"release 3",
		]);
	});

	it("frees a scene that was ranked, also after a failure", async () => {
		const { reviewer, asked } = made();
		const review = await reviewer.read(NONE, OPTIONS);
		const ranking = reviewer.ranking([review]);
		await ranking.add(5, TRACKS);
		expect(asked.slice(-3)).toEqual([
			"review_scene",
			"rank_scene scene 5 tracks 4",
			"release 4",
		]);
	});

	it("ranks and compares a scene before the next one, if two are added at once", async () => {
		const { reviewer, asked } = made();
		const [a, b] = [
			await reviewer.read(NONE, OPTIONS),
			await reviewer.read(NONE, OPTIONS),
		];
		const ranking = reviewer.ranking([a, b], { pair: [a.id, b.id] });
		asked.length = 0;
		await Promise.all([ranking.add(1, TRACKS), ranking.add(2, TRACKS)]);
		const scenes = asked.map((one) => /scene (\d)/.exec(one)?.[1]).filter(Boolean);
		expect(scenes).toEqual(["1", "1", "1", "2", "2", "2"]);
		expect(asked.filter((one) => /^compare/.test(one))).toHaveLength(2);
	});

	it("distributes each model's predictions of a scene before the next one", async () => {
		const { reviewer, asked } = made();
		const reviews = [
			await reviewer.read(NONE, OPTIONS),
			await reviewer.read(NONE, OPTIONS),
		];
		const ranking = reviewer.ranking(reviews, { distribution: 99 });
		asked.length = 0;
		await Promise.all([ranking.add(4, TRACKS), ranking.add(5, TRACKS)]);
		expect(asked.filter((one) => /^(distribute|review_scene)/.test(one))).toEqual([
			...["review_scene", "review_scene"],
			...Array(2).fill("distribute_ranked scene 4"),
			...Array(2).fill("distribute_ranked scene 5"),
		]);
	});

	it("compares a scene in one operation: no other scene comes between", async () => {
		const { reviewer, asked } = made();
		await reviewer.compare([1, 2], 7, 5).catch(() => {}); // of the fake's report
		expect(asked).toEqual(["compare_scene scene 7 most 5"]);
	});

	it.each([
		[0, 1],
		[1, 0],
	])(
		"has the rollout asked for last, whichever is read first: %s",
		async (...order) => {
			const waits: ((id: number) => void)[] = [];
			const freed: number[] = [];
			const port = {
				run: (name: string, { rollout = 0 }: { rollout?: number }) => {
					if (name === "rollout_of")
						return new Promise<number>((resolve) => waits.push(resolve));
					const scenes = Float64Array.of(rollout - 7);
					return Promise.resolve(name === "rollout_scenes" ? scenes : {});
				},
				release: (id: number) => freed.push(id),
			};
			const reviewer = new Reviewer(port as unknown as Port);
			const read = [3, 4].map((scene) => reviewer.rollout([{ scene } as never]));
			for (const at of order) waits[at]?.(10 + at);
			const shapes = await Promise.all(read);
			expect(shapes.map(({ scenes }) => [...scenes])).toEqual([[3], [4]]);
			await Promise.resolve();
			expect(freed).toEqual([10]);
			const truth = { rows: {}, lanes: undefined } as never;
			await expect(
				reviewer.compareRollout({ ...(truth as object), scene: 4 } as never),
			).resolves.toBeDefined();
			await expect(
				reviewer.compareRollout({ ...(truth as object), scene: 3 } as never),
			).rejects.toThrow("scene 3 is not simulated");
		},
	);
});
