/** What the first bytes of an encoded image say. */
export interface ImageHead {
	readonly type: "image/jpeg" | "image/png" | "image/webp";
	/** Size in pixels, before any rotation. */
	readonly width: number;
	readonly height: number;
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

function hasText(bytes: Uint8Array, at: number, text: string): boolean {
	return [...text].every((c, i) => bytes[at + i] === c.charCodeAt(0));
}

/** Returns size and type of a JPEG, PNG or WebP image; undefined for anything else. */
export function imageHead(bytes: Uint8Array): ImageHead | undefined {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	try {
		if (PNG.every((byte, i) => bytes[i] === byte)) return pngHead(bytes, view);
		if (hasText(bytes, 0, "RIFF") && hasText(bytes, 8, "WEBP"))
			return webpHead(bytes, view);
		return bytes[0] === 0xff && bytes[1] === 0xd8 ? jpegHead(view) : undefined;
	} catch {
		return undefined; // a read beyond the end
	}
}

function pngHead(bytes: Uint8Array, view: DataView): ImageHead | undefined {
	if (!hasText(bytes, 12, "IHDR")) return undefined;
	return { type: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
}

function webpHead(bytes: Uint8Array, view: DataView): ImageHead | undefined {
	const type = "image/webp";
	if (hasText(bytes, 12, "VP8X")) {
		const width = (view.getUint32(24, true) & 0xffffff) + 1;
		const height = (view.getUint32(26, true) >>> 8) + 1;
		return { type, width, height };
	}
	if (hasText(bytes, 12, "VP8L")) {
		const bits = view.getUint32(21, true);
		return { type, width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
	}
	if (!hasText(bytes, 12, "VP8 ")) return undefined;
	const [width, height] = [view.getUint16(26, true), view.getUint16(28, true)];
	return { type, width: width & 0x3fff, height: height & 0x3fff };
}

/** Reads segments up to the frame header (ITU-T T.81, B.2.2). */
function jpegHead(view: DataView): ImageHead | undefined {
	let at = 2;
	for (;;) {
		if (view.getUint8(at) !== 0xff) return undefined;
		while (view.getUint8(at) === 0xff) at += 1; // fill bytes
		const marker = view.getUint8(at);
		const length = view.getUint16(at + 1);
		const isFrame = marker >= 0xc0 && marker <= 0xcf;
		const isTable = marker === 0xc4 || marker === 0xc8 || marker === 0xcc;
		if (isFrame && !isTable) {
			const [height, width] = [view.getUint16(at + 4), view.getUint16(at + 6)];
			return { type: "image/jpeg", width, height };
		}
		// The data begins, or a segment that contains less than its own length.
		if (marker === 0xda || length < 2) return undefined;
		at += 1 + length;
	}
}
