import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Codec } from "../../src/save.js";
import { DataSaver, toMap } from "../../src/save.js";

const FILE = new URL("../../../tests/vectors/save.json", import.meta.url);

interface Vectors {
	readonly config: {
		readonly attributes: readonly {
			readonly name: string;
			readonly dtype: string;
			readonly shape: readonly number[];
		}[];
		readonly name: string;
		readonly max_object_size: number;
	};
	readonly vectors: readonly {
		readonly compressor: Codec | null;
		readonly objects: Readonly<Record<string, readonly [number, number]>>;
	}[];
}

const { config, vectors } = JSON.parse(readFileSync(FILE, "utf8")) as Vectors;

const TABLE = Uint32Array.from({ length: 256 }, (_, i) => {
	let value = i;
	for (let bit = 0; bit < 8; bit += 1) {
		value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
	}
	return value;
});

function crc32c(bytes: Uint8Array): number {
	let sum = 0xffffffff;
	for (const byte of bytes) sum = (sum >>> 8) ^ (TABLE[(sum ^ byte) & 255] ?? 0);
	return (sum ^ 0xffffffff) >>> 0;
}

/** See `vector_rows` in tests/support/save_vectors.hpp. */
function vectorRows() {
	const rows = 1500;
	const image = new Uint8Array(rows * 784);
	const position = new Float64Array(rows * 60);
	let state = 1;
	const random = (): number => {
		state ^= state << 13;
		state ^= state >>> 17;
		state ^= state << 5;
		return state >>> 0;
	};
	for (let row = 0; row < rows; row += 1) {
		for (let i = 0; i < 784; i += 1) {
			const value = random();
			image[row * 784 + i] = value % 4 === 0 ? (value >>> 8) & 255 : row % 7;
		}
		for (let i = 0; i < 60; i += 1) {
			position[row * 60 + i] = row * 0.25 + (random() & 1023) / 1024;
		}
	}
	const label = new Int32Array(rows).map((_, row) => Math.trunc(row / 3));
	return { image, position, label };
}

describe("saving: vectors", () => {
	const rows = vectorRows();

	it.each(vectors)(
		"writes the bytes of the native saver: $compressor",
		async (vector) => {
			const map = new Map<string, Uint8Array<ArrayBuffer>>();
			const { attributes, name, max_object_size: maxObjectSize } = config;
			const types = Object.fromEntries(
				attributes.map(({ name: key, ...type }) => [key, type]),
			);
			const { compressor } = vector;
			using saver = await DataSaver.open(
				{ name, attributes: types, compressor, maxObjectSize },
				toMap(map),
			);
			await saver.save(rows);
			expect(await saver.commit()).toBe(1500);
			const sums = [...map].map(([key, bytes]) => [key, [bytes.length, crc32c(bytes)]]);
			expect(Object.fromEntries(sums)).toEqual(vector.objects);
		},
		60_000,
	);
});
