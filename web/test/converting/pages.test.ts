import { resourceUsage } from "node:process";
import { gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import { Zstd } from "numcodecs";
import { describe, expect, it } from "vitest";
import { COMPRESSORS } from "../../src/converting/pages.js";
import { parquetColumns } from "../../src/converting/parquet.js";

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
const BLOCK = 2 ** 17;

/** Returns a block's header: kind 0 has `size` bytes, kind 1 a byte that is repeated. */
function header(kind: 0 | 1, size: number, isLast: boolean): number[] {
	const bits = Number(isLast) | (kind << 1) | (size << 3);
	return [bits & 255, (bits >> 8) & 255, bits >> 16];
}

/** Returns a frame of repeated bytes with a window of 8 MiB. */
function repeated(sizes: readonly number[], descriptor = 13 << 3): Uint8Array {
	const blocks = sizes.flatMap((size, i) => [
		...header(1, size, i === sizes.length - 1),
		7,
	]);
	return Uint8Array.from([...MAGIC, 0, descriptor, ...blocks]);
}

/** Returns a Parquet file whose only page is `page`, of which its header says 24 bytes. */
function fileOf(page: Uint8Array): ArrayBuffer {
	const columnData = [{ name: "x", data: [1, 2, 3], type: "DOUBLE" }];
	const compressors = { ZSTD: () => page };
	return parquetWriteBuffer({ columnData, codec: "ZSTD", compressors } as never);
}

describe("converting/pages: Zstandard", () => {
	it("decodes what an encoder writes, in several frames", async () => {
		let state = 1;
		const noise = Uint8Array.from({ length: 700_000 }, (_, i) => {
			state = (state * 16807) % 2147483647;
			return i % 50_000 < 20_000 ? state & 7 : i & 255;
		});
		for (const level of [1, 9, 19]) {
			const encoder = new Zstd(level);
			for (const length of [1, 300, 5000, 131_072, 131_073, 700_000]) {
				const plain = noise.subarray(0, length);
				const packed = await encoder.encode(plain);
				expect(Buffer.compare(COMPRESSORS.ZSTD(packed, length), plain)).toBe(0);
				const skipped = Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9);
				const twice = new Uint8Array(2 * packed.length + skipped.length);
				twice.set(packed);
				twice.set(skipped, packed.length);
				twice.set(packed, packed.length + skipped.length);
				const both = COMPRESSORS.ZSTD(twice, 2 * length);
				expect(Buffer.compare(both.subarray(length), plain)).toBe(0);
			}
		}
	});

	it("returns fewer bytes than expected, which hyparquet refuses", async () => {
		expect(COMPRESSORS.ZSTD(repeated([3, 4]), 24)).toEqual(new Uint8Array(7).fill(7));
		const columns = parquetColumns(fileOf(repeated([3, 4])), ["x"], []);
		await expect(columns).rejects.toMatchObject({ code: "corrupt_chunk" });
	});

	it("refuses a page that is longer than its header says, in little memory", async () => {
		const bomb = fileOf(repeated(Array(4000).fill(BLOCK)));
		expect(bomb.byteLength).toBeLessThan(20_000);
		const before = resourceUsage().maxRSS;
		await expect(parquetColumns(bomb, ["x"], [])).rejects.toMatchObject({
			code: "corrupt_chunk",
			message: expect.stringMatching(/^Zstandard page: longer than its header says/),
		});
		expect(resourceUsage().maxRSS - before).toBeLessThan(100_000);
	});

	it("refuses compressed blocks that decode to more", async () => {
		const packed = await new Zstd(19).encode(new Uint8Array(50_000_000));
		// Without the size that the encoder states: the flags, a window of 8 MiB
		const size = (packed[4] ?? 0) >> 6 === 2 ? 4 : 8;
		const hidden = Uint8Array.of(...MAGIC, 0, 13 << 3, ...packed.subarray(5 + size));
		for (const input of [packed, hidden]) {
			expect(() => COMPRESSORS.ZSTD(input, 24)).toThrow("longer than its header says");
		}
	});

	it("refuses large windows, blocks and pages, before it allocates them", () => {
		const window = repeated([24], 31 << 3);
		expect(() => COMPRESSORS.ZSTD(window, 24)).toThrow(
			"window too large (found 2199023255552, expected at most 8388608)",
		);
		const single = Uint8Array.of(...MAGIC, 0xe0, 0, 0, 0, 0x70, 0, 0, 0, 0, 1, 0, 0);
		expect(() => COMPRESSORS.ZSTD(single, 24)).toThrow("found 1879048192 bytes");
		expect(() => COMPRESSORS.ZSTD(repeated([BLOCK + 1]), 2 ** 20)).toThrow(
			"block too large",
		);
	});

	it("rejects cut input", () => {
		const whole = repeated([3, 4]);
		for (let end = 1; end < whole.length; end += 1)
			expect(() => COMPRESSORS.ZSTD(whole.subarray(0, end), 7)).toThrow();
	});
});

describe("converting/pages: every codec", () => {
	it("decodes at most the stated length, and no page above 256 MiB", () => {
		const gzip = gzipSync(new Uint8Array(2 ** 20));
		expect(COMPRESSORS.GZIP(gzip, 24).length).toBe(24);
		for (const decode of Object.values(COMPRESSORS)) {
			expect(() => decode(gzip, 2 ** 28 + 1)).toThrow(
				"page: too large (found 268435457 bytes, expected at most 268435456)",
			);
		}
	});
});
