import { describe, expect, it } from "vitest";
import { csvOf, jsonOf, trackRows } from "../../src/elements/export/track-table.js";
import { type FilmChunk, webm } from "../../src/elements/export/webm.js";
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
const TRACK = { codec: "V_VP9", width: 640, height: 360 } as const;

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
