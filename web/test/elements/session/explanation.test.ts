import { describe, expect, it } from "vitest";
import { BevError } from "../../../src/base/errors.js";
import { explained, explanationOf } from "../../../src/elements/session/explanation.js";
import { problemOf } from "../../../src/elements/session/problem.js";
import { obstructed } from "../../../src/loading/probe.js";

const of = (thrown: unknown) => explanationOf(problemOf(thrown));

describe("session/explanation", () => {
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
		].map((thrown) => of(thrown).title);
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
		expect(of(new BevError("unsupported", message)).title).toBe("Unsupported format");
	});

	it("explains a missing key by what required it", () => {
		const error = new BevError("missing_key", "any text", { status: 404 });
		expect(explanationOf(problemOf(error, "open")).title).toBe("No data set found");
		expect(explanationOf(problemOf(error, "read")).title).toBe("Missing chunk");
		expect(of(error).title).toBe("Missing chunk");
	});

	it("mentions CORS if there was no response", () => {
		const { advice } = of(new BevError("network", "no answer"));
		expect(advice.join(" ")).toContain("Access-Control-Allow-Origin");
	});

	it("does not mention CORS for changed data", () => {
		const error = new BevError("changed", "agents/0: changed on the server");
		const { title, advice } = of(error);
		expect(title).toBe("The data changed");
		expect(advice).toEqual([
			"Open the data set again. The old data is displayed until then.",
		]);
	});

	it("prefers an error's attached explanation", () => {
		const error = explained(new BevError("network", "no answer"), {
			title: "The URL leads to a web page, not to data",
			advice: ["Sign in."],
		});
		expect(of(error)).toMatchObject({
			title: "The URL leads to a web page, not to data",
			advice: ["Sign in."],
		});
	});
});
