import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
	BevError,
	ERROR_CODES,
	isErrorCode,
	toBevError,
} from "../../src/base/errors.js";

describe("errors", () => {
	it("recognizes its codes", () => {
		expect(ERROR_CODES.every(isErrorCode)).toBe(true);
		expect(isErrorCode("ENOENT")).toBe(false);
	});

	it("has the core's codes in the core's order, and that of closed objects", () => {
		const header = new URL("../../../include/bevscope/error.hpp", import.meta.url);
		const text = readFileSync(header, "utf8");
		const list = /enum class Errc \{(.*?)\};/s.exec(text)?.[1] ?? "";
		const names = [...list.matchAll(/^ *(\w+),/gm)].map(([, name]) => name);
		expect(ERROR_CODES).toEqual([...names, "closed"]);
	});

	it("keeps only known details", () => {
		const error = new BevError("network", "agents/3: HTTP 500", { key: "agents/3" });
		expect(error).toBeInstanceOf(Error);
		expect(error).toMatchObject({ name: "BevError", code: "network", key: "agents/3" });
		expect("url" in error).toBe(false);
		expect("cause" in error).toBe(false);
	});

	it("takes the code of a core error", () => {
		const thrown = Object.assign(new Error("agents/3: damaged"), {
			code: "corrupt_chunk",
		});
		const error = toBevError(thrown);
		expect(error).toMatchObject({
			code: "corrupt_chunk",
			message: "agents/3: damaged",
		});
		expect(error.cause).toBe(thrown);
	});

	it("uses the fallback code for other errors", () => {
		expect(toBevError("text")).toMatchObject({ code: "internal", message: "text" });
		expect(toBevError(undefined, "network").code).toBe("network");
		const system = Object.assign(new Error("no file"), { code: "ENOENT" });
		expect(toBevError(system).code).toBe("internal");
	});

	it("does not wrap itself", () => {
		const error = new BevError("unsupported", "lz77");
		expect(toBevError(error)).toBe(error);
	});

	it("removes secrets from URLs", () => {
		const shown = (url: string) => new BevError("network", "k: HTTP 401", { url }).url;
		expect(shown("https://h.test/a/k?sig=secret#x")).toBe("https://h.test/a/k");
		expect(shown("https://me:secret@h.test/k")).toBe("https://h.test/k");
		expect(shown("//me:secret@h.test/k?x")).toBe("//h.test/k");
		expect(shown("a b/k?sig=secret")).toBe("a b/k");
		expect(shown("https://h.test/@k")).toBe("https://h.test/@k");
	});

	it("removes secrets from messages, and nothing else", () => {
		const said = (text: string) => new BevError("network", text).message;
		expect(said('k: 403 (https://u:p@h/k?sig=1): again, "https://h/b c?sig=2".')).toBe(
			'k: 403 (https://h/k): again, "https://h/b c".',
		);
		for (const text of ["a: what? b=c", "a//b@c", "(?=a)", "http://h:80: closed"]) {
			expect(said(text)).toBe(text);
		}
		const long = `${"a".repeat(1e6)}${")".repeat(1e6)}`;
		expect(said(long)).toBe(long);
	});

	it("drops causes that quote a secret", () => {
		const url = "https://h.test/k?sig=secret";
		const input = Object.assign(new TypeError("Invalid URL"), { input: url });
		const nested = new Error("fetch failed", { cause: new Error(`no ${url}`) });
		for (const cause of [input, nested]) {
			expect("cause" in new BevError("network", "k", { cause })).toBe(false);
		}
		const cause = new Error("https://h.test/k refused");
		expect(new BevError("network", "k", { cause }).cause).toBe(cause);
	});
});
