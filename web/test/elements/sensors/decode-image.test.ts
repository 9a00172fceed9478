import { afterEach, describe, expect, it, vi } from "vitest";
import { blockyJpeg } from "../../../../tests/support/blocky-jpeg.js";
import { decodeImage } from "../../../src/elements/sensors/decode-image.js";

const JPEG = blockyJpeg(4, 3, () => [10, 20, 30]);
const decode = vi.fn(
	async (_: Blob, __: ImageBitmapOptions) => ({ width: 8, height: 6 }) as ImageBitmap,
);

/** Returns a JPEG whose header says another size. */
function claiming(width: number, height: number): Uint8Array {
	const bytes = JPEG.slice();
	const at = bytes.findIndex((byte, i) => byte === 0xff && bytes[i + 1] === 0xc0);
	new DataView(bytes.buffer).setUint16(at + 5, height);
	new DataView(bytes.buffer).setUint16(at + 7, width);
	return bytes;
}

afterEach(() => {
	vi.unstubAllGlobals();
	decode.mockClear();
});

describe("decode-image", () => {
	it("scales down images that are wider than asked", async () => {
		vi.stubGlobal("createImageBitmap", decode);
		expect(await decodeImage(JPEG, 16)).toMatchObject({ width: 32, height: 24 });
		expect(decode.mock.calls[0]?.[1]).toMatchObject({ resizeWidth: 16 });
		await decodeImage(JPEG, 640);
		expect(decode.mock.calls[1]?.[1]).toEqual({});
		expect(decode.mock.calls[1]?.[0].type).toBe("image/jpeg");
	});

	it.each([
		["65,535 by 65,535 pixels", claiming(65_535, 65_535), "limit_exceeded"],
		["no pixels", claiming(0, 24), "corrupt_chunk"],
		["another type", new TextEncoder().encode("<svg/>"), "corrupt_chunk"],
	])("decodes no image of %s", async (_, bytes, code) => {
		vi.stubGlobal("createImageBitmap", decode);
		await expect(decodeImage(bytes, 640)).rejects.toMatchObject({ code });
		expect(decode).not.toHaveBeenCalled();
	});

	it("reports images that the browser cannot decode", async () => {
		vi.stubGlobal("createImageBitmap", () => Promise.reject(new Error("no pixels")));
		const problem = { code: "corrupt_chunk", message: "Damaged image" };
		await expect(decodeImage(JPEG, 640)).rejects.toMatchObject(problem);
	});
});
