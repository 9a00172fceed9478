import { describe, expect, it } from "vitest";
import { blockyJpeg } from "../../../../tests/support/blocky-jpeg.js";
import { imageHead } from "../../../src/elements/sensors/image-head.js";

const text = (ascii: string) => [...ascii].map((c) => c.charCodeAt(0));
const PNG = [0x89, ...text("PNG\r\n\x1a\n"), 0, 0, 0, 13, ...text("IHDR")];
const riff = (kind: string, ...rest: number[]) =>
	Uint8Array.from([...text("RIFF"), 0, 0, 0, 0, ...text(`WEBP${kind}`), ...rest]);

describe("image-head", () => {
	it("reads the size of a JPEG, after other segments", () => {
		const jpeg = blockyJpeg(4, 3, () => [10, 20, 30]);
		const size = { type: "image/jpeg", width: 32, height: 24 };
		expect(imageHead(jpeg)).toEqual(size);
		const comment = [0xff, 0xff, 0xfe, 0, 4, 0xff, 0xc0]; // looks like a frame header
		const more = Uint8Array.from([...jpeg.slice(0, 2), ...comment, ...jpeg.slice(2)]);
		expect(imageHead(more)).toEqual(size);
	});

	it("reads the size of a PNG", () => {
		const png = Uint8Array.from([...PNG, 0, 1, 0, 0, 0, 0, 0, 7, 8, 6]);
		expect(imageHead(png)).toEqual({ type: "image/png", width: 65_536, height: 7 });
	});

	it.each([
		[
			"VP8X",
			riff("VP8X", 10, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 2, 1, 0),
			65_536,
			259,
		],
		["VP8L", riff("VP8L", 9, 0, 0, 0, 0x2f, 0x1f, 0xc0, 0x05, 0), 32, 24],
		["VP8 ", riff("VP8 ", 9, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 32, 0x40, 24, 0), 32, 24],
	])("reads the size of a WebP with %s", (_, bytes, width, height) => {
		expect(imageHead(bytes)).toEqual({ type: "image/webp", width, height });
	});

	it.each([
		["nothing", []],
		["GIF", text("GIF89a______________")],
		["SVG", text("<svg xmlns='http://www.w3.org/2000/svg'/>")],
		[
			"a PNG without a header",
			[...PNG.slice(0, 12), ...text("IDAT"), 0, 0, 0, 1, 0, 0, 0, 1],
		],
		["a cut PNG", PNG],
		["a cut JPEG", [0xff, 0xd8, 0xff, 0xe0, 0, 9]],
		["a JPEG without a frame", [0xff, 0xd8, 0xff, 0xda, 0, 8, 0, 0]],
		["a JPEG with an empty segment", [0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0]],
	])("refuses %s", (_, bytes) => {
		expect(imageHead(Uint8Array.from(bytes))).toBeUndefined();
	});
});
