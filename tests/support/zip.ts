import { crc32, deflateRawSync } from "node:zlib";

/**
 * Returns an archive as zip tools write it: members are stored, or deflated if
 * `deflate` returns true.
 */
export function zipOf(
	members: Iterable<readonly [name: string, bytes: Uint8Array]>,
	deflate: (name: string) => boolean = () => false,
): Uint8Array<ArrayBuffer> {
	const files: Buffer[] = [];
	const entries: Buffer[] = [];
	let at = 0;
	for (const [name, bytes] of members) {
		const packed = deflate(name) ? deflateRawSync(bytes) : Buffer.from(bytes);
		const common = header(name, bytes, packed.length, deflate(name));
		const local = Buffer.concat([signature(0x04034b50), common, Buffer.from(name)]);
		const place = Buffer.alloc(14);
		place.writeUInt32LE(at, 10);
		entries.push(signature(0x02014b50), Buffer.from([20, 0]), common, place);
		entries.push(Buffer.from(name));
		files.push(local, packed);
		at += local.length + packed.length;
	}
	const directory = Buffer.concat(entries);
	const end = Buffer.alloc(18);
	const count = entries.length / 5;
	end.writeUInt16LE(count, 4);
	end.writeUInt16LE(count, 6);
	end.writeUInt32LE(directory.length, 8);
	end.writeUInt32LE(at, 12);
	return new Uint8Array(
		Buffer.concat([...files, directory, signature(0x06054b50), end]),
	);
}

function signature(value: number): Buffer {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32LE(value);
	return bytes;
}

/** Returns the fields that a local header shares with a directory entry. */
function header(
	name: string,
	bytes: Uint8Array,
	packed: number,
	deflated: boolean,
): Buffer {
	const out = Buffer.alloc(26);
	out.writeUInt16LE(20, 0);
	out.writeUInt16LE(deflated ? 8 : 0, 4);
	out.writeUInt32LE(crc32(bytes), 10);
	out.writeUInt32LE(packed, 14);
	out.writeUInt32LE(bytes.length, 18);
	out.writeUInt16LE(Buffer.byteLength(name), 22);
	return out;
}
