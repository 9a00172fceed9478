import { describe, expect, it } from "vitest";
import type { BevError } from "../../src/base/errors.js";
import type { FetchReadOptions } from "../../src/source/fetch-job.js";
import type { FetchSource } from "../../src/source/fetch-source.js";
import { body, ok, part, type Reply, sourceOf, status } from "../support/replies.js";

const base = "https://h.test/set.zarr";

const page: Reply = () =>
	new Response("<!doctype html>", { headers: { "Content-Type": "text/html" } });
const cut: Reply = () =>
	new Response(
		new ReadableStream({ pull: (control) => control.error(new Error("cut")) }),
	);
const encoded: Reply = () =>
	new Response(body.slice(10, 15), {
		status: 206,
		headers: { "Content-Encoding": "gzip" },
	});
const version = (etag: string): Reply => {
	return () => new Response(body, { headers: { ETag: etag } });
};

interface Answered {
	readonly name: string;
	readonly replies: Reply[];
	readonly status: number;
	/** Asks before the read that fails. */
	readonly before?: (source: FetchSource) => Promise<unknown>;
	readonly read?: FetchReadOptions;
}

const CASES: readonly Answered[] = [
	{ name: "a refusal", replies: [status(401)], status: 401 },
	{ name: "a web page", replies: [page], status: 200 },
	{ name: "a body above the limit", replies: [ok], status: 200 },
	{ name: "a body that breaks", replies: [cut], status: 200 },
	{
		name: "another range",
		replies: [part(0, 5, "bytes 0-4/100")],
		status: 206,
		read: { range: { begin: 10, end: 15 } },
	},
	{
		name: "an encoded range of a large object",
		replies: [encoded],
		status: 206,
		read: { range: { begin: 10, end: 15 } },
	},
	{
		name: "a changed object",
		replies: [version('"a"'), version('"b"')],
		status: 200,
		before: (source) => source.read("k"),
	},
	{
		name: "another length",
		replies: [() => new Response(null, { headers: { "Content-Length": "70" } }), ok],
		status: 200,
		before: (source) => source.size("k"),
	},
];

describe("source/attempts", () => {
	it.each(CASES)("names key, URL and status of $name", async (one) => {
		const isLarge = one.name.includes("limit") || one.name.includes("large");
		const options = {
			retry: { retries: 1, delayMs: 1 },
			...(isLarge && { maxBytes: 50 }),
		};
		const { source } = sourceOf({ k: [...one.replies] }, options, base);
		await one.before?.(source);
		const failed = source.read("k", one.read).then(
			() => expect.unreachable("it was read"),
			(error: BevError) => error,
		);
		const { name, key, url, status: seen } = (await failed) as BevError;
		expect({ name, key, url, status: seen }).toEqual({
			name: "BevError",
			key: "k",
			url: `${base}/k`,
			status: one.status,
		});
	});

	it("knows what the server answered for an absent object", async () => {
		const { source } = sourceOf(
			{ k: [status(403)], there: [ok] },
			{
				forbiddenIsAbsent: true,
			},
			base,
		);
		for (const key of ["k", "none", "there"]) await source.read(key);
		expect(source.absence("k")).toEqual({ url: `${base}/k`, status: 403 });
		expect(source.absence("none")).toEqual({ url: `${base}/none`, status: 404 });
		expect(source.absence("there")).toBeUndefined();
		expect(source.absence("never")).toBeUndefined();
	});

	it("remembers the last thousand absent objects", async () => {
		const { source } = sourceOf({}, {}, base);
		for (let i = 0; i <= 1000; i += 1) await source.read(`${i}`);
		expect(source.absence("0")).toBeUndefined();
		expect(source.absence("1")).toBeDefined();
		expect(source.absence("1000")).toBeDefined();
	});
});
