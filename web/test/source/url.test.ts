import { describe, expect, it } from "vitest";
import { absolute, below, beside } from "../../src/source/url.js";

describe("source/url", () => {
	it("appends segments, percent-encoded, and keeps the query", () => {
		const base = new URL("https://host/a%20b/set.zarr?sig=x%2Fy&e=1#frag");
		expect(below(base, "agents/0.1 #?").href).toBe(
			"https://host/a%20b/set.zarr/agents/0.1%20%23%3F?sig=x%2Fy&e=1",
		);
	});

	it("treats a base with and without a final slash alike", () => {
		for (const base of ["https://host/s.zarr", "https://host/s.zarr/"]) {
			expect(below(new URL(base), ".zgroup").href).toBe("https://host/s.zarr/.zgroup");
		}
	});

	it("rejects keys that leave the base", () => {
		const base = new URL("https://host/s.zarr/");
		for (const key of [
			"../x",
			"a/../../x",
			"/etc",
			"//evil/x",
			"a//b",
			".",
			"",
			"a/",
		]) {
			expect(() => below(base, key), key).toThrow(/segment/);
		}
	});

	it("does not treat a key as a URL", () => {
		const base = new URL("https://host/s.zarr/");
		expect(below(base, "https:evil").origin).toBe("https://host");
		expect(below(base, "%2e%2e").pathname).toBe("/s.zarr/%252e%252e");
		expect(below(base, "a\\..\\b").pathname).toBe("/s.zarr/a%5C..%5Cb");
	});

	it("reports an invalid URL", () => {
		expect(() => absolute("data/x.zarr")).toThrow('URL: invalid (found "data/x.zarr")');
		expect(() => absolute("")).toThrow('URL: invalid (found "")');
		expect(absolute("https://host/x").href).toBe("https://host/x");
	});

	it("adds the query to same-origin URLs without one", () => {
		const base = new URL("https://h.test/d/x.zarr?sig=1#top");
		expect(beside(base, "../m/a.pb").href).toBe("https://h.test/d/m/a.pb?sig=1");
		expect(beside(base, "https://h.test/a.pb").href).toBe("https://h.test/a.pb?sig=1");
		expect(beside(base, "a.pb?sig=2").href).toBe("https://h.test/d/x.zarr/a.pb?sig=2");
		expect(beside(base, "https://other.test/a.pb").href).toBe(
			"https://other.test/a.pb",
		);
		expect(() => beside(base, "http://[")).toThrow(
			expect.objectContaining({ code: "invalid_argument" }),
		);
	});
});
