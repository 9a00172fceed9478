import { describe, expect, it } from "vitest";
import { exchange } from "../../src/source/http.js";

const url = new URL("https://host/x");

/** Never answers; rejects like `fetch` when aborted. */
function silent(_: URL, init: RequestInit): Promise<Response> {
	return new Promise((_resolve, reject) => {
		init.signal?.addEventListener("abort", () => reject(init.signal?.reason));
	});
}

describe("source/http", () => {
	it("returns the response with its body", async () => {
		const fetch = async (): Promise<Response> => new Response("abc", { status: 206 });
		const { response, bytes } = await exchange(url, {
			fetch,
			init: {},
			timeoutMs: 1000,
		});
		expect(response.status).toBe(206);
		expect([...bytes]).toEqual([97, 98, 99]);
	});

	it("times out if the server is silent", async () => {
		const waiting = exchange(url, { fetch: silent, init: {}, timeoutMs: 5 });
		await expect(waiting).rejects.toThrow("no response within 0.005 s");
	});

	it("rejects with the abort's reason", async () => {
		const control = new AbortController();
		const { signal } = control;
		const options = { fetch: silent, init: {}, timeoutMs: 10_000, signal };
		const waiting = exchange(url, options);
		control.abort(new Error("left"));
		await expect(waiting).rejects.toThrow("left");
		await expect(exchange(url, options)).rejects.toThrow("left");
	});
});
