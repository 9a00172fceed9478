import type { View } from "../scene-view/camera.js";

/**
 * Sizes the canvas to the view. Assigning a size clears the canvas, so only changes are
 * assigned.
 */
export function fitCanvas(
	canvas: HTMLCanvasElement,
	view: View,
	density: number,
): void {
	const width = Math.round(view.width * density);
	const height = Math.round(view.height * density);
	if (canvas.width !== width) canvas.width = width;
	if (canvas.height !== height) canvas.height = height;
}
