import { BevError } from "../../../base/errors.js";

const PLACE = `
uniform mat2 linear;
uniform vec2 offset;
uniform vec2 size;
vec4 placed(vec2 at) {
	vec2 pixel = linear * at + offset;
	return vec4(2.0 * pixel.x / size.x - 1.0, 1.0 - 2.0 * pixel.y / size.y, 0.0, 1.0);
}`;

const MESH_VERTEX = `#version 300 es
layout(location = 0) in vec2 place;
layout(location = 1) in vec2 normal;
uniform float reach;
${PLACE}
void main() { gl_Position = placed(place + normal * reach); }`;

// In a tilted picture, directions across lines on the ground are not those across lines on
// the screen: `metric` is the inverse of the transform's square.
const TILTED_VERTEX = `#version 300 es
layout(location = 0) in vec2 place;
layout(location = 1) in vec2 normal;
uniform float reach;
uniform mat2 metric;
${PLACE}
void main() {
	vec2 across = metric * normal;
	float square = dot(normal, across);
	float scale = square > 0.0 ? reach * length(normal) * inversesqrt(square) : 0.0;
	gl_Position = placed(place + across * scale);
}`;

const MESH_FRAGMENT = `#version 300 es
precision mediump float;
uniform vec4 colour;
out vec4 pixel;
void main() { pixel = colour; }`;

const IMAGE_VERTEX = `#version 300 es
uniform vec2 extent;
out vec2 at;
${PLACE}
void main() {
	at = vec2(gl_VertexID & 1, gl_VertexID >> 1);
	gl_Position = placed(at * extent);
}`;

// The place in a large image needs more than 10 bits.
const IMAGE_FRAGMENT = `#version 300 es
precision highp float;
uniform sampler2D image;
uniform float alpha;
in vec2 at;
out vec4 pixel;
void main() { pixel = texture(image, at) * alpha; }`;

/** A linked program and its uniform locations. */
export class Program {
	readonly #gl: WebGL2RenderingContext;
	readonly #program: WebGLProgram;
	readonly #places = new Map<string, WebGLUniformLocation | null>();

	constructor(gl: WebGL2RenderingContext, vertex: string, fragment: string) {
		this.#gl = gl;
		this.#program = gl.createProgram();
		const shaders = [
			[gl.VERTEX_SHADER, vertex],
			[gl.FRAGMENT_SHADER, fragment],
		] as const;
		for (const [type, source] of shaders) {
			const shader = gl.createShader(type);
			if (!shader) continue; // the context is lost; linking reports it
			gl.shaderSource(shader, source);
			gl.compileShader(shader);
			gl.attachShader(this.#program, shader);
			gl.deleteShader(shader);
		}
		gl.linkProgram(this.#program);
		if (gl.getProgramParameter(this.#program, gl.LINK_STATUS)) return;
		const why = gl.getProgramInfoLog(this.#program) ?? "the context is lost";
		throw new BevError("internal", `WebGL2 program: ${why}, expected it to link`);
	}

	use(): void {
		this.#gl.useProgram(this.#program);
	}

	/** Returns the location of uniform `name`, cached. */
	at(name: string): WebGLUniformLocation | null {
		const known = this.#places.get(name);
		if (known !== undefined) return known;
		const place = this.#gl.getUniformLocation(this.#program, name);
		this.#places.set(name, place);
		return place;
	}
}

/** Creates the program for triangles of one colour. */
export function meshProgram(gl: WebGL2RenderingContext): Program {
	return new Program(gl, MESH_VERTEX, MESH_FRAGMENT);
}

/** Creates the same program for tilted pictures; `reach` is in CSS pixels. */
export function tiltedProgram(gl: WebGL2RenderingContext): Program {
	return new Program(gl, TILTED_VERTEX, MESH_FRAGMENT);
}

/** Creates the program for an image of size `extent`, in image pixels. */
export function imageProgram(gl: WebGL2RenderingContext): Program {
	return new Program(gl, IMAGE_VERTEX, IMAGE_FRAGMENT);
}
