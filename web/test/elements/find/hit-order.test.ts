import { describe, expect, it } from "vitest";
import {
	comparedIn,
	firstOf,
	inOrder,
	keyOf,
	usualOrder,
} from "../../../src/elements/find/hit-order.js";
import type { GalleryItem } from "../../../src/elements/gallery/gallery-state.js";

/** A hit with values by name. */
function hit(scene: number, values: Readonly<Record<string, number>>): GalleryItem {
	return {
		...{ scene, frame: 0, track: undefined, follows: false },
		values: Object.entries(values).map(([name, number]) => ({
			...{ name, number, text: `${number}` },
		})),
	};
}

const WORST = { by: "worst", descending: false } as const;
const scenes = (hits: readonly GalleryItem[]) => hits.map(({ scene }) => scene);

describe("find/hit-order", () => {
	it("greater is worse above a limit, less is worse below one", () => {
		const where = "(min_ttc < 2 or 'a > 1' == label) and (speed >= 10 and not cut_in)";
		expect([...comparedIn(where)]).toEqual([
			["min_ttc", false],
			["speed", true],
		]);
		expect([...comparedIn("scene > 3 and track_id < 5 and turn == 'left'")]).toEqual(
			[],
		);
		expect(usualOrder("speed > 3").by).toBe("worst");
		expect(usualOrder("cut_in").by).toBe("found");
	});

	it("the worst is by the fact of each hit, whichever alternative it is", () => {
		const compared = comparedIn("closest_pedestrian < 2 or closest_cyclist < 2");
		const hits = [
			hit(0, { "closest pedestrian": 1.5 }),
			hit(1, { "closest cyclist": 0.5 }),
			hit(2, { label: 7 }),
			hit(3, { "closest pedestrian": 1, "closest cyclist": 0.1 }),
		];
		expect(scenes(inOrder(hits, keyOf(WORST, compared)))).toEqual([1, 3, 0, 2]);
		const reverse = { ...WORST, descending: true };
		expect(scenes(inOrder(hits, keyOf(reverse, compared)))).toEqual([0, 3, 1, 2]);
	});

	it("hits without the value are the last, in both directions", () => {
		const hits = [
			hit(0, { a: Number.NaN }),
			hit(1, { a: 2 }),
			hit(2, { a: 1 }),
			hit(3, {}),
		];
		const by = { name: "a" };
		const sorted = (descending: boolean) =>
			scenes(inOrder(hits, keyOf({ by, descending }, new Map())));
		expect(sorted(false)).toEqual([2, 1, 0, 3]);
		expect(sorted(true)).toEqual([1, 2, 0, 3]);
		expect(keyOf({ by: "found", descending: false }, new Map())).toBeUndefined();
	});

	it("the first of an order are kept as they were found", () => {
		const hits = [3, 1, 2].map((a) => hit(a, { a }));
		const key = keyOf({ by: { name: "a" }, descending: false }, new Map());
		expect(scenes(firstOf(hits, 2, key))).toEqual([1, 2]);
		expect(scenes(firstOf(hits, 2, undefined))).toEqual([3, 1]);
	});
});
