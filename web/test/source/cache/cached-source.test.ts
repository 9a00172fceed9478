import { describe, expect, it, vi } from "vitest";
import { CachedSource } from "../../../src/source/cache/cached-source.js";
import { FetchSource } from "../../../src/source/fetch-source.js";
import { MemoryStorage } from "../../support/memory-storage.js";

interface State {
	readonly bytes: Uint8Array<ArrayBuffer>;
	readonly etag?: string;
}

const bytes = Uint8Array.from({ length: 100 }, (_, i) => i);
const other = bytes.map((byte) => byte + 100);
const text = (value: string) => new TextEncoder().encode(value);

/** A server with modifiable objects, and visits to it that share storage. */
function site(objects: Record<string, State>, storage = new MemoryStorage()) {
	const log: string[] = [];
	const respond = (key: string, init: RequestInit): Response => {
		const headers = new Headers(init.headers);
		const range = headers.get("Range")?.slice(6) ?? "";
		log.push([init.method ?? "GET", key, range].filter(Boolean).join(" "));
		const object = objects[key];
		if (!object) return new Response(null, { status: 404 });
		const tag: Record<string, string> = object.etag ? { ETag: object.etag } : {};
		if (object.etag && headers.get("If-None-Match") === object.etag) {
			return new Response(null, { status: 304, headers: tag });
		}
		const size = object.bytes.length;
		if (init.method === "HEAD") {
			return new Response(null, {
				headers: { ...tag, "Content-Length": String(size) },
			});
		}
		if (!range) return new Response(object.bytes, { headers: tag });
		const [begin = 0, last = 0] = range.split("-").map(Number);
		const part = object.bytes.slice(begin, last + 1);
		const end = begin + part.length - 1;
		tag["Content-Range"] = `bytes ${begin}-${end}/${size}`;
		return new Response(part, { status: 206, headers: tag });
	};
	const visit = (limit = 1e6): CachedSource => {
		const fetch = async (url: URL, init: RequestInit): Promise<Response> =>
			respond(url.pathname.replace("/set.zarr/", ""), init);
		const source = new FetchSource("https://host/set.zarr?signed=1", {
			fetch,
			retry: { retries: 0 },
		});
		return new CachedSource(source, async () => storage, limit);
	};
	/** Requests since the previous call. */
	const asked = (): string[] => log.splice(0);
	return { objects, storage, visit, asked };
}

async function readAll(source: CachedSource, ...ranges: [number, number][]) {
	for (const [begin, end] of ranges) {
		const got = await source.read("agents/0", { range: { begin, end } });
		expect(got).toEqual(bytes.slice(begin, end));
		await source.settled();
	}
}

describe("source/cache/cached-source", () => {
	it("only revalidates unchanged objects", async () => {
		const { visit, asked } = site({ "agents/0": { bytes, etag: '"a"' } });
		await readAll(visit(), [0, 20], [40, 60]);
		expect(asked()).toEqual(["GET agents/0 0-19", "GET agents/0 40-59"]);
		const again = visit();
		await readAll(again, [40, 60], [5, 20]);
		expect(asked()).toEqual(["HEAD agents/0"]);
		expect(again.cachedBytes).toBe(35);
	});

	it("fetches an object again whose cached bytes were damaged in transit", async () => {
		const { objects, visit, asked } = site({
			"agents/0": { bytes: other, etag: '"a"' },
		});
		const first = visit();
		await first.read("agents/0", { range: { begin: 0, end: 20 } });
		await first.settled();
		objects["agents/0"] = { bytes, etag: '"a"' };
		const next = visit();
		expect(await next.read("agents/0", { range: { begin: 0, end: 20 } })).toEqual(
			other.slice(0, 20),
		);
		next.forget("agents/0");
		asked();
		await readAll(next, [0, 20], [40, 60]);
		expect(asked()).toEqual(["GET agents/0 0-19", "GET agents/0 40-59"]);
		const after = visit();
		await readAll(after, [0, 20]);
		expect(asked()).toEqual(["HEAD agents/0"]);
	});

	it("serves ranges of a whole cached object", async () => {
		const { visit, asked } = site({ "agents/0": { bytes, etag: '"a"' } });
		const first = visit();
		expect(await first.read("agents/0")).toEqual(bytes);
		await first.settled();
		asked();
		const again = visit();
		await readAll(again, [90, 200]);
		expect(await again.read("agents/0")).toEqual(bytes);
		expect(await again.read("agents/0", { range: { begin: 300, end: 310 } })).toEqual(
			new Uint8Array(),
		);
		expect(asked()).toEqual(["HEAD agents/0"]);
	});

	it("fetches only the ranges missing from the cache", async () => {
		const { visit, asked } = site({ "agents/0": { bytes, etag: '"a"' } });
		await readAll(visit(), [0, 20], [40, 60]);
		asked();
		const again = visit();
		await readAll(again, [10, 50]);
		expect(asked()).toEqual(["HEAD agents/0", "GET agents/0 20-39"]);
		expect(again.cachedBytes).toBe(20);
		await readAll(visit(), [0, 60]);
		expect(asked()).toEqual(["HEAD agents/0"]);
	});

	it("detects a changed object and never mixes it with cached bytes", async () => {
		const { objects, visit, asked } = site({ "agents/0": { bytes, etag: '"a"' } });
		await readAll(visit(), [0, 50]);
		objects["agents/0"] = { bytes: other, etag: '"b"' };
		asked();
		const again = visit();
		const got = await again.read("agents/0", { range: { begin: 0, end: 60 } });
		expect(got).toEqual(other.slice(0, 60));
		expect(asked()).toEqual(["HEAD agents/0", "GET agents/0 0-59"]);
		expect(again.cachedBytes).toBe(0);
	});

	it("an object that changes after validation is an error", async () => {
		const { objects, visit } = site({ "agents/0": { bytes, etag: '"a"' } });
		await readAll(visit(), [0, 50]);
		const again = visit();
		await readAll(again, [0, 10]);
		objects["agents/0"] = { bytes: other, etag: '"b"' };
		await expect(
			again.read("agents/0", { range: { begin: 0, end: 60 } }),
		).rejects.toMatchObject({
			code: "changed",
			key: "agents/0",
			message:
				'agents/0: changed on the server (ETag "b", was ETag "a"); open the data set again',
		});
	});

	it("compares length and metadata if the server sends no validator", async () => {
		const meta = { bytes: text('{"zarr_format":2}') };
		const { objects, visit, asked } = site({ ".zgroup": meta, "agents/0": { bytes } });
		const begin = async (): Promise<CachedSource> => {
			const source = visit();
			await source.read(".zgroup");
			asked();
			return source;
		};
		await readAll(await begin(), [0, 50]);
		await readAll(await begin(), [0, 50]);
		expect(asked()).toEqual(["HEAD agents/0"]);
		objects[".zgroup"] = { bytes: text('{"zarr_format": 2}') };
		await readAll(await begin(), [0, 50]);
		expect(asked()).toEqual(["HEAD agents/0", "GET agents/0 0-49"]);
		objects["agents/0"] = { bytes: other.slice(0, 99) };
		const got = (await begin()).read("agents/0", { range: { begin: 0, end: 5 } });
		expect(await got).toEqual(other.slice(0, 5));
	});

	it("fetches an archive without validator: its length proves nothing", async () => {
		const { objects, visit, asked } = site({ "town.zip": { bytes } });
		const first = visit();
		expect(await first.read("town.zip")).toEqual(bytes);
		await first.settled();
		objects["town.zip"] = { bytes: other };
		expect(await visit().read("town.zip")).toEqual(other);
		expect(asked().filter((request) => request === "GET town.zip")).toHaveLength(2);
	});

	it("always requests metadata and absent objects", async () => {
		const { visit, asked } = site({ ".zgroup": { bytes: text("{}"), etag: '"a"' } });
		for (let i = 0; i < 2; i += 1) {
			const source = visit();
			await source.read(".zgroup");
			expect(await source.read("agents/9")).toBeUndefined();
			await source.settled();
			expect(asked()).toEqual(["GET .zgroup", "GET agents/9"]);
		}
	});

	it("continues if storage is full, corrupt or removed", async () => {
		const objects = { "agents/0": { bytes, etag: '"a"' } };
		await readAll(site(objects, new MemoryStorage(10)).visit(), [0, 50], [20, 60]);
		const { storage, visit } = site(objects);
		await readAll(visit(), [0, 50]);
		for (const [name, file] of storage.files) {
			storage.files.set(name, Uint8Array.from([...file.slice(0, -1), 77]));
		}
		await readAll(visit(), [0, 50]);
		const last = visit();
		await readAll(last, [0, 50]);
		storage.files.clear();
		await readAll(last, [0, 50], [10, 30]);
	});
});

/** Storage whose reads can be paused, to let something happen between them. */
class HeldStorage extends MemoryStorage {
	/** Called with each file before its bytes are read. */
	between: ((name: string) => Promise<void>) | undefined;

	override async read(name: string): Promise<Blob | undefined> {
		const file = await super.read(name);
		await this.between?.(name);
		return file;
	}
}

const part = (begin: number, end: number) => ({ range: { begin, end } });

describe("source/cache/cached-source: two reads of one object at once", () => {
	const objects = () => ({ "agents/0": { bytes, etag: '"a"' } });

	it("both get their bytes if storage loses the file", async () => {
		const { storage, visit } = site(objects());
		await readAll(visit(), [0, 20], [40, 60]);
		const again = visit();
		await readAll(again, [0, 5]);
		storage.files.clear();
		const both = [
			again.read("agents/0", part(0, 20)),
			again.read("agents/0", part(40, 60)),
		];
		expect(await Promise.all(both)).toEqual([bytes.slice(0, 20), bytes.slice(40, 60)]);
	});

	it("both get their bytes if the file is removed after it was found", async () => {
		const { storage, visit } = site(objects(), new HeldStorage());
		await readAll(visit(), [0, 20], [40, 60]);
		const again = visit();
		await readAll(again, [0, 5]);
		(storage as HeldStorage).between = async (name) => void storage.files.delete(name);
		const both = [
			again.read("agents/0", part(40, 60)),
			again.read("agents/0", part(0, 20)),
		];
		expect(await Promise.all(both)).toEqual([bytes.slice(40, 60), bytes.slice(0, 20)]);
	});

	it("a gap is filled if the ranges around it are evicted", async () => {
		const { storage, visit } = site(objects());
		await readAll(visit(), [0, 20], [40, 60]);
		const again = visit();
		await readAll(again, [0, 5]);
		storage.files.clear();
		const both = [
			again.read("agents/0", part(5, 15)),
			again.read("agents/0", part(10, 50)),
		];
		expect(await Promise.all(both)).toEqual([bytes.slice(5, 15), bytes.slice(10, 50)]);
	});

	it("a file removed while it is read is fetched", async () => {
		const { storage, visit, asked } = site(objects());
		await readAll(visit(), [0, 20]);
		const gone = new DOMException("no such file any more", "NotFoundError");
		storage.read = async (name) => {
			const file = storage.files.get(name);
			if (!file) return undefined;
			const reject = (): Promise<never> => Promise.reject(gone);
			const slice = () => ({ arrayBuffer: reject, text: reject });
			return { size: file.length, slice, arrayBuffer: reject } as unknown as Blob;
		};
		asked();
		await readAll(visit(), [0, 20]);
		expect(asked()).toEqual(["GET agents/0 0-19"]);
	});

	it.each([1, 100, 200, 350, 700, 1500])(
		"no byte is ever wrong with a limit of %i for several sources over one storage",
		async (limit) => {
			const keys = ["agents/0", "agents/1", "agents/2"];
			const states = Object.fromEntries(
				keys.map((key, i) => [key, { bytes: bytes.map((b) => b + i), etag: `"${i}"` }]),
			);
			const { storage, visit } = site(states);
			const sources = [visit(limit), visit(limit), visit(limit)];
			for (let round = 0; round < 12; round += 1) {
				if (round === 7) storage.files.clear();
				const reads = keys.flatMap((key, k) =>
					[0, 13, 26].map(async (step) => {
						const source = sources[(round + k + step) % 3] as CachedSource;
						const begin = (round * 7 + step) % 80;
						const got = await source.read(key, part(begin, begin + 20));
						expect(got).toEqual(states[key]?.bytes.slice(begin, begin + 20));
					}),
				);
				await Promise.all(reads);
				if (round % 3 === 0)
					await Promise.all(sources.map((source) => source.settled()));
			}
			await Promise.all(sources.map((source) => source.settled()));
			expect(storage.size).toBeLessThanOrEqual(3 * limit);
		},
	);
});

describe("source/cache/cached-source: the confirmation that readers share", () => {
	async function confirming() {
		const { storage, visit } = site({ "agents/0": { bytes, etag: '"a"' } });
		await readAll(visit(), [0, 60]);
		let heads = 0;
		let aborted = 0;
		let answer = (): void => {};
		const held = new Promise<void>((resolve) => {
			answer = resolve;
		});
		const fetch = async (_: URL, init: RequestInit): Promise<Response> => {
			heads += 1;
			const gone = new Promise<never>((_resolve, reject) => {
				init.signal?.addEventListener("abort", () => {
					aborted += 1;
					reject(init.signal?.reason);
				});
			});
			await Promise.race([held, gone]);
			return new Response(null, { status: 304, headers: { ETag: '"a"' } });
		};
		const source = new FetchSource("https://host/set.zarr", { fetch });
		const cached = new CachedSource(source, async () => storage, 1e6);
		const begun = async (count: number) => vi.waitFor(() => expect(heads).toBe(count));
		return { cached, begun, answer: () => answer(), count: () => ({ heads, aborted }) };
	}

	for (const first of [true, false]) {
		it(`survives the abort of its ${first ? "first" : "second"} reader`, async () => {
			const { cached, begun, answer, count } = await confirming();
			const control = new AbortController();
			const { signal } = control;
			const reads = [
				cached.read("agents/0", { ...part(0, 20), signal: first ? signal : undefined }),
				cached.read("agents/0", {
					...part(30, 50),
					signal: first ? undefined : signal,
				}),
			];
			const settled = Promise.allSettled(reads);
			await begun(1);
			control.abort(new Error("not wanted any more"));
			answer();
			const [one, two] = await settled;
			const left = { status: "rejected", reason: signal.reason };
			const stays = first ? bytes.slice(30, 50) : bytes.slice(0, 20);
			const got = { status: "fulfilled", value: stays };
			expect([one, two]).toEqual(first ? [left, got] : [got, left]);
			expect(count()).toEqual({ heads: 1, aborted: 0 });
		});
	}

	it("is aborted with its last reader, and requested again", async () => {
		const { cached, begun, answer, count } = await confirming();
		const control = new AbortController();
		const { signal } = control;
		const settled = Promise.allSettled([
			cached.read("agents/0", { ...part(0, 20), signal }),
			cached.read("agents/0", { ...part(30, 50), signal }),
		]);
		await begun(1);
		control.abort(new Error("left"));
		expect((await settled).map(({ status }) => status)).toEqual([
			"rejected",
			"rejected",
		]);
		expect(count()).toEqual({ heads: 1, aborted: 1 });
		answer();
		expect(await cached.read("agents/0", part(0, 20))).toEqual(bytes.slice(0, 20));
	});
});

describe("source/cache/cached-source: long objects", () => {
	const long = Uint8Array.from(
		{ length: 9_000_000 },
		(_, i) => (i * 7 + (i >> 9)) & 255,
	);
	const same = (found: Uint8Array | undefined, begin: number, end: number): boolean =>
		found !== undefined && Buffer.compare(found, long.subarray(begin, end)) === 0;

	it("are stored in several files that are evicted independently", async () => {
		const { storage, visit, asked } = site({
			"agents/0": { bytes: long, etag: '"a"' },
		});
		const first = visit(1e8);
		await first.read("agents/0");
		await first.settled();
		expect(storage.files.size).toBe(3);
		asked();
		const again = visit(1e8);
		const got = await again.read("agents/0", part(4_000_000, 4_500_000));
		expect(same(got, 4_000_000, 4_500_000)).toBe(true);
		expect(asked()).toEqual(["HEAD agents/0"]);
		const [second] = [...storage.files.keys()].slice(1);
		storage.files.delete(second as string);
		expect(same(await again.read("agents/0"), 0, long.length)).toBe(true);
		expect(asked().length).toBeLessThanOrEqual(2);
	});

	it("accept ranges far past their end", async () => {
		const { storage, visit } = site({ "agents/0": { bytes, etag: '"a"' } });
		let reads = 0;
		const read = storage.read.bind(storage);
		storage.read = (name) => {
			reads += 1;
			return read(name);
		};
		for (let again = 0; again < 2; again += 1) {
			const source = visit();
			const got = await source.read("agents/0", part(10, 2 ** 52));
			expect(got).toEqual(bytes.slice(10));
			await source.settled();
		}
		expect(reads).toBeLessThan(3000);
	});

	it("stay within the limit by evicting their oldest files", async () => {
		const { storage, visit } = site({ "agents/0": { bytes: long, etag: '"a"' } });
		const source = visit(5e6);
		for (let begin = 0; begin < long.length; begin += 500_000) {
			const got = await source.read("agents/0", part(begin, begin + 500_000));
			expect(same(got, begin, begin + 500_000)).toBe(true);
			await source.settled();
			expect(storage.size).toBeLessThanOrEqual(5e6);
		}
		expect(storage.size).toBeGreaterThan(500_000);
	});
});
