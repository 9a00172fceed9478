import type { Size } from "../../scene-view/camera.js";
import type { Projection } from "../picture.js";
import type { IndexRange, Mesh } from "./mesh.js";
import { imageProgram, meshProgram, type Program, tiltedProgram } from "./programs.js";

/** Red, green, blue and opacity, 0 to 1. */
export type Rgba = readonly [number, number, number, number];

const known = new Map<string, Rgba>();
let context: CanvasRenderingContext2D | null | undefined;

/** Parses a CSS colour with the browser's parser. */
export function rgbaOf(colour: string): Rgba {
	const before = known.get(colour);
	if (before) return before;
	context ??= document
		.createElement("canvas")
		.getContext("2d", { willReadFrequently: true });
	if (!context) return [0, 0, 0, 1];
	context.clearRect(0, 0, 1, 1);
	context.fillStyle = "#000"; // kept if `colour` is invalid
	context.fillStyle = colour;
	context.fillRect(0, 0, 1, 1);
	const [r = 0, g = 0, b = 0, a = 0] = context.getImageData(0, 0, 1, 1).data;
	const rgba = [r / 255, g / 255, b / 255, a / 255] as const;
	known.set(colour, rgba);
	return rgba;
}

/**
 * One fill or stroke of triangles, in CSS pixels or in metres from the map's origin.
 */
export interface MeshOp {
	readonly of: "screen" | "map";
	readonly kind: "fan" | "strip";
	readonly range: IndexRange;
	readonly colour: string;
	readonly alpha: number;
	/** CSS pixels; only for lines of the map, which the shader widens. */
	readonly width: number;
}

export interface ImageOp {
	readonly of: "image";
	readonly image: ImageBitmap;
	/** Whether to draw from mipmaps, which prevents flicker when zoomed out. */
	readonly mipmaps: boolean;
	/** Image pixels to CSS pixels. */
	readonly toScreen: Projection;
	readonly alpha: number;
}

/** Draw operations of a picture, bottom to top. */
export type DrawOp = MeshOp | ImageOp;

/** Vertex and index buffers on the GPU. */
interface GpuMesh {
	readonly array: WebGLVertexArrayObject;
	readonly vertices: WebGLBuffer;
}

/** Returns the image, or a copy downscaled to at most `longest` pixels per side. */
function fitting(image: ImageBitmap, longest: number): TexImageSource {
	const scale = longest / Math.max(image.width, image.height);
	if (scale >= 1) return image;
	const width = Math.max(1, Math.floor(image.width * scale));
	const height = Math.max(1, Math.floor(image.height * scale));
	const canvas = new OffscreenCanvas(width, height);
	canvas.getContext("2d")?.drawImage(image, 0, 0, width, height);
	return canvas;
}

/**
 * GPU resources and draw calls of one context. All of them are invalid after a context
 * loss.
 */
export class Gpu {
	readonly #gl: WebGL2RenderingContext;
	readonly #meshes: Program;
	readonly #images: Program;
	/** Created with the first tilted picture. */
	#tilted: Program | undefined;
	#size: Size = { width: 1, height: 1 };
	readonly #noVertices: WebGLVertexArrayObject;
	readonly #screen: GpuMesh;
	readonly #ground: GpuMesh;
	/** Vertices of `#ground`, and their number. */
	#map: Mesh | undefined;
	#mapLength = 0;
	/** Of the images of the last picture. */
	readonly #textures = new Map<ImageBitmap, WebGLTexture>();

	constructor(gl: WebGL2RenderingContext) {
		this.#gl = gl;
		this.#meshes = meshProgram(gl);
		this.#images = imageProgram(gl);
		this.#noVertices = gl.createVertexArray();
		this.#screen = this.#makeMesh(2);
		this.#ground = this.#makeMesh(4);
		gl.enable(gl.BLEND);
		gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
	}

	/** Creates a mesh with two numbers per vertex (x, y), or four (x, y and a normal). */
	#makeMesh(perVertex: 2 | 4): GpuMesh {
		const gl = this.#gl;
		const array = gl.createVertexArray();
		const vertices = gl.createBuffer();
		gl.bindVertexArray(array);
		gl.bindBuffer(gl.ARRAY_BUFFER, vertices);
		gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
		gl.enableVertexAttribArray(0);
		gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 4 * perVertex, 0);
		if (perVertex === 4) {
			gl.enableVertexAttribArray(1);
			gl.vertexAttribPointer(1, 2, gl.FLOAT, false, 16, 8);
		}
		return { array, vertices };
	}

	/**
	 * Uploads a picture's triangles, and which of the map's triangles are `picked`. The
	 * map's vertices are uploaded again after shapes were added.
	 */
	putMeshes(screen: Mesh, picked: Mesh, map: Mesh | undefined): void {
		this.#putVertices(this.#screen, screen);
		this.#putIndices(this.#screen, screen);
		this.#putIndices(this.#ground, picked);
		const length = map?.vertices.length ?? 0;
		if (!map || (this.#map === map && this.#mapLength === length)) return;
		this.#putVertices(this.#ground, map);
		this.#map = map;
		this.#mapLength = length;
	}

	#putVertices({ vertices }: GpuMesh, mesh: Mesh): void {
		const gl = this.#gl;
		gl.bindBuffer(gl.ARRAY_BUFFER, vertices);
		gl.bufferData(gl.ARRAY_BUFFER, mesh.vertices, gl.DYNAMIC_DRAW);
	}

	#putIndices({ array }: GpuMesh, mesh: Mesh): void {
		const gl = this.#gl;
		gl.bindVertexArray(array);
		gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, mesh.indices, gl.DYNAMIC_DRAW);
	}

	/** Frees the textures of all images but those of `ops`. */
	keepImages(ops: readonly DrawOp[]): void {
		for (const [image, texture] of this.#textures) {
			if (ops.some((op) => op.of === "image" && op.image === image)) continue;
			this.#gl.deleteTexture(texture);
			this.#textures.delete(image);
		}
	}

	/** Uploads the image if it is new; its pixels have premultiplied alpha. */
	#textureOf({ image, mipmaps }: ImageOp): WebGLTexture {
		const known = this.#textures.get(image);
		if (known) return known;
		const gl = this.#gl;
		const texture = gl.createTexture();
		this.#textures.set(image, texture);
		gl.bindTexture(gl.TEXTURE_2D, texture);
		const source = fitting(image, gl.getParameter(gl.MAX_TEXTURE_SIZE));
		gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, source);
		if (mipmaps) gl.generateMipmap(gl.TEXTURE_2D);
		const [target, edge] = [gl.TEXTURE_2D, gl.CLAMP_TO_EDGE];
		const filter = mipmaps ? gl.LINEAR_MIPMAP_LINEAR : gl.LINEAR;
		gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, filter);
		gl.texParameteri(target, gl.TEXTURE_WRAP_S, edge);
		gl.texParameteri(target, gl.TEXTURE_WRAP_T, edge);
		return texture;
	}

	/** Starts a picture of `size` CSS pixels. */
	clear(colour: string, size: Size): void {
		const gl = this.#gl;
		const [red, green, blue] = rgbaOf(colour);
		gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
		gl.clearColor(red, green, blue, 1);
		gl.clear(gl.COLOR_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
		this.#size = size;
		for (const program of [this.#meshes, this.#images]) this.#resize(program);
	}

	#resize(program: Program): void {
		program.use();
		this.#gl.uniform2f(program.at("size"), this.#size.width, this.#size.height);
	}

	/** @param reach half the width of lines with normals, in the units of `p` */
	drawMesh(op: MeshOp, p: Projection, reach: number): void {
		this.#draw(op, this.#meshes, p, reach);
	}

	/**
	 * Draws triangles of the map in a tilted picture.
	 *
	 * @param reach half the width of lines with normals, in CSS pixels
	 */
	drawTilted(op: MeshOp, p: Projection, reach: number): void {
		this.#tilted ??= tiltedProgram(this.#gl);
		this.#resize(this.#tilted);
		const [xx, xy, yy] = [
			p.a ** 2 + p.b ** 2,
			p.a * p.c + p.b * p.d,
			p.c ** 2 + p.d ** 2,
		];
		const square = (p.a * p.d - p.b * p.c) ** 2;
		const metric = [yy, -xy, -xy, xx].map((value) => value / square);
		this.#gl.uniformMatrix2fv(this.#tilted.at("metric"), false, metric);
		this.#draw(op, this.#tilted, p, reach);
	}

	#draw(op: MeshOp, program: Program, p: Projection, reach: number): void {
		const gl = this.#gl;
		this.#use(program, p);
		const [red, green, blue, opacity] = rgbaOf(op.colour);
		const alpha = opacity * op.alpha;
		gl.uniform4f(
			program.at("colour"),
			...([red * alpha, green * alpha, blue * alpha, alpha] as const),
		);
		gl.uniform1f(program.at("reach"), reach);
		gl.bindVertexArray((op.of === "map" ? this.#ground : this.#screen).array);
		if (op.kind === "strip" && alpha === 1) this.#drawRange(op);
		else this.#drawOnce(op);
	}

	drawImage(op: ImageOp): void {
		const gl = this.#gl;
		this.#use(this.#images, op.toScreen);
		gl.uniform2f(this.#images.at("extent"), op.image.width, op.image.height);
		gl.uniform1f(this.#images.at("alpha"), op.alpha);
		gl.bindTexture(gl.TEXTURE_2D, this.#textureOf(op));
		gl.bindVertexArray(this.#noVertices);
		gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
	}

	#use(program: Program, { a, b, c, d, e, f }: Projection): void {
		program.use();
		this.#gl.uniformMatrix2fv(program.at("linear"), false, [a, b, c, d]);
		this.#gl.uniform2f(program.at("offset"), e, f);
	}

	#drawRange({ kind, range: { begin, end } }: MeshOp): void {
		const gl = this.#gl;
		const mode = kind === "fan" ? gl.TRIANGLE_FAN : gl.TRIANGLE_STRIP;
		gl.drawElements(mode, end - begin, gl.UNSIGNED_INT, 4 * begin);
	}

	/**
	 * Draws each sample once, however many triangles cover it, like Canvas2D's fill and
	 * stroke: marks the inside in the stencil (for fans by winding number), then colours
	 * it.
	 */
	#drawOnce(op: MeshOp): void {
		const gl = this.#gl;
		gl.enable(gl.STENCIL_TEST);
		gl.colorMask(false, false, false, false);
		gl.stencilFunc(gl.ALWAYS, 1, 0xff);
		if (op.kind === "fan") {
			gl.stencilOpSeparate(gl.FRONT, gl.KEEP, gl.KEEP, gl.INCR_WRAP);
			gl.stencilOpSeparate(gl.BACK, gl.KEEP, gl.KEEP, gl.DECR_WRAP);
		} else {
			gl.stencilOp(gl.KEEP, gl.KEEP, gl.REPLACE);
		}
		this.#drawRange(op);
		gl.colorMask(true, true, true, true);
		gl.stencilFunc(gl.NOTEQUAL, 0, 0xff);
		gl.stencilOp(gl.KEEP, gl.KEEP, gl.ZERO);
		this.#drawRange(op);
		gl.disable(gl.STENCIL_TEST);
	}
}
