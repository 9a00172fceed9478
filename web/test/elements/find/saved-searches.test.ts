import { describe, expect, it } from "vitest";
import {
	MAX_SEARCHES,
	nameFrom,
	SavedSearches,
} from "../../../src/elements/find/saved-searches.js";
import { formatLink, parseLink } from "../../../src/elements/link/link.js";

function storage(text: string | null = null) {
	const held = { text };
	return {
		held,
		getItem: () => held.text,
		setItem: (_: string, value: string) => {
			held.text = value;
		},
	};
}

const NEAR = { name: "Near", table: "tracks", where: "closest_ego < 2" } as const;

describe("find/saved-searches", () => {
	it("are kept by name, in the order of the names", () => {
		const kept = storage();
		const searches = new SavedSearches(() => kept);
		searches.put(NEAR);
		searches.put({ ...NEAR, name: "A turn", where: "turn == 'left'" });
		expect(searches.put({ ...NEAR, where: "closest_ego < 1" })).toBe(true);
		const again = new SavedSearches(() => kept);
		expect(again.all.map(({ name, where }) => [name, where])).toEqual([
			["A turn", "turn == 'left'"],
			["Near", "closest_ego < 1"],
		]);
		again.remove("Near");
		expect(searches.all).toHaveLength(1);
	});

	it("that are invalid are left out", () => {
		const values = [NEAR, { ...NEAR, table: "cars" }, { ...NEAR, name: '"' }, 3, null];
		for (const text of ["{", '{"a":1}']) {
			expect(new SavedSearches(() => storage(text)).all).toEqual([]);
		}
		const held = storage(JSON.stringify([...values, { ...NEAR, where: 3 }]));
		expect(new SavedSearches(() => held).all).toEqual([NEAR]);
	});

	it("last as long as the page without storage, and are at most 50", () => {
		const searches = new SavedSearches(() => {
			throw new Error("forbidden");
		});
		expect(searches.put(NEAR)).toBe(false);
		expect(searches.all).toEqual([NEAR]);
		for (let i = 1; i < MAX_SEARCHES; i += 1) searches.put({ ...NEAR, name: `${i}` });
		expect([searches.hasSpace("Near"), searches.hasSpace("new")]).toEqual([
			true,
			false,
		]);
	});

	it("are in links with their names", () => {
		const name = nameFrom('  cars "near"  us ');
		expect(name).toBe("cars 'near' us");
		const find = { ...NEAR, name };
		const link = formatLink({ find });
		expect(parseLink(link).state.find).toEqual(find);
		expect(parseLink("find=tracks:a < 2").state.find).toEqual({
			...{ table: "tracks", where: "a < 2", name: undefined },
		});
	});
});
