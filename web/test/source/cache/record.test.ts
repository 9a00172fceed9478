import { describe, expect, it } from "vitest";
import { bytesOf, encode, parse } from "../../../src/source/cache/record.js";

const head = {
	of: "https://host/set.zarr/agents/0",
	begin: 16,
	validator: { etag: '"a"', length: 100 },
	metadata: undefined,
};
const bytes = Uint8Array.from({ length: 40 }, (_, i) => 255 - i);
const { record } = encode(head, bytes);

describe("source/cache/record", () => {
	it("round-trips", async () => {
		const file = new Blob([
			record,
			encode({ ...head, begin: 56 }, bytes.slice(3)).record,
		]);
		const placed = await parse(file);
		expect(placed.map(({ head: { begin, end } }) => [begin, end])).toEqual([
			[16, 56],
			[56, 93],
		]);
		expect(placed[0]?.head).toMatchObject({ of: head.of, validator: head.validator });
		const [first, second] = await Promise.all(placed.map((one) => bytesOf(file, one)));
		expect(first).toEqual(bytes);
		expect(second).toEqual(bytes.slice(3));
	});

	it("a truncated record ends the list; previous ones remain", async () => {
		for (let size = 0; size < record.length; size += 1) {
			const file = new Blob([record, record.slice(0, size)]);
			expect(await parse(file)).toHaveLength(1);
		}
	});

	it("a record with any flipped byte is rejected", async () => {
		for (let at = 0; at < record.length; at += 1) {
			const damaged = record.slice();
			damaged[at] = (damaged[at] ?? 0) ^ 0x10;
			const file = new Blob([damaged]);
			const [found] = await parse(file);
			const got = found && (await bytesOf(file, found));
			expect(got === undefined || got.every((byte, i) => byte === bytes[i])).toBe(true);
		}
	});
});
