import type { FrameView } from "../../dataset/frame-view.js";
import type { PageLayer, PageLayerView } from "../draw/page-layer.js";
import type { RowPoints } from "./sensors-view.js";

/** The axes of points: world = rotation · point + translation. */
export interface Pose {
	/** (3) */
	readonly translation: ArrayLike<number>;
	/** (3, 3), row-major. */
	readonly rotation: ArrayLike<number>;
}

export const WORLD: Pose = {
	translation: [0, 0, 0],
	rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1],
};

/** Points of one field, and their pose in world. */
export interface PlacedPoints {
	readonly points: RowPoints;
	readonly pose: Pose;
}

/** Points of a field that are drawn; the others are left out. */
export const MAX_POINTS = 500_000;

/** Side of a point in CSS pixels. */
const SIDE = 1.5;

/** Pixels of the canvas for a step along x, y and z, and for the origin. */
type Transform = readonly [Step, Step, Step, Step];
type Step = readonly [x: number, y: number];

/**
 * Returns the transform from the points' axes to pixels of the canvas.
 *
 * @param ground height in world of the ground in the picture
 */
export function transformOf(
	view: PageLayerView,
	density: number,
	{ translation, rotation }: Pose,
	ground = 0,
): Transform {
	const [x, y] = [translation[0] ?? 0, translation[1] ?? 0];
	const z = (translation[2] ?? 0) - ground;
	const at = (dx: number, dy: number, dz: number) =>
		view.project(x + dx, y + dy, z + dz);
	const origin = at(0, 0, 0);
	const step = (axis: number): Step => {
		const [dx = 0, dy = 0, dz = 0] = [0, 3, 6].map((row) => rotation[row + axis]);
		const to = at(dx, dy, dz);
		return [density * (to.x - origin.x), density * (to.y - origin.y)];
	};
	return [step(0), step(1), step(2), [density * origin.x, density * origin.y]];
}

/** Pixels of a canvas, of which points set squares. */
interface Pixels {
	readonly data: Uint32Array;
	readonly width: number;
	readonly height: number;
	/** Side of a point in pixels. */
	readonly side: number;
}

/** Sets a square per point. A point that is NaN, infinite or outside sets nothing. */
export function plotPoints(
	{ data, width, height, side }: Pixels,
	{ data: values, width: stride }: RowPoints,
	[[a, b], [c, d], [g, h], [e, f]]: Transform,
): void {
	const hasHeight = stride > 2;
	const end = Math.min(values.length, MAX_POINTS * stride);
	const [right, bottom] = [width - side, height - side];
	const half = side / 2;
	for (let i = 0; i + 1 < end; i += stride) {
		const px = values[i] as number;
		const py = values[i + 1] as number;
		const pz = hasHeight ? (values[i + 2] as number) : 0;
		const x = a * px + c * py + g * pz + e - half;
		const y = b * px + d * py + h * pz + f - half;
		if (!(x >= 0 && y >= 0 && x <= right && y <= bottom)) continue;
		const first = (y | 0) * width + (x | 0);
		for (let at = first; at < first + side * width; at += width)
			for (let k = at; k < at + side; k += 1) data[k] = 0xffffffff;
	}
}

/** What a drawing was made of. */
interface Drawn {
	readonly placed: readonly PlacedPoints[];
	readonly key: string;
}

/**
 * Draws points from above over the picture. A drawing is reused until points, view or
 * colour change; its memory, until the canvas has another size.
 */
export class PointsLayer implements PageLayer {
	readonly name = "sensor points";
	#canvas: HTMLCanvasElement | undefined;
	#pixels: ImageData | undefined;
	#drawn: Drawn | undefined;
	/** The points to draw; they belong to the displayed frame. */
	placed: readonly PlacedPoints[] = [];

	draw(
		context: CanvasRenderingContext2D,
		view: PageLayerView,
		frame: FrameView | undefined,
	): void {
		if (this.placed.length === 0) return;
		const { width, height } = context.canvas;
		const style = getComputedStyle(context.canvas);
		const color = style.getPropertyValue("--_ink2") || "gray";
		const density = width / view.width;
		// The ego's origin is on the ground of tilted pictures.
		const ground = frame?.ego.translation[2] ?? 0;
		const transforms = this.placed.map(({ points, pose }) =>
			// Points without a height are on the ground.
			transformOf(view, density, pose, points.width > 2 ? ground : pose.translation[2]),
		);
		const key = [width, height, color, ...transforms.flat(2)].join();
		if (this.#drawn?.key !== key || this.#drawn.placed !== this.placed) {
			this.#plot([width, height], density, transforms, color);
			this.#drawn = { placed: this.placed, key };
		}
		if (!this.#canvas) return;
		context.globalAlpha = 0.85;
		context.drawImage(this.#canvas, 0, 0, view.width, view.height);
	}

	#plot(
		[width, height]: readonly [number, number],
		density: number,
		transforms: readonly Transform[],
		color: string,
	): void {
		this.#canvas ??= document.createElement("canvas");
		const canvas = this.#canvas;
		const context = canvas.getContext("2d");
		if (!context) return;
		if (canvas.width !== width || canvas.height !== height || !this.#pixels) {
			Object.assign(canvas, { width, height });
			this.#pixels = new ImageData(width, height);
		}
		const data = new Uint32Array(this.#pixels.data.buffer);
		data.fill(0);
		const side = Math.max(1, Math.round(SIDE * density));
		for (const [i, { points }] of this.placed.entries()) {
			const transform = transforms[i];
			if (transform) plotPoints({ data, width, height, side }, points, transform);
		}
		context.globalCompositeOperation = "copy";
		context.putImageData(this.#pixels, 0, 0);
		// Any CSS colour, in place of white.
		context.globalCompositeOperation = "source-in";
		context.fillStyle = color;
		context.fillRect(0, 0, width, height);
	}
}
