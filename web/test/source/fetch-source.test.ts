import { afterEach, describe, expect, it, vi } from "vitest";
import { FetchSource } from "../../src/source/fetch-source.js";
import {
	body,
	OPAQUE,
	ok,
	part,
	type Reply,
	sourceOf,
	status,
} from "../support/replies.js";

const ascii = (text: string) => new TextEncoder().encode(text);

afterEach(() => vi.unstubAllGlobals());

describe("source/fetch-source", () => {
	it("returns the object, or undefined for 404", async () => {
		const { source } = sourceOf({ "agents/0": [ok] });
		await expect(source.read("agents/0")).resolves.toEqual(body);
		await expect(source.read("agents/1")).resolves.toBeUndefined();
	});

	it("treats 403 as an error unless forbiddenIsAbsent is set", async () => {
		const replies = { k: [status(403)] };
		const { source } = sourceOf(replies);
		await expect(source.read("k")).rejects.toMatchObject({
			code: "network",
			key: "k",
			status: 403,
			message: "k: HTTP 403",
		});
		const lenient = sourceOf(replies, { forbiddenIsAbsent: true });
		await expect(lenient.source.read("k")).resolves.toBeUndefined();
	});

	it("treats 403 of a document as absence beside another one of its folder", async () => {
		const denied = [status(403)];
		const { source } = sourceOf(
			{ ".zgroup": [ok], "agents/.zarray": [ok], "agents/.zattrs": denied },
			{},
			undefined,
			status(403),
		);
		await expect(source.read(".zmetadata")).resolves.toBeUndefined();
		await expect(source.read("agents/.zattrs")).resolves.toBeUndefined();
		expect(source.absence(".zmetadata")?.status).toBe(403);
		for (const key of ["agents/0", "lights/.zarray", "a/b/.zattrs"]) {
			await expect(source.read(key)).rejects.toMatchObject({ key, status: 403 });
		}
	});

	it("retries transient failures", async () => {
		const replies = [status(503), OPAQUE, status(429), status(500), ok];
		const { source, asked } = sourceOf({ k: replies });
		await expect(source.read("k")).resolves.toEqual(body);
		expect(asked).toHaveLength(5);
	});

	it("fails after the last retry, naming key, URL and status", async () => {
		const { source, asked } = sourceOf(
			{ k: [status(503)] },
			{},
			"https://h.test/set.zarr",
		);
		await expect(source.read("k")).rejects.toMatchObject({
			code: "network",
			key: "k",
			status: 503,
			url: "https://h.test/set.zarr/k",
		});
		expect(asked).toHaveLength(5);
	});

	it("does not retry permanent failures", async () => {
		const { source, asked } = sourceOf({ k: [status(401)] });
		await expect(source.read("k")).rejects.toMatchObject({ status: 401 });
		expect(asked).toHaveLength(1);
	});

	it("waits as requested by Retry-After, or fails", async () => {
		const { source, asked } = sourceOf({
			k: [status(503, { "Retry-After": "3600" }), ok],
		});
		await expect(source.read("k")).rejects.toMatchObject({ status: 503 });
		expect(asked).toHaveLength(1);
	});

	it("stops retrying when aborted", async () => {
		const control = new AbortController();
		const { source, asked } = sourceOf(
			{ k: [status(503)] },
			{ retry: { delayMs: 60_000, retries: 9 } },
		);
		const reading = source.read("k", { signal: control.signal });
		await vi.waitFor(() => expect(asked).toHaveLength(1));
		control.abort(new Error("gone"));
		await expect(reading).rejects.toThrow("gone");
	});

	it("requests a range and checks the received one", async () => {
		const { source, asked } = sourceOf({ k: [part(10, 20, "bytes 10-19/100")] });
		const range = { begin: 10, end: 20 };
		await expect(source.read("k", { range })).resolves.toEqual(body.slice(10, 20));
		expect(asked).toEqual([{ key: "k", range: "bytes=10-19" }]);
	});

	it("rejects a range other than the requested one", async () => {
		const { source } = sourceOf({ k: [part(0, 10, "bytes 0-9/100")] });
		await expect(source.read("k", { range: { begin: 10, end: 20 } })).rejects.toThrow(
			'k: wrong range (found Content-Range "bytes 0-9/100" with 10 bytes, expected bytes 10-19)',
		);
	});

	it("compares lengths if Content-Range is hidden", async () => {
		const { source } = sourceOf({ k: [part(10, 20, null)] });
		const range = { begin: 10, end: 20 };
		await expect(source.read("k", { range })).resolves.toEqual(body.slice(10, 20));
	});

	it("reads the whole object if a short range is ambiguous", async () => {
		const { source, asked } = sourceOf({ k: [part(50, 100, null), ok] });
		const range = { begin: 50, end: 512 };
		await expect(source.read("k", { range })).resolves.toEqual(body.slice(50));
		expect(asked.map((one) => one.range)).toEqual(["bytes=50-511", null]);
	});

	it("reads the whole object if the range is beyond its end", async () => {
		const { source } = sourceOf({ k: [status(416), ok] });
		const range = { begin: 100, end: 200 };
		await expect(source.read("k", { range })).resolves.toEqual(new Uint8Array());
	});

	it("slices whole responses of a server that ignores ranges, and stops requesting ranges", async () => {
		const { source, asked } = sourceOf({ a: [ok], b: [ok] });
		const read = (key: string, begin: number) =>
			source.read(key, { range: { begin, end: begin + 5 } });
		await expect(read("a", 10)).resolves.toEqual(body.slice(10, 15));
		await expect(read("a", 20)).resolves.toEqual(body.slice(20, 25));
		await expect(read("b", 30)).resolves.toEqual(body.slice(30, 35));
		expect(asked).toEqual([
			{ key: "a", range: "bytes=10-14" },
			{ key: "b", range: null },
		]);
	});

	it("requests a corrupt object again, bypassing the browser's cache", async () => {
		const bodies = ["damaged", "is whole", "is whole"];
		const fetch = vi.fn<(url: URL, init: RequestInit) => Promise<Response>>(
			async () => new Response(bodies.shift()),
		);
		const source = new FetchSource("https://host/set", { fetch });
		const range = { begin: 0, end: 4 };
		expect(await source.read("x/0", { range })).toEqual(ascii("dama"));
		source.forget("x/1");
		expect(await source.read("x/0", { range })).toEqual(ascii("dama"));
		source.forget("x/0");
		expect(await source.read("x/0", { range })).toEqual(ascii("is w"));
		source.forget("x/0");
		expect(await source.read("x/0")).toEqual(ascii("is whole"));
		expect(fetch.mock.calls.at(-1)?.[1].cache).toBe("reload");
	});

	it("rejects a web page instead of data", async () => {
		const page: Reply = () =>
			new Response("<!doctype html>", { headers: { "Content-Type": "text/html" } });
		const { source } = sourceOf({ k: [page] });
		await expect(source.read("k")).rejects.toThrow(
			"k: unexpected response (found a web page, expected data)",
		);
		await expect(source.read("k", { required: false })).resolves.toBeUndefined();
		expect(source.presumedAbsent).toEqual(["k"]);
	});

	it("rejects a key that leaves its base", async () => {
		const { source, asked } = sourceOf({});
		await expect(source.read("../secret")).rejects.toMatchObject({
			code: "invalid_argument",
		});
		expect(asked).toEqual([]);
	});

	it("can be cloned unless the caller passed a function", () => {
		expect(sourceOf({}).source.portable).toBeUndefined();
		const plain = new FetchSource("https://h.test/x", { headers: { A: "b" } });
		expect(plain.portable).toEqual({
			url: "https://h.test/x",
			settings: { headers: { A: "b" } },
		});
	});
});

describe("source/fetch-source on another origin", () => {
	const optional = { required: false };

	it("presumes absence if absent keys fail the same way", async () => {
		vi.stubGlobal("origin", "https://page.test");
		const replies = { "a/.zarray": [ok] };
		const { source, asked } = sourceOf(replies, {}, undefined, OPAQUE);
		const both = await Promise.all([
			source.read(".zmetadata", optional),
			source.read("a/.zarray"),
		]);
		expect(both).toEqual([undefined, body]);
		expect(source.presumedAbsent).toEqual([".zmetadata"]);
		expect(asked.filter(({ key }) => key === ".zmetadata")).toHaveLength(5);
		expect(asked.filter(({ key }) => key.startsWith(".bevscope-"))).toHaveLength(10);
	});

	it("retries optional keys like required ones", async () => {
		vi.stubGlobal("origin", "https://page.test");
		for (let lost = 1; lost <= 4; lost += 1) {
			const k = [...Array.from({ length: lost }, () => OPAQUE), ok];
			const { source } = sourceOf({ a: [ok], k });
			await source.read("a");
			await expect(source.read("k", optional)).resolves.toEqual(body);
			expect(source.presumedAbsent).toEqual([]);
		}
	});

	it("treats an unreadable key as an outage if 404s are visible", async () => {
		vi.stubGlobal("origin", "https://page.test");
		const { source } = sourceOf({ a: [ok], k: [OPAQUE] });
		await source.read("a");
		await expect(source.read("k", optional)).rejects.toMatchObject({
			code: "network",
			key: "k",
		});
		expect(source.presumedAbsent).toEqual([]);
	});

	it("treats it as an outage if the required key cannot be read either", async () => {
		vi.stubGlobal("origin", "https://page.test");
		const { source } = sourceOf({ a: [ok, OPAQUE] }, {}, undefined, OPAQUE);
		await source.read("a");
		await expect(source.read("k", optional)).rejects.toMatchObject({ key: "k" });
		expect(source.presumedAbsent).toEqual([]);
	});

	it("uses consolidated metadata if readable", async () => {
		vi.stubGlobal("origin", "https://page.test");
		const listing: Reply = () =>
			new Response(JSON.stringify({ metadata: { "a/.zarray": {}, ".zattrs": {} } }));
		const replies = { ".zmetadata": [listing], "a/.zarray": [ok] };
		const { source } = sourceOf(replies, {}, undefined, OPAQUE);
		const read = (key: string) => source.read(key, optional);
		const reads = [".zmetadata", ".zattrs", "b/.zarray"].map(read);
		await source.read("a/.zarray");
		const [, listed, other] = await Promise.allSettled(reads);
		expect(listed).toMatchObject({ status: "rejected", reason: { key: ".zattrs" } });
		expect(other).toEqual({ status: "fulfilled", value: undefined });
		expect(source.presumedAbsent).toEqual([]);
	});

	it("never presumes absence from a timeout or truncated body", async () => {
		vi.stubGlobal("origin", "https://page.test");
		const cut: Reply = () => {
			const stream = new ReadableStream({
				pull: (controller) => controller.error(new TypeError("terminated")),
			});
			return new Response(stream);
		};
		const never: Reply = () => new Promise(() => {});
		for (const fault of [cut, never]) {
			const replies = { a: [ok], k: [fault] };
			const { source } = sourceOf(replies, { timeoutMs: 20 }, undefined, OPAQUE);
			await source.read("a");
			await expect(source.read("k", optional)).rejects.toMatchObject({ key: "k" });
			expect(source.presumedAbsent).toEqual([]);
		}
	});

	it("loses no key if many responses are lost", async () => {
		vi.stubGlobal("origin", "https://page.test");
		let seed = 1;
		const random = (): number => {
			seed = (seed + 0x6d2b79f5) | 0;
			let bits = Math.imul(seed ^ (seed >>> 15), 1 | seed);
			bits ^= bits + Math.imul(bits ^ (bits >>> 7), 61 | bits);
			return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
		};
		for (const [rate, absent] of [
			[0.05, OPAQUE],
			[0.2, status(404)],
		] as const) {
			const visit = async (): Promise<void> => {
				const stormy =
					(reply: Reply): Reply =>
					() =>
						random() < rate ? OPAQUE() : reply();
				const replies = { a: [stormy(ok)], k: [stormy(ok)] };
				const { source } = sourceOf(replies, {}, undefined, stormy(absent));
				const reads = [source.read("a"), source.read("k", optional)];
				const [, k] = await Promise.allSettled(reads);
				if (k?.status === "fulfilled") expect(k.value).toEqual(body);
				expect(source.presumedAbsent).toEqual([]);
			};
			await Promise.all(Array.from({ length: 40 }, visit));
		}
	});

	it("treats it as an outage if nothing was readable", async () => {
		vi.stubGlobal("origin", "https://page.test");
		const { source } = sourceOf({}, {}, undefined, OPAQUE);
		const both = await Promise.allSettled([
			source.read(".zmetadata", optional),
			source.read("a/.zarray"),
		]);
		expect(both.map((one) => one.status)).toEqual(["rejected", "rejected"]);
		expect(source.presumedAbsent).toEqual([]);
	});

	it("never presumes a required key absent", async () => {
		vi.stubGlobal("origin", "https://page.test");
		const { source } = sourceOf({ a: [ok], b: [OPAQUE] });
		await source.read("a");
		await expect(source.read("b")).rejects.toMatchObject({ code: "network", key: "b" });
	});

	it("retries an optional key after a transient status", async () => {
		vi.stubGlobal("origin", "https://page.test");
		const { source } = sourceOf({ k: [status(503), ok] });
		await expect(source.read("k", optional)).resolves.toEqual(body);
	});

	it("retries optional keys on the page's origin", async () => {
		vi.stubGlobal("origin", "https://page.test");
		const own = sourceOf({ k: [OPAQUE, ok] }, {}, "https://page.test/set.zarr");
		await expect(own.source.read("k", optional)).resolves.toEqual(body);
	});

	it("rejects ranges of a changed object, by any validator", async () => {
		const tagged =
			(headers: Record<string, string>): Reply =>
			() =>
				new Response(body.slice(0, 4), { status: 206, headers });
		const range = { begin: 0, end: 4 };
		const of = (size: number) => ({ "Content-Range": `bytes 0-3/${size}` });
		const states: [Record<string, string>, Record<string, string>, string][] = [
			[{ ETag: '"a"' }, { ETag: '"b"' }, 'ETag "b", was ETag "a"'],
			[{ "Last-Modified": "x" }, { "Last-Modified": "y" }, "Last-Modified y, was x"],
			[of(100), of(99), "99 bytes, was 100 bytes"],
		];
		for (const [before, after, said] of states) {
			const { source } = sourceOf({
				k: [tagged(before), tagged(before), tagged(after)],
			});
			await source.read("k", { range });
			await source.read("k", { range });
			await expect(source.read("k", { range })).rejects.toThrow(
				`k: changed on the server (${said})`,
			);
		}
	});
});
