import type { View } from "../pure/camera.js";
import { CanvasGround } from "./canvas-ground.js";
import { paintStill } from "./paint.js";
import { type Picture, projectionOf } from "./picture.js";

/** Device pixels around the picture: so far can it move before the bitmap is made anew. */
const MARGIN = 192;
/** 64 MB: a larger one is not worth what it saves. */
const MOST_PIXELS = 16_000_000;

/** The ground, the aerial image and all of the map, bottom to top. The context is in device pixels. */
export function paintGround(ctx: CanvasRenderingContext2D, picture: Picture): void {
	const { view, density, palette } = picture;
	ctx.setTransform(density, 0, 0, density, 0, 0);
	ctx.globalAlpha = 1;
	ctx.fillStyle = palette.ground;
	ctx.fillRect(0, 0, view.width, view.height);
	const brush = { ctx, picture, projection: projectionOf(view) };
	paintStill({ ...brush, ground: new CanvasGround(brush) });
}

/** Everything but the place that the map's pixels are a function of. */
function looksOf(picture: Picture): readonly unknown[] {
	const { view, density, palette, layers, map, laneColours, aerial } = picture;
	const shown = (["lanes", "lights", "crosswalks"] as const).map((l) => layers.has(l));
	const { pixelsPerMetre, rotation, width, height } = view;
	const scale = [pixelsPerMetre, rotation, width, height, density];
	const things = [map, laneColours, aerial?.image, aerial?.fromWorld];
	return [...scale, palette, ...things, ...shown];
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
	return a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
}

/** How far `view` has moved from `from`, in device pixels to the right and down. */
function moved(from: View, view: View, density: number): readonly [number, number] {
	const p = projectionOf(from);
	const [dx, dy] = [view.x - from.x, view.y - from.y];
	return [
		Math.round((p.a * dx + p.c * dy) * density),
		Math.round((p.b * dx + p.d * dy) * density),
	];
}

/**
 * The map as pixels, kept while the picture only moves. Views whose centres are whole
 * pixels apart (`snapped`) get the very pixels that drawing the map would give.
 */
export class MapBitmap {
	#canvas: HTMLCanvasElement | undefined;
	/** What the bitmap shows; `#asked` is what was asked for last. */
	#looks: readonly unknown[] = [];
	#asked: readonly unknown[] = [];
	#view: View | undefined;

	/** Paints ground and map of `picture`, from the bitmap where that pays. */
	paint(ctx: CanvasRenderingContext2D, picture: Picture): void {
		const looks = looksOf(picture);
		// While zooming or turning every picture is another: the first of a kind is drawn.
		const again = isSame(looks, this.#asked);
		this.#asked = looks;
		if (!(picture.map || picture.aerial) || !again || !this.#fits(picture)) {
			paintGround(ctx, picture);
			return;
		}
		if (!this.#covers(picture, looks)) this.#make(picture, looks);
		const { view, density } = picture;
		const [dx, dy] = moved(this.#view ?? view, view, density);
		ctx.setTransform(1, 0, 0, 1, 0, 0);
		ctx.globalAlpha = 1;
		if (this.#canvas) ctx.drawImage(this.#canvas, -MARGIN - dx, -MARGIN - dy);
		ctx.setTransform(density, 0, 0, density, 0, 0);
	}

	/** Gives the memory back. */
	release(): void {
		// An empty canvas frees its pixels now, not when the collector comes by.
		if (this.#canvas) this.#canvas.width = 0;
		this.#canvas = undefined;
		this.#view = undefined;
		this.#looks = [];
	}

	#fits({ view, density }: Picture): boolean {
		const width = view.width * density + 2 * MARGIN;
		return width * (view.height * density + 2 * MARGIN) <= MOST_PIXELS;
	}

	#covers({ view, density }: Picture, looks: readonly unknown[]): boolean {
		if (!this.#canvas || !this.#view || !isSame(looks, this.#looks)) return false;
		const [dx, dy] = moved(this.#view, view, density);
		return Math.abs(dx) <= MARGIN && Math.abs(dy) <= MARGIN;
	}

	#make(picture: Picture, looks: readonly unknown[]): void {
		const { view, density } = picture;
		const canvas = this.#canvas ?? document.createElement("canvas");
		const width = view.width + (2 * MARGIN) / density;
		const height = view.height + (2 * MARGIN) / density;
		const [w, h] = [Math.round(width * density), Math.round(height * density)];
		if (canvas.width !== w) canvas.width = w;
		if (canvas.height !== h) canvas.height = h;
		const ctx = canvas.getContext("2d", { alpha: false });
		if (!ctx) return;
		paintGround(ctx, { ...picture, view: { ...view, width, height } });
		this.#canvas = canvas;
		this.#view = view;
		this.#looks = looks;
	}
}
