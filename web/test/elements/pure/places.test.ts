import { describe, expect, it } from "vitest";
import {
	mapAddresses,
	mapKeys,
	nameOf,
	resolved,
	segmentsOf,
} from "../../../src/elements/pure/places.js";

describe("places", () => {
	it("looks for the map beside the data, then one folder up", () => {
		const places = mapAddresses("https://host/l5/scenes/sample.zarr/?sig=a%2Fb");
		expect(places.map(({ map }) => map.href)).toEqual([
			"https://host/l5/scenes/semantic_map/semantic_map.pb?sig=a%2Fb",
			"https://host/l5/semantic_map/semantic_map.pb?sig=a%2Fb",
		]);
		expect(places[1]?.meta.href).toBe("https://host/l5/meta.json?sig=a%2Fb");
	});

	it("looks in one place where there is no folder further up", () => {
		expect(mapAddresses("https://host/town.zarr")).toHaveLength(1);
	});

	it("looks in the same places of a dropped folder", () => {
		expect(mapKeys("town/scenes/town.zarr").map(({ map }) => map)).toEqual([
			"town/scenes/semantic_map/semantic_map.pb",
			"town/semantic_map/semantic_map.pb",
		]);
		expect(mapKeys("")).toEqual([
			{ map: "semantic_map/semantic_map.pb", meta: "meta.json" },
		]);
	});

	it("names a data set by its last segment", () => {
		expect(nameOf("https://host/a%20b/town.zarr/?sig=1")).toBe("town.zarr");
		expect(segmentsOf("https://host/a%20b/50%/t.zarr")).toEqual([
			"host",
			"a b",
			"50%",
			"t.zarr",
		]);
	});

	it("takes web addresses and paths, nothing else", () => {
		const base = "https://host/app/";
		expect(resolved(" ../data/t.zarr ", base)?.href).toBe("https://host/data/t.zarr");
		expect(resolved("javascript:alert(1)", base)).toBeUndefined();
		expect(resolved("https://", base)).toBeUndefined();
	});
});
