import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { GOLDENS } from "../support/goldens.js";
import { tinyDataset } from "../support/tiny-dataset.js";
import {
	type Given,
	openPage,
	runInPage,
	STRICT_CSP,
	serve,
	useServers,
} from "./harness.js";

/** `own` is the page's origin, `other` is another one. */
const at = useServers({ own: () => serve(), other: () => serve() });

/** Opens the data set, reads a frame and returns the result. */
async function look({ lib, url }: Given) {
	try {
		const dataset = await lib.ChunkedDataset.open(url);
		const frame = await dataset.frame(0, 3);
		const { capabilities, stats } = dataset;
		const east = frame.ego.translation[0];
		dataset.close();
		return { east, capabilities, presumedAbsent: stats.presumedAbsent };
	} catch (error) {
		const { code, message } = error as { code: string; message: string };
		return { code, message };
	}
}

describe("browser/hosting: data of another origin", () => {
	for (const cors of ["exposed", "bodies"] as const) {
		it(`is read where CORS headers allow it (${cors})`, async () => {
			at.other.cors = cors;
			const { page } = await openPage(at.browser, at.own);
			const got = await runInPage(page, look, `${at.other.origin}/tiny.zarr`);
			expect(got).toMatchObject({ east: 3, presumedAbsent: [] });
		});
	}

	it("is an outage if no response has CORS headers", async () => {
		at.other.cors = "none";
		const { page } = await openPage(at.browser, at.own);
		const got = await runInPage(
			page,
			async ({ lib, url }) => {
				const source = new lib.FetchSource(url, { retry: { delayMs: 1, retries: 1 } });
				return lib.ChunkedDataset.open(source).then(
					() => ({ code: "opened" }),
					({ code, key }) => ({ code, key: typeof key }),
				);
			},
			`${at.other.origin}/tiny.zarr`,
		);
		expect(got).toEqual({ code: "network", key: "string" });
	});

	it("may respond 404 without CORS headers, which is reported", async () => {
		const hidden = { status: 404, hideFromOthers: true };
		at.other.fault({ match: /\.zmetadata$/, times: 99, ...hidden });
		at.other.fault({ match: /\/\.bevscope-/, times: 99, ...hidden });
		const { page } = await openPage(at.browser, at.own);
		const got = await runInPage(page, look, `${at.other.origin}/tiny.zarr`);
		expect(got).toMatchObject({ east: 3, presumedAbsent: [".zmetadata"] });
	});

	it("is not presumed absent if only that key cannot be read", async () => {
		at.other.fault({ match: /\.zattrs$/, times: 99, reset: true });
		const { page } = await openPage(at.browser, at.own);
		const got = await runInPage(page, look, `${at.other.origin}/tiny.zarr`);
		expect(got).toMatchObject({
			code: "network",
			message: expect.stringContaining(".zattrs"),
		});
	});
});

/** Returns what one lost response must not change: lengths, lights, labels. */
async function contents({ lib, url }: Given) {
	const source = new lib.FetchSource(url, { retry: { delayMs: 20 } });
	const dataset = await lib.ChunkedDataset.open(source);
	const { lights } = await dataset.frame(0, 30);
	const { stats, labels } = dataset;
	const faces = dataset.traffic_light_faces.length;
	dataset.close();
	return {
		faces,
		lights: lights.length,
		labels: [...labels],
		presumed: [...stats.presumedAbsent],
	};
}

describe.runIf(GOLDENS)("browser/hosting: one lost response of an optional key", () => {
	const KEYS = [".zgroup", ".zattrs", ".zmetadata", "traffic_light_faces/.zarray"];
	for (const set of ["single_scene", "multi_scene"]) {
		it(`does not change ${set}`, async () => {
			const { page } = await openPage(at.browser, at.own);
			const url = `${at.other.origin}/goldens/${set}.zarr`;
			const good = await runInPage(page, contents, url);
			expect(good.faces).toBeGreaterThan(0);
			expect(good.presumed).toEqual([]);
			for (const key of KEYS) {
				for (const fault of [{ reset: true }, { cutAfter: 0 }, { cutAfter: 5 }]) {
					const match = new RegExp(`${set}\\.zarr/${key.replaceAll(".", "\\.")}$`);
					at.other.fault({ match, times: 2, ...fault });
					expect(await runInPage(page, contents, url)).toEqual(good);
				}
			}
		});
	}
});

describe("browser/hosting: ranges of another origin", () => {
	/** Reads bytes 5 to 7 of an object twice, and from 5 to beyond its end. */
	async function ranges({ lib, url }: Given) {
		const source = new lib.FetchSource(url, { retry: { delayMs: 1 } });
		const read = async (end: number): Promise<string> => {
			const bytes = await source.read(".zgroup", { range: { begin: 5, end } });
			return new TextDecoder().decode(bytes);
		};
		return [await read(8), await read(8), await read(4096)];
	}
	const object = JSON.stringify({ zarr_format: 2 });
	const expected = [object.slice(5, 8), object.slice(5, 8), object.slice(5)];

	for (const cors of ["exposed", "bodies"] as const) {
		it(`are checked by their visible headers (${cors})`, async () => {
			at.other.cors = cors;
			const { page } = await openPage(at.browser, at.own);
			const got = await runInPage(page, ranges, `${at.other.origin}/tiny.zarr`);
			expect(got).toEqual(expected);
			const seen = at.other.log.map(({ range, status }) => [range, status]);
			const short = ["bytes=5-4095", 206];
			const rest = cors === "exposed" ? [] : [[undefined, 200]];
			expect(seen).toEqual([["bytes=5-7", 206], ["bytes=5-7", 206], short, ...rest]);
		});
	}

	it("are cut from whole objects if the server ignores them", async () => {
		at.other.fault({ match: /\.zgroup$/, ignoreRange: true, times: 99 });
		const { page } = await openPage(at.browser, at.own);
		const got = await runInPage(page, ranges, `${at.other.origin}/tiny.zarr`);
		expect(got).toEqual(expected);
		expect(at.other.log).toHaveLength(1);
	});

	it("are cut from whole objects if the server compresses responses", async () => {
		at.other.put("/tiny.zarr/.zgroup", gzipSync(object));
		const headers = { "Content-Encoding": "gzip" };
		at.other.fault({ match: /\.zgroup$/, ignoreRange: true, times: 99, headers });
		const { page } = await openPage(at.browser, at.own);
		const got = await runInPage(page, ranges, `${at.other.origin}/tiny.zarr`);
		expect(got).toEqual(expected);
	});
});

describe("browser/hosting: the package of another origin", () => {
	it("runs in an importing worker", async () => {
		const { page } = await openPage(at.browser, at.own);
		const script = `${at.other.origin}/dist/index.js`;
		const got = await runInPage(page, look, `${at.own.origin}/tiny.zarr`, script);
		expect(got).toMatchObject({ east: 3, capabilities: { worker: "blob" } });
	});

	it("is a few files in the CDN build, which has no elements", async () => {
		const { page } = await openPage(at.browser, at.own);
		const script = `${at.other.origin}/dist/cdn/bevscope.js`;
		const got = await runInPage(page, look, `${at.own.origin}/tiny.zarr`, script);
		expect(got).toMatchObject({
			east: 3,
			capabilities: { worker: "blob", streaming: true },
		});
		const asked = at.other.asked("/dist/");
		expect(asked.map((path) => path.replace(/-[\w-]{8}\.js$/, "")).sort()).toEqual([
			"cdn/bevscope.js",
			"chunks/data",
			"chunks/library",
			"chunks/rolldown-runtime",
			"wasm/bev_core.wasm",
			"worker.js",
		]);
	});

	it("is the viewer's own library, on a page with both", async () => {
		at.own.put(
			"/page.html",
			'<!doctype html><script type="module" src="/dist/cdn/viewer.js"></script><bev-viewer src="/tiny.zarr"></bev-viewer>',
		);
		const { page } = await openPage(at.browser, at.own);
		expect(await pictured(page)).toBe("module");
		const isSame = async ({ lib }: Given) => {
			const data = document.querySelector("bev-viewer")?.data;
			return data instanceof lib.ChunkedDataset;
		};
		const script = "/dist/cdn/bevscope.js";
		expect(await runInPage(page, isSame, "", script)).toBe(true);
	});

	it("needs no other file in the inline build", async () => {
		const { page } = await openPage(at.browser, at.own);
		const script = `${at.other.origin}/dist/inline.js`;
		const got = await runInPage(page, look, `${at.own.origin}/tiny.zarr`, script);
		expect(got).toMatchObject({ east: 3, capabilities: { worker: "blob", notes: [] } });
		expect(at.other.asked("/dist/")).toEqual(["inline.js"]);
	});
});

describe("browser/hosting: a strict content security policy", () => {
	it("is met with a worker", async () => {
		at.own.csp = STRICT_CSP;
		const { page, complaints } = await openPage(at.browser, at.own);
		const got = await runInPage(page, look, `${at.own.origin}/tiny.zarr`);
		expect(got).toMatchObject({
			east: 3,
			capabilities: { worker: "module", notes: [] },
		});
		expect(complaints).toEqual([]);
	});

	it("is met with Trusted Types and a worker", async () => {
		const types = "require-trusted-types-for 'script'; trusted-types bevscope";
		at.own.csp = `${STRICT_CSP}; ${types}`;
		const { page, complaints } = await openPage(at.browser, at.own);
		const got = await runInPage(page, look, `${at.own.origin}/tiny.zarr`);
		expect(got).toMatchObject({
			east: 3,
			capabilities: { worker: "module", notes: [] },
		});
		expect(complaints).toEqual([]);
	});

	it("with Trusted Types without bevscope runs on the page's thread", async () => {
		const types = "require-trusted-types-for 'script'; trusted-types other";
		at.own.csp = `${STRICT_CSP}; ${types}`;
		const { page } = await openPage(at.browser, at.own);
		const got = await runInPage(page, look, `${at.own.origin}/tiny.zarr`);
		expect(got).toMatchObject({ east: 3, capabilities: { worker: "none" } });
	});

	it("with Trusted Types is also met by the viewer", async () => {
		const types = "require-trusted-types-for 'script'; trusted-types bevscope lit-html";
		at.own.csp = `${STRICT_CSP}; img-src 'self'; ${types}`;
		at.own.put(
			"/page.html",
			'<!doctype html><script type="module" src="/dist/cdn/viewer.js"></script><bev-viewer src="/tiny.zarr"></bev-viewer>',
		);
		const { page, complaints } = await openPage(at.browser, at.own);
		expect(await pictured(page)).toBe("module");
		expect(complaints.filter((said) => !/404/.test(said))).toEqual([]);
	});

	it("without workers uses the page's thread", async () => {
		at.own.csp = STRICT_CSP.replace("worker-src 'self'", "worker-src 'none'");
		const { page } = await openPage(at.browser, at.own);
		const got = await runInPage(page, look, `${at.own.origin}/tiny.zarr`);
		expect(got).toMatchObject({ east: 3, capabilities: { worker: "none" } });
		const { notes = [] } = "capabilities" in got ? (got.capabilities ?? {}) : {};
		expect(notes).toEqual([
			expect.stringMatching(/^module worker: /),
			expect.stringMatching(/^blob worker: /),
		]);
	});

	it("without 'wasm-unsafe-eval' is an error that names the module", async () => {
		at.own.csp = STRICT_CSP.replace(" 'wasm-unsafe-eval'", "");
		const { page } = await openPage(at.browser, at.own);
		const got = await runInPage(page, look, `${at.own.origin}/tiny.zarr`);
		expect(got).toMatchObject({
			code: "unsupported",
			message: expect.stringMatching(
				/bev_core\.wasm: WebAssembly blocked by the page's Content Security Policy .*'wasm-unsafe-eval'/,
			),
		});
	});
});

describe("browser/hosting: a document with an opaque origin", () => {
	for (const file of ["index.js", "cdn/bevscope.js", "inline.js"]) {
		it(`has a worker in a sandboxed frame (${file})`, async () => {
			at.own.put("/frame.html", "<!doctype html><title>frame</title>");
			at.own.put(
				"/page.html",
				'<!doctype html><iframe sandbox="allow-scripts" src="/frame.html"></iframe>',
			);
			const { page, complaints } = await openPage(at.browser, at.own);
			const frame = await (
				await page.locator("iframe").elementHandle()
			)?.contentFrame();
			if (!frame) throw new Error("there is no frame");
			await frame.waitForURL(`${at.own.origin}/frame.html`);
			expect(await frame.evaluate(() => globalThis.origin)).toBe("null");
			const script = `${at.own.origin}/dist/${file}`;
			const got = await runInPage(frame, look, `${at.own.origin}/tiny.zarr`, script);
			expect(got).toMatchObject({
				east: 3,
				capabilities: { worker: "blob", notes: [] },
			});
			expect(complaints).toEqual([]);
		});
	}
});

/** Waits until the viewer has drawn; returns the URL of its worker. */
function pictured(page: Page): Promise<string> {
	return page.evaluate(async () => {
		await customElements.whenDefined("bev-viewer");
		const viewer = document.querySelector("bev-viewer") as unknown as {
			readonly settled: Promise<void>;
			readonly data: { readonly capabilities: { readonly worker: string } };
		};
		await viewer.settled;
		return viewer.data.capabilities.worker;
	});
}

describe("browser/hosting: the viewer in one file", () => {
	const predictions = "timestamp,track_id,conf_0,coord_x00,coord_y00\n";

	it("displays data and predictions on a page opened from disk", async () => {
		const folder = await mkdtemp(join(tmpdir(), "bevscope-"));
		const script = fileURLToPath(
			new URL("../../web/dist/inline-viewer.js", import.meta.url),
		);
		await copyFile(script, join(folder, "inline-viewer.js"));
		const data = `${at.own.origin}/tiny.zarr`;
		const path = join(folder, "page.html");
		await writeFile(
			path,
			`<!doctype html><script src="inline-viewer.js"></script><bev-viewer src="${data}"></bev-viewer>`,
		);
		const page = await at.browser.newPage();
		await page.goto(`file://${path}`);
		expect(await pictured(page)).toBe("blob");
		// The page has no charset; decoded as Windows-1252, a dash would be three letters.
		await expect
			.poll(() => page.getByText("Scene 0 of 0–1").count())
			.toBeGreaterThan(0);
		const read = await page.evaluate(async (csv) => {
			const { controller } = document.querySelector("bev-viewer") ?? {};
			await controller?.reviews.give(new File([csv], "p.csv"), "p.csv");
			return controller?.state.review.problem ?? controller?.state.review.name;
		}, predictions);
		expect(read).toBe("p.csv");
		expect(at.own.asked("/dist/")).toEqual([]);
		await rm(folder, { recursive: true });
	});

	it("works as a notebook's module, imported from a blob", async () => {
		const { page, complaints } = await openPage(at.browser, at.own);
		await page.evaluate(async () => {
			const script = await (await fetch("/dist/inline-viewer.js")).blob();
			const module = new Blob([script], { type: "text/javascript" });
			const viewer = document.createElement("bev-viewer");
			viewer.setAttribute("src", "/tiny.zarr");
			document.body.append(viewer);
			const address = URL.createObjectURL(module);
			await new Function("address", "return import(address)")(address);
		});
		expect(await pictured(page)).toBe("blob");
		expect(at.own.asked("/dist/")).toEqual(["inline-viewer.js"]);
		expect(complaints.filter((said) => !/404/.test(said))).toEqual([]);
	});

	it("runs on the page's thread if the policy forbids blobs", async () => {
		at.own.csp = `${STRICT_CSP}; img-src 'self'`;
		at.own.put(
			"/page.html",
			'<!doctype html><script src="/dist/inline-viewer.js"></script><bev-viewer src="/tiny.zarr"></bev-viewer>',
		);
		const { page } = await openPage(at.browser, at.own);
		expect(await pictured(page)).toBe("none");
	});
});

describe("browser/hosting: the module", () => {
	it("is compiled from bytes if its type is wrong, with a note", async () => {
		at.own.fault({ match: /\.wasm$/, headers: { "Content-Type": "text/plain" } });
		const { page } = await openPage(at.browser, at.own);
		const got = await runInPage(page, look, `${at.own.origin}/tiny.zarr`);
		expect(got).toMatchObject({ east: 3, capabilities: { streaming: false } });
	});

	it("is fetched once for all data sets of a page", async () => {
		const { page } = await openPage(at.browser, at.own);
		await runInPage(page, look, `${at.own.origin}/tiny.zarr`);
		await runInPage(page, look, `${at.own.origin}/tiny.zarr`);
		const modules = at.own.asked("/dist/").filter((path) => path.endsWith(".wasm"));
		expect(modules).toHaveLength(1);
	});
});

describe("browser/hosting: a user's folder", () => {
	it("is read through a file input, including hidden files", async () => {
		const folder = await mkdtemp(join(tmpdir(), "bevscope-"));
		for (const [key, bytes] of tinyDataset()) {
			const path = join(folder, "scenes/tiny.zarr", key);
			await mkdir(dirname(path), { recursive: true });
			await writeFile(path, bytes);
		}
		const { page } = await openPage(at.browser, at.own);
		await page.evaluate(() => {
			const input = document.createElement("input");
			Object.assign(input, { type: "file", webkitdirectory: true });
			document.body.append(input);
		});
		await page.locator("input").setInputFiles(folder);
		const east = await runInPage(
			page,
			async ({ lib }) => {
				const files = document.querySelector("input")?.files;
				if (!files) return undefined;
				const dataset = await lib.ChunkedDataset.open(files);
				return (await dataset.frame(0, 4)).ego.translation[0];
			},
			"",
		);
		await rm(folder, { recursive: true });
		expect(east).toBe(4);
	});
});
