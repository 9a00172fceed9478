import { describe, expect, it } from "vitest";
import { FetchSource } from "../../../src/source/fetch-source.js";
import { KeptSource } from "../../../src/source/kept/kept-source.js";
import { MemoryShelf } from "../../support/memory-shelf.js";

interface State {
	readonly bytes: Uint8Array<ArrayBuffer>;
	readonly etag?: string;
}

const bytes = Uint8Array.from({ length: 100 }, (_, i) => i);
const other = bytes.map((byte) => byte + 100);
const text = (value: string) => new TextEncoder().encode(value);

/** A server of objects that can change, and visits to it that share a shelf. */
function site(objects: Record<string, State>, shelf = new MemoryShelf()) {
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
	const visit = (limit = 1e6): KeptSource => {
		const fetch = async (url: URL, init: RequestInit): Promise<Response> =>
			respond(url.pathname.replace("/set.zarr/", ""), init);
		const source = new FetchSource("https://host/set.zarr?signed=1", {
			fetch,
			retry: { retries: 0 },
		});
		return new KeptSource(source, async () => shelf, limit);
	};
	/** What was asked since the last time. */
	const asked = (): string[] => log.splice(0);
	return { objects, shelf, visit, asked };
}

async function readAll(source: KeptSource, ...ranges: [number, number][]) {
	for (const [begin, end] of ranges) {
		const got = await source.read("agents/0", { range: { begin, end } });
		expect(got).toEqual(bytes.slice(begin, end));
		await source.settled();
	}
}

describe("source/kept/kept-source", () => {
	it("fetches nothing again but the confirmation that nothing changed", async () => {
		const { visit, asked } = site({ "agents/0": { bytes, etag: '"a"' } });
		await readAll(visit(), [0, 20], [40, 60]);
		expect(asked()).toEqual(["GET agents/0 0-19", "GET agents/0 40-59"]);
		const again = visit();
		await readAll(again, [40, 60], [5, 20]);
		expect(asked()).toEqual(["HEAD agents/0"]);
		expect(again.keptBytes).toBe(35);
	});

	it("knows a whole object, and gives parts of it", async () => {
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

	it("fetches only the hole in what is kept", async () => {
		const { visit, asked } = site({ "agents/0": { bytes, etag: '"a"' } });
		await readAll(visit(), [0, 20], [40, 60]);
		asked();
		const again = visit();
		await readAll(again, [10, 50]);
		expect(asked()).toEqual(["HEAD agents/0", "GET agents/0 20-39"]);
		expect(again.keptBytes).toBe(20);
		await readAll(visit(), [0, 60]);
		expect(asked()).toEqual(["HEAD agents/0"]);
	});

	it("notices a changed object, and never mixes it with what was kept", async () => {
		const { objects, visit, asked } = site({ "agents/0": { bytes, etag: '"a"' } });
		await readAll(visit(), [0, 50]);
		objects["agents/0"] = { bytes: other, etag: '"b"' };
		asked();
		const again = visit();
		const got = await again.read("agents/0", { range: { begin: 0, end: 60 } });
		expect(got).toEqual(other.slice(0, 60));
		expect(asked()).toEqual(["HEAD agents/0", "GET agents/0 0-59"]);
		expect(again.keptBytes).toBe(0);
	});

	it("an object that changes after it was confirmed is an error", async () => {
		const { objects, visit } = site({ "agents/0": { bytes, etag: '"a"' } });
		await readAll(visit(), [0, 50]);
		const again = visit();
		await readAll(again, [0, 10]);
		objects["agents/0"] = { bytes: other, etag: '"b"' };
		await expect(
			again.read("agents/0", { range: { begin: 0, end: 60 } }),
		).rejects.toMatchObject({
			code: "network",
			key: "agents/0",
			message:
				'agents/0: changed on the server while it was read: ETag "b", was ETag "a"; open the data set again',
		});
	});

	it("goes by length and metadata where the server tells nothing", async () => {
		const meta = { bytes: text('{"zarr_format":2}') };
		const { objects, visit, asked } = site({ ".zgroup": meta, "agents/0": { bytes } });
		const begin = async (): Promise<KeptSource> => {
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

	it("asks for metadata and for absent objects every time", async () => {
		const { visit, asked } = site({ ".zgroup": { bytes: text("{}"), etag: '"a"' } });
		for (let i = 0; i < 2; i += 1) {
			const source = visit();
			await source.read(".zgroup");
			expect(await source.read("agents/9")).toBeUndefined();
			await source.settled();
			expect(asked()).toEqual(["GET .zgroup", "GET agents/9"]);
		}
	});

	it("reads on where storage is full, damaged or gone", async () => {
		const objects = { "agents/0": { bytes, etag: '"a"' } };
		await readAll(site(objects, new MemoryShelf(10)).visit(), [0, 50], [20, 60]);
		const { shelf, visit } = site(objects);
		await readAll(visit(), [0, 50]);
		for (const [name, file] of shelf.files) {
			shelf.files.set(name, Uint8Array.from([...file.slice(0, -1), 77]));
		}
		await readAll(visit(), [0, 50]);
		const last = visit();
		await readAll(last, [0, 50]);
		shelf.files.clear();
		await readAll(last, [0, 50], [10, 30]);
	});
});
