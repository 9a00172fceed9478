import { describe, expect, it } from "vitest";
import {
	type Decided,
	galleryFrom,
	galleryText,
	listOf,
} from "../../../src/elements/gallery/gallery-link.js";
import { formatLink, parseLink } from "../../../src/elements/link/link.js";

const ITEMS: readonly Decided[] = [
	{
		item: {
			...{ scene: 3, frame: 40, track: 7n, mark: 7n, follows: true, lines: 7n },
			values: [
				{ name: "ADE B \u2212 A", text: "+2.5 m", number: 2.5 },
				{ name: "a=b;c,d|e", text: "yes", number: Number.NaN },
			],
		},
		mark: "keep",
		tags: ["near miss", "50 %;|,="],
	},
	{
		item: {
			...{ scene: 0, frame: 0, track: undefined, mark: "ego", follows: false },
			...{ lines: -1n, values: [] },
		},
		mark: undefined,
		tags: [],
	},
	{
		item: {
			...{ scene: 1, frame: 2, track: undefined, mark: undefined, follows: false },
			...{ lines: "all", futures: "1:5", values: [] },
		},
		mark: "skip",
		tags: [],
	},
];

describe("gallery/gallery-link", () => {
	it("a link has items, captions, marks and tags", () => {
		const { text, count } = galleryText("B \u2212 A; worst", ITEMS);
		expect(count).toBe(3);
		const { state, bad } = parseLink(formatLink({ gallery: text }));
		expect(bad).toEqual([]);
		const linked = galleryFrom(state.gallery ?? "");
		expect(linked).toEqual({
			title: "B \u2212 A; worst",
			items: ITEMS,
			hasLines: true,
		});
		if (!linked) throw new Error("no gallery");
		const list = listOf(linked, []);
		expect(list.items).toEqual(ITEMS.map(({ item }) => item));
		expect(list.decided?.get(list.items[2] as Decided["item"])?.mark).toBe("skip");
	});

	it("futures that no picture has are refused", () => {
		expect(galleryFrom("x;1,2,,,,,all")?.items[0]?.item.futures).toBe("all");
		for (const other of ["", "2:5", "0:x", "none"])
			expect(galleryFrom(`x;1,2,,,,,${other}`), other).toBeUndefined();
	});

	it("a long gallery is cut at an item, and the number is told", () => {
		const [first] = ITEMS as [Decided];
		const { text, count } = galleryText("", new Array(500).fill(first));
		expect(count).toBeGreaterThan(50);
		expect(count).toBeLessThan(500);
		expect(text.length).toBeLessThanOrEqual(16_000);
		expect(galleryFrom(text)?.items).toHaveLength(count);
	});

	it("what is no gallery is refused", () => {
		for (const text of [
			"",
			"title",
			"t;x,1,,,,",
			"t;1,2,car,,,",
			"t;1,2,,z,,",
			"t;0,0;-1,3",
		])
			expect(galleryFrom(text)).toBeUndefined();
		expect(galleryFrom("t;0,0,,,%,%")?.items).toHaveLength(1); // invalid escapes are text
	});
});
