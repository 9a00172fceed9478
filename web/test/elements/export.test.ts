import { describe, expect, it } from "vitest";
import type { FilmChunk } from "../../src/elements/export/film-file.js";
import { mp4 } from "../../src/elements/export/mp4.js";
import { csvOf, jsonOf, trackRows } from "../../src/elements/export/track-table.js";
import { webm } from "../../src/elements/export/webm.js";
import { EMPTY_STATE } from "../../src/elements/state.js";
import { fakeDataset, fakeFrame } from "../support/fake-dataset.js";

interface Element {
	readonly id: string;
	readonly body: Uint8Array;
}

/** The elements of `bytes` in order, as any reader of Matroska finds them. */
function elements(bytes: Uint8Array): Element[] {
	const found: Element[] = [];
	let at = 0;
	while (at < bytes.length) {
		const idLength = Math.clz32(bytes[at] ?? 0) - 23;
		const sizeAt = at + idLength;
		const sizeLength = Math.clz32(bytes[sizeAt] ?? 0) - 23;
		let size = (bytes[sizeAt] ?? 0) & (0xff >> sizeLength);
		for (let k = 1; k < sizeLength; k += 1)
			size = size * 256 + (bytes[sizeAt + k] ?? 0);
		const begin = sizeAt + sizeLength;
		const id = Buffer.from(bytes.subarray(at, sizeAt)).toString("hex");
		found.push({ id, body: bytes.subarray(begin, begin + size) });
		expect(begin + size).toBeLessThanOrEqual(bytes.length);
		at = begin + size;
	}
	return found;
}

function only(within: readonly Element[], id: string): Uint8Array {
	const found = within.filter((element) => element.id === id);
	expect(found.length, id).toBe(1);
	return found[0]?.body ?? new Uint8Array();
}

const chunk = (time: number, key: boolean): FilmChunk => ({
	bytes: Uint8Array.of(time % 251, key ? 1 : 0),
	time,
	key,
});
const TRACK = { codec: "vp09.00.40.08", width: 640, height: 360 } as const;

describe("webm", () => {
	it("says what the film is", () => {
		const top = elements(webm(TRACK, [chunk(0, true)], 100));
		expect(top.map(({ id }) => id)).toEqual(["1a45dfa3", "18538067"]);
		const ebml = elements(only(top, "1a45dfa3"));
		expect(Buffer.from(only(ebml, "4282")).toString()).toBe("webm");
		const segment = elements(only(top, "18538067"));
		const duration = only(elements(only(segment, "1549a966")), "4489");
		expect(Buffer.from(duration).readDoubleBE()).toBe(100);
		const entry = elements(only(elements(only(segment, "1654ae6b")), "ae"));
		expect(Buffer.from(only(entry, "86")).toString()).toBe("V_VP9");
		const video = elements(only(entry, "e0"));
		expect(Buffer.from(only(video, "b0")).readUInt16BE()).toBe(640);
		expect(Buffer.from(only(video, "ba")).readUInt16BE()).toBe(360);
	});

	it("holds every picture at its time, in clusters that begin with one that stands alone", () => {
		const times = [0, 100, 200, 300.4, 400, 70_000];
		const chunks = times.map((time, k) => chunk(Math.floor(time), k % 3 === 0));
		const top = elements(webm(TRACK, chunks, 70_100));
		const clusters = elements(only(top, "18538067")).filter((e) => e.id === "1f43b675");
		expect(clusters.length).toBe(3);
		const read = clusters.flatMap(({ body }) => {
			const [stamp, ...blocks] = elements(body);
			const begin = Number(`0x${Buffer.from(stamp?.body ?? []).toString("hex")}`);
			return blocks.map((block, k) => {
				const bytes = Buffer.from(block.body);
				expect(bytes[0]).toBe(0x81);
				expect((bytes[3] ?? 0) === 0x80).toBe(k === 0 && begin < 70_000);
				return [begin + bytes.readInt16BE(1), bytes.subarray(4).toString("hex")];
			});
		});
		expect(read).toEqual(
			chunks.map(({ time, bytes }) => [time, Buffer.from(bytes).toString("hex")]),
		);
	});
});

/** Boxes of an MP4 in order: by name, what is in them. */
function boxes(bytes: Buffer): Map<string, Buffer> {
	const found = new Map<string, Buffer>();
	for (let at = 0; at < bytes.length; ) {
		const size = bytes.readUInt32BE(at);
		expect(size).toBeGreaterThanOrEqual(8);
		expect(at + size).toBeLessThanOrEqual(bytes.length);
		found.set(
			bytes.toString("latin1", at + 4, at + 8),
			bytes.subarray(at + 8, at + size),
		);
		at += size;
	}
	return found;
}

/** The box at the end of a path of names. */
function boxAt(bytes: Buffer, ...names: readonly string[]): Buffer {
	return names.reduce((within, name) => {
		const found = boxes(within).get(name);
		if (!found) throw new Error(`there is no ${name}`);
		return found;
	}, bytes);
}

/** 32-bit numbers of a box behind its version and flags. */
function numbers(box: Buffer): number[] {
	return Array.from({ length: box.length / 4 - 1 }, (_, i) =>
		box.readUInt32BE(4 * i + 4),
	);
}

describe("mp4", () => {
	const AVC = {
		...TRACK,
		codec: "avc1.640033",
		description: Uint8Array.of(1, 100, 0, 51),
	};
	const TIMES = [0, 100, 200, 300.4, 400];
	const chunks = TIMES.map((time, k) => ({
		...chunk(time, k % 3 === 0),
		bytes: Uint8Array.from({ length: k + 1 }, () => k),
	}));
	const film = Buffer.from(mp4(AVC, chunks, 500));
	const table = ["moov", "trak", "mdia", "minf", "stbl"];

	it("begins with its index, which says what the film is", () => {
		expect([...boxes(film).keys()]).toEqual(["ftyp", "moov", "mdat"]);
		const [, , scale, length] = numbers(boxAt(film, "moov", "mvhd"));
		expect((length ?? 0) / (scale ?? 1)).toBe(0.5);
		const header = boxAt(film, "moov", "trak", "tkhd");
		expect(header.length).toBe(84);
		expect([header.readUInt32BE(76), header.readUInt32BE(80)]).toEqual([
			640 << 16,
			360 << 16,
		]);
		const entry = boxAt(film, ...table, "stsd").subarray(8);
		const avc = boxAt(entry, "avc1");
		expect([avc.readUInt16BE(24), avc.readUInt16BE(26)]).toEqual([640, 360]);
		const coded = boxAt(avc.subarray(78), "avcC");
		expect([...coded]).toEqual([...AVC.description]);
	});

	it("shows every picture at its time, and knows which stand alone", () => {
		const [, ...runs] = numbers(boxAt(film, ...table, "stts"));
		const shown = runs.flatMap((count, i) =>
			i % 2 === 0 ? Array<number>(count).fill(runs[i + 1] ?? 0) : [],
		);
		const starts = shown.map(
			(_, i) => shown.slice(0, i).reduce((a, b) => a + b, 0) / 90,
		);
		expect(starts).toEqual(TIMES);
		expect(runs.length).toBe(8); // twice 100 ms is one run
		expect(numbers(boxAt(film, ...table, "stss"))).toEqual([2, 1, 4]);
	});

	it("finds every picture where the index says", () => {
		const [, count, ...sizes] = numbers(boxAt(film, ...table, "stsz"));
		expect(count).toBe(chunks.length);
		let [, at = 0] = numbers(boxAt(film, ...table, "stco"));
		for (const [k, size] of sizes.entries()) {
			expect([...film.subarray(at, at + size)]).toEqual([...(chunks[k]?.bytes ?? [])]);
			at += size;
		}
		expect(at).toBe(film.length);
	});

	it("is not made of what the encoder did not describe", () => {
		const { description: _, ...bare } = AVC;
		expect(() => mp4(bare, chunks, 500)).toThrow("did not describe");
	});
});

describe("trackRows", () => {
	const frames = new Map([3, 1, 2].map((f) => [f, fakeFrame(0, f, f === 2 ? 1 : 4)]));
	const state = { ...EMPTY_STATE, dataset: fakeDataset().dataset };

	it("follows a track through the frames that have it, in order", () => {
		const rows = trackRows(state, frames, 3n);
		expect(rows.map(({ frame }) => frame)).toEqual([1, 3]);
		expect(rows[0]).toMatchObject({ label: "Truck", length: expect.closeTo(8.4, 5) });
		expect(rows[1]?.timestamp).toBe("1570735440300000000");
		expect(trackRows(state, frames, "ego").length).toBe(3);
	});

	it("writes what is not known as nothing, and quotes what needs it", () => {
		const rows = trackRows(state, new Map([[0, fakeFrame(0, 0, 1)]]), 1n);
		const odd = rows.map((row) => ({ ...row, label: 'a "b", c' }));
		const [heading, line, end] = csvOf(odd).split("\r\n");
		expect(heading?.split(",").length).toBe(11);
		expect(line).toMatch(/^0,1570735440000000000,/);
		expect(line).toContain(",,"); // the speed of a first frame
		expect(line).toContain('"a ""b"", c"');
		expect(end).toBe("");
	});

	it("writes JSON that says of which scene and track", () => {
		const rows = trackRows(state, frames, "ego");
		const read = JSON.parse(jsonOf(state, "ego", rows));
		expect(read).toMatchObject({ scene: 0, track: "ego" });
		expect(read.frames.length).toBe(3);
	});
});
