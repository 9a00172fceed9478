import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type * as Save from "../../web/src/save.js";
import { FakeS3 } from "../support/fake-s3.js";
import { openPage, runInPage, serve, useServers } from "./harness.js";

const at = useServers({ server: () => serve() });
let s3: FakeS3;

beforeAll(async () => {
	s3 = await FakeS3.start();
});

afterAll(() => s3.close());

/** Chromium reports 404 for the page's icon, and for the data set before it exists. */
const unexpected = (text: string): boolean => !text.includes("404");

/** Runs `work` in a page with the entry `bevscope/save`. */
function inPage<T>(
	page: Page,
	work: (given: { readonly lib: typeof Save; readonly url: string }) => Promise<T>,
	url = "",
): Promise<T> {
	return runInPage(page, work as never, url, "/dist/save.js");
}

// Chromium's picker needs a person; the handles of the origin private file system have
// the same interface as those of a picked folder.
describe("browser/save", () => {
	it("saves to the browser's file system, and the next page loads the rows", async () => {
		const { page, complaints } = await openPage(at.browser, at.server);
		const names = await inPage(page, async ({ lib }) => {
			const folder = await navigator.storage.getDirectory();
			const config: Save.DataConfig = {
				name: "digits",
				attributes: { image: { dtype: "|u1", shape: [28, 28] }, label: "<i8" },
				compressor: { id: "blosc", cname: "zstd", clevel: 5, shuffle: 1 },
				maxObjectSize: 2 ** 14,
			};
			const saver = await lib.DataSaver.open(config, lib.toFolder(folder, "d.zarr"));
			for (let batch = 0; batch < 5; batch += 1) {
				const label = new BigInt64Array(100).map((_, i) => BigInt(batch * 100 + i));
				const image = new Uint8Array(78400).map((_, i) => (i * 31 + batch) % 251);
				await saver.save({ image, label });
			}
			await saver.commit();
			const found: string[] = [];
			for await (const name of folder.keys()) found.push(name);
			return found;
		});
		expect(names).toEqual(["d.zarr"]);
		await page.goto(`${at.server.origin}/page.html`);
		const got = await inPage(page, async ({ lib }) => {
			const folder = await navigator.storage.getDirectory();
			const loader = await lib.DataLoader.open(
				await folder.getDirectoryHandle("d.zarr"),
			);
			let [rows, wrong] = [0, 0];
			for await (const { image, label } of loader.batches(64)) {
				const labels = label?.data as BigInt64Array;
				const pixels = image?.data as Uint8Array;
				for (const each of labels) {
					if (each !== BigInt(rows)) wrong += 1;
					const at = (rows % 100) * 784;
					const expected = (at * 31 + Math.floor(rows / 100)) % 251;
					const first = labels[0] ?? 0n;
					if (pixels[(rows - Number(first)) * 784] !== expected) wrong += 1;
					rows += 1;
				}
			}
			return { rows, wrong, attributes: loader.config.attributes };
		});
		expect(got).toEqual({
			rows: 500,
			wrong: 0,
			attributes: {
				image: { dtype: "|u1", shape: [28, 28] },
				label: { dtype: "<i8", shape: [] },
			},
		});
		expect(complaints.filter(unexpected)).toEqual([]);
	});

	it("resumes what a closed page has flushed; readers see nothing before", async () => {
		const context = await at.browser.newContext();
		const first = await context.newPage();
		await first.goto(`${at.server.origin}/page.html`);
		const save = async ({ lib }: { readonly lib: typeof Save }) => {
			const folder = await navigator.storage.getDirectory();
			const to = lib.toFolder(folder, "d.zarr");
			const config = { name: "n", attributes: { v: "<f8" }, maxObjectSize: 1024 };
			const saver = await lib.DataSaver.open(config, to, { resume: true });
			const found = saver.batches;
			const before = await folder.getDirectoryHandle("d.zarr").then(
				() => "there",
				(error: Error) => error.name,
			);
			for (let i = found; i < 7; i += 1) {
				await saver.save({
					v: Float64Array.from({ length: 100 }, (_, k) => i + k / 128),
				});
				if (i === 4) await saver.flush();
				if (found === 0 && i === 5) return { found, before };
			}
			await saver.commit();
			const handle = await folder.getDirectoryHandle("d.zarr");
			const loader = await lib.DataLoader.open(handle);
			const { v } = await loader.rows(0, loader.length);
			const sum = [...(v?.data ?? [])].reduce<number>((a, b) => a + Number(b), 0);
			const again = lib.DataSaver.open(config, to);
			const refused = await again.catch((error: Error) => error.message);
			return { found, before, length: loader.length, sum, refused };
		};
		expect(await inPage(first, save)).toEqual({ found: 0, before: "NotFoundError" });
		await first.close();
		const second = await context.newPage();
		await second.goto(`${at.server.origin}/page.html`);
		expect(await inPage(second, save)).toEqual({
			found: 5,
			before: "NotFoundError",
			length: 700,
			sum: 2100 + (7 * 4950) / 128,
			refused: "d.zarr: already exists (append and replace must be asked for)",
		});
	});

	it("two pages save at once; a .zip is appended to and replaced at once", async () => {
		const context = await at.browser.newContext();
		const pages = await Promise.all([context.newPage(), context.newPage()]);
		for (const page of pages) await page.goto(`${at.server.origin}/page.html`);
		const [first, second] = pages as [Page, Page];
		const save = (page: Page, mode: Save.SaveMode, saver: number) =>
			inPage(
				page,
				async ({ lib, url }) => {
					const given = JSON.parse(url) as { mode: Save.SaveMode; saver: number };
					const folder = await navigator.storage.getDirectory();
					const config = { name: "n", attributes: { v: "<f8" }, maxObjectSize: 1024 };
					const to = lib.toFolder(folder, "d.zarr.zip");
					const saver = await lib.DataSaver.open(config, to, given);
					const v = Float64Array.from({ length: 300 }, (_, k) => given.saver + k / 512);
					await saver.save({ v });
					Object.assign(globalThis, { saver });
					return lib.commitParts(to).catch((error: Error) => error.message);
				},
				JSON.stringify({ mode, saver }),
			);
		const finish = (page: Page) =>
			page.evaluate(() =>
				(globalThis as never as { saver: Save.DataSaver }).saver.finish(),
			);
		const commit = (page: Page) =>
			inPage(page, async ({ lib }) => {
				const folder = await navigator.storage.getDirectory();
				return lib.commitParts(lib.toFolder(folder, "d.zarr.zip"));
			});
		const load = (page: Page) =>
			inPage(page, async ({ lib }) => {
				const folder = await navigator.storage.getDirectory();
				const names: string[] = [];
				for await (const name of folder.keys()) names.push(name);
				const file = await (await folder.getFileHandle("d.zarr.zip")).getFile();
				const loader = await lib.DataLoader.open(file);
				const { v } = await loader.rows(0, loader.length);
				return {
					names,
					firsts: Array.from(v?.data as Float64Array).filter((x) => x % 1 === 0),
				};
			});
		const running = "d.zarr.zip: locked (savers are running)";
		const saved = await Promise.all([
			save(first, "append", 4),
			save(second, "append", 2),
		]);
		expect(saved).toEqual([running, running]);
		const taken = save(second, "append", 4).catch((error: Error) => error.message);
		expect(await taken).toContain("another saver has the number 4");
		await finish(second);
		await first.close(); // its lock ends with it
		const third = await context.newPage();
		await third.goto(`${at.server.origin}/page.html`);
		const again = save(third, "append", 4);
		expect(await again).toBe(running);
		await finish(third);
		expect(await commit(third)).toBe(600);
		expect(await load(third)).toEqual({ names: ["d.zarr.zip"], firsts: [2, 4] });
		await save(third, "append", 1);
		await finish(third);
		expect((await load(second)).firsts).toEqual([2, 4]);
		expect(await commit(second)).toBe(900);
		expect((await load(third)).firsts).toEqual([2, 4, 1]);
		await save(second, "replace", 7);
		await finish(second);
		expect(await commit(third)).toBe(300);
		expect(await load(second)).toEqual({ names: ["d.zarr.zip"], firsts: [7] });
	});

	it("never touches a folder with other content", async () => {
		const { page } = await openPage(at.browser, at.server);
		const got = await inPage(page, async ({ lib }) => {
			const folder = await navigator.storage.getDirectory();
			const own = await folder.getDirectoryHandle("own", { create: true });
			await own.getFileHandle("letter.txt", { create: true });
			const config = { name: "n", attributes: { v: "<f8" } };
			const opening = lib.DataSaver.open(config, lib.toFolder(folder, "own"));
			const said = await opening.catch((error: Error) => error.message);
			const left: string[] = [];
			for await (const name of own.keys()) left.push(name);
			return { said, left };
		});
		expect(got).toEqual({
			said: "own: not empty (found letter.txt, expected a new folder)",
			left: ["letter.txt"],
		});
	});

	it("uploads to another origin by presigned URLs", async () => {
		const { page, complaints } = await openPage(at.browser, at.server);
		const base = s3.sign({ key: "", query: {} }).url;
		const got = await inPage(
			page,
			async ({ lib, url }) => {
				const sign: Save.S3Options["sign"] = ({ key, query }) => {
					const signed = new URL(url);
					signed.pathname += key;
					for (const [name, value] of Object.entries(query)) {
						signed.searchParams.set(name, value);
					}
					return { url: signed };
				};
				const config = { name: "n", attributes: { v: "<u4" }, maxObjectSize: 2 ** 24 };
				const saver = await lib.DataSaver.open(config, lib.toS3({ sign }));
				await saver.save({ v: new Uint32Array(2 ** 22).map((_, i) => i) });
				return saver.commit();
			},
			base,
		);
		expect(got).toBe(2 ** 22);
		expect(s3.log.some((line) => line.includes("partNumber=2"))).toBe(true);
		expect([...s3.objects.keys()].at(-1)).toBe(".zmetadata");
		expect(complaints.filter(unexpected)).toEqual([]);
	});
});
