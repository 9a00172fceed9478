/** A decoded image, scaled down if it is large. */
export interface DecodedImage {
	readonly bitmap: ImageBitmap;
	/** Size of the encoded image, in pixels. */
	readonly width: number;
	readonly height: number;
}

/** Points of a row: `width` values each, of which the first two are x and y. */
export interface RowPoints {
	readonly data: Float32Array | Float64Array;
	readonly width: number;
	/** Recycles the memory of `data`. */
	release(): void;
}

/** What a field has for the requested frame. */
export type Shown<T> =
	/** The row is being read; `before` is a value of an earlier request. */
	| { readonly state: "late"; readonly before?: Dated<T> | undefined }
	| { readonly state: "current"; readonly value: T }
	/** The row is null. */
	| { readonly state: "null" }
	/** The frame has no row, or several. */
	| { readonly state: "absent"; readonly why: string }
	| { readonly state: "failed"; readonly why: string };

/** A value, and the frame to which it belongs. */
export interface Dated<T> {
	readonly frame: number;
	readonly value: T;
}

/** An image field. */
export interface CameraView {
	/** Display name: the field's, after that of its table if there are several. */
	readonly name: string;
	/** Whether it is shown; others are not read. */
	readonly on: boolean;
	readonly large: boolean;
	readonly shown: Shown<DecodedImage>;
}

/** Images and points of the requested frame. */
export interface SensorsView {
	readonly cameras: readonly CameraView[];
	/** Whether the strip of images is open. */
	readonly open: boolean;
	/** Whether the data has points. */
	readonly hasPoints: boolean;
	/** Whether points that are shown are being read. */
	readonly pointsDue: boolean;
	/** Number of points of the frame, or why there are none, for the list of layers. */
	readonly pointWords: string;
	/** Resolves when all that is shown belongs to the requested frame, or is known to fail. */
	settled(): Promise<void>;
}
