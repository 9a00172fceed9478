import { describe, expect, it } from "vitest";
import {
	archivePlace,
	folderKeys,
	foldersAround,
	inArchive,
	nameOf,
	resolved,
	segmentsOf,
} from "../../../src/elements/open/places.js";

describe("places", () => {
	const folders = (address: string): string[] =>
		foldersAround(address).map(({ href }) => href);

	it("searches beside the data, then in the parent folder, with the query", () => {
		expect(folders("https://host/l5/data/sample.zarr/?sig=a%2Fb")).toEqual([
			"https://host/l5/data/?sig=a%2Fb",
			"https://host/l5/?sig=a%2Fb",
		]);
	});

	it("searches above a folder of scenes first, where L5Kit stores the map", () => {
		expect(folders("https://host/l5/scenes/sample.zarr")).toEqual([
			"https://host/l5/",
			"https://host/l5/scenes/",
		]);
		expect(folderKeys("town/scenes/town.zarr")).toEqual(["town/", "town/scenes/"]);
	});

	it("searches one folder if there is no parent", () => {
		expect(folders("https://host/town.zarr")).toHaveLength(1);
		expect(folderKeys("")).toEqual([""]);
	});

	it("names a data set by its last segment", () => {
		expect(nameOf("https://host/a%20b/town.zarr/?sig=1")).toBe("town.zarr");
		expect(segmentsOf("https://host/a%20b/50%/t.zarr")).toEqual([
			"host",
			"a b",
			"50%",
			"t.zarr",
		]);
		expect(segmentsOf("https://me:secret@host/t.zarr")).toEqual(["host", "t.zarr"]);
	});

	it("names a data set in a .zip by its path", () => {
		const place = archivePlace("https://host/l5.zip?sig=a", "scenes/a #1%.zarr");
		expect(inArchive(place)).toEqual({
			path: "https://host/l5.zip?sig=a",
			folder: "scenes/a #1%.zarr",
		});
		expect(inArchive(new URL(place).href).folder).toBe("scenes/a #1%.zarr");
		expect(nameOf(place)).toBe("a #1%.zarr");
		expect(segmentsOf(place)).toEqual(["host", "l5.zip", "scenes", "a #1%.zarr"]);
		for (const other of ["https://host/t.zarr#x", "l5.zip", "l5.zip#"]) {
			expect(inArchive(other)).toEqual({ path: other, folder: undefined });
		}
	});

	it("accepts only URLs and paths", () => {
		const base = "https://host/app/";
		expect(resolved(" ../data/t.zarr ", base)?.href).toBe("https://host/data/t.zarr");
		expect(resolved("javascript:alert(1)", base)).toBeUndefined();
		expect(resolved("https://", base)).toBeUndefined();
	});
});
