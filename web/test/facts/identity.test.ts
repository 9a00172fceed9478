import { describe, expect, it } from "vitest";
import type { Description } from "../../src/api.js";
import { identityOf } from "../../src/facts/identity.js";
import { FetchSource } from "../../src/source/fetch-source.js";
import { FileSource } from "../../src/source/file-source.js";
import { MemorySource } from "../../src/source/source.js";

const array = (rows: number) => ({ shape: [rows], chunks: [4] });
const DESCRIPTION = {
	format: "zarr-v2",
	attrs: {},
	arrays: { scenes: array(2), frames: array(12), agents: array(36) },
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

describe("facts/identity", () => {
	it("the first and the last chunk of each array are asked for", async () => {
		const asked: string[] = [];
		const source = server({ ETag: '"1"' }, asked);
		expect(await identityOf({ source }, DESCRIPTION, signal)).toContain("https://host");
		expect(asked.sort()).toEqual([
			"/a.zarr/agents/0",
			"/a.zarr/agents/8",
			"/a.zarr/frames/0",
			"/a.zarr/frames/2",
			"/a.zarr/scenes/0",
		]);
	});

	it("differs with ETag, Last-Modified, metadata and address", async () => {
		const modified = (day: number) => ({ "Last-Modified": `${day} Nov 2026` });
		const other = { ...DESCRIPTION, attrs: { seed: 2 } };
		const found = await Promise.all([
			identityOf({ source: server({ ETag: '"1"' }) }, DESCRIPTION, signal),
			identityOf({ source: server({ ETag: '"2"' }) }, DESCRIPTION, signal),
			identityOf({ source: server(modified(1)) }, DESCRIPTION, signal),
			identityOf({ source: server(modified(2)) }, DESCRIPTION, signal),
			identityOf({ source: server({ ETag: '"1"' }) }, other, signal),
		]);
		expect(new Set(found).size).toBe(5);
		const again = { source: server({ ETag: '"1"' }) };
		expect(await identityOf(again, DESCRIPTION, signal)).toBe(found[0]);
	});

	it("is unknown without validators, for shards and for other sources", async () => {
		const tagged = server({ ETag: '"1"' });
		const v3 = { ...DESCRIPTION, format: "zarr-v3" };
		expect(
			await identityOf({ source: server({}) }, DESCRIPTION, signal),
		).toBeUndefined();
		expect(await identityOf({ source: tagged }, v3, signal)).toBeUndefined();
		const memory = new MemorySource({});
		expect(await identityOf({ source: memory }, DESCRIPTION, signal)).toBeUndefined();
	});

	it("of an archive is that of its file", async () => {
		const of = (lastModified: number) => {
			const file = new File(["zip"], "a.zip", { lastModified });
			const holder = new FileSource(new Map([["a.zip", file]]));
			const zip = { holder, archive: { key: "a.zip", size: 3 } };
			return identityOf({ source: holder, zip }, DESCRIPTION, signal);
		};
		expect(await of(1)).toBe(await of(1));
		expect(await of(1)).not.toBe(await of(2));
	});
});
