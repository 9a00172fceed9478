import { describe, expect, it } from "vitest";
import {
	resolveObject,
	resolveRoot,
	resolveSource,
} from "../../src/dataset/resolve.js";
import type { FetchSourceOptions } from "../../src/source/fetch-job.js";
import { FetchSource } from "../../src/source/fetch-source.js";
import { MemorySource } from "../../src/source/source.js";

describe("resolve", () => {
	it("reads URLs by fetch", async () => {
		const { source, zip } = await resolveSource("https://h.test/x.zarr");
		expect(zip).toBeUndefined();
		expect(source).toBeInstanceOf(FetchSource);
	});

	it("accepts any source", async () => {
		const source = new MemorySource({});
		await expect(resolveSource(source)).resolves.toEqual({ source });
	});

	it("finds the data set in a folder", async () => {
		const files = new Map([["town/scenes/a.zarr/.zgroup", new Blob(["{}"])]]);
		const { source } = await resolveSource(files);
		await expect(source.read(".zgroup")).resolves.toHaveLength(2);
	});

	it("treats a file, or a folder's only .zip, as an archive", async () => {
		const file = new File(["PK and more"], "a.zip");
		for (const from of [file, [file], new Map([["a.zip", file]])]) {
			const { zip } = await resolveSource(from);
			expect(zip?.archive).toEqual({ key: "a.zip", size: 11 });
			await expect(zip?.holder.read("a.zip")).resolves.toHaveLength(11);
		}
		await expect(resolveSource([file, new File([""], "b.zip")])).rejects.toMatchObject({
			code: "missing_key",
		});
	});

	it("requests the length of an archive at a URL", async () => {
		const asked: string[] = [];
		const answers = (head: Response) => async (url: URL, init: RequestInit) => {
			asked.push(`${init.method ?? "GET"} ${url.pathname}${url.search}`);
			return init.method === "HEAD"
				? head
				: new Response("P", {
						status: 206,
						headers: { "Content-Range": "bytes 0-0/88" },
					});
		};
		const told = new Response(null, { headers: { "Content-Length": "77" } });
		const at = (fetch: FetchSourceOptions["fetch"]) =>
			resolveSource(new FetchSource("https://h.test/d/x%20y.zip?sig=1", { fetch }));
		const archive = { key: "x y.zip", size: 77 };
		expect((await at(answers(told))).zip?.archive).toEqual(archive);
		expect(asked.splice(0)).toEqual(["HEAD /d/x%20y.zip?sig=1"]);
		const refused = new Response(null, { status: 405 });
		expect((await at(answers(refused))).zip?.archive.size).toBe(88);
		const gone = async () => new Response(null, { status: 404 });
		await expect(at(gone)).rejects.toMatchObject({ code: "not_found" });
	});

	it("reports a folder without a store", async () => {
		const files = new Map([["notes.txt", new Blob(["hi"])]]);
		await expect(resolveSource(files)).rejects.toMatchObject({ code: "missing_key" });
	});

	it("resolves relative URLs against the data set", async () => {
		const dataset = new FetchSource("https://h.test/d/scenes/x.zarr?sig=1");
		const { source, key } = await resolveObject(
			"../../semantic_map/semantic map.pb",
			dataset,
		);
		expect(key).toBe("semantic map.pb");
		const { url } = source as FetchSource;
		expect(url.href).toBe("https://h.test/d/semantic_map/?sig=1");
	});

	it("sends headers and credentials only to the data set's origin", async () => {
		const headers = { Authorization: "Bearer x" };
		const retry = { retries: 1 };
		const dataset = new FetchSource("https://h.test/d/x.zarr?sig=1", {
			headers,
			credentials: "include",
			retry,
		});
		const settingsOf = async (address: string) => {
			const { source } = await resolveObject(address, dataset);
			return (source as FetchSource).portable;
		};
		for (const own of ["../maps/a.pb", "https://h.test/maps/a.pb"]) {
			expect(await settingsOf(own)).toMatchObject({
				url: expect.stringMatching(/\/maps\/\?sig=1$/),
				settings: { headers, credentials: "include", retry },
			});
		}
		expect((await settingsOf("/maps/a.pb?sig=2"))?.url).toBe(
			"https://h.test/maps/?sig=2",
		);
		expect(await settingsOf("https://other.test/maps/a.pb")).toEqual({
			url: "https://other.test/maps/",
			settings: { retry },
		});
	});

	it("sends headers and query to a root on the data set's origin", async () => {
		const headers = { Authorization: "Bearer x" };
		const dataset = new FetchSource("https://h.test/d/x.zarr?sig=1", { headers });
		const portable = async (root: string) =>
			((await resolveRoot(root, dataset)) as FetchSource).portable;
		expect(await portable("https://h.test/data/")).toEqual({
			url: "https://h.test/data/?sig=1",
			settings: { headers },
		});
		expect(await portable("https://other.test/data/")).toEqual({
			url: "https://other.test/data/",
			settings: {},
		});
		const memory = new MemorySource({});
		expect(await resolveRoot(memory, dataset)).toBe(memory);
	});

	it.each([
		["/o/scenes%2Ftown.zip?alt=media&token=t", "town.zip"],
		["/o/50%.zip", "50%.zip"],
		["/o/a%zz.zip?sig=1", "a%zz.zip"],
		["/o/x%20y.zip", "x y.zip"],
		["/o/a+b.zip", "a+b.zip"],
		["/o/..%2F..%2Fsecret.zip", "secret.zip"],
	])("requests %s as given", async (path, key) => {
		const asked: string[] = [];
		const fetch = async (url: URL, { method }: RequestInit) => {
			asked.push(url.href);
			const body = method === "HEAD" ? null : new Uint8Array(77);
			return new Response(body, { headers: { "Content-Length": "77" } });
		};
		const from = new FetchSource(`https://h.test${path}`, { fetch });
		const { zip } = await resolveSource(from);
		expect(zip?.archive).toEqual({ key, size: 77 });
		await zip?.holder.read(key);
		expect(asked).toEqual([from.url.href, from.url.href]);
		const again = await resolveObject(from.url, from);
		await again.source.read(again.key);
		expect(asked.at(-1)).toBe(from.url.href);
	});

	it("rejects invalid URLs and passwords without revealing secrets", async () => {
		for (const [address, code] of [
			["https://me:secret@h.test/x.zarr?sig=secret", "invalid_argument"],
			["file:///etc/secret?secret", "not_found"],
			["http://h.test:99999/x?secret", "invalid_argument"],
		] as const) {
			const error = await resolveSource(address).catch((thrown) => thrown);
			expect(error).toMatchObject({ name: "BevError", code });
			const shown = `${error.message} ${error.url ?? ""}`;
			expect(shown.replaceAll("/etc/secret", "")).not.toContain("secret");
		}
	});

	it("keeps the query of a full URL", async () => {
		const { source, key } = await resolveObject(
			"https://h.test/m/a%20b.pb?sig=1",
			new MemorySource({}),
		);
		expect(key).toBe("a b.pb");
		expect((source as FetchSource).url.href).toBe("https://h.test/m/?sig=1");
	});

	it("accepts a key of any source", async () => {
		const from = { source: new MemorySource({}), key: "map.pb" };
		expect(await resolveObject(from, new MemorySource({}))).toBe(from);
	});
});
