import { afterEach, describe, expect, it, vi } from "vitest";
import { Core } from "../../src/core/core.js";
import { decodeAerial } from "../../src/worker/aerials.js";
import { fakeCore } from "../support/fake-core.js";

const META = Uint8Array.of(1);

function started() {
	const rows: [number, number][] = [];
	const deleted = vi.fn();
	const { module } = fakeCore({
		aerial: (_, made) => made({ delete: deleted }),
		put_aerial_rows: ({ first, rgba }) => void rows.push([first, rgba.length]),
	});
	const run = { core: new Core(module), assertAlive: () => {} };
	const ask = (image: Parameters<typeof pixels>[0]) =>
		decodeAerial(run, { kind: "aerial", id: 1, image: pixels(image), meta: META });
	return { rows, deleted, run, ask };
}

const pixels = ([width, height, bytes]: [number, number, number]) => ({
	width,
	height,
	data: new Uint8Array(bytes),
});

afterEach(() => vi.unstubAllGlobals());

describe("worker/aerials", () => {
	it("supplies pixels in strips of whole rows", async () => {
		const { ask, rows } = started();
		const aerial = await ask([2 ** 19, 5, 2 ** 19 * 5 * 4]);
		expect(rows).toEqual([
			[0, 2 ** 22],
			[2, 2 ** 22],
			[4, 2 ** 21],
		]);
		expect(aerial).toBeDefined();
	});

	it("rejects pixels of another size and frees the image", async () => {
		const { ask, deleted } = started();
		await expect(ask([2, 2, 15])).rejects.toThrow("found 15 bytes, expected 2 x 2 x 4");
		expect(deleted).toHaveBeenCalledOnce();
	});

	it("reports a missing image decoder", async () => {
		vi.stubGlobal("createImageBitmap", undefined);
		const { run } = started();
		const query = { kind: "aerial", id: 1, image: META, meta: META } as const;
		await expect(decodeAerial(run, query)).rejects.toMatchObject({
			code: "unsupported",
		});
	});

	it("creates no image in a module that trapped while decoding", async () => {
		vi.stubGlobal("OffscreenCanvas", class {});
		vi.stubGlobal("createImageBitmap", async () => ({ width: 1, close: () => {} }));
		const { run } = started();
		const made = vi.spyOn(run.core, "run");
		const query = { kind: "aerial", id: 1, image: META, meta: META } as const;
		const dead = {
			core: run.core,
			assertAlive: () => {
				throw new Error("the core failed");
			},
		};
		await expect(decodeAerial(dead, query)).rejects.toThrow("the core failed");
		expect(made).not.toHaveBeenCalled();
	});

	it("names an image that cannot be decoded", async () => {
		vi.stubGlobal("OffscreenCanvas", class {});
		vi.stubGlobal("createImageBitmap", () => Promise.reject(new Error("no image")));
		const { run } = started();
		const query = { kind: "aerial", id: 1, image: META, meta: META } as const;
		await expect(decodeAerial(run, query)).rejects.toMatchObject({
			code: "corrupt_chunk",
			message: "aerial image: no image",
		});
	});
});
