import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { FaultyServer } from "../support/http-server.js";
import { tinyDataset } from "../support/tiny-dataset.js";
import { zipOf } from "../support/zip.js";
import { type Given, openPage, runInPage, serve, useServers } from "./harness.js";

/** `own` is the page's origin; `host` is what it reads, `cdn` what that redirects to. */
const at = useServers({ own: () => serve(), host: () => serve(), cdn: () => serve() });

/** Serves the tiny data set below `path`. */
function put(server: FaultyServer, path: string): void {
	for (const [key, bytes] of tinyDataset()) server.put(`${path}/${key}`, bytes);
}

/** Opens an address, after `configure` with the given servers; returns what it reads. */
async function look({ lib, url }: Given) {
	const { address, servers } = JSON.parse(url);
	lib.configure(servers);
	try {
		const dataset = await lib.ChunkedDataset.open(address);
		const frame = await dataset.frame(0, 3);
		const { agents } = frame;
		dataset.close();
		return { east: frame.ego.translation[0], agents: agents.length };
	} catch (error) {
		const { code, message, status } = error as {
			code: string;
			message: string;
			status?: number;
		};
		return { code, message, status };
	}
}

async function read(
	address: string,
	servers: object = {},
	expose = "exposed" as const,
) {
	at.host.cors = expose;
	const { page } = await openPage(at.browser, at.own);
	return runInPage(page, look, JSON.stringify({ address, servers }));
}

const SHOWN = { east: 3, agents: expect.any(Number) };
const TOWN = "hf://datasets/me/town@v1/scenes/tiny.zarr";
const ROOT = "/datasets/me/town/resolve/v1/scenes/tiny.zarr";

/** Makes `host` answer as Hugging Face: small files itself, others by a redirect. */
function likeHuggingFace(): void {
	put(at.host, ROOT);
	put(at.cdn, "/xet/tiny.zarr");
	at.host.fault({
		match: /\/resolve\/.*\/\d+(\.\d+)*$/,
		times: 999,
		redirect: (path) =>
			`${at.cdn.origin}${path.replace(ROOT, "/xet/tiny.zarr")}?Signature=1`,
	});
}

describe("browser/hosts: Hugging Face", () => {
	const servers = () => ({ hosts: { hf: `${at.host.origin}/` } });

	it("is read at a revision, through redirects to another origin", async () => {
		likeHuggingFace();
		expect(await read(TOWN, servers())).toEqual(SHOWN);
		const chunks = at.cdn.log.map(({ path }) => path);
		expect(chunks).toContain("/xet/tiny.zarr/frames/0");
		expect(at.host.asked(`${ROOT}/`)).toContain("scenes/.zarray");
	});

	for (const cors of ["exposed", "bodies"] as const) {
		it(`has ranges behind redirects (headers: ${cors})`, async () => {
			likeHuggingFace();
			at.cdn.cors = cors;
			const url = `${at.host.origin}${ROOT}`;
			const { page } = await openPage(at.browser, at.own);
			const got = await runInPage(page, parts, url);
			const whole = [...tinyDataset()].find(([key]) => key === "frames/0")?.[1];
			expect(got).toEqual([...(whole as Uint8Array).subarray(5, 9)]);
			expect(at.cdn.log.map(({ range, status }) => [range, status])).toEqual([
				["bytes=5-8", 206],
			]);
		});
	}

	it("may answer ranges with whole files", async () => {
		likeHuggingFace();
		at.cdn.fault({ match: /xet/, ignoreRange: true, times: 99 });
		const { page } = await openPage(at.browser, at.own);
		const got = await runInPage(page, parts, `${at.host.origin}${ROOT}`);
		expect(got).toHaveLength(4);
	});

	it("limits requests, and names the wait", async () => {
		likeHuggingFace();
		const wait = { status: 429, headers: { "Retry-After": "1" } };
		at.host.fault({ match: /frames\/\.zarray$/, times: 1, ...wait });
		expect(await read(TOWN, servers())).toEqual(SHOWN);
		at.host.reset();
		put(at.host, ROOT);
		const long = { status: 429, headers: { "Retry-After": "300" } };
		at.host.fault({ match: /\.zarray$/, times: 99, ...long });
		expect(await read(TOWN, servers())).toMatchObject({
			code: "network",
			status: 429,
			// Hugging Face exposes no Retry-After.
			message: expect.stringContaining("HTTP 429"),
		});
	});

	it("refuses an address without a repository", async () => {
		expect(await read("hf://datasets/me", servers())).toMatchObject({
			code: "invalid_argument",
			message: expect.stringContaining("hf://datasets/OWNER/NAME"),
		});
	});
});

/** Reads four bytes of a chunk. */
async function parts({ lib, url }: Given) {
	const source = new lib.FetchSource(url, { retry: { delayMs: 1 } });
	const bytes = await source.read("frames/0", { range: { begin: 5, end: 9 } });
	return [...(bytes ?? [])];
}

describe("browser/hosts: S3", () => {
	const servers = () => ({ hosts: { s3: at.host.origin, s3Region: "eu-test-1" } });

	it("is read without permission to list: missing documents are 403", async () => {
		put(at.host, "/bucket/tiny.zarr");
		at.host.fault({ match: /\.zmetadata$|zarr\.json$/, status: 403, times: 99 });
		expect(await read("s3://bucket/tiny.zarr", servers())).toEqual(SHOWN);
	});

	it("denies a whole data set", async () => {
		put(at.host, "/bucket/tiny.zarr");
		at.host.fault({ match: /bucket/, status: 403, times: 99 });
		expect(await read("s3://bucket/tiny.zarr", servers())).toMatchObject({
			code: "network",
			status: 403,
		});
	});

	it("redirects to the bucket's region", async () => {
		put(at.cdn, "/bucket/tiny.zarr");
		const redirect = (path: string) => at.cdn.origin + path;
		at.host.fault({ match: /bucket/, times: 99, redirect });
		expect(await read("s3://bucket/tiny.zarr", servers())).toEqual(SHOWN);
	});

	it("needs a CORS rule, which the error tells", async () => {
		put(at.host, "/bucket/tiny.zarr");
		const got = await read("s3://bucket/tiny.zarr", servers(), "none" as never);
		expect(got).toMatchObject({
			code: "network",
			message: expect.stringContaining("CORS: the server must allow GET"),
		});
	});

	it("is read in an archive", async () => {
		const archive = zipOf(tinyDataset());
		at.host.put("/bucket/tiny.zip", archive);
		expect(await read("s3://bucket/tiny.zip", servers())).toEqual(SHOWN);
	});
});

describe("browser/hosts: GitHub Pages", () => {
	it("compresses answers to HEAD and whole reads, but not ranges", async () => {
		const archive = zipOf(tinyDataset());
		at.host.put("/town.zip", archive);
		const headers = { "Content-Encoding": "gzip" };
		const length = gzipSync(archive).length;
		at.host.fault({
			match: /zip$/,
			method: "HEAD",
			times: 99,
			headers,
			truncateTo: length,
		});
		expect(await read(`${at.host.origin}/town.zip`)).toEqual(SHOWN);
	});
});

describe("browser/hosts: the viewer", () => {
	it("draws an address, and keeps it in its state", async () => {
		likeHuggingFace();
		at.own.put(
			"/page.html",
			`<!doctype html><script type="module">
				import { configure } from "/dist/cdn/bevscope.js";
				configure({ hosts: { hf: ${JSON.stringify(at.host.origin)} } });
				await import("/dist/cdn/viewer.js");
			</script><bev-viewer src="${TOWN}" scene="0" frame="3"></bev-viewer>`,
		);
		const { page } = await openPage(at.browser, at.own);
		await expect
			.poll(() =>
				page.evaluate(() => {
					const viewer = document.querySelector("bev-viewer");
					return viewer?.controller?.state.phase;
				}),
			)
			.toBe("ready");
		const state = await page.evaluate(() =>
			document.querySelector("bev-viewer")?.save(),
		);
		expect(new URLSearchParams(state).get("src")).toBe(TOWN);
	});
});
