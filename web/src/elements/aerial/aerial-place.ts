import { BevError } from "../../errors.js";
import type { Affine } from "../draw/affine.js";

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
