import { describe, expect, it } from "vitest";
import { BevError } from "../../../src/base/errors.js";
import { isAbort, problemOf } from "../../../src/elements/session/problem.js";

describe("session/problem", () => {
	it("names the failed request", () => {
		const error = new BevError("network", "it broke", {
			url: "https://h/a",
			status: 500,
		});
		expect(problemOf(error)).toMatchObject({
			why: "it broke",
			request: "https://h/a (HTTP 500)",
		});
		expect(problemOf("odd").request).toBeUndefined();
	});

	it("hides a URL's credentials", () => {
		const url = "https://h/a.zarr/.zgroup?X-Amz-Signature=abcdef";
		const error = new BevError("network", `${url}: no answer`, { url });
		const { why, request } = problemOf(error);
		expect(`${why} ${request}`).not.toContain("abcdef");
		expect(request).toContain("https://h/a.zarr/.zgroup");
	});

	it("distinguishes an abort from a failure", () => {
		expect(isAbort(new DOMException("gone", "AbortError"))).toBe(true);
		expect(isAbort(new Error("AbortError"))).toBe(false);
	});
});
