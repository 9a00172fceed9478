import type { Overlay } from "../elements/draw/picture.js";
import type { Camera } from "../elements/scene-view/camera.js";
import type { Selection } from "../elements/scene-view/picking.js";
import type { Predictions } from "../tools.js";

/** An array's bytes, as the kernel sends them: little-endian, row-major. */
type Sent = DataView;

/** The trait `_predictions`: the arrays of `Predictions`. */
export type SentPredictions = Readonly<Record<keyof Predictions, Sent>>;

/** An item of the trait `_overlays`; null means absent. */
export interface SentOverlay {
	readonly points: Sent;
	readonly kind: "points" | "line";
	readonly color: string | null;
	readonly scene: number | null;
	readonly frame: number | null;
}

/** Copies the bytes, so that they start at a multiple of their elements' size. */
function copied({ buffer, byteOffset, byteLength }: Sent): ArrayBuffer {
	return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}

/** Returns the predictions in `sent`. */
export function predictionsOf(sent: SentPredictions): Predictions {
	return {
		timestamps: new BigInt64Array(copied(sent.timestamps)),
		track_ids: new BigInt64Array(copied(sent.track_ids)),
		confidences: new Float64Array(copied(sent.confidences)),
		coords: new Float64Array(copied(sent.coords)),
	};
}

/** Returns the overlay in `sent`. */
export function overlayOf({ points, kind, color, scene, frame }: SentOverlay): Overlay {
	return {
		points: new Float64Array(copied(points)),
		kind,
		color: color ?? undefined,
		scene: scene ?? undefined,
		frame: frame ?? undefined,
	};
}

/** Parses the trait `selection`: a track id in decimal, `ego`, or null. */
export function selectionOf(text: unknown): Selection | undefined {
	if (text === "ego") return text;
	return typeof text === "string" && /^\d{1,20}$/.test(text) ? BigInt(text) : undefined;
}

/** The inverse of `selectionOf`: track ids are text, since they have 64 bits. */
export function selectionText(selection: Selection | undefined): string | null {
	return selection === undefined ? null : String(selection);
}

/** Returns the camera of the trait `camera`; undefined if it is null or incomplete. */
export function cameraOf(value: unknown): Camera | undefined {
	const { x, y, span, rotation, tilt } = (value ?? {}) as Readonly<
		Record<string, number>
	>;
	// Flat cameras have no tilt.
	const camera = { x, y, span, rotation, ...(tilt && { tilt }) } as Camera;
	return Object.values(camera).every(Number.isFinite) ? camera : undefined;
}
