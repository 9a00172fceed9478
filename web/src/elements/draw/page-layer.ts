import { messageOf } from "../../base/errors.js";
import type { FrameView } from "../../dataset/frame-view.js";
import {
	type Point,
	screenFromWorld,
	type View,
	worldFromScreen,
} from "../scene-view/camera.js";

/** What the picture shows, in CSS pixels from its upper left corner. */
export interface PageLayerView {
	/** Width of the picture. */
	readonly width: number;
	/** Height of the picture. */
	readonly height: number;
	/** Scale of the picture. */
	readonly pixelsPerMetre: number;
	/** Counter-clockwise rotation of the picture in radians. */
	readonly rotation: number;
	/** Tilt of the camera in radians, 0 if it looks straight down. */
	readonly tilt: number;
	/** Returns the pixel of a point in world, metres; `z` is its height above the ground. */
	project(x: number, y: number, z?: number): Point;
	/** Returns the point in world, metres, of a pixel. */
	unproject(x: number, y: number): Point;
}

/** A layer of the page, drawn over the picture. */
export interface PageLayer {
	/** Name; a layer replaces the one of the same name. */
	readonly name: string;
	/**
	 * Draws the layer in CSS pixels; called for each picture. The frame is undefined while
	 * none is displayed; do not release it. A layer that throws is removed, with a notice.
	 */
	draw(
		context: CanvasRenderingContext2D,
		view: PageLayerView,
		frame: FrameView | undefined,
	): void;
}

/** Called for a layer that threw. */
export type OnLayerFailure = (layer: PageLayer, why: string) => void;

/** Draws the page's layers with a canvas state of their own. */
export function paintPageLayers(
	context: CanvasRenderingContext2D,
	layers: readonly PageLayer[],
	{ view, frame }: { readonly view: View; readonly frame: FrameView | undefined },
	failed: OnLayerFailure,
): void {
	const { width, height, pixelsPerMetre, rotation, tilt = 0 } = view;
	const up = pixelsPerMetre * Math.sin(tilt);
	const density = context.canvas.width / width;
	const shown: PageLayerView = {
		...{ width, height, pixelsPerMetre, rotation, tilt },
		project: (x, y, z = 0) => {
			const ground = screenFromWorld(view, x, y);
			return tilt > 0 ? { x: ground.x, y: ground.y - z * up } : ground;
		},
		unproject: (x, y) => worldFromScreen(view, x, y),
	};
	for (const layer of layers) {
		context.save();
		context.setTransform(density, 0, 0, density, 0, 0);
		context.globalAlpha = 1;
		context.setLineDash([]);
		try {
			layer.draw(context, shown, frame);
		} catch (thrown) {
			failed(layer, messageOf(thrown));
		}
		context.restore();
	}
}
