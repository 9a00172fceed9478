import type { View } from "../pure/camera.js";

/** Gives the canvas the view's size. Setting it clears the canvas, so only where it differs. */
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
