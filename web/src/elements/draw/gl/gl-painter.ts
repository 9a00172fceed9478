import type { MapView } from "../../../dataset/map-view.js";
import { drawCached } from "../cached-bitmap.js";
import { mapShapes } from "../map-shapes.js";
import { fitCanvas, paintMoving, paintOver, paintStill } from "../paint.js";
import {
	type BitmapPen,
	type Picture,
	type Projection,
	projectionOf,
} from "../picture.js";
import { GlGround } from "./gl-ground.js";
import { GlPen } from "./gl-pen.js";
import { type DrawOp, Gpu } from "./gpu.js";

const UNTURNED: Projection = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };

/** Draws pictures with WebGL2 on a private canvas, and copies them. */
export class GlPainter {
	readonly #canvas: HTMLCanvasElement;
	readonly #gl: WebGL2RenderingContext;
	readonly #ops: DrawOp[] = [];
	readonly #pen = new GlPen((op) => this.#ops.push(op));
	readonly #ground = new GlGround(this.#pen, (op) => this.#ops.push(op));
	/** Lost together with the context. */
	#gpu: Gpu | undefined;

	private constructor(
		canvas: HTMLCanvasElement,
		gl: WebGL2RenderingContext,
		onChange: () => void,
	) {
		this.#canvas = canvas;
		this.#gl = gl;
		canvas.addEventListener("webglcontextlost", (event) => {
			event.preventDefault(); // otherwise the context is never restored
			this.#gpu = undefined;
			onChange();
		});
		canvas.addEventListener("webglcontextrestored", onChange);
	}

	/**
	 * Creates a painter.
	 *
	 * @param onChange called when the context is lost and when it is restored
	 * @returns undefined if WebGL2 is not available
	 */
	static make(onChange: () => void): GlPainter | undefined {
		const canvas = document.createElement("canvas");
		const gl = canvas.getContext("webgl2", {
			alpha: false,
			depth: false,
			stencil: true,
		});
		return gl ? new GlPainter(canvas, gl, onChange) : undefined;
	}

	/**
	 * The renderer's name as far as the browser exposes it: `ANGLE (Google, Vulkan 1.3.0
	 * (SwiftShader ..`.
	 */
	get renderer(): string {
		const info = this.#gl.getExtension("WEBGL_debug_renderer_info");
		return info ? String(this.#gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
	}

	/** Draws a picture onto a canvas; returns false while the context is lost. */
	paint(ctx: CanvasRenderingContext2D, picture: Picture): boolean {
		if (this.#gl.isContextLost()) return false;
		const projection = projectionOf(picture.view);
		this.#ops.length = 0;
		this.#pen.reset();
		this.#ground.begin(projection);
		const brush = { ctx: this.#pen, picture, projection };
		paintStill({ ...brush, ground: this.#ground });
		paintMoving({ ...brush, bitmaps: this.#bitmapPen(picture.density) });
		this.#draw(picture, projection);
		ctx.globalAlpha = 1;
		drawCached(ctx, this.#canvas, { cos: 1, sin: 0, x: 0, y: 0 }, picture.density);
		paintOver(ctx, picture);
		return true;
	}

	/** Releases the context and its resources; the painter is unusable afterwards. */
	release(): void {
		this.#gpu = undefined;
		this.#gl.getExtension("WEBGL_lose_context")?.loseContext();
		this.#canvas.width = 0;
	}

	/** @param density device pixels per CSS pixel */
	#bitmapPen(density: number): BitmapPen {
		const longest = this.#gl.getParameter(this.#gl.MAX_TEXTURE_SIZE);
		return {
			drawBitmap: (image, { cos, sin, x, y }) => {
				if (Math.max(image.width, image.height) > longest) return false;
				const [a, c] = [cos / density, sin / density];
				const toScreen = { a, b: -c, c, d: a, e: x / density, f: y / density };
				const alpha = this.#pen.globalAlpha;
				this.#ops.push({ of: "image", image, mipmaps: false, toScreen, alpha });
				return true;
			},
		};
	}

	#draw(picture: Picture, projection: Projection): void {
		const { view, density, map, palette } = picture;
		const canvas = this.#canvas;
		fitCanvas(canvas, view, density);
		this.#gpu ??= new Gpu(this.#gl);
		const gpu = this.#gpu;
		gpu.keepImages(this.#ops);
		const mapMesh = map && this.#ground.meshOf(map).mesh;
		gpu.putMeshes(this.#pen.mesh, this.#ground.picked, mapMesh);
		// The canvas has whole pixels; the view may have fractions.
		const size = { width: canvas.width / density, height: canvas.height / density };
		gpu.clear(palette.ground, size);
		const toScreen = map ? fromOrigin(map, projection) : UNTURNED;
		for (const op of this.#ops) {
			if (op.of === "image") gpu.drawImage(op);
			else if (op.of === "screen") gpu.drawMesh(op, UNTURNED, 0);
			else if (view.tilt) gpu.drawTilted(op, toScreen, op.width / 2);
			else gpu.drawMesh(op, toScreen, op.width / 2 / view.pixelsPerMetre);
		}
	}
}

/** Returns the projection from metres relative to the map's origin to CSS pixels. */
function fromOrigin(map: MapView, p: Projection): Projection {
	const { originX: x, originY: y } = mapShapes(map);
	return { ...p, e: p.a * x + p.c * y + p.e, f: p.b * x + p.d * y + p.f };
}
