// WebM and MP4 as another library reads them.
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from "mediabunny";
import { describe, expect, it } from "vitest";
import type { EncodedVideo, Packet } from "../../../src/elements/export/encoding.js";
import { mp4 } from "../../../src/elements/export/mp4.js";
import { webm } from "../../../src/elements/export/webm.js";

/** A key frame of VP9 by its first bytes; another byte says which one it is. */
const VP9_KEY = [0x82, 0x49, 0x83, 0x42, 0x00];

/** A configuration of H.264, High profile, level 4, without parameter sets. */
const AVCC = Uint8Array.of(1, 0x64, 0, 0x28, 0xff, 0xe0, 0);

const BT709 = {
	primaries: "bt709",
	transfer: "bt709",
	matrix: "bt709",
	fullRange: false,
} as const;

/** Packets at `times` in seconds, in order of decoding; every `keyEvery`th is a key. */
function packetsAt(times: readonly number[], keyEvery: number): Packet[] {
	return times.map((time, i) => {
		const key = i % keyEvery === 0;
		const data = Uint8Array.of(...(key ? VP9_KEY : [0x86]), i % 256);
		return { data, timestamp: Math.round(time * 1e6), key };
	});
}

function made(codec: EncodedVideo["codec"], packets: Packet[], end: number) {
	const size = { width: 640, height: 362 };
	return { ...size, codec, packets, end: end * 1e6, description: AVCC, colours: BT709 };
}

async function readBack(file: Blob) {
	const bytes = await file.arrayBuffer();
	const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
	const track = await input.getPrimaryVideoTrack();
	if (!track) throw new Error("there is no video");
	const packets = [];
	for await (const packet of new EncodedPacketSink(track).packets())
		packets.push(packet);
	return {
		type: await input.getMimeType(),
		codec: track.codec,
		size: [await track.getCodedWidth(), await track.getCodedHeight()],
		duration: await input.computeDuration(),
		colours: await track.getColorSpace(),
		times: packets.map(({ timestamp }) => Number(timestamp.toFixed(3))),
		keys: packets.flatMap(({ type }, i) => (type === "key" ? [i] : [])),
		data: packets.map(({ data }) => [...data]),
	};
}

const TENTHS = Array.from({ length: 60 }, (_, i) => i / 10);

describe("WebM", () => {
	for (const codec of ["vp9", "vp8"] as const) {
		it(`has the packets, times and size of ${codec}`, async () => {
			const packets = packetsAt(TENTHS, 25);
			const read = await readBack(webm(made(codec, packets, 6)));
			expect(read.type).toContain("video/webm");
			expect(read).toMatchObject({ codec, size: [640, 362], keys: [0, 25, 50] });
			expect(read.times).toEqual(TENTHS);
			expect(read.colours).toEqual(BT709);
			expect(read.data.map((bytes) => bytes.at(-1))).toEqual(TENTHS.map((_, i) => i));
			// Blocks have no duration.
			expect(read.duration).toBeGreaterThanOrEqual(5.9);
		});
	}

	it("says the colours in key frames of VP9", async () => {
		const { data } = await readBack(webm(made("vp9", packetsAt(TENTHS, 25), 6)));
		expect(data[0]?.slice(0, 5)).toEqual([0x82, 0x49, 0x83, 0x42, 0x40]);
		expect(data[1]?.[0]).toBe(0x86);
		const vp8 = await readBack(webm(made("vp8", packetsAt(TENTHS, 25), 6)));
		expect(vp8.data[0]?.slice(0, 5)).toEqual(VP9_KEY);
	});

	it("has frames that are minutes after a key frame", async () => {
		const times = [0, 20, 40, 200, 200.1];
		const read = await readBack(webm(made("vp9", packetsAt(times, 9), 201)));
		expect(read.times).toEqual(times);
		expect(read.keys).toEqual([0]);
	});
});

describe("MP4", () => {
	it("has the packets, times and size", async () => {
		const read = await readBack(mp4(made("avc", packetsAt(TENTHS, 25), 6)));
		expect(read.type).toContain("video/mp4");
		expect(read).toMatchObject({ codec: "avc", size: [640, 362], keys: [0, 25, 50] });
		expect(read.times).toEqual(TENTHS);
		expect(read.duration).toBeCloseTo(6, 3);
		expect(read.colours).toEqual(BT709);
		expect(read.data.map((bytes) => bytes.at(-1))).toEqual(TENTHS.map((_, i) => i));
	});

	it("has frames that are decoded in another order than they are shown", async () => {
		const times = [0, 0.3, 0.1, 0.2, 0.6, 0.4, 0.5];
		const read = await readBack(mp4(made("avc", packetsAt(times, 99), 0.7)));
		expect(read.times).toEqual(times);
		expect(read.duration).toBeCloseTo(0.7, 3);
	});

	it("has uneven times", async () => {
		const times = [0, 0.05, 0.3, 0.31];
		const read = await readBack(mp4(made("avc", packetsAt(times, 99), 0.5)));
		expect(read.times).toEqual(times);
		expect(read.duration).toBeCloseTo(0.5, 3);
	});

	it("has no colours that are not known", async () => {
		const packets = packetsAt(TENTHS, 25);
		const video = { ...made("avc", packets, 6), colours: { matrix: "bt709" as const } };
		const { colours } = await readBack(mp4(video));
		expect(colours?.matrix ?? null).toBeNull();
	});
});
