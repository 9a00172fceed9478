import type { MapView } from "../../../map-view.js";
import { mapShapes } from "../map-shapes.js";
import { fitCanvas, paintMoving, paintStill } from "../paint.js";
import {
	type Picture,
	type Projection,
	projectionOf,
	screenFromImage,
} from "../picture.js";
import { GlGround } from "./gl-ground.js";
import { GlPen } from "./gl-pen.js";
import { type AerialOp, type DrawOp, Gpu, type GpuMesh } from "./gpu.js";
import type { Mesh } from "./mesh.js";

const UNTURNED: Projection = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };

/** Everything that is lost together with the context. */
interface Held {
	readonly gpu: Gpu;
	readonly screen: GpuMesh;
	readonly ground: GpuMesh;
	map?: MapView | undefined;
	/** Numbers of the map's vertices. */
	mapLength?: number;
	image?: ImageBitmap | undefined;
	texture?: WebGLTexture | undefined;
}

/** Draws pictures with WebGL2 on a private canvas, which the caller copies. */
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
			event.preventDefault(); // otherwise the context is never restored
			this.#held = undefined;
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

	/**
	 * Draws the ground, the map and the moving layers, without text. The returned canvas
	 * must be copied in the same task. Undefined while the context is lost.
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

	/** Releases the context and its resources; the painter is unusable afterwards. */
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
		if (map) putMap(held, map, this.#ground.meshOf(map).mesh);
		showImage(held, aerial?.image);
		gpu.putVertices(held.screen, this.#pen.mesh);
		gpu.putIndices(held.screen, this.#pen.mesh);
		gpu.putIndices(held.ground, this.#ground.picked);
		// The canvas has whole pixels; the view may have fractions.
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

/** Uploads the map's vertices, again after shapes were added. */
function putMap(held: Held, map: MapView, mesh: Mesh): void {
	const { length } = mesh.vertices;
	if (held.map === map && held.mapLength === length) return;
	held.gpu.putVertices(held.ground, mesh);
	held.map = map;
	held.mapLength = length;
}

/** Uploads `image` as the texture, and frees the previous one. */
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

/** Returns the projection from metres relative to the map's origin to CSS pixels. */
function fromOrigin(map: MapView, p: Projection): Projection {
	const { originX: x, originY: y } = mapShapes(map);
	return { ...p, e: p.a * x + p.c * y + p.e, f: p.b * x + p.d * y + p.f };
}
