import {
	type Bytes,
	type FilmChunk,
	type FilmTrack,
	joined,
	ascii as text,
} from "./film-file.js";

/** Ids of Matroska's elements, as far as a film of one track needs them. */
const ID = {
	ebml: [0x1a, 0x45, 0xdf, 0xa3],
	ebmlVersion: [0x42, 0x86],
	ebmlReadVersion: [0x42, 0xf7],
	ebmlMaxIdLength: [0x42, 0xf2],
	ebmlMaxSizeLength: [0x42, 0xf3],
	docType: [0x42, 0x82],
	docTypeVersion: [0x42, 0x87],
	docTypeReadVersion: [0x42, 0x85],
	segment: [0x18, 0x53, 0x80, 0x67],
	info: [0x15, 0x49, 0xa9, 0x66],
	timestampScale: [0x2a, 0xd7, 0xb1],
	duration: [0x44, 0x89],
	muxingApp: [0x4d, 0x80],
	writingApp: [0x57, 0x41],
	tracks: [0x16, 0x54, 0xae, 0x6b],
	trackEntry: [0xae],
	trackNumber: [0xd7],
	trackUid: [0x73, 0xc5],
	trackType: [0x83],
	codecId: [0x86],
	video: [0xe0],
	pixelWidth: [0xb0],
	pixelHeight: [0xba],
	cluster: [0x1f, 0x43, 0xb6, 0x75],
	timestamp: [0xe7],
	simpleBlock: [0xa3],
} as const;

/** A block's time is relative to its cluster's, in 16 bits with a sign. */
const CLUSTER_MS = 30_000;

/** An element: its id, its size in eight bytes, what it holds. */
function element(id: readonly number[], ...parts: readonly Bytes[]): Bytes {
	const size = parts.reduce((sum, part) => sum + part.length, 0);
	const head = new Uint8Array(id.length + 8);
	head.set(id);
	const view = new DataView(head.buffer);
	view.setBigUint64(id.length, BigInt(size) | (1n << 56n));
	return joined([head, ...parts]);
}

function unsigned(value: number): Bytes {
	const bytes: number[] = [];
	for (
		let rest = value;
		rest > 0 || bytes.length === 0;
		rest = Math.floor(rest / 256)
	) {
		bytes.unshift(rest % 256);
	}
	return Uint8Array.from(bytes);
}

function float(value: number): Bytes {
	const bytes = new Uint8Array(8);
	new DataView(bytes.buffer).setFloat64(0, value);
	return bytes;
}

function header(): Bytes {
	return element(
		ID.ebml,
		element(ID.ebmlVersion, unsigned(1)),
		element(ID.ebmlReadVersion, unsigned(1)),
		element(ID.ebmlMaxIdLength, unsigned(4)),
		element(ID.ebmlMaxSizeLength, unsigned(8)),
		element(ID.docType, text("webm")),
		element(ID.docTypeVersion, unsigned(4)),
		element(ID.docTypeReadVersion, unsigned(2)),
	);
}

function trackEntry({ codec, width, height }: FilmTrack): Bytes {
	const video = element(
		ID.video,
		element(ID.pixelWidth, unsigned(width)),
		element(ID.pixelHeight, unsigned(height)),
	);
	return element(
		ID.trackEntry,
		element(ID.trackNumber, unsigned(1)),
		element(ID.trackUid, unsigned(1)),
		element(ID.trackType, unsigned(1)),
		element(ID.codecId, text(codec.startsWith("vp8") ? "V_VP8" : "V_VP9")),
		video,
	);
}

function block(chunk: FilmChunk, begin: number): Bytes {
	const head = new Uint8Array(4);
	head[0] = 0x81; // track 1
	new DataView(head.buffer).setInt16(1, Math.round(chunk.time) - begin);
	head[3] = chunk.key ? 0x80 : 0;
	return element(ID.simpleBlock, head, chunk.bytes);
}

/** Chunks that share a cluster: each begins where a picture stands alone, or when it is full. */
function clusters(chunks: readonly FilmChunk[]): Bytes[] {
	const groups: FilmChunk[][] = [];
	for (const chunk of chunks) {
		const last = groups.at(-1);
		const full = last?.[0] && chunk.time - last[0].time >= CLUSTER_MS;
		if (!last || chunk.key || full) groups.push([chunk]);
		else last.push(chunk);
	}
	return groups.map((group) => {
		const begin = Math.round(group[0]?.time ?? 0);
		const blocks = group.map((chunk) => block(chunk, begin));
		return element(ID.cluster, element(ID.timestamp, unsigned(begin)), ...blocks);
	});
}

/** A WebM file of one silent film; `duration` in milliseconds. Source: RFC 9559. */
export function webm(
	track: FilmTrack,
	chunks: readonly FilmChunk[],
	duration: number,
): Bytes {
	const info = element(
		ID.info,
		element(ID.timestampScale, unsigned(1_000_000)),
		element(ID.duration, float(duration)),
		element(ID.muxingApp, text("bevscope")),
		element(ID.writingApp, text("bevscope")),
	);
	const tracks = element(ID.tracks, trackEntry(track));
	const segment = element(ID.segment, info, tracks, ...clusters(chunks));
	return joined([header(), segment]);
}
