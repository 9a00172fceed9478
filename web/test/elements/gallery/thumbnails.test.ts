import { afterEach, describe, expect, it, vi } from "vitest";
import { BevError } from "../../../src/base/errors.js";
import type { Painter, PicturedAt } from "../../../src/elements/gallery/pictured-at.js";
import {
	ThumbnailCanvases,
	Thumbnails,
} from "../../../src/elements/gallery/thumbnails.js";

/** A painter that draws when the test calls `answer`. */
class HeldPainter implements Painter {
	readonly asked: PicturedAt[] = [];
	readonly pending: (() => void)[] = [];
	closed = false;

	draw(at: PicturedAt): Promise<ImageBitmap> {
		this.asked.push(at);
		return new Promise((resolve, reject) => {
			this.pending.push(() => {
				if (at.scene === 9) reject(new Error("damaged"));
				else resolve(image(at.scene));
			});
		});
	}

	close(): void {
		this.closed = true;
	}

	async answer(): Promise<void> {
		while (this.pending.length === 0) await soon();
		this.pending.shift()?.();
		await soon();
	}
}

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

function image(width: number): ImageBitmap {
	return { width, height: 1, close: () => {} };
}

const at = (scene: number): PicturedAt => ({ scene, frame: 0, track: undefined });
const { signal } = new AbortController();

afterEach(() => {
	vi.unstubAllGlobals();
});

describe("gallery/thumbnails", () => {
	it("draws one at a time, the latest request first, each place once", async () => {
		const held = new HeldPainter();
		const thumbnails = new Thumbnails(held);
		const all = [1, 2, 3].map((scene) => thumbnails.image(at(scene), signal));
		for (const _ of all) await held.answer();
		const drawn = await Promise.all(all);
		expect(drawn.map((one) => one?.width)).toEqual([1, 2, 3]);
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
		const held = new HeldPainter();
		const thumbnails = new Thumbnails(held);
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
	});

	it("requests out of view are not drawn", async () => {
		const held = new HeldPainter();
		const thumbnails = new Thumbnails(held);
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
		const held = new HeldPainter();
		const thumbnails = new Thumbnails(held);
		const failed = thumbnails.image(at(9), signal);
		await held.answer();
		expect(await failed).toBeUndefined();
		expect(await thumbnails.image(at(9), signal)).toBeUndefined();
		expect(held.asked.length).toBe(1);
	});

	it("a place that a lost connection has hidden is tried again", async () => {
		let asked = 0;
		const draw = async () => {
			asked += 1;
			if (asked === 1) throw new BevError("network", "agents/1: no answer");
			return image(1);
		};
		const thumbnails = new Thumbnails({ draw, close: () => {} });
		const drawn = [];
		for (let time = 0; time < 3; time += 1)
			drawn.push((await thumbnails.image(at(1), signal))?.width);
		expect(drawn).toEqual([undefined, 1, 1]);
		expect(asked).toBe(2);
	});

	it("closing settles every request, and frees the painter", async () => {
		const held = new HeldPainter();
		const thumbnails = new Thumbnails(held);
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
		expect(held.closed).toBe(true);
	});

	it("images are kept for each subject and mark, but not of other moments", async () => {
		const held = new HeldPainter();
		const thumbnails = new Thumbnails(held);
		const ask = async (change: Partial<PicturedAt>) => {
			const drawing = thumbnails.image({ ...at(4), ...change }, signal);
			await soon();
			if (held.pending.length > 0) await held.answer();
			await drawing;
			return held.asked.length;
		};
		expect(await ask({ lines: 3n })).toBe(1);
		expect(await ask({ lines: "all" })).toBe(2);
		expect(await ask({ mark: "ego" })).toBe(3);
		expect(await ask({ lines: 3n })).toBe(3);
		expect(await ask({ lines: 3n, moment: 5 })).toBe(4);
		expect(await ask({ lines: 3n, moment: 5 })).toBe(5);
	});
});
