import { ascii, fileOf, type Parts, sizeOfParts, uint } from "./bytes.js";
import { codesOf } from "./colours.js";
import type { EncodedVideo, Packet } from "./encoding.js";

/** Elements by their names in RFC 9559. */
const ID = {
	EBML: 0x1a45dfa3,
	EBMLVersion: 0x4286,
	EBMLReadVersion: 0x42f7,
	EBMLMaxIDLength: 0x42f2,
	EBMLMaxSizeLength: 0x42f3,
	DocType: 0x4282,
	DocTypeVersion: 0x4287,
	DocTypeReadVersion: 0x4285,
	Segment: 0x18538067,
	Info: 0x1549a966,
	TimestampScale: 0x2ad7b1,
	Duration: 0x4489,
	MuxingApp: 0x4d80,
	WritingApp: 0x5741,
	Tracks: 0x1654ae6b,
	TrackEntry: 0xae,
	TrackNumber: 0xd7,
	TrackUID: 0x73c5,
	TrackType: 0x83,
	FlagLacing: 0x9c,
	CodecID: 0x86,
	Video: 0xe0,
	PixelWidth: 0xb0,
	PixelHeight: 0xba,
	Colour: 0x55b0,
	MatrixCoefficients: 0x55b1,
	Range: 0x55b9,
	TransferCharacteristics: 0x55ba,
	Primaries: 0x55bb,
	Cues: 0x1c53bb6b,
	CuePoint: 0xbb,
	CueTime: 0xb3,
	CueTrackPositions: 0xb7,
	CueTrack: 0xf7,
	CueClusterPosition: 0xf1,
	Cluster: 0x1f43b675,
	Timestamp: 0xe7,
	SimpleBlock: 0xa3,
} as const;

/** Ticks of a cluster's blocks are signed 16-bit numbers. */
const MAX_CLUSTER_MS = 32_767;

/** Returns the bytes of an integer, as few as it needs. */
function number(value: number): Uint8Array<ArrayBuffer> {
	let size = 1;
	while (value >= 256 ** size) size += 1;
	return uint(value, size);
}

/** Returns an element: id, size in eight bytes, content. */
function element(name: keyof typeof ID, ...content: Parts): Parts {
	const size = uint(sizeOfParts(content), 8);
	size[0] = 1; // the length of the size
	return [number(ID[name]), size, ...content];
}

/** Milliseconds of a packet. */
const msOf = ({ timestamp }: Packet): number => Math.round(timestamp / 1000);

/** Returns runs of packets that begin with key frames. */
function clustersOf(packets: readonly Packet[]): Packet[][] {
	const clusters: Packet[][] = [];
	for (const packet of packets) {
		const first = clusters.at(-1)?.[0];
		if (!first || packet.key || msOf(packet) - msOf(first) > MAX_CLUSTER_MS)
			clusters.push([packet]);
		else clusters.at(-1)?.push(packet);
	}
	return clusters;
}

function clusterOf(packets: readonly Packet[]): Parts {
	const begin = packets[0] ? msOf(packets[0]) : 0;
	const blocks = packets.map((packet) =>
		element(
			"SimpleBlock",
			Uint8Array.of(0x81), // track 1
			uint(msOf(packet) - begin, 2),
			Uint8Array.of(packet.key ? 0x80 : 0),
			packet.data,
		),
	);
	return element("Cluster", element("Timestamp", number(begin)), blocks);
}

function trackOf(video: EncodedVideo): Parts {
	const colours = codesOf(video.colours);
	const about = colours && [
		element("MatrixCoefficients", number(colours.matrix)),
		element("Range", number(colours.full ? 2 : 1)),
		element("TransferCharacteristics", number(colours.transfer)),
		element("Primaries", number(colours.primaries)),
	];
	return element(
		"TrackEntry",
		element("TrackNumber", number(1)),
		element("TrackUID", number(1)),
		element("TrackType", number(1)),
		element("FlagLacing", number(0)),
		element("CodecID", ascii(`V_${video.codec.toUpperCase()}`)),
		element(
			"Video",
			element("PixelWidth", number(video.width)),
			element("PixelHeight", number(video.height)),
			...(about ? [element("Colour", ...about)] : []),
		),
	);
}

/** Chromium's streams of VP9 do not say the colours (its bug 1377842): by matrix. */
const VP9_COLOURS: Record<string, number> = {
	bt709: 2,
	bt470bg: 1,
	smpte170m: 3,
};

/**
 * Returns the packet with its colours if it is a key frame of VP9, profile 0: three bits
 * after a byte and the sync code.
 */
function coloured(packet: Packet, { codec, colours }: EncodedVideo): Packet {
	const space = VP9_COLOURS[colours?.matrix ?? ""];
	const [head = 0, ...sync] = packet.data.subarray(0, 4);
	if (codec !== "vp9" || !packet.key || space === undefined) return packet;
	if ((head & 0b1111_1100) !== 0b1000_0000 || `${sync}` !== "73,131,66") return packet;
	const data = packet.data.slice();
	data[4] = ((data[4] ?? 0) & 0b0001_1111) | (space << 5);
	return { ...packet, data };
}

/** Returns a WebM file; its index is before the pictures. */
export function webm(video: EncodedVideo): Blob {
	const scale = 1_000_000; // nanoseconds
	const duration = new Uint8Array(8);
	new DataView(duration.buffer).setFloat64(0, video.end / 1000);
	const info = element(
		"Info",
		element("TimestampScale", number(scale)),
		element("Duration", duration),
		element("MuxingApp", ascii("bevscope")),
		element("WritingApp", ascii("bevscope")),
	);
	const tracks = element("Tracks", trackOf(video));
	const runs = clustersOf(video.packets.map((packet) => coloured(packet, video)));
	const clusters = runs.map(clusterOf);
	/** The index, with clusters from `begin` on, in bytes from the segment's content. */
	const cues = (begin: number): Parts => {
		let at = begin;
		const points = runs.flatMap(([first], i) => {
			const here = at;
			at += sizeOfParts(clusters[i] ?? []);
			if (!first?.key) return [];
			const positions = element(
				"CueTrackPositions",
				element("CueTrack", number(1)),
				element("CueClusterPosition", uint(here, 8)),
			);
			return [element("CuePoint", element("CueTime", number(msOf(first))), positions)];
		});
		return element("Cues", points);
	};
	const begin = sizeOfParts([info, tracks, cues(0)]);
	const header = element(
		"EBML",
		element("EBMLVersion", number(1)),
		element("EBMLReadVersion", number(1)),
		element("EBMLMaxIDLength", number(4)),
		element("EBMLMaxSizeLength", number(8)),
		element("DocType", ascii("webm")),
		element("DocTypeVersion", number(4)),
		element("DocTypeReadVersion", number(2)),
	);
	const segment = element("Segment", info, tracks, cues(begin), clusters);
	return fileOf([header, segment], "video/webm");
}
