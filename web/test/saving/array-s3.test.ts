import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeS3 } from "../../../tests/support/fake-s3.js";
import { openArray, type S3Options, s3Arrays } from "../../src/save.js";

const NEW = {
	mode: "w-",
	shape: [8],
	dtype: "|u1",
	chunks: [4],
	codec: "none",
} as const;
let s3: FakeS3;

beforeEach(async () => {
	s3 = await FakeS3.start();
});

afterEach(() => s3.close());

function store(more: Partial<S3Options> = {}) {
	return s3Arrays({ name: "made", sign: s3.sign, retryDelay: 1, retries: 3, ...more });
}

describe("saving: s3Arrays", () => {
	it("writers without locks lose no rows, of the same chunks and of appends", async () => {
		using one = await openArray(store(), "g/x", NEW);
		const others = await Promise.all(
			Array.from({ length: 4 }, () => openArray(store(), "g/x")),
		);
		await Promise.all(others.map((array, i) => array.assign([2 * i], i + 1)));
		expect((await one.read()).data).toEqual(Uint8Array.of(1, 0, 2, 0, 3, 0, 4, 0));
		await Promise.all(
			others.map((array, i) => array.append(new Uint8Array(3).fill(10 + i))),
		);
		const { data } = await one.read([{ begin: 8 }]);
		expect([...(data as Uint8Array)].sort()).toEqual([
			10, 10, 10, 11, 11, 11, 12, 12, 12, 13, 13, 13,
		]);
		for (const array of others) array.close();
	});

	it("a lost answer is an error, not a second append", async () => {
		using array = await openArray(store(), "x", NEW);
		s3.fault({ match: /^PUT x\/\.zarray/, loseAnswer: true });
		await expect(array.append(new Uint8Array(3).fill(1))).rejects.toMatchObject({
			code: "network",
		});
		await array.refresh();
		expect(array.shape).toEqual([11]);
		s3.fault({ match: /^PUT x\/0/, status: 409, times: 3 });
		await array.assign([{ begin: 1, end: 3 }], 6);
		s3.fault({ match: /^PUT x\/1/, loseAnswer: true });
		await array.assign([{ begin: 4, end: 8 }], 7); // whole: repeated
		expect((await array.read()).data).toEqual(
			Uint8Array.of(0, 6, 6, 0, 7, 7, 7, 7, 0, 0, 0),
		);
	});

	it("refuses what conditional writes cannot do, and services that ignore them", async () => {
		using array = await openArray(store(), "x", NEW);
		const unsupported = { code: "unsupported" };
		await expect(array.resize([3])).rejects.toMatchObject(unsupported);
		const replaced = openArray(store(), "x", { ...NEW, mode: "w" });
		await expect(replaced).rejects.toMatchObject(unsupported);
		expect((await array.info()).chunkCount).toBe(2);
		s3.conditional = false;
		const other = openArray(store(), "y", NEW);
		await expect(other).rejects.toMatchObject(unsupported);
		expect([...s3.objects.keys()].sort()).toEqual([".zgroup", "x/.zarray"]);
	});
});
