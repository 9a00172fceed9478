import type { MapView } from "../../../map-view.js";
import { fitCanvas } from "../fit-canvas.js";
import { mapShapes } from "../map-shapes.js";
import { paintMoving, paintStill } from "../paint.js";
import { screenFromImage } from "../paint-aerial.js";
import { type Picture, type Projection, projectionOf } from "../picture.js";
import type { AerialOp, DrawOp } from "./draw-op.js";
import { GlGround } from "./gl-ground.js";
import { GlPen } from "./gl-pen.js";
import { Gpu, type GpuMesh } from "./gpu.js";

const UNTURNED: Projection = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };

/** Everything of a context that its loss takes away. */
interface Held {
	readonly gpu: Gpu;
	readonly screen: GpuMesh;
	readonly ground: GpuMesh;
	map?: MapView | undefined;
	image?: ImageBitmap | undefined;
	texture?: WebGLTexture | undefined;
}

/** Draws pictures by WebGL2, on a canvas of its own that another one can copy. */
export class GlPainter {
	readonly #canvas: HTMLCanvasElement;
	readonly #gl: WebGL2RenderingContext;
	readonly #ops: DrawOp[] = [];
	readonly #pen = new GlPen((op) => this.#ops.push(op));
	readonly #ground = new GlGround(this.#pen, (op) => this.#ops.push(op));
	#held: Held | undefined;

	private constructor(
		canvas: HTMLCanvasElement,
		gl: WebGL2RenderingContext,
		onChange: () => void,
	) {
		this.#canvas = canvas;
		this.#gl = gl;
		canvas.addEventListener("webglcontextlost", (event) => {
			event.preventDefault(); // or it never comes back
			this.#held = undefined;
			onChange();
		});
		canvas.addEventListener("webglcontextrestored", onChange);
	}

	/**
	 * @param onChange called when the context was lost, and when it is there again
	 * @returns undefined where there is no WebGL2
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

	/** What draws, as far as the browser tells: `ANGLE (Google, Vulkan 1.3.0 (SwiftShader ..`. */
	get renderer(): string {
		const info = this.#gl.getExtension("WEBGL_debug_renderer_info");
		return info ? String(this.#gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
	}

	/**
	 * Ground, map and all that moves; no words. The canvas that shows it is to be copied in
	 * the same task. Undefined while the context is lost.
	 */
	paint(picture: Picture): HTMLCanvasElement | undefined {
		if (this.#gl.isContextLost()) return undefined;
		const projection = projectionOf(picture.view);
		this.#ops.length = 0;
		this.#pen.reset();
		this.#ground.picked.clear();
		const brush = { ctx: this.#pen, ground: this.#ground, picture, projection };
		paintStill(brush);
		paintMoving(brush);
		this.#draw(picture, projection);
		return this.#canvas;
	}

	/** Gives the context and all that it holds back; nothing is drawn any more. */
	release(): void {
		this.#held = undefined;
		this.#gl.getExtension("WEBGL_lose_context")?.loseContext();
		this.#canvas.width = 0;
	}

	#draw(picture: Picture, projection: Projection): void {
		const { view, density, map, aerial, palette } = picture;
		const canvas = this.#canvas;
		fitCanvas(canvas, view, density);
		this.#held ??= hold(this.#gl);
		const held = this.#held;
		const { gpu } = held;
		if (map && held.map !== map)
			gpu.putVertices(held.ground, this.#ground.meshOf(map).mesh);
		held.map = map;
		showImage(held, aerial?.image);
		gpu.putVertices(held.screen, this.#pen.mesh);
		gpu.putIndices(held.screen, this.#pen.mesh);
		gpu.putIndices(held.ground, this.#ground.picked);
		// The canvas is whole pixels; a view need not be.
		const size = { width: canvas.width / density, height: canvas.height / density };
		gpu.clear(palette.ground, size);
		const toScreen = map ? fromOrigin(map, projection) : UNTURNED;
		for (const op of this.#ops) {
			if (op.of === "aerial") drawAerial(held, op, projection);
			else if (op.of === "screen") gpu.drawMesh(held.screen, op, UNTURNED, 0);
			else gpu.drawMesh(held.ground, op, toScreen, op.width / 2 / view.pixelsPerMetre);
		}
	}
}

function hold(gl: WebGL2RenderingContext): Held {
	const gpu = new Gpu(gl);
	return { gpu, screen: gpu.makeMesh(2), ground: gpu.makeMesh(4) };
}

/** Has `image` as a texture, and no other. */
function showImage(held: Held, image: ImageBitmap | undefined): void {
	if (held.image === image) return;
	if (held.texture) held.gpu.freeTexture(held.texture);
	held.texture = image && held.gpu.makeTexture(image);
	held.image = image;
}

function drawAerial(
	{ gpu, texture }: Held,
	op: AerialOp,
	projection: Projection,
): void {
	const { image, fromWorld } = op.aerial;
	const toScreen = screenFromImage(projection, fromWorld);
	if (texture) gpu.drawImage(texture, image, op.alpha, toScreen);
}

/** CSS pixels from metres from the map's origin. */
function fromOrigin(map: MapView, p: Projection): Projection {
	const { originX: x, originY: y } = mapShapes(map);
	return { ...p, e: p.a * x + p.c * y + p.e, f: p.b * x + p.d * y + p.f };
}
