import { describe, expect, it } from "vitest";
import { BevError } from "../../../src/base/errors.js";
import {
	explained,
	formatBytes,
	isAbort,
	problemOf,
} from "../../../src/elements/session/problem.js";
import { obstructed } from "../../../src/loading/probe.js";

describe("problem", () => {
	it("gives advice for each kind of failure", () => {
		const titles = [
			new BevError("network", "no answer", { url: "https://h/.zgroup" }),
			new BevError("network", "HTTP 404", { status: 404 }),
			new BevError("network", "HTTP 403", { status: 403 }),
			new BevError("network", "HTTP 503", { status: 503 }),
			new BevError("io", "agents/1: read failed: Input/output error"),
			new BevError("out_of_memory", "frame: needs 9 bytes"),
			new BevError("limit_exceeded", "agents: too many rows"),
			new BevError("corrupt_chunk", "agents/1: 7 bytes, expected 9"),
			obstructed("old browser", "browser: missing WebAssembly SIMD"),
			new BevError("unsupported", "agents/.zarray: codec pcodec"),
			obstructed("policy", "core: blocked"),
			obstructed("no url", "core: no script"),
			new TypeError("x is not a function"),
		].map((error) => problemOf(error).title);
		expect(new Set(titles).size).toBe(titles.length);
		expect(titles.slice(8, 12)).toEqual([
			"This browser is too old",
			"Unsupported format",
			"This page's policy blocks WebAssembly",
			"This page cannot load the reader",
		]);
	});

	it("does not take data whose name resembles an obstacle for one", () => {
		const message = "browser: missing/wasm-unsafe-eval/.zarray: codec pcodec";
		expect(problemOf(new BevError("unsupported", message)).title).toBe(
			"Unsupported format",
		);
	});

	it("explains a missing key by what required it", () => {
		const error = new BevError("missing_key", "any text", { status: 404 });
		expect(problemOf(error, "open").title).toBe("No data set found");
		expect(problemOf(error, "read").title).toBe("Missing chunk");
		expect(problemOf(error).title).toBe("Missing chunk");
		expect(problemOf(error, "configure").title).toBe("Missing key");
	});

	it("mentions CORS if there was no response", () => {
		const { advice } = problemOf(new BevError("network", "no answer"));
		expect(advice.join(" ")).toContain("Access-Control-Allow-Origin");
	});

	it("does not mention CORS for changed data", () => {
		const error = new BevError("changed", "agents/0: changed on the server");
		const { title, advice } = problemOf(error);
		expect(title).toBe("The data changed");
		expect(advice).toEqual([
			"Open the data set again. The old data is displayed until then.",
		]);
	});

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

	it("prefers an error's attached explanation", () => {
		const error = explained(new BevError("network", "no answer"), {
			title: "The URL leads to a web page, not to data",
			advice: ["Sign in."],
		});
		expect(problemOf(error)).toMatchObject({
			title: "The URL leads to a web page, not to data",
			advice: ["Sign in."],
			why: "no answer",
		});
	});

	it("distinguishes an abort from a failure", () => {
		expect(isAbort(new DOMException("gone", "AbortError"))).toBe(true);
		expect(isAbort(new Error("AbortError"))).toBe(false);
	});

	it("formats bytes", () => {
		expect([312, 1500, 14_000, 1_900_000, 2.5e9].map(formatBytes)).toEqual([
			"312 B",
			"1.5 kB",
			"14 kB",
			"1.9 MB",
			"2.50 GB",
		]);
	});
});
