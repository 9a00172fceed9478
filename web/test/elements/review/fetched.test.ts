import { afterEach, describe, expect, it, vi } from "vitest";
import { fetched } from "../../../src/elements/review/fetched.js";

const url = new URL("https://h.test/p.csv?token=secret");

afterEach(() => vi.unstubAllGlobals());

describe("elements/review/fetched", () => {
	it("returns a response that was found", async () => {
		vi.stubGlobal("fetch", async () => new Response("a,b"));
		const response = await fetched(url, new AbortController().signal);
		await expect(response.text()).resolves.toBe("a,b");
	});

	it("names URL and status of another response, without the query", async () => {
		vi.stubGlobal("fetch", async () => new Response("", { status: 404 }));
		await expect(fetched(url, new AbortController().signal)).rejects.toMatchObject({
			name: "BevError",
			code: "network",
			message: "HTTP 404 for https://h.test/p.csv",
			url: "https://h.test/p.csv",
			status: 404,
		});
	});
});
