import { BevError, withoutSecrets } from "../../base/errors.js";
import { withoutHost } from "../../dataset/resolve.js";
import type { RangedFile, SideFile } from "../../reviewing/remote-futures.js";

/** Bytes of a head that tell what a file is. */
export const HEAD_BYTES = 4096;

/** Endings of files of submissions and scores; the content tells what they are. */
export const RESULT_NAME =
	/\.(npz|zip|csv|parquet|pkl|pickle|binproto(-\d{5}-of-\d{5})?)$/i;

/** Maximum bytes of a file from a server that does not send ranges. */
const MAX_WHOLE = 2 ** 28;

/** Bytes of a file from which on its side file is looked for, and its own at most. */
const MIN_INDEXED = 2 ** 24;
const MAX_SIDE_FILE = 2 ** 22;

const TEXT = new TextDecoder("utf-8", { fatal: true });

/** Reads a varint; returns its value and the byte after it. */
function varint(bytes: Uint8Array, at: number): readonly [value: number, end: number] {
	let value = 0;
	for (let i = 0; i < 5; i += 1) {
		const byte = bytes[at + i];
		if (byte === undefined) break;
		value += (byte & 0x7f) * 2 ** (7 * i);
		if (byte < 0x80) return [value, at + i + 1];
	}
	return [Number.NaN, at];
}

/** Returns whether a message begins in field 1, which begins with an id in field 1. */
function isMessage(head: Uint8Array): boolean {
	const BYTES_1 = 0x0a;
	if (head[0] !== BYTES_1) return false;
	const [length, scenario] = varint(head, 1);
	if (!(length > 2) || head[scenario] !== BYTES_1) return false;
	const [size, begin] = varint(head, scenario + 1);
	if (!(size > 0 && size <= 256 && begin + size <= head.length)) return false;
	try {
		return /^[\x21-\x7e]+$/.test(TEXT.decode(head.subarray(begin, begin + size)));
	} catch {
		return false;
	}
}

/** Returns whether an archive begins with an array of NumPy. */
function isNpz(head: Uint8Array): boolean {
	const PK_3_4 = 0x04034b50;
	const NAME = 30;
	if (head.length < NAME) return false;
	const header = new DataView(head.buffer, head.byteOffset, NAME);
	if (header.getUint32(0, true) !== PK_3_4) return false;
	const name = head.subarray(NAME, NAME + header.getUint16(26, true));
	return new TextDecoder().decode(name).endsWith(".npy");
}

/** Returns whether the columns of a CSV file are those of futures, not of predictions. */
function isFuturesCsv(head: Uint8Array): boolean {
	const lines = new TextDecoder().decode(head).split(/\r?\n/);
	const header = lines.find((line) => line !== "" && !line.startsWith("#")) ?? "";
	const names = header.replaceAll('"', "").split(",");
	const [ours, theirs] = [
		["scenario_id", "track_id"],
		["case_id", "track_id", "frame_id", "x1"], // of the INTERPRET challenge
	].map((all) => all.every((name) => names.includes(name)));
	return ours === true || theirs === true;
}

/** Returns whether a pickle begins as PufferDrive's arrays or MTR's predictions do. */
function isResultPickle(head: Uint8Array): boolean {
	const PROTO = 0x80;
	const [first, version = 0] = head;
	if (first !== PROTO || version < 2 || version > 5) return false;
	const text = new TextDecoder("latin1").decode(head);
	const marks = ["pred_trajs", "\x8c\x01x", "X\x01\x00\x00\x00x"];
	return marks.some((mark) => text.includes(mark));
}

/** Returns whether a file is a list of predictions of the nuScenes challenge. */
export function isNuscenes(head: Uint8Array): boolean {
	const text = new TextDecoder().decode(head);
	return (
		/^\s*\[/.test(text) && text.includes('"instance"') && text.includes('"sample"')
	);
}

/** Returns whether a Parquet file has the columns of our form, by the names in its end. */
export async function isFuturesParquet(file: Blob): Promise<boolean> {
	if ((await file.slice(0, 4).text()) !== "PAR1") return false;
	const end = await file.slice(-(2 ** 16)).arrayBuffer();
	const text = new TextDecoder("latin1").decode(end);
	return ["scenario_id", "track_id", "step", "x", "y"].every((name) =>
		text.includes(`\x18${String.fromCharCode(name.length)}${name}`),
	);
}

/**
 * Returns whether a file begins as submissions to the Waymo and INTERPRET challenges do, as
 * results of PufferDrive and MTR, or as futures of our own form, NPZ or CSV. The core tells
 * what it is exactly.
 */
export function isSubmission(head: Uint8Array): boolean {
	return isMessage(head) || isNpz(head) || isFuturesCsv(head) || isResultPickle(head);
}

/**
 * Returns whether an archive has results, NAME_sub.csv of the INTERPRET challenge or JSON of
 * the nuScenes challenge, and no data set, by the names in its end.
 */
export async function isResultArchive(file: Blob): Promise<boolean> {
	if ((await file.slice(0, 4).text()) !== "PK\x03\x04") return false;
	const end = await file.slice(-(2 ** 16)).arrayBuffer();
	const text = new TextDecoder("latin1").decode(end);
	const isData =
		/\.zgroup|\.zarray|\.zmetadata|zarr\.json|\.osm|sample_data\.json/.test(text);
	return !isData && /_sub\.csv|\.json/.test(text);
}

/** Returns whether a file is opened as a submission is, by its begin or its end. */
export async function isFuturesFile(file: Blob): Promise<boolean> {
	const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
	if (isSubmission(head)) return true;
	return (await isResultArchive(file)) || isFuturesParquet(file);
}

export function rangedBlob(blob: Blob, name: string): RangedFile {
	return {
		...{ name, size: blob.size },
		read: async (begin, end) =>
			new Uint8Array(await blob.slice(begin, end).arrayBuffer()),
	};
}

/** Returns the index beside a file, if the server has one; `modified` is the file's time. */
async function sideFileOf(
	url: URL,
	modified: number,
	signal: AbortSignal,
): Promise<SideFile | undefined> {
	const beside = new URL(url);
	beside.pathname += ".index.json";
	try {
		const response = await fetch(await withoutHost(beside), { signal });
		const { ok, headers } = response;
		if (!ok || Number(headers.get("Content-Length")) > MAX_SIDE_FILE) return undefined;
		const text = await response.text();
		const isOlder = timeOf(headers) < modified;
		return text.startsWith("{") ? { text, isOlder } : undefined;
	} catch {
		signal.throwIfAborted();
		return undefined;
	}
}

/** Returns when an object was modified; NaN if the server does not say so. */
function timeOf(headers: Headers): number {
	return Date.parse(headers.get("Last-Modified") ?? "");
}

/** Opens a file on a server, which should send ranges; otherwise it is read whole. */
export async function rangedUrl(
	url: URL,
	name: string,
	signal: AbortSignal,
): Promise<RangedFile> {
	const get = async (begin: number, end: number, of: AbortSignal) => {
		const headers = { Range: `bytes=${begin}-${end - 1}` };
		const response = await fetch(await withoutHost(url), { headers, signal: of });
		if (response.ok) return response;
		const message = `HTTP ${response.status} for ${withoutSecrets(url.href)}`;
		const { status } = response;
		throw new BevError("network", message, { url: url.href, status });
	};
	const first = await get(0, HEAD_BYTES, signal);
	const all = /\/(\d+)$/.exec(first.headers.get("Content-Range") ?? "")?.[1];
	if (first.status !== 206 || all === undefined) {
		if (Number(first.headers.get("Content-Length") ?? 0) > MAX_WHOLE) {
			throw new BevError("unsupported", `${name}: the server sends no ranges`);
		}
		return rangedBlob(await first.blob(), name);
	}
	const size = Number(all);
	const isLarge = size >= MIN_INDEXED;
	return {
		...{ name, size },
		sideFile: isLarge
			? await sideFileOf(url, timeOf(first.headers), signal)
			: undefined,
		read: async (begin, end, of) => {
			if (begin === end) return new Uint8Array();
			const response = await get(begin, end, of);
			const bytes = new Uint8Array(await response.arrayBuffer());
			if (response.status === 206 && bytes.length === end - begin) return bytes;
			throw new BevError("network", `${name}: not the range that was asked for`);
		},
	};
}
