import { BevError } from "../../base/errors.js";
import { isAbort } from "../session/problem.js";
import type { BevElement } from "../ui/bev-element.js";
import type { Painter, PicturedAt } from "./pictured-at.js";
import { ThumbnailPainter, type ThumbnailSource } from "./thumbnail-painter.js";

/** Codes of errors that may not occur again. */
const PASSING: readonly string[] = ["network", "io", "internal", "out_of_memory"];

function isPassing(error: unknown): boolean {
	return error instanceof BevError && PASSING.includes(error.code);
}

/** Maximum number of images in memory, of 230 KB each, or of 920 KB if enlarged. */
const MAX_HELD = 64;

/**
 * Thumbnails of frames: drawn one at a time, the latest request first. The images used
 * last are kept, except those of other moments.
 */
export class Thumbnails {
	readonly #painter: Painter;
	readonly #control = new AbortController();
	/** Least recently used first. */
	readonly #held = new Map<string, ImageBitmap>();
	readonly #failed = new Set<string>();
	#waiting: { readonly run: () => Promise<void>; readonly drop: () => void }[] = [];
	#busy = false;

	constructor(painter: Painter) {
		this.#painter = painter;
	}

	/**
	 * Returns an image; undefined if it cannot be drawn. Rejects with the reason of the
	 * signal, and with an AbortError if the thumbnails are closed.
	 */
	async image(at: PicturedAt, signal: AbortSignal): Promise<ImageBitmap | undefined> {
		const closed = this.#control.signal;
		closed.throwIfAborted();
		const key = keyOf(at);
		const held = this.#held.get(key);
		if (held) {
			this.#hold(key, held);
			return held;
		}
		if (this.#failed.has(key)) return undefined;
		return new Promise((resolve, reject) => {
			const drop = (): void => reject(closed.reason);
			const run = async (): Promise<void> => {
				if (signal.aborted) return reject(signal.reason);
				const image = this.#held.get(key) ?? (await this.#draw(key, at));
				if (closed.aborted) drop();
				else resolve(image);
			};
			this.#waiting.push({ run, drop });
			void this.#work();
		});
	}

	/** Drops all images and requests. */
	close(): void {
		this.#control.abort();
		this.#held.clear();
		for (const { drop } of this.#waiting) drop();
		this.#waiting = [];
		this.#painter.close();
	}

	async #work(): Promise<void> {
		if (this.#busy) return;
		this.#busy = true;
		await null; // all requests of this turn wait
		for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) {
			await next.run();
		}
		this.#busy = false;
	}

	async #draw(key: string, at: PicturedAt): Promise<ImageBitmap | undefined> {
		const { signal } = this.#control;
		try {
			const image = await this.#painter.draw(at, signal);
			signal.throwIfAborted();
			if (!image) return undefined;
			if (at.moment === undefined) this.#hold(key, image);
			return image;
		} catch (error) {
			if (!isAbort(error) && !isPassing(error)) this.#failed.add(key);
			return undefined;
		}
	}

	#hold(key: string, image: ImageBitmap): void {
		this.#held.delete(key);
		this.#held.set(key, image);
		for (const oldest of this.#held.keys()) {
			if (this.#held.size <= MAX_HELD) break;
			this.#held.delete(oldest);
		}
	}
}

function keyOf(at: PicturedAt): string {
	const { scene, frame, track, mark, lines, futures, moment } = at;
	const all = [scene, frame, track, mark, lines, futures, moment];
	return all.map((one) => one ?? "").join(" ");
}

/** The thumbnails of a dialog, opened on first use. */
export class OwnThumbnails {
	readonly #changed: () => void;
	#images: Thumbnails | undefined;
	#density: number | undefined;
	#scheme: MediaQueryList | undefined;

	/** @param changed called when images should be drawn in other colours */
	constructor(changed: () => void = () => {}) {
		this.#changed = changed;
	}

	/**
	 * Returns the thumbnails of the host's data set, in the host's colours; undefined
	 * without a controller.
	 *
	 * @param how the models whose predictions are drawn, and the density
	 */
	of(
		host: BevElement,
		how: Pick<ThumbnailSource, "models" | "density" | "onStoredNotice"> = {},
	): Thumbnails | undefined {
		const { controller } = host;
		if (!controller) return undefined;
		if (how.density !== this.#density) this.drop();
		this.#density = how.density;
		this.#scheme ??= this.#watchScheme();
		this.#images ??= new Thumbnails(new ThumbnailPainter({ ...how, controller, host }));
		return this.#images;
	}

	/** Drops the images, for example because the map has changed. */
	drop(): void {
		this.#images?.close();
		this.#images = undefined;
		this.#scheme?.removeEventListener("change", this.#onScheme);
		this.#scheme = undefined;
	}

	readonly #onScheme = (): void => {
		this.drop();
		this.#changed();
	};

	#watchScheme(): MediaQueryList | undefined {
		const scheme = globalThis.matchMedia?.("(prefers-color-scheme: light)");
		scheme?.addEventListener("change", this.#onScheme);
		return scheme;
	}
}

/** Draws thumbnails into canvases while they are visible, and frees the others. */
export class ThumbnailCanvases {
	readonly #images: () => Thumbnails | undefined;
	readonly #places = new WeakMap<Element, PicturedAt>();
	readonly #drawing = new WeakMap<Element, AbortController>();
	/** Those in view. */
	readonly #shown = new Set<HTMLCanvasElement>();
	#observer: IntersectionObserver | undefined;

	constructor(images: () => Thumbnails | undefined) {
		this.#images = images;
	}

	/** Sets what a canvas shows. */
	place(canvas: HTMLCanvasElement, at: PicturedAt): void {
		const before = this.#places.get(canvas);
		this.#places.set(canvas, at);
		this.#observer ??= new IntersectionObserver((entries) => this.#seen(entries), {
			rootMargin: "100px",
		});
		if (!before) this.#observer.observe(canvas);
		else if (!isSame(before, at)) {
			// Observing anew reports the canvas again.
			this.#observer.unobserve(canvas);
			this.#hide(canvas);
			this.#observer.observe(canvas);
		}
	}

	/** Draws a canvas again, if it is in view. */
	again(canvas: HTMLCanvasElement): void {
		if (this.#shown.has(canvas)) void this.#show(canvas);
	}

	/** Draws all canvases in view again, for example in other colours. */
	readonly redraw = (): void => {
		// The latest request is drawn first.
		for (const canvas of [...this.#shown].reverse()) this.again(canvas);
	};

	close(): void {
		this.#shown.clear();
		this.#observer?.disconnect();
		this.#observer = undefined;
	}

	#seen(entries: readonly IntersectionObserverEntry[]): void {
		// The first one last: the latest request is drawn first.
		for (const { target, isIntersecting } of [...entries].reverse()) {
			const canvas = target as HTMLCanvasElement;
			if (!canvas.isConnected) this.#observer?.unobserve(canvas);
			if (isIntersecting && canvas.isConnected) {
				this.#shown.add(canvas);
				void this.#show(canvas);
			} else this.#hide(canvas);
		}
	}

	async #show(canvas: HTMLCanvasElement): Promise<void> {
		const at = this.#places.get(canvas);
		const images = this.#images();
		if (!at || !images) return;
		this.#drawing.get(canvas)?.abort();
		const control = new AbortController();
		this.#drawing.set(canvas, control);
		try {
			const image = await images.image(at, control.signal);
			if (control.signal.aborted) return;
			canvas.dataset.state = image ? "drawn" : "failed";
			if (!image) return;
			drawInto(canvas, image);
		} catch {
			// Scrolled out of view before it was drawn.
		}
	}

	/** Frees the canvas's memory. */
	#hide(canvas: HTMLCanvasElement): void {
		this.#drawing.get(canvas)?.abort();
		this.#shown.delete(canvas);
		delete canvas.dataset.state;
		canvas.width = 0;
		canvas.height = 0;
	}
}

function isSame(a: PicturedAt, b: PicturedAt): boolean {
	return keyOf(a) === keyOf(b);
}

/** Shows an image in a canvas of its size. */
export function drawInto(canvas: HTMLCanvasElement, image: ImageBitmap): void {
	if (canvas.width !== image.width) canvas.width = image.width;
	if (canvas.height !== image.height) canvas.height = image.height;
	canvas.getContext("2d")?.drawImage(image, 0, 0);
}
