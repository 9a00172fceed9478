import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FakeS3, SECRET } from "../../../tests/support/fake-s3.js";
import {
	DataLoader,
	DataSaver,
	MemoryStore,
	type S3Options,
	toMap,
	toS3,
} from "../../src/save.js";
import { CONFIG, rowsOf } from "./rows.js";

const ROWS = rowsOf(0, 120);
const expected = new Map<string, Uint8Array<ArrayBuffer>>();
let s3: FakeS3;

beforeAll(async () => {
	using saver = await DataSaver.open(CONFIG, toMap(expected));
	await saver.save(ROWS);
	await saver.commit();
});

beforeEach(async () => {
	s3 = await FakeS3.start();
});

afterEach(() => s3.close());

function destination(more: Partial<S3Options> = {}) {
	return toS3({ name: "made", sign: s3.sign, retryDelay: 1, retries: 3, ...more });
}

async function saveTo(to = destination(), rows = ROWS): Promise<number> {
	using saver = await DataSaver.open(CONFIG, to);
	await saver.save(rows);
	return await saver.commit();
}

function sorted(objects: ReadonlyMap<string, Uint8Array>) {
	return new Map([...objects].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns everything that an error shows: messages, addresses, causes. */
function shown(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const { cause, message, stack } = error;
	return [message, stack, JSON.stringify(error), cause && shown(cause)].join("\n");
}

async function failureOf(work: Promise<unknown>): Promise<Error & { code?: string }> {
	try {
		await work;
	} catch (error) {
		expect(shown(error)).not.toContain(SECRET);
		return error as Error;
	}
	throw new Error("nothing failed");
}

describe("saving: S3", () => {
	it("creates the objects of a data set, documents last", async () => {
		expect(await saveTo()).toBe(120);
		expect(sorted(s3.objects)).toEqual(sorted(expected));
		const puts = s3.log.filter((line) => line.startsWith("PUT"));
		expect(puts.slice(-3)).toEqual(["PUT .zattrs", "PUT .zgroup", "PUT .zmetadata"]);
		expect(puts.length).toBe(expected.size);
		using loader = await DataLoader.open(s3.objects);
		expect((await loader.rows(0, 120)).label?.data).toEqual(ROWS.label);
	});

	it.each([
		{ status: 503, code: "SlowDown" },
		{ status: 500, code: "InternalError" },
		{ status: 429, code: "TooManyRequests" },
		{ status: 409, code: "ConditionalRequestConflict" },
		{ reset: true },
		{ loseAnswer: true },
	])("survives failures of requests: %j", async (fault) => {
		const matches = [/^PUT image\/1/, /^PUT label/, /^PUT .zattrs/, /^PUT .zmeta/];
		for (const match of matches) s3.fault({ match, times: 2, ...fault });
		await saveTo();
		expect(sorted(s3.objects)).toEqual(sorted(expected));
	});

	it("gives up a request without an answer, and sends it again", async () => {
		s3.fault({ match: /^PUT label/, stall: true });
		await saveTo(destination({ timeout: 1000 }));
		expect(s3.log.filter((line) => line === "PUT label/0").length).toBe(2);
		expect(sorted(s3.objects)).toEqual(sorted(expected));
	});

	it("rejects for what lasts, with S3's code and without the signature", async () => {
		s3.fault({ match: /^PUT image\/2/, status: 503, code: "SlowDown", times: 4 });
		const to = destination();
		const parts = new MemoryStore();
		const saver = await DataSaver.open(CONFIG, to, { parts });
		await saver.save(ROWS);
		const error = await failureOf(saver.commit());
		expect(error).toMatchObject({ code: "network", status: 503 });
		expect(error.message).toBe(
			`made: image/2.0.0: HTTP 503 (SlowDown) (${s3.origin}/bucket/d.zarr/image/2.0.0)`,
		);
		expect([...s3.objects.keys()].filter((key) => key.includes(".z"))).toEqual([]);
		// Repeated, it completes: equal objects are kept
		expect(await saver.commit()).toBe(120);
		expect(sorted(s3.objects)).toEqual(sorted(expected));
		expect(s3.log.filter((line) => line === "PUT image/0.0.0").length).toBe(2);
		expect(await parts.read("manifest.json")).toBeUndefined();
	});

	it("reports a lost connection, an invalid address and a failed signature", async () => {
		s3.fault({ match: /^PUT/, reset: true, times: 99 });
		expect(await failureOf(saveTo())).toMatchObject({
			code: "network",
			message: expect.stringMatching(/^made: [a-z./0-9]+: no answer$/),
		});
		const signs = (sign: S3Options["sign"]) => failureOf(saveTo(destination({ sign })));
		expect(await signs(() => ({ url: `//x?${SECRET}` }))).toMatchObject({
			message: "made: .zmetadata: sign returned no absolute URL",
		});
		expect(await signs(() => ({ url: `http://[${SECRET}` }))).toMatchObject({
			message: "made: .zmetadata: no answer",
		});
		const refused = await signs(() => Promise.reject(new Error("logged out")));
		expect(refused.message).toBe("made: .zmetadata: sign failed");
		const wrong = await signs(({ key }) => ({
			url: `${s3.origin}/bucket/d.zarr/${key}`,
		}));
		expect(wrong).toMatchObject({ code: "network", status: 403 });
	});

	it("never overwrites: an existing data set, and other bytes of another writer", async () => {
		await saveTo();
		const before = new Map(s3.objects);
		expect(await failureOf(saveTo())).toMatchObject({
			message: expect.stringContaining("made: already exists"),
		});
		s3.objects.delete(".zmetadata");
		before.delete(".zmetadata");
		const other = await failureOf(saveTo(destination(), rowsOf(500, 620)));
		expect(other).toMatchObject({ code: "changed" });
		expect(other.message).toContain("has other bytes");
		expect(s3.objects).toEqual(before);
		// The same rows complete it
		await saveTo();
		expect(sorted(s3.objects)).toEqual(sorted(expected));
	});

	it("of two savers at once, both with other rows, at most one succeeds", async () => {
		for (let run = 0; run < 5; run += 1) {
			s3.objects.clear();
			const results = await Promise.allSettled([
				saveTo(),
				saveTo(destination(), rowsOf(500, 620)),
			]);
			const done = results.filter(({ status }) => status === "fulfilled").length;
			expect(done).toBeLessThanOrEqual(1);
			for (const result of results) {
				if (result.status === "fulfilled") continue;
				expect(result.reason).toMatchObject({ code: "changed" });
			}
			if (done === 0) expect(s3.objects.has(".zmetadata")).toBe(false);
		}
	});

	it("writes without conditions where the service has none", async () => {
		s3.conditional = false;
		await saveTo();
		expect(sorted(s3.objects)).toEqual(sorted(expected));
	});

	it("is aborted with the caller's reason", async () => {
		const control = new AbortController();
		s3.fault({ match: /^PUT image\/1/, stall: true });
		using saver = await DataSaver.open(CONFIG, destination());
		await saver.save(ROWS);
		setTimeout(() => control.abort(new Error("stop")), 30);
		const error = await failureOf(saver.commit({ signal: control.signal }));
		expect(error.message).toBe("stop");
		expect(s3.objects.has(".zmetadata")).toBe(false);
	});
});

describe("saving: S3, large objects", () => {
	const config = {
		name: "large",
		attributes: { value: "<u4" },
		maxObjectSize: 2 ** 20,
	};
	const value = new Uint32Array(40_000).map((_, i) => i);

	async function saveLarge(more: Partial<S3Options> = {}): Promise<number> {
		using saver = await DataSaver.open(
			config,
			destination({ partSize: 2 ** 16, ...more }),
		);
		await saver.save({ value });
		return await saver.commit();
	}

	async function checkStored(): Promise<void> {
		expect(s3.uploads.size).toBe(0);
		const stored = s3.objects.get("value/0");
		const found = new Uint32Array(stored?.buffer.slice(0) ?? new ArrayBuffer());
		expect(found.every((each, i) => each === i)).toBe(true);
		expect(found.length).toBe(value.length);
	}

	it.each([
		[/^POST value\/0\?uploads/, { status: 503 }],
		[/partNumber=2/, { status: 500 }],
		[/partNumber=3/, { reset: true }],
		[/partNumber=1/, { loseAnswer: true }],
		[/^POST value\/0\?uploadId/, { status: 503 }],
		[/^POST value\/0\?uploadId/, { errorInBody: true }],
		[/^POST value\/0\?uploadId/, { loseAnswer: true }],
		[/^nothing/, {}],
	])("are uploaded in parts, in spite of failures: %s %j", async (match, fault) => {
		s3.fault({ match, ...fault });
		expect(await saveLarge()).toBe(value.length);
		await checkStored();
		expect(
			s3.log.filter((line) => line.includes("partNumber=3")).length,
		).toBeGreaterThan(0);
	});

	it("are not left half uploaded by failures that last", async () => {
		s3.fault({ match: /partNumber=2/, status: 403, code: "AccessDenied" });
		expect(await failureOf(saveLarge())).toMatchObject({
			code: "network",
			status: 403,
		});
		s3.fault({
			match: /^POST value\/0\?uploadId/,
			status: 400,
			code: "EntityTooSmall",
		});
		expect((await failureOf(saveLarge())).message).toContain(
			"HTTP 400 (EntityTooSmall)",
		);
		expect(s3.uploads.size).toBe(0);
		expect(s3.objects.size).toBe(0);
	});

	it("are not overwritten", async () => {
		s3.objects.set("value/0", new Uint8Array(3));
		expect(await failureOf(saveLarge())).toMatchObject({ code: "changed" });
		expect(s3.uploads.size).toBe(0);
		expect(s3.objects.get("value/0")).toEqual(new Uint8Array(3));
	});
});
