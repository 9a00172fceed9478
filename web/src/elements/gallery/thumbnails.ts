import { BevError } from "../../base/errors.js";
import { imageData, release, type Sample } from "../../samples/sample.js";
import type { RasterAt, RasterMaker } from "../raster/rasters.js";
import type { ViewerController } from "../session/controller.js";
import { isAbort } from "../session/problem.js";

/** Codes of errors about a track without a sample. */
const ABSENT: readonly string[] = ["invalid_argument", "out_of_range"];

/** Codes of errors that may not occur again. */
const PASSING: readonly string[] = ["network", "io", "internal", "out_of_memory"];

function isPassing(error: unknown): boolean {
	return error instanceof BevError && PASSING.includes(error.code);
}

/** Maximum number of images in memory, of 170 KB each. */
const MAX_HELD = 150;

/** Identity of a thumbnail: the raster, and whose predictions are drawn into it. */
export interface PicturedAt extends RasterAt {
	/** A track, -1 for the ego vehicle, all tracks, or none. */
	readonly lines?: bigint | "all" | undefined;
}

/** Draws something into finished images, one at a time. */
export interface Finisher {
	/**
	 * Returns the finished image.
	 *
	 * @param fromWorld (3, 3), row-major: world metres to pixels
	 */
	finish(
		at: PicturedAt,
		image: ImageData,
		fromWorld: ArrayLike<number>,
		signal: AbortSignal,
	): Promise<ImageData>;
	/** Frees the memory. */
	close(): void;
}

/** Opens a finisher on first use; undefined if images are not changed. */
export type OpenFinisher = () => Promise<Finisher | undefined>;

/**
 * Opens the maker of the images; undefined if the data set cannot be sampled. Its images
 * contain the agents that pass the usual threshold, or all.
 */
export type OpenMaker = (
	signal: AbortSignal,
	allAgents: boolean,
) => Promise<RasterMaker | undefined>;

/**
 * Thumbnails of frames, drawn by the rasterizer in the worker: one at a time, the latest
 * request first. The images used last are kept.
 */
export class Thumbnails {
	readonly #open: OpenMaker;
	readonly #openFinisher: OpenFinisher | undefined;
	readonly #control = new AbortController();
	/** Least recently used first. */
	readonly #held = new Map<string, ImageData>();
	readonly #failed = new Set<string>();
	#waiting: { readonly run: () => Promise<void>; readonly drop: () => void }[] = [];
	#busy = false;
	#maker: Promise<RasterMaker | undefined> | undefined;
	/** Of images around agents below the threshold. */
	#allMaker: Promise<RasterMaker | undefined> | undefined;
	#finisher: Promise<Finisher | undefined> | undefined;

	constructor(open: OpenMaker, openFinisher?: OpenFinisher) {
		this.#open = open;
		this.#openFinisher = openFinisher;
	}

	/**
	 * Returns an image; undefined if it cannot be drawn. Rejects with the reason of the
	 * signal, and with an AbortError if the thumbnails are closed.
	 */
	async image(at: PicturedAt, signal: AbortSignal): Promise<ImageData | undefined> {
		const closed = this.#control.signal;
		closed.throwIfAborted();
		const key = `${at.scene} ${at.frame} ${at.track ?? ""} ${at.lines ?? ""}`;
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
		for (const maker of [this.#maker, this.#allMaker])
			void maker?.then((one) => one?.close()).catch(() => {});
		void this.#finisher?.then((finisher) => finisher?.close()).catch(() => {});
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

	async #draw(key: string, at: PicturedAt): Promise<ImageData | undefined> {
		const { signal } = this.#control;
		try {
			const sample = await this.#sample(at);
			if (!sample) return undefined;
			const image = imageData(sample);
			const fromWorld = sample.raster_from_world.data.slice();
			release(sample);
			const finished = (await this.#finished(at, image, fromWorld)) ?? image;
			signal.throwIfAborted();
			this.#hold(key, finished);
			return finished;
		} catch (error) {
			if (!isAbort(error) && !isPassing(error)) this.#failed.add(key);
			return undefined;
		}
	}

	#opened(allAgents: boolean): Promise<RasterMaker | undefined> {
		return this.#open(this.#control.signal, allAgents).catch((error: unknown) => {
			// Opened again for the next image.
			if (allAgents) this.#allMaker = undefined;
			else this.#maker = undefined;
			throw error;
		});
	}

	async #sample({ scene, frame, track }: PicturedAt): Promise<Sample | undefined> {
		const { signal } = this.#control;
		const place = { scene, frame, track };
		this.#maker ??= this.#opened(false);
		const maker = await this.#maker;
		try {
			return await maker?.sample(place, { signal });
		} catch (error) {
			// Agents below the threshold have no sample.
			const isAbsent = error instanceof BevError && ABSENT.includes(error.code);
			if (!isAbsent || track === undefined) throw error;
			this.#allMaker ??= this.#opened(true);
			return (await this.#allMaker)?.sample(place, { signal });
		}
	}

	async #finished(
		at: PicturedAt,
		image: ImageData,
		fromWorld: Float64Array,
	): Promise<ImageData | undefined> {
		this.#finisher ??= this.#openFinisher?.().catch((error: unknown) => {
			this.#finisher = undefined;
			throw error;
		});
		const finisher = await this.#finisher;
		return finisher?.finish(at, image, fromWorld, this.#control.signal);
	}

	#hold(key: string, image: ImageData): void {
		this.#held.delete(key);
		this.#held.set(key, image);
		for (const oldest of this.#held.keys()) {
			if (this.#held.size <= MAX_HELD) break;
			this.#held.delete(oldest);
		}
	}
}

/** The thumbnails of a dialog, opened on first use. */
export class OwnThumbnails {
	#images: Thumbnails | undefined;

	/** Returns the thumbnails of the open data set; undefined without a controller. */
	of(
		controller: ViewerController | undefined,
		openFinisher?: OpenFinisher,
	): Thumbnails | undefined {
		if (!controller) return undefined;
		this.#images ??= new Thumbnails(
			(signal, allAgents) => controller.rasters.thumbnails(signal, allAgents),
			openFinisher,
		);
		return this.#images;
	}

	/** Drops the images, for example because the map has changed. */
	drop(): void {
		this.#images?.close();
		this.#images = undefined;
	}
}

/** Draws thumbnails into canvases while they are visible, and frees the others. */
export class ThumbnailCanvases {
	readonly #images: () => Thumbnails | undefined;
	readonly #places = new WeakMap<Element, PicturedAt>();
	readonly #drawing = new WeakMap<Element, AbortController>();
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

	close(): void {
		this.#observer?.disconnect();
		this.#observer = undefined;
	}

	#seen(entries: readonly IntersectionObserverEntry[]): void {
		// The first one last: the latest request is drawn first.
		for (const { target, isIntersecting } of [...entries].reverse()) {
			const canvas = target as HTMLCanvasElement;
			if (!canvas.isConnected) this.#observer?.unobserve(canvas);
			if (isIntersecting && canvas.isConnected) void this.#show(canvas);
			else this.#hide(canvas);
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
			canvas.width = image.width;
			canvas.height = image.height;
			canvas.getContext("2d")?.putImageData(image, 0, 0);
		} catch {
			// Scrolled out of view before it was drawn.
		}
	}

	/** Frees the canvas's memory. */
	#hide(canvas: HTMLCanvasElement): void {
		this.#drawing.get(canvas)?.abort();
		delete canvas.dataset.state;
		canvas.width = 0;
		canvas.height = 0;
	}
}

function isSame(a: PicturedAt, b: PicturedAt): boolean {
	const isSamePlace = a.scene === b.scene && a.frame === b.frame;
	return isSamePlace && a.track === b.track && a.lines === b.lines;
}
