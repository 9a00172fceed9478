import { describe, expect, it } from "vitest";
import { resolveObject, resolveSource } from "../src/resolve.js";
import { FetchSource } from "../src/source/fetch-source.js";
import { MemorySource } from "../src/source/memory-source.js";

describe("resolve", () => {
	it("reads addresses by fetch", async () => {
		const source = await resolveSource("https://h.test/x.zarr");
		expect(source).toBeInstanceOf(FetchSource);
	});

	it("takes any source as it is", async () => {
		const source = new MemorySource({});
		await expect(resolveSource(source)).resolves.toBe(source);
	});

	it("finds the data set in a folder", async () => {
		const files = new Map([["town/scenes/a.zarr/.zgroup", new Blob(["{}"])]]);
		const source = await resolveSource(files);
		await expect(source.read(".zgroup")).resolves.toHaveLength(2);
	});

	it("says when a folder holds none", async () => {
		const files = new Map([["notes.txt", new Blob(["hi"])]]);
		await expect(resolveSource(files)).rejects.toMatchObject({ code: "not_found" });
	});

	it("takes relative addresses from the data set's", () => {
		const dataset = new FetchSource("https://h.test/d/scenes/x.zarr?sig=1");
		const { source, key } = resolveObject(
			"../../semantic_map/semantic map.pb",
			dataset,
		);
		expect(key).toBe("semantic map.pb");
		expect((source as FetchSource).url.href).toBe("https://h.test/d/semantic_map/");
	});

	it("keeps the query of a full address", () => {
		const { source, key } = resolveObject(
			"https://h.test/m/a%20b.pb?sig=1",
			new MemorySource({}),
		);
		expect(key).toBe("a b.pb");
		expect((source as FetchSource).url.href).toBe("https://h.test/m/?sig=1");
	});

	it("takes a key of any source", () => {
		const from = { source: new MemorySource({}), key: "map.pb" };
		expect(resolveObject(from, new MemorySource({}))).toBe(from);
	});
});
