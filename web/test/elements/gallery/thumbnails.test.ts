import { describe, expect, it, vi } from "vitest";
import { BevError } from "../../../src/base/errors.js";
import {
	type Finisher,
	ThumbnailCanvases,
	Thumbnails,
} from "../../../src/elements/gallery/thumbnails.js";
import type { RasterAt, RasterMaker } from "../../../src/elements/raster/rasters.js";

globalThis.ImageData ??= class {
	readonly data: Uint8ClampedArray;
	readonly width: number;
	readonly height: number;
	constructor(data: Uint8ClampedArray, width: number) {
		this.data = data;
		this.width = width;
		this.height = data.length / 4 / width;
	}
} as never;

/** A maker whose samples are drawn when the test calls `answer`. */
class HeldMaker {
	readonly asked: RasterAt[] = [];
	readonly pending: (() => void)[] = [];
	closed = false;

	readonly maker = {
		channels: [],
		sample: (at: RasterAt) => {
			this.asked.push(at);
			return new Promise((resolve, reject) => {
				this.pending.push(() => {
					if (at.scene === 9) reject(new Error("damaged"));
					else resolve(image(at.scene));
				});
			});
		},
		close: () => {
			this.closed = true;
		},
	} as unknown as RasterMaker;

	async answer(): Promise<void> {
		while (this.pending.length === 0) await soon();
		this.pending.shift()?.();
		await soon();
	}
}

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

function image(value: number): unknown {
	const data = new Uint8Array(4).fill(value);
	const raster_from_world = { data: Float64Array.of(value), shape: [1], dtype: "<f8" };
	return { image: { data, shape: [1, 1, 4], dtype: "|u1" }, raster_from_world };
}

const at = (scene: number): RasterAt => ({ scene, frame: 0, track: undefined });
const { signal } = new AbortController();

describe("gallery/thumbnails", () => {
	it("draws one at a time, the latest request first, each place once", async () => {
		const held = new HeldMaker();
		const thumbnails = new Thumbnails(async () => held.maker);
		const all = [1, 2, 3].map((scene) => thumbnails.image(at(scene), signal));
		for (const _ of all) await held.answer();
		const drawn = await Promise.all(all);
		expect(drawn.map((one) => one?.data[0])).toEqual([1, 2, 3]);
		expect(held.asked.map(({ scene }) => scene)).toEqual([3, 2, 1]);
		await thumbnails.image(at(2), signal);
		expect(held.asked.length).toBe(3);
	});

	it("canvases that come into view together are drawn from the first on", async () => {
		let seen: IntersectionObserverCallback = () => {};
		class Observer {
			constructor(callback: IntersectionObserverCallback) {
				seen = callback;
			}
			observe(): void {}
			unobserve(): void {}
			disconnect(): void {}
		}
		vi.stubGlobal("IntersectionObserver", Observer);
		const held = new HeldMaker();
		const thumbnails = new Thumbnails(async () => held.maker);
		const canvases = new ThumbnailCanvases(() => thumbnails);
		const all = [1, 2, 3].map((scene) => {
			const dataset: Record<string, string> = {};
			const canvas = { dataset, isConnected: true, getContext: () => null };
			canvases.place(canvas as unknown as HTMLCanvasElement, at(scene));
			return { target: canvas, isIntersecting: true };
		});
		seen(all as unknown as IntersectionObserverEntry[], {} as IntersectionObserver);
		for (const _ of all) await held.answer();
		expect(held.asked.map(({ scene }) => scene)).toEqual([1, 2, 3]);
		expect(all.map(({ target }) => target.dataset.state)).toEqual([
			"drawn",
			"drawn",
			"drawn",
		]);
		vi.unstubAllGlobals();
	});

	it("agents below the threshold are drawn with all agents", async () => {
		const opened: boolean[] = [];
		const sampled: unknown[] = [];
		let closed = 0;
		const open = async (_: AbortSignal, allAgents: boolean) => {
			opened.push(allAgents);
			const sample = async (place: RasterAt) => {
				sampled.push(place.track);
				if (place.track === 9n) throw new Error("damaged");
				if (place.track === 7n && !allAgents)
					throw new BevError("out_of_range", "sample: track 7 not found");
				return image(Number(allAgents));
			};
			const close = () => {
				closed += 1;
			};
			return { channels: [], sample, close } as unknown as RasterMaker;
		};
		const thumbnails = new Thumbnails(open);
		const track = (id: bigint) => thumbnails.image({ ...at(1), track: id }, signal);
		expect((await track(3n))?.data[0]).toBe(0);
		expect((await track(7n))?.data[0]).toBe(1);
		expect(await track(9n)).toBeUndefined();
		expect(opened).toEqual([false, true]);
		expect(sampled).toEqual([3n, 7n, 7n, 9n]);
		thumbnails.close();
		await soon();
		expect(closed).toBe(2);
	});

	it("requests out of view are not drawn", async () => {
		const held = new HeldMaker();
		const thumbnails = new Thumbnails(async () => held.maker);
		const first = thumbnails.image(at(1), signal);
		const control = new AbortController();
		const second = expect(thumbnails.image(at(2), control.signal)).rejects.toThrow(
			"out of view",
		);
		control.abort(new Error("out of view"));
		await held.answer();
		await Promise.all([first, second]);
		expect(held.asked.map(({ scene }) => scene)).toEqual([1]);
	});

	it("a place that cannot be drawn is not tried again", async () => {
		const held = new HeldMaker();
		const thumbnails = new Thumbnails(async () => held.maker);
		const failed = thumbnails.image(at(9), signal);
		await held.answer();
		expect(await failed).toBeUndefined();
		expect(await thumbnails.image(at(9), signal)).toBeUndefined();
		expect(held.asked.length).toBe(1);
	});

	it("a place that a lost connection has hidden is tried again", async () => {
		let open = 0;
		let asked = 0;
		const lost = new BevError("network", "raster: no answer");
		const sample = async () => {
			asked += 1;
			if (asked === 1) throw lost;
			return image(1);
		};
		const maker = { channels: [], sample, close: () => {} } as unknown as RasterMaker;
		const thumbnails = new Thumbnails(async () => {
			open += 1;
			if (open === 1) throw lost;
			return maker;
		});
		const drawn = [];
		for (let time = 0; time < 4; time += 1)
			drawn.push((await thumbnails.image(at(1), signal))?.data[0]);
		expect(drawn).toEqual([undefined, undefined, 1, 1]);
		expect([open, asked]).toEqual([2, 2]);
	});

	it("closing settles every request", async () => {
		const held = new HeldMaker();
		const thumbnails = new Thumbnails(async () => held.maker);
		const all = [1, 2, 3].map((scene) => thumbnails.image(at(scene), signal));
		const settled = Promise.allSettled(all);
		while (held.pending.length === 0) await soon();
		thumbnails.close();
		await held.answer();
		const abort = { status: "rejected", reason: { name: "AbortError" } };
		expect(await settled).toMatchObject([abort, abort, abort]);
		await expect(thumbnails.image(at(1), signal)).rejects.toMatchObject({
			name: "AbortError",
		});
	});

	it("images are finished one at a time, and kept for each subject", async () => {
		const held = new HeldMaker();
		const asked: unknown[] = [];
		const finisher: Finisher = {
			finish: async ({ scene, lines }, image, fromWorld) => {
				asked.push([scene, lines, fromWorld[0]]);
				if (lines === 9n) throw new Error("no predictions");
				image.data[1] = 77;
				return image;
			},
			close: () => void asked.push("closed"),
		};
		const thumbnails = new Thumbnails(
			async () => held.maker,
			async () => finisher,
		);
		const image = async (lines: bigint | "all") => {
			const drawing = thumbnails.image({ ...at(4), lines }, signal);
			await held.answer();
			return (await drawing)?.data[1];
		};
		expect(await image(3n)).toBe(77);
		expect(await image("all")).toBe(77);
		expect(await image(9n)).toBeUndefined();
		await thumbnails.image({ ...at(4), lines: 3n }, signal);
		thumbnails.close();
		await soon();
		expect(asked).toEqual([[4, 3n, 4], [4, "all", 4], [4, 9n, 4], "closed"]);
	});

	it("without a sampler there are no images; closing frees it", async () => {
		const none = new Thumbnails(async () => undefined);
		expect(await none.image(at(1), signal)).toBeUndefined();
		const held = new HeldMaker();
		const thumbnails = new Thumbnails(async () => held.maker);
		void thumbnails.image(at(1), signal);
		await held.answer();
		thumbnails.close();
		await soon();
		expect(held.closed).toBe(true);
	});
});
