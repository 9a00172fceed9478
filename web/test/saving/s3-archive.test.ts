import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeS3, type S3Fault, SECRET } from "../../../tests/support/fake-s3.js";
import {
	commitParts,
	DataLoader,
	DataSaver,
	MemoryStore,
	type S3Options,
	type SaveMode,
	toMap,
	toS3,
} from "../../src/save.js";
import { loadCore } from "../../src/saving/core.js";
import { MemorySource } from "../../src/source/source.js";
import { ZipSource } from "../../src/source/zip-source.js";
import { CONFIG, rowsOf } from "./rows.js";

vi.setConfig({ testTimeout: 60_000 });

const KEY = "d.zarr.zip";
let s3: FakeS3;

beforeEach(async () => {
	s3 = await FakeS3.start();
});

afterEach(() => s3.close());

function destination(more: Partial<S3Options> = {}) {
	const fixed = { name: "made", sign: s3.sign, zip: KEY, retryDelay: 1, retries: 3 };
	return toS3({ ...fixed, ...more });
}

/** Saves rows `begin` to `end - 1`, and commits. */
async function save(
	mode: SaveMode,
	[begin, end]: readonly [number, number],
	to = destination(),
): Promise<number> {
	using saver = await DataSaver.open(CONFIG, to, { mode });
	await saver.save(rowsOf(begin, end));
	return await saver.commit();
}

/** Returns the members of the archive that is there. */
async function archive(): Promise<ZipSource> {
	const bytes = s3.objects.get(KEY);
	if (!bytes) throw new Error("no archive");
	const core = await loadCore(undefined);
	const holder = new MemorySource({ [KEY]: bytes });
	return new ZipSource(holder, { key: KEY, size: bytes.length }, async () => core);
}

async function expectRows(count: number): Promise<void> {
	using loader = await DataLoader.open(await archive());
	expect(loader.length).toBe(count);
	const { image, label } = await loader.rows(0, count);
	expect(image?.data).toEqual(rowsOf(0, count).image);
	expect(label?.data).toEqual(rowsOf(0, count).label);
}

describe("saving: archives in S3", () => {
	it("create, append and replace one object, by one conditional request each", async () => {
		expect(await save("create", [0, 40])).toBe(40);
		await expectRows(40);
		await expect(save("create", [0, 1])).rejects.toThrow(
			"made: d.zarr.zip: already exists",
		);
		expect(await save("append", [40, 190])).toBe(190);
		await expectRows(190);
		expect(await save("replace", [0, 7])).toBe(7);
		await expectRows(7);
		expect([...s3.objects.keys()]).toEqual([KEY]);
		const writes = s3.log.filter((line) => !line.startsWith("GET"));
		expect(writes).toEqual(Array(3).fill(`PUT ${KEY}`));
	});

	it("replace an empty object, which an interrupted upload has left", async () => {
		for (const mode of ["create", "append", "replace"] as const) {
			s3.objects.set(KEY, new Uint8Array());
			expect(await save(mode, [0, 40])).toBe(40);
			await expectRows(40);
		}
		// Another writer is noticed all the same
		s3.objects.set(KEY, new Uint8Array());
		const to = destination();
		const put: typeof to.put = async (...given) => {
			s3.objects.set(KEY, Uint8Array.of(1));
			await to.put(...given);
		};
		await expect(save("create", [0, 40], { ...to, put })).rejects.toMatchObject({
			code: "changed",
		});
		expect(s3.objects.get(KEY)).toEqual(Uint8Array.of(1));
	});

	it("has the members that other destinations have as objects", async () => {
		const map = new Map<string, Uint8Array<ArrayBuffer>>();
		await save("create", [0, 120], toMap(map));
		await save("create", [0, 120]);
		const source = await archive();
		for (const [key, expected] of map) expect(await source.read(key)).toEqual(expected);
	});

	it("is uploaded in parts of one size if it is large", async () => {
		const to = destination({ partSize: 1000 });
		expect(await save("create", [0, 300], to)).toBe(300);
		await expectRows(300);
		expect(await save("append", [300, 310], to)).toBe(310);
		await expectRows(310);
		expect(s3.uploads.size).toBe(0);
		expect(s3.log.filter((line) => line.startsWith("PUT")).length).toBeGreaterThan(10);
	});

	it.each([{}, { partSize: 1000 }])(
		"a writer that was faster is an error, and nothing of it is lost: %j",
		async (options) => {
			await save("create", [0, 40]);
			const parts = new MemoryStore();
			const to = destination(options);
			const mode = "append";
			const slow = await DataSaver.open(CONFIG, to, { mode, parts });
			await slow.save(rowsOf(40, 240));
			// Between its first look and its last request
			const put = to.put;
			let raced = false;
			const late = {
				...to,
				put: async (...given: Parameters<typeof put>) => {
					if (!raced) await save("replace", [0, 11], destination({ name: "other" }));
					raced = true;
					await put(...given);
				},
			};
			await slow.finish();
			await expect(commitParts(late, { parts })).rejects.toMatchObject({
				code: "changed",
			});
			await expectRows(11);
			await expect(commitParts(to, { parts })).rejects.toMatchObject({
				code: "changed",
				message: "made: d.zarr.zip: was replaced since the savers began",
			});
			expect(s3.uploads.size).toBe(0);
		},
	);

	it("of two commits at once, one creates the object", async () => {
		for (let run = 0; run < 5; run += 1) {
			s3.objects.clear();
			// Other names have other locks, as in another browser
			const commits = [30, 50].map((count) =>
				save("create", [0, count], destination({ name: `made ${count}` })),
			);
			const done = await Promise.allSettled(commits);
			const won = done.flatMap((each) =>
				each.status === "fulfilled" ? [each.value] : [],
			);
			expect(won).toHaveLength(1);
			await expectRows(won[0] ?? 0);
		}
	});

	const faults: readonly [string, readonly Omit<S3Fault, "match">[]][] = [
		["a lost answer", [{ loseAnswer: true }]],
		["overload", [{ status: 503, code: "SlowDown", times: 2 }]],
		["a cut connection", [{ reset: true }]],
	];
	it.each(faults)("survives %s of the last request", async (_, given) => {
		for (const partSize of [undefined, 1000]) {
			s3.objects.clear();
			const match = partSize ? /^POST .*uploadId/ : /^PUT/;
			for (const fault of given) s3.fault({ match, ...fault });
			expect(await save("create", [0, 120], destination({ partSize }))).toBe(120);
			await expectRows(120);
			for (const fault of given) s3.fault({ match, ...fault });
			expect(await save("append", [120, 130], destination({ partSize }))).toBe(130);
			await expectRows(130);
		}
	});

	it("a service without conditional writes is written without", async () => {
		s3.conditional = false;
		expect(await save("create", [0, 40])).toBe(40);
		expect(await save("append", [40, 60], destination({ partSize: 1000 }))).toBe(60);
		await expectRows(60);
	});

	it("a lasting failure keeps the old object, and shows no signature", async () => {
		await save("create", [0, 40]);
		const to = destination({ partSize: 1000, retries: 1 });
		s3.fault({ match: /partNumber=2/, status: 500, code: "InternalError", times: 9 });
		const failed = await save("append", [40, 240], to).catch((error: Error) => error);
		expect(failed).toMatchObject({ code: "network", status: 500 });
		expect(JSON.stringify(failed) + String(failed)).not.toContain(SECRET);
		await expectRows(40);
		expect(s3.uploads.size).toBe(0);
	});

	it("a bucket that hides ETag from pages is an error", async () => {
		await save("create", [0, 40]);
		const hidden: typeof fetch = async (...given) => {
			const answer = await fetch(...given);
			const headers = new Headers(answer.headers);
			headers.delete("ETag");
			return new Response(answer.body, { status: answer.status, headers });
		};
		await expect(
			save("append", [40, 41], destination({ fetch: hidden })),
		).rejects.toMatchObject({ code: "unsupported" });
	});
});
