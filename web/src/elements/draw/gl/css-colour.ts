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
