/** The part of gifenc that the export uses. The package has no types. */
declare module "gifenc/dist/gifenc.esm.js" {
	/** Colours as red, green and blue. */
	type Palette = readonly (readonly [number, number, number])[];

	interface Encoder {
		writeFrame(
			index: Uint8Array,
			width: number,
			height: number,
			options: {
				readonly palette: Palette;
				/** Milliseconds. */
				readonly delay: number;
			},
		): void;
		finish(): void;
		bytes(): Uint8Array<ArrayBuffer>;
	}

	export function GIFEncoder(): Encoder;
	export function quantize(
		rgba: Uint8ClampedArray,
		maxColors: number,
		options: { readonly format: "rgb565" },
	): Palette;
	export function applyPalette(
		rgba: Uint8ClampedArray,
		palette: Palette,
		format: "rgb565",
	): Uint8Array;
}
