import type { AbortOptions } from "../../api.js";
import { BevError, messageOf } from "../../base/errors.js";
import type { Affine } from "../draw/picture.js";

type Rows = readonly (readonly number[])[];

function isRow(row: unknown): row is number[] {
	return Array.isArray(row) && row.length === 4 && row.every(Number.isFinite);
}

/** Returns the first `count` rows of a 4 by 4 matrix in meta.json. */
function rowsOf(meta: Readonly<Record<string, unknown>>, name: string, count: number) {
	const rows = meta[name];
	const from = Array.isArray(rows) ? rows.slice(0, count) : [];
	if (from.length === count && from.every(isRow)) return from;
	const found = rows === undefined ? "missing" : JSON.stringify(rows).slice(0, 40);
	throw new BevError(
		"invalid_metadata",
		`meta.json: ${name}: invalid matrix (found ${found}, expected 4 rows of 4 numbers)`,
	);
}

function parsed(text: string): Readonly<Record<string, unknown>> {
	try {
		const meta: unknown = JSON.parse(text);
		if (typeof meta === "object" && meta !== null) return { ...meta };
	} catch {
		// Falls through: same error as for JSON that is not an object.
	}
	throw new BevError("invalid_metadata", "meta.json: invalid (expected a JSON object)");
}

/** Returns the product `a` `b`; the last row of both is 0 0 0 1. */
function product(a: Rows, b: Rows): number[][] {
	return a.map((row) =>
		[0, 1, 2, 3].map((column) =>
			[0, 1, 2].reduce(
				(sum, k) => sum + (row[k] ?? 0) * (b[k]?.[column] ?? 0),
				column === 3 ? (row[3] ?? 0) : 0,
			),
		),
	);
}

/**
 * Returns the transform from world metres to an aerial image's pixels (x right, y down)
 * at a given height, from the text of meta.json. meta.json uses (row, column) of pixel
 * centres.
 *
 * @throws BevError `invalid_metadata`, naming the missing matrix.
 */
export function imageFromWorld(text: string): (height: number) => Affine {
	const meta = parsed(text);
	const ecefFromWorld = rowsOf(meta, "world_to_ecef", 3);
	const imageFromEcef = rowsOf(meta, "ecef_to_aerial", 2);
	const [down = [], right = []] = product(imageFromEcef, ecefFromWorld);
	const at = ([x = 0, y = 0, z = 0, offset = 0]: readonly number[], height: number) => [
		x,
		y,
		z * height + offset + 0.5,
	];
	return (height) =>
		Float64Array.of(...at(right, height), ...at(down, height), 0, 0, 1);
}

/** An aerial image and its position in world. */
export interface AerialView {
	readonly image: ImageBitmap;
	/**
	 * Returns the affine (3, 3), row-major, from world metres to pixels of `image` at a
	 * height; the same object for the same height.
	 */
	fromWorld(height: number): Affine;
	/** Frees the image. */
	release(): void;
}

/** An encoded aerial image and the text of the meta.json that georeferences it. */
export interface AerialFiles {
	readonly image: Blob;
	readonly meta: string;
}

/** Limit of the decoded image: 96 MB. Larger images are downscaled. */
const MAX_PIXELS = 24_000_000;

async function decoded(image: Blob): Promise<ImageBitmap> {
	try {
		return await createImageBitmap(image);
	} catch (error) {
		throw new BevError("corrupt_chunk", `aerial image: ${messageOf(error)}`, {
			cause: error,
		});
	}
}

/**
 * Returns `full`, or a downscaled copy if it exceeds `MAX_PIXELS`; closes `full` in
 * that case.
 */
async function affordable(full: ImageBitmap): Promise<ImageBitmap> {
	const { width, height } = full;
	const scale = Math.sqrt(MAX_PIXELS / (width * height));
	if (scale >= 1) return full;
	try {
		return await createImageBitmap(full, {
			resizeWidth: Math.max(1, Math.floor(width * scale)),
			resizeHeight: Math.max(1, Math.floor(height * scale)),
			resizeQuality: "medium",
		});
	} finally {
		full.close();
	}
}

function scaled(m: Affine, x: number, y: number): Affine {
	const [a = 0, b = 0, tx = 0, c = 0, d = 0, ty = 0] = Array.from(m);
	return Float64Array.of(x * a, x * b, x * tx, y * c, y * d, y * ty, 0, 0, 1);
}

/**
 * Decodes and georeferences an aerial image.
 *
 * @throws BevError `invalid_metadata` if meta.json does not georeference an image;
 *   `corrupt_chunk` if the browser cannot decode the image.
 */
export async function decodeAerial(
	{ image, meta }: AerialFiles,
	{ signal }: AbortOptions = {},
): Promise<AerialView> {
	const placed = imageFromWorld(meta);
	const full = await decoded(image);
	const { width, height } = full;
	const kept = await affordable(full);
	if (signal?.aborted) kept.close();
	signal?.throwIfAborted();
	let last: { readonly height: number; readonly map: Affine } | undefined;
	return {
		image: kept,
		fromWorld(at) {
			if (last?.height !== at) {
				const map = scaled(placed(at), kept.width / width, kept.height / height);
				last = { height: at, map };
			}
			return last.map;
		},
		release: () => kept.close(),
	};
}
