// Joins still WebP images to an animated one: https://developers.google.com/speed/webp/docs/riff_container

/** Returns a number as `size` bytes, the least significant first. */
function bytesOf(number, size) {
	const out = Buffer.alloc(size);
	out.writeUIntLE(number, 0, size);
	return out;
}

/** Returns a chunk of a RIFF file, padded to an even length. */
function chunk(name, ...parts) {
	const body = Buffer.concat(parts);
	return Buffer.concat([
		Buffer.from(name),
		bytesOf(body.length, 4),
		body,
		Buffer.alloc(body.length % 2),
	]);
}

/** Returns the image data of a still WebP: its chunks but the header's. */
function imageOf(still) {
	let at = 12;
	while (at < still.length) {
		const name = still.toString("latin1", at, at + 4);
		const length = still.readUInt32LE(at + 4);
		if (name === "VP8 " || name === "VP8L")
			return chunk(name, still.subarray(at + 8, at + 8 + length));
		at += 8 + length + (length % 2);
	}
	throw new Error("webp: no image (expected VP8 or VP8L)");
}

/** Returns an endless animation of opaque images of one size. */
export function animatedWebP(stills, { size: [width, height], milliseconds }) {
	const size = [bytesOf(width - 1, 3), bytesOf(height - 1, 3)];
	const isAnimation = bytesOf(0x02, 4);
	const doNotBlend = bytesOf(0x02, 1);
	const frames = stills.map((still) =>
		chunk(
			"ANMF",
			bytesOf(0, 6),
			...size,
			bytesOf(milliseconds, 3),
			doNotBlend,
			imageOf(still),
		),
	);
	const body = [
		chunk("VP8X", isAnimation, ...size),
		chunk("ANIM", bytesOf(0, 6)),
		...frames,
	];
	return chunk("RIFF", Buffer.from("WEBP"), ...body);
}
