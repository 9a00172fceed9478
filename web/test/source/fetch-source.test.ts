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
	it("gives the object, undefined for 404", async () => {
		const { source } = sourceOf({ "agents/0": [ok] });
		await expect(source.read("agents/0")).resolves.toEqual(body);
		await expect(source.read("agents/1")).resolves.toBeUndefined();
	});

	it("takes 403 for an error, unless told that it means absence", async () => {
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

	it("tries again what may pass", async () => {
		const replies = [status(503), OPAQUE, status(429), status(500), ok];
		const { source, asked } = sourceOf({ k: replies });
		await expect(source.read("k")).resolves.toEqual(body);
		expect(asked).toHaveLength(5);
	});

	it("gives up in the end, naming key, address and status", async () => {
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

	it("does not try again what is final", async () => {
		const { source, asked } = sourceOf({ k: [status(401)] });
		await expect(source.read("k")).rejects.toMatchObject({ status: 401 });
		expect(asked).toHaveLength(1);
	});

	it("waits as long as Retry-After says, or not at all", async () => {
		const { source, asked } = sourceOf({
			k: [status(503, { "Retry-After": "3600" }), ok],
		});
		await expect(source.read("k")).rejects.toMatchObject({ status: 503 });
		expect(asked).toHaveLength(1);
	});

	it("stops trying when aborted", async () => {
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

	it("asks for a range and checks that it is the one that came", async () => {
		const { source, asked } = sourceOf({ k: [part(10, 20, "bytes 10-19/100")] });
		const range = { begin: 10, end: 20 };
		await expect(source.read("k", { range })).resolves.toEqual(body.slice(10, 20));
		expect(asked).toEqual([{ key: "k", range: "bytes=10-19" }]);
	});

	it("refuses another range than the one asked for", async () => {
		const { source } = sourceOf({ k: [part(0, 10, "bytes 0-9/100")] });
		await expect(source.read("k", { range: { begin: 10, end: 20 } })).rejects.toThrow(
			'k: wrong range (found Content-Range "bytes 0-9/100" with 10 bytes, expected bytes 10-19)',
		);
	});

	it("goes by the exact length where Content-Range is hidden", async () => {
		const { source } = sourceOf({ k: [part(10, 20, null)] });
		const range = { begin: 10, end: 20 };
		await expect(source.read("k", { range })).resolves.toEqual(body.slice(10, 20));
	});

	it("reads all of the object where a short range proves nothing", async () => {
		const { source, asked } = sourceOf({ k: [part(50, 100, null), ok] });
		const range = { begin: 50, end: 512 };
		await expect(source.read("k", { range })).resolves.toEqual(body.slice(50));
		expect(asked.map((one) => one.range)).toEqual(["bytes=50-511", null]);
	});

	it("reads all of the object where the range lies beyond its end", async () => {
		const { source } = sourceOf({ k: [status(416), ok] });
		const range = { begin: 100, end: 200 };
		await expect(source.read("k", { range })).resolves.toEqual(new Uint8Array());
	});

	it("slices what a server that ignores ranges sends, and asks it for none again", async () => {
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

	it("asks anew, past the browser's cache, for an object whose bytes were damaged", async () => {
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

	it("refuses a web page in place of data", async () => {
		const page: Reply = () =>
			new Response("<!doctype html>", { headers: { "Content-Type": "text/html" } });
		const { source } = sourceOf({ k: [page] });
		await expect(source.read("k")).rejects.toThrow(
			"k: unexpected response (found a web page, expected data)",
		);
		await expect(source.read("k", { required: false })).resolves.toBeUndefined();
		expect(source.presumedAbsent).toEqual(["k"]);
	});

	it("keeps at most sixteen requests in flight", async () => {
		let inFlight = 0;
		let most = 0;
		const slow: Reply = async () => {
			inFlight += 1;
			most = Math.max(most, inFlight);
			await new Promise((resolve) => setTimeout(resolve, 2));
			inFlight -= 1;
			return new Response(body);
		};
		const keys = Array.from({ length: 20 }, (_, i) => `k${i}`);
		const { source } = sourceOf(Object.fromEntries(keys.map((key) => [key, [slow]])));
		await Promise.all(keys.map((key) => source.read(key)));
		expect(most).toBe(16);
	});

	it("refuses a key that leaves its base", async () => {
		const { source, asked } = sourceOf({});
		await expect(source.read("../secret")).rejects.toMatchObject({
			code: "invalid_argument",
		});
		expect(asked).toEqual([]);
	});

	it("is portable unless a function of the caller's is involved", () => {
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

	it("takes an unreadable answer for absence where absent keys fail the same way", async () => {
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

	it("asks for an optional key as often as for a required one", async () => {
		vi.stubGlobal("origin", "https://page.test");
		for (let lost = 1; lost <= 4; lost += 1) {
			const k = [...Array.from({ length: lost }, () => OPAQUE), ok];
			const { source } = sourceOf({ a: [ok], k });
			await source.read("a");
			await expect(source.read("k", optional)).resolves.toEqual(body);
			expect(source.presumedAbsent).toEqual([]);
		}
	});

	it("takes a key that stays unreadable for an outage where a 404 can be seen", async () => {
		vi.stubGlobal("origin", "https://page.test");
		const { source } = sourceOf({ a: [ok], k: [OPAQUE] });
		await source.read("a");
		await expect(source.read("k", optional)).rejects.toMatchObject({
			code: "network",
			key: "k",
		});
		expect(source.presumedAbsent).toEqual([]);
	});

	it("takes it for an outage where the required key cannot be read any more", async () => {
		vi.stubGlobal("origin", "https://page.test");
		const { source } = sourceOf({ a: [ok, OPAQUE] }, {}, undefined, OPAQUE);
		await source.read("a");
		await expect(source.read("k", optional)).rejects.toMatchObject({ key: "k" });
		expect(source.presumedAbsent).toEqual([]);
	});

	it("goes by the consolidated metadata where that can be read", async () => {
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

	it("never takes a silent server or a body cut short for absence", async () => {
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

	it("loses no key to a storm of lost answers", async () => {
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

	it("takes it for an outage where nothing could be read", async () => {
		vi.stubGlobal("origin", "https://page.test");
		const { source } = sourceOf({}, {}, undefined, OPAQUE);
		const both = await Promise.allSettled([
			source.read(".zmetadata", optional),
			source.read("a/.zarray"),
		]);
		expect(both.map((one) => one.status)).toEqual(["rejected", "rejected"]);
		expect(source.presumedAbsent).toEqual([]);
	});

	it("never takes the failure of a required key for absence", async () => {
		vi.stubGlobal("origin", "https://page.test");
		const { source } = sourceOf({ a: [ok], b: [OPAQUE] });
		await source.read("a");
		await expect(source.read("b")).rejects.toMatchObject({ code: "network", key: "b" });
	});

	it("still tries an optional key again after a status that may pass", async () => {
		vi.stubGlobal("origin", "https://page.test");
		const { source } = sourceOf({ k: [status(503), ok] });
		await expect(source.read("k", optional)).resolves.toEqual(body);
	});

	it("tries optional keys again on the page's own origin", async () => {
		vi.stubGlobal("origin", "https://page.test");
		const own = sourceOf({ k: [OPAQUE, ok] }, {}, "https://page.test/set.zarr");
		await expect(own.source.read("k", optional)).resolves.toEqual(body);
	});

	it("refuses parts of an object that has changed, by whatever is seen of it", async () => {
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
