import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type * as Save from "../../web/src/save.js";
import { FakeS3, SECRET } from "../support/fake-s3.js";
import { openPage, runInPage, serve, useServers } from "./harness.js";

/** A worker that assigns every `step`th row from `first` on, and appends. */
const WORKER = `
import { openArray } from "/dist/save.js";

onmessage = async ({ data: { first, step, value } }) => {
	try {
		const folder = await navigator.storage.getDirectory();
		const array = await openArray(folder, "d.zarr/x");
		for (let at = first; at < 200; at += 4 * step) {
			const slice = { begin: at, end: Math.min(at + 4 * step, 200), step };
			await array.assign([slice], value);
			await array.append(new Float32Array(3).fill(value));
		}
		postMessage("done");
	} catch (error) {
		postMessage(String(error));
	}
};
`;

const at = useServers({ server: () => serve({ "/arrays-worker.js": WORKER }) });

function inPage<T, Given extends object>(
	page: Page,
	work: (given: { readonly lib: typeof Save; readonly url: string }) => Promise<T>,
	given?: Given,
): Promise<T> {
	return runInPage(page, work as never, JSON.stringify(given ?? {}), "/dist/save.js");
}

async function twoPages(): Promise<[Page, Page]> {
	const context = await at.browser.newContext();
	const pages = await Promise.all([context.newPage(), context.newPage()]);
	for (const page of pages) await page.goto(`${at.server.origin}/page.html`);
	return pages as [Page, Page];
}

/** Creates an array of two hundred rows, in chunks of fifty. */
function create(page: Page): Promise<void> {
	return inPage(page, async ({ lib }) => {
		const folder = await navigator.storage.getDirectory();
		const array = await lib.openArray(folder, "d.zarr/x", {
			...{ mode: "w", shape: [200], dtype: "<f4", chunks: [50] },
		});
		array.close();
	});
}

function content(page: Page): Promise<number[]> {
	return inPage(page, async ({ lib }) => {
		const folder = await navigator.storage.getDirectory();
		const array = await lib.openArray(folder, "d.zarr/x");
		return [...((await array.read()).data as Float32Array)];
	});
}

/** Starts two workers in a page, which write every fourth row each. */
function work(page: Page, values: readonly number[]): Promise<string[]> {
	return inPage(
		page,
		async ({ url }) => {
			const given = JSON.parse(url) as { values: number[] };
			const answers = given.values.map(
				(value) =>
					new Promise<string>((resolve) => {
						const worker = new Worker("/arrays-worker.js", { type: "module" });
						worker.onmessage = ({ data }) => resolve(data);
						worker.onerror = ({ message }) => resolve(message);
						worker.postMessage({ first: value - 1, step: 4, value });
					}),
			);
			return Promise.all(answers);
		},
		{ values },
	);
}

describe("browser/arrays", () => {
	it("two workers of two pages write the same chunks, and lose no rows", async () => {
		const [first, second] = await twoPages();
		await create(first);
		const answers = await Promise.all([work(first, [1, 2]), work(second, [3, 4])]);
		expect(answers.flat()).toEqual(["done", "done", "done", "done"]);
		const found = await content(first);
		expect(found.slice(0, 200)).toEqual(
			Array.from({ length: 200 }, (_, row) => (row % 4) + 1),
		);
		const appended = found.slice(200);
		expect(appended.length).toBe(4 * 13 * 3);
		for (let row = 0; row < appended.length; row += 3) {
			expect(new Set(appended.slice(row, row + 3)).size).toBe(1);
		}
		const names = await inPage(first, async () => {
			const store = await (await navigator.storage.getDirectory()).getDirectoryHandle(
				"d.zarr",
			);
			const found: string[] = [];
			for await (const name of (await store.getDirectoryHandle("x")).keys())
				found.push(name);
			return found.sort();
		});
		expect(names).toEqual([".zarray", "0", "1", "2", "3", "4", "5", "6", "7"]);
		for (const value of [1, 2, 3, 4]) {
			expect(appended.filter((one) => one === value).length).toBe(13 * 3);
		}
	});

	it("a reader gets each chunk old or new; of the same rows, the last writer's stay", async () => {
		const [first, second] = await twoPages();
		await create(first);
		const write = (page: Page, value: number) =>
			inPage(
				page,
				async ({ lib, url }) => {
					const { value } = JSON.parse(url) as { value: number };
					const folder = await navigator.storage.getDirectory();
					const array = await lib.openArray(folder, "d.zarr/x");
					const mixed: number[][] = [];
					for (let i = 0; i < 15; i += 1) {
						// One chunk as a whole, and parts of two others
						await array.assign([{ begin: 25, end: 125 }], value);
						const { data } = await array.read();
						const rows = data as Float32Array;
						for (const [begin, end] of [
							[25, 50],
							[50, 100],
							[100, 125],
						]) {
							const part = new Set(rows.subarray(begin, end));
							if (part.size > 1) mixed.push([...part]);
						}
					}
					return mixed;
				},
				{ value },
			);
		expect(await Promise.all([write(first, 1), write(second, 2)])).toEqual([[], []]);
		const found = await content(second);
		expect(new Set(found.slice(0, 25))).toEqual(new Set([0]));
		expect(new Set(found.slice(125))).toEqual(new Set([0]));
		for (const value of found.slice(25, 125)) expect([1, 2]).toContain(value);
	});

	it("a page that is closed while it writes leaves old or new chunks, and no lock", async () => {
		const [first, second] = await twoPages();
		await create(second);
		for (const delay of [0, 5, 15, 40]) {
			const page = delay === 0 ? first : await first.context().newPage();
			if (delay > 0) await page.goto(`${at.server.origin}/page.html`);
			const writes = inPage(page, async ({ lib }) => {
				const folder = await navigator.storage.getDirectory();
				const array = await lib.openArray(folder, "d.zarr/x");
				for (let value = 1; ; value += 1) {
					await array.assign([{ begin: 10, end: 120 }], value);
					Object.assign(globalThis, { written: value });
				}
			}).catch(() => {});
			await page.waitForFunction(() => Object(globalThis).written > 1);
			await new Promise((resolve) => setTimeout(resolve, delay));
			await page.close();
			await writes;
			const found = await content(second);
			for (const [begin, end] of [
				[10, 50],
				[50, 100],
				[100, 120],
			]) {
				expect(new Set(found.slice(begin, end)).size).toBe(1);
			}
			await inPage(second, async ({ lib }) => {
				const folder = await navigator.storage.getDirectory();
				const array = await lib.openArray(folder, "d.zarr/x");
				await array.assign([], 0);
				await array.resize([200]);
			});
		}
	});

	it("arrays in S3 are written from pages of another origin", async () => {
		const s3 = await FakeS3.start();
		try {
			const { page } = await openPage(at.browser, at.server);
			const found = await inPage(
				page,
				async ({ lib, url }) => {
					const { origin, secret } = JSON.parse(url) as Record<string, string>;
					const store = lib.s3Arrays({
						sign: ({ key }) => ({
							url: `${origin}/bucket/d.zarr/${key}?X-Amz-Signature=${secret}`,
						}),
					});
					const spec = { mode: "w-", shape: [10], dtype: "<i4", chunks: [4] } as const;
					const array = await lib.openArray(store, "x", spec);
					await array.assign([{ begin: 3, end: 5 }], 7);
					await array.append(Int32Array.of(8, 9));
					return [...((await array.read()).data as Int32Array)];
				},
				{ origin: s3.origin, secret: SECRET },
			);
			expect(found).toEqual([0, 0, 0, 7, 7, 0, 0, 0, 0, 0, 8, 9]);
		} finally {
			await s3.close();
		}
	});
});
