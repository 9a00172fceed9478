import { afterEach, describe, expect, it, vi } from "vitest";
import type { CoreModule } from "../../src/core.js";
import { Aerials } from "../../src/worker/aerials.js";
import { fakeCore } from "../support/fake-core.js";

const META = Uint8Array.of(1);

function started() {
	const rows: [number, number][] = [];
	const deleted = vi.fn();
	const core: CoreModule = {
		...fakeCore().core,
		makeAerial: () => ({
			putRows: (first, rgba) => void rows.push([first, rgba.length]),
			delete: deleted,
		}),
	};
	const aerials = new Aerials();
	const host = { core, assertAlive: () => {} };
	const ask = (image: Parameters<typeof pixels>[0]) =>
		aerials.answer(
			{ kind: "aerial", aerial: 1, image: pixels(image), meta: META },
			host,
		);
	return { rows, deleted, host, aerials, ask };
}

const pixels = ([width, height, bytes]: [number, number, number]) => ({
	width,
	height,
	data: new Uint8Array(bytes),
});

afterEach(() => vi.unstubAllGlobals());

describe("worker/aerials", () => {
	it("supplies pixels in strips of whole rows", async () => {
		const { ask, rows, aerials } = started();
		await ask([2 ** 19, 5, 2 ** 19 * 5 * 4]);
		expect(rows).toEqual([
			[0, 2 ** 22],
			[2, 2 ** 22],
			[4, 2 ** 21],
		]);
		expect(aerials.find(1)).toBeDefined();
	});

	it("rejects pixels of another size and frees the image", async () => {
		const { ask, deleted, aerials } = started();
		await expect(ask([2, 2, 15])).rejects.toThrow("found 15 bytes, expected 2 x 2 x 4");
		expect(deleted).toHaveBeenCalledOnce();
		expect(() => aerials.find(1)).toThrow("aerial image: released");
	});

	it("frees an image once, alone or with all others", async () => {
		const { ask, deleted, host, aerials } = started();
		await ask([1, 1, 4]);
		await aerials.answer({ kind: "free-aerial", aerial: 1 }, host);
		aerials.close();
		expect(deleted).toHaveBeenCalledOnce();
	});

	it("reports a missing image decoder", async () => {
		vi.stubGlobal("createImageBitmap", undefined);
		const { host, aerials } = started();
		const query = { kind: "aerial", aerial: 1, image: META, meta: META } as const;
		await expect(aerials.answer(query, host)).rejects.toMatchObject({
			code: "unsupported",
		});
	});

	it("creates no image in a module that trapped while decoding", async () => {
		vi.stubGlobal("OffscreenCanvas", class {});
		vi.stubGlobal("createImageBitmap", async () => ({ width: 1, close: () => {} }));
		const { aerials, host } = started();
		const makeAerial = vi.fn();
		const query = { kind: "aerial", aerial: 1, image: META, meta: META } as const;
		const dead = {
			core: { ...host.core, makeAerial },
			assertAlive: () => {
				throw new Error("the core failed");
			},
		};
		await expect(aerials.answer(query, dead)).rejects.toThrow("the core failed");
		expect(makeAerial).not.toHaveBeenCalled();
		expect(() => aerials.find(1)).toThrow("aerial image: released");
	});

	it("names an image that cannot be decoded", async () => {
		vi.stubGlobal("OffscreenCanvas", class {});
		vi.stubGlobal("createImageBitmap", () => Promise.reject(new Error("no image")));
		const { host, aerials } = started();
		const query = { kind: "aerial", aerial: 1, image: META, meta: META } as const;
		await expect(aerials.answer(query, host)).rejects.toMatchObject({
			code: "corrupt_chunk",
			message: "aerial image: no image",
		});
	});
});
