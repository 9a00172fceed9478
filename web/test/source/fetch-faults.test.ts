import { describe, expect, it, vi } from "vitest";
import { FaultyServer } from "../../../tests/support/http-server.js";
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

/** A body that sends the given number of bytes and then stalls. */
const stalls =
	(sent: number): Reply =>
	() => {
		const start = (controller: ReadableStreamDefaultController): void =>
			controller.enqueue(body.slice(0, sent));
		return new Response(new ReadableStream({ start }));
	};

describe("source/fetch-faults: a stalled or endless body", () => {
	it("is requested again after a timeout", async () => {
		const { source, asked } = sourceOf({ k: [stalls(7), ok] }, { timeoutMs: 20 });
		await expect(source.read("k")).resolves.toEqual(body);
		expect(asked).toHaveLength(2);
	});

	it("is an error after retries, with the status", async () => {
		const options = { timeoutMs: 20, retry: { retries: 1, delayMs: 1 } };
		const { source } = sourceOf({ k: [stalls(7)] }, options);
		await expect(source.read("k")).rejects.toMatchObject({
			code: "network",
			status: 200,
			message: "k: body stalled for 0.02 s",
		});
	});

	it("may take any time while bytes arrive", async () => {
		vi.useFakeTimers();
		try {
			let sent = 0;
			const pull = async (controller: ReadableStreamDefaultController) => {
				await new Promise((resolve) => setTimeout(resolve, 900));
				if (sent === body.length) return controller.close();
				controller.enqueue(body.slice(sent, sent + 1));
				sent += 1;
			};
			const slow: Reply = () => new Response(new ReadableStream({ pull }));
			const { source, asked } = sourceOf({ k: [slow] }, { timeoutMs: 1000 });
			const reading = source.read("k");
			await vi.advanceTimersByTimeAsync(120_000);
			await expect(reading).resolves.toEqual(body);
			expect(asked).toHaveLength(1);
		} finally {
			vi.useRealTimers();
		}
	});

	it("is rejected at the limit without a retry", async () => {
		let cancelled = 0;
		const endless: Reply = () => {
			const pull = (controller: ReadableStreamDefaultController): void =>
				controller.enqueue(new Uint8Array(1000));
			const cancel = (): void => {
				cancelled += 1;
			};
			return new Response(new ReadableStream({ pull, cancel }));
		};
		const { source, asked } = sourceOf({ k: [endless] }, { maxBytes: 50_000 });
		await expect(source.read("k")).rejects.toMatchObject({
			code: "network",
			message: "k: body too long (expected at most 50000 bytes)",
		});
		expect(asked).toHaveLength(1);
		expect(cancelled).toBe(1);
	});

	it("is read only up to the requested range", async () => {
		let sent = 0;
		const endless: Reply = () => {
			const pull = (controller: ReadableStreamDefaultController): void => {
				sent += 10_000;
				controller.enqueue(new Uint8Array(10_000));
			};
			return new Response(new ReadableStream({ pull }), { status: 206 });
		};
		const { source } = sourceOf({ k: [endless] }, { retry: { retries: 0 } });
		const range = { begin: 0, end: 10 };
		await expect(source.read("k", { range })).rejects.toMatchObject({ key: "k" });
		expect(sent).toBeLessThan(200_000);
	});
});

describe("source/fetch-faults: a real server", () => {
	const long = Uint8Array.from({ length: 300_000 }, (_, i) => i % 251);
	const objects = new Map([
		["/set/short", body],
		["/set/long", long],
	]);

	it.each(["short", "long"])(
		"a %s body that stalls is asked for again",
		async (key) => {
			const server = await FaultyServer.start({ objects });
			try {
				server.fault({ match: /./, times: 1, stallAfter: 50 });
				const source = new FetchSource(`${server.origin}/set`, {
					timeoutMs: 400,
					retry: { retries: 4, delayMs: 1 },
				});
				const read = await source.read(key);
				expect(Buffer.compare(read ?? body, objects.get(`/set/${key}`) ?? long)).toBe(
					0,
				);
				expect(server.log.length).toBeGreaterThanOrEqual(2);
				await vi.waitFor(() => expect(server.log[0]?.aborted).toBe(true));
			} finally {
				await server.close();
			}
		},
	);
});

describe("source/fetch-faults: HEAD", () => {
	const answering = (head: Reply) => {
		const asked: string[] = [];
		const fetch = async (_: URL, { method = "GET", headers }: RequestInit) => {
			asked.push(method);
			if (method === "HEAD") return head();
			return new Headers(headers).has("Range") ? part(0, 1, "bytes 0-0/100")() : ok();
		};
		const retry = { delayMs: 1 };
		const source = new FetchSource("https://h.test/set.zarr", { fetch, retry });
		return { source, asked };
	};

	for (const head of [403, 404, 405, 500, 501, 503].map((code) => status(code))) {
		it(`with status ${(head() as Response).status} does not fail the read`, async () => {
			const { source, asked } = answering(head);
			await expect(source.fetchState("k", {})).resolves.toBeUndefined();
			await expect(source.size("k")).resolves.toBe(100);
			expect(asked.filter((method) => method === "HEAD").length).toBeLessThanOrEqual(2);
		});
	}

	it("that is lost does not fail the read", async () => {
		const { source } = answering(OPAQUE);
		await expect(source.size("k")).resolves.toBe(100);
	});

	it("with a wrong length is reported", async () => {
		const lie: Reply = () =>
			new Response(null, { headers: { "Content-Length": "70", ETag: '"a"' } });
		const { source } = answering(lie);
		await expect(source.size("k")).resolves.toBe(70);
		await expect(source.read("k")).rejects.toThrow(
			"k: lengths differ (found HEAD 70, GET 100 bytes)",
		);
	});
});

describe("source/fetch-faults: servers and ranges", () => {
	const range = { begin: 10, end: 15 };

	it("one whole response among ranges changes nothing", async () => {
		const good = part(10, 15, "bytes 10-14/100");
		const { source, asked } = sourceOf({ a: [good], b: [ok], c: [good] });
		for (const key of ["a", "b", "c"]) {
			await expect(source.read(key, { range })).resolves.toEqual(body.slice(10, 15));
		}
		expect(asked.map((one) => one.range)).toEqual(Array(3).fill("bytes=10-14"));
	});

	it("sources do not share range support", async () => {
		const base = "https://same.test/set.zarr";
		await sourceOf({ a: [ok] }, {}, base).source.read("a", { range });
		const other = sourceOf({ a: [part(10, 15, "bytes 10-14/100")] }, {}, base);
		await other.source.read("a", { range });
		expect(other.asked).toEqual([{ key: "a", range: "bytes=10-14" }]);
	});

	it("ranges are requested again after a while", async () => {
		const keys = Array.from({ length: 12 }, (_, i) => `k${i}`);
		const { source, asked } = sourceOf(Object.fromEntries(keys.map((k) => [k, [ok]])));
		for (const key of keys) await source.read(key, { range });
		expect(asked.filter((one) => one.range !== null).map(({ key }) => key)).toEqual([
			"k0",
			"k9",
		]);
	});

	it("a range that always fails is sliced from the whole object", async () => {
		const { source, asked } = sourceOf({ k: [OPAQUE, OPAQUE, ok] });
		await expect(source.read("k", { range })).resolves.toEqual(body.slice(10, 15));
		expect(asked.map((one) => one.range)).toEqual(["bytes=10-14", "bytes=10-14", null]);
	});

	it("a range that cannot be decoded is sliced from the whole object", async () => {
		const broken: Reply = () => {
			const pull = (controller: ReadableStreamDefaultController): void =>
				controller.error(new TypeError("content decoding failed"));
			return new Response(new ReadableStream({ pull }), { status: 206 });
		};
		const { source, asked } = sourceOf({ k: [broken, broken, ok] });
		await expect(source.read("k", { range })).resolves.toEqual(body.slice(10, 15));
		expect(asked.map((one) => one.range)).toEqual(["bytes=10-14", "bytes=10-14", null]);
	});

	it.each([408, 425, 429, 500, 502, 503, 504])(
		"HTTP %i is no reason to ask for the whole object",
		async (code) => {
			for (const required of [true, false]) {
				const busy = status(code);
				const good = part(10, 15, "bytes 10-14/100");
				const { source, asked } = sourceOf({ k: [busy, busy, busy, good] });
				const read = source.read("k", { range, required });
				await expect(read).resolves.toEqual(body.slice(10, 15));
				expect(asked.map((one) => one.range)).toEqual(Array(4).fill("bytes=10-14"));
			}
		},
	);

	it("a server that does not answer is not asked for the whole object", async () => {
		const silent: Reply = () => new Promise(() => {});
		const good = part(10, 15, "bytes 10-14/100");
		const replies = { k: [silent, silent, silent, good] };
		const { source, asked } = sourceOf(replies, { timeoutMs: 20 });
		await expect(source.read("k", { range })).resolves.toEqual(body.slice(10, 15));
		expect(asked.map((one) => one.range)).toEqual(Array(4).fill("bytes=10-14"));
	});
});

describe("source/fetch-faults: waits and secrets", () => {
	it("reports the requested wait and its key", async () => {
		vi.useFakeTimers();
		try {
			const { source } = sourceOf({ k: [status(503, { "Retry-After": "20" }), ok] });
			const told: unknown[] = [];
			source.onWaiting(() => told.push(source.waiting));
			const begun = Date.now();
			const reading = source.read("k");
			await vi.advanceTimersByTimeAsync(30_000);
			await expect(reading).resolves.toEqual(body);
			expect(told).toEqual([
				{ key: "k", seconds: expect.any(Number), until: expect.any(Number) },
				undefined,
			]);
			const { seconds, until } = told[0] as { seconds: number; until: number };
			expect(seconds).toBeGreaterThanOrEqual(20);
			expect(seconds).toBeLessThanOrEqual(22);
			expect(until).toBeCloseTo(begun + seconds * 1000, -2);
		} finally {
			vi.useRealTimers();
		}
	});

	it("waits at most the maximum", async () => {
		const replies = { k: [status(503, { "Retry-After": "20" }), ok] };
		const { source } = sourceOf(replies, { retry: { delayMs: 1, maxDelayMs: 5000 } });
		await expect(source.read("k")).rejects.toThrow("k: HTTP 503 (Retry-After: 20)");
	});

	it("does not retry permanent failures", async () => {
		const loop: Reply = () =>
			Promise.reject(
				new TypeError("fetch failed", { cause: new Error("redirect count exceeded") }),
			);
		const { source, asked } = sourceOf({ k: [loop] });
		await expect(source.read("k")).rejects.toThrow("redirect count exceeded");
		expect(asked).toHaveLength(1);
	});

	it("shows no query in an error", async () => {
		const base = "https://h.test/set.zarr?sig=secret";
		const telling: Reply = () =>
			Promise.reject(
				new TypeError("cannot fetch https://h.test/set.zarr/k?sig=secret"),
			);
		for (const reply of [status(401), status(503), telling]) {
			const { source } = sourceOf({ k: [reply] }, {}, base);
			const error = await source.read("k").catch((thrown) => thrown);
			expect(error.url).toBe("https://h.test/set.zarr/k");
			expect(error.message).not.toContain("secret");
		}
	});
});

describe("source/fetch-faults: a data set that is replaced", () => {
	const opened = "Sat, 21 Nov 2026 08:00:00 GMT";
	const later = "Sat, 21 Nov 2026 09:00:00 GMT";
	const dated =
		(modified: string, bytes = body): Reply =>
		() =>
			new Response(bytes, { headers: { "Last-Modified": modified, Date: opened } });

	it("is rejected from the first newer object on", async () => {
		const replies = {
			".zarray": [dated("Fri, 20 Nov 2026 08:00:00 GMT"), dated(later)],
			old: [dated(opened)],
			new: [dated(later)],
		};
		const { source } = sourceOf(replies);
		await source.read(".zarray");
		await source.read("old");
		const both = await Promise.allSettled([source.read("new"), source.read("new")]);
		const reason = {
			code: "changed",
			message: `new: changed on the server (.zarray: Last-Modified ${later}, was Fri, 20 Nov 2026 08:00:00 GMT); open the data set again`,
		};
		expect(both).toMatchObject([
			{ status: "rejected", reason },
			{ status: "rejected", reason },
		]);
		await expect(source.read("old")).rejects.toThrow("open the data set again");
	});

	it("is rejected if only the document's bytes differ", async () => {
		const plain = (bytes: Uint8Array<ArrayBuffer>) => () =>
			new Response(bytes, { headers: { Date: opened } });
		const replies = {
			".zarray": [plain(body), plain(body.slice(1))],
			new: [dated(later)],
		};
		const { source } = sourceOf(replies);
		await source.read(".zarray");
		await expect(source.read("new")).rejects.toThrow(".zarray: ");
	});

	it("may grow under the same metadata, which is checked once per state", async () => {
		const replies = {
			".zarray": [dated(opened)],
			a: [dated(later)],
			b: [dated(later)],
		};
		const { source, asked } = sourceOf(replies);
		await source.read(".zarray");
		for (const key of ["a", "b", "a"]) {
			await expect(source.read(key)).resolves.toEqual(body);
		}
		expect(asked.map(({ key }) => key)).toEqual([".zarray", "a", ".zarray", "b", "a"]);
	});

	it("costs no request if nothing is newer", async () => {
		const replies = { ".zarray": [dated(opened)], a: [dated(opened)], b: [ok] };
		const { source, asked } = sourceOf(replies);
		for (const key of [".zarray", "a", "b"]) await source.read(key);
		expect(asked).toHaveLength(3);
	});

	it("has its documents revalidated at every opening", async () => {
		const modes: unknown[] = [];
		const fetch = async (_: URL, { cache }: RequestInit): Promise<Response> => {
			modes.push(cache);
			return ok();
		};
		const source = new FetchSource("https://h.test/set.zarr", { fetch });
		for (const key of [".zgroup", "agents/.zarray", "zarr.json", "agents/0"]) {
			await source.read(key);
		}
		expect(modes).toEqual(["no-cache", "no-cache", "no-cache", undefined]);
	});

	it("a truncated body does not define the object's state", async () => {
		const short: Reply = () => new Response(body.slice(0, 10));
		const { source } = sourceOf({ k: [short, ok] });
		await source.read("k");
		await expect(source.read("k")).resolves.toEqual(body);
	});

	it("two whole reads of an object are compared", async () => {
		const tagged = (etag: string) => () =>
			new Response(body, { headers: { ETag: etag } });
		const { source } = sourceOf({ k: [tagged('"a"'), tagged('"b"')] });
		await source.read("k");
		await expect(source.read("k")).rejects.toThrow('ETag "b", was ETag "a"');
	});
});
