import { describe, expect, it } from "vitest";
import type { Description } from "../../src/api.js";
import { ObjectStates } from "../../src/facts/chunk-states.js";
import { identityOf } from "../../src/facts/identity.js";
import { FetchSource } from "../../src/source/fetch-source.js";
import { FileSource } from "../../src/source/file-source.js";
import { MemorySource } from "../../src/source/source.js";

const DESCRIPTION = {
	format: "zarr-v2",
	attrs: {},
	arrays: {},
} as unknown as Description;

const signal = undefined;

/** A server that answers HEAD with these headers. */
function server(headers: Record<string, string>, asked: string[] = []): FetchSource {
	const fetch = async (input: RequestInfo | URL): Promise<Response> => {
		asked.push(new URL(String(input instanceof Request ? input.url : input)).pathname);
		return new Response(null, { headers });
	};
	return new FetchSource("https://host/a.zarr", { fetch });
}

const identity = (source: FetchSource, description = DESCRIPTION) =>
	identityOf({ source }, description, new ObjectStates(source), signal);

describe("facts/identity", () => {
	it("differs with metadata and address, and asks for no chunk", async () => {
		const asked: string[] = [];
		const source = server({ ETag: '"1"' }, asked);
		const other = { ...DESCRIPTION, attrs: { seed: 2 } };
		const found = await identity(source);
		expect(found).toContain("https://host/a.zarr");
		expect(await identity(source, other)).not.toBe(found);
		expect(await identity(server({ ETag: '"2"' }))).toBe(found);
		expect(asked).toEqual([]);
	});

	it("of an archive is that of its file", async () => {
		const of = (lastModified: number) => {
			const file = new File(["zip"], "a.zip", { lastModified });
			const holder = new FileSource(new Map([["a.zip", file]]));
			const zip = { holder, archive: { key: "a.zip", size: 3 } };
			const states = new ObjectStates(holder);
			return identityOf({ source: holder, zip }, DESCRIPTION, states, signal);
		};
		expect(await of(1)).toBe(await of(1));
		expect(await of(1)).not.toBe(await of(2));
		const holder = server({});
		const zip = { holder, archive: { key: "a.zip", size: 3 } };
		const states = new ObjectStates(holder);
		expect(
			await identityOf({ source: holder, zip }, DESCRIPTION, states, signal),
		).toBeUndefined();
	});
});

describe("facts/chunk-states", () => {
	it("objects are asked for once, and compared with their states", async () => {
		const asked: string[] = [];
		const states = new ObjectStates(server({ ETag: '"1"' }, asked));
		const known = await states.of(["agents/0", "agents/7"], signal);
		expect(known?.map(([key]) => key)).toEqual(["agents/0", "agents/7"]);
		expect(await states.are(known ?? [], signal)).toBe(true);
		expect(asked).toEqual(["/a.zarr/agents/0", "/a.zarr/agents/7"]);
		const changed = new ObjectStates(server({ ETag: '"2"' }));
		expect(await changed.are(known ?? [], signal)).toBe(false);
	});

	it("differ with ETag, Last-Modified and a file's date and size", async () => {
		const ofFile = (text: string, lastModified: number) => {
			const file = new File([text], "0", { lastModified });
			return new FileSource(new Map([["agents/0", file]]));
		};
		const sources = [
			server({ ETag: '"1"' }),
			server({ ETag: '"2"' }),
			server({ "Last-Modified": "1 Nov 2026" }),
			server({ "Last-Modified": "2 Nov 2026" }),
			ofFile("a", 1),
			ofFile("a", 2),
			ofFile("ab", 1),
		];
		const all = sources.map((source) =>
			new ObjectStates(source).of(["agents/0"], signal),
		);
		const found = (await Promise.all(all)).map((one) => JSON.stringify(one));
		expect(new Set(found).size).toBe(sources.length);
	});

	it("differ with the content of files of equal name, date and size", async () => {
		const stateOf = async (bytes: Uint8Array<ArrayBuffer>) => {
			const file = new File([bytes], "0", { lastModified: 1 });
			const source = new FileSource(new Map([["agents/0", file]]));
			return JSON.stringify(await new ObjectStates(source).of(["agents/0"], signal));
		};
		for (const size of [1, 100, 20_000, 1_000_000]) {
			const bytes = new Uint8Array(size);
			const plain = await stateOf(bytes);
			expect(await stateOf(bytes)).toBe(plain);
			for (const at of [0, Math.floor(size / 2), size - 1]) {
				const other = bytes.slice();
				other[at] = 1;
				expect(await stateOf(other)).not.toBe(plain);
			}
		}
	});

	it("of a file need not all of its bytes", async () => {
		const read: number[] = [];
		const file = new File([new Uint8Array(1_000_000)], "0", { lastModified: 1 });
		const slice = file.slice.bind(file);
		file.slice = (begin = 0, end = 0) => {
			read.push(end - begin);
			return slice(begin, end);
		};
		const source = new FileSource(new Map([["agents/0", file]]));
		await new ObjectStates(source).of(["agents/0"], signal);
		expect(read.reduce((sum, one) => sum + one, 0)).toBeLessThan(20_000);
	});

	it("are unknown if an object was replaced after it was read", async () => {
		let version = 1;
		const fetch = async (_: RequestInfo | URL, init?: RequestInit) => {
			const body = init?.method === "HEAD" ? null : "chunk";
			return new Response(body, { headers: { ETag: `"${version}"` } });
		};
		const source = new FetchSource("https://host/a.zarr", { fetch });
		await source.read("agents/0", { signal });
		version = 2;
		const states = new ObjectStates(source);
		expect(await states.of(["agents/0"], signal)).toBeUndefined();
		expect(await states.of(["agents/1"], signal)).toHaveLength(1);
	});

	it("are unknown without validators and for other sources", async () => {
		for (const source of [server({}), new MemorySource({})]) {
			const states = new ObjectStates(source);
			expect(await states.of(["agents/0"], signal)).toBeUndefined();
			expect(await states.are([["agents/0", "1"]], signal)).toBe(false);
		}
	});
});
