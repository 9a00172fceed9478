import { commitParts, DataSaver, MemoryStore, toMap } from "../../web/src/save.js";
import { blockyJpeg, withoutPixels } from "./blocky-jpeg.js";

/** Names of the image fields. */
export const CAMERAS = ["front", "left", "right"] as const;

/** A row of the made-up data set. */
export interface SensorRow {
	/** Row of `frames`. */
	readonly frame: number;
	/** Nanoseconds. */
	readonly timestamp?: bigint;
	/** Cameras whose image is null. */
	readonly absent?: readonly string[];
	/** Cameras whose image cannot be decoded. */
	readonly damaged?: readonly string[];
	/** Number of points of the lidar. Default 400. */
	readonly points?: number;
}

export interface SensorOptions {
	readonly rows: readonly SensorRow[];
	/** Fields by which rows belong to frames. Default `frame_index`. */
	readonly join?: readonly ("frame_index" | "timestamp")[];
	/** Settings, such as a tolerance. */
	readonly settings?: Readonly<Record<string, unknown>>;
	/** Limit of objects in bytes. Default 64 KiB. */
	readonly maxObjectSize?: number;
}

const [COLUMNS, ROWS] = [40, 24];
const TINTS = { front: [40, 60, 90], left: [70, 50, 80], right: [40, 80, 60] } as const;

/** Returns a camera's image: sky, a road, and a sign that moves with the frame. */
export function imageOf(camera: (typeof CAMERAS)[number], frame: number): Uint8Array {
	const [red, green, blue] = TINTS[camera];
	const sign = (3 * frame) % COLUMNS;
	return blockyJpeg(COLUMNS, ROWS, (x, y) => {
		if (Math.abs(x - sign) < 2 && y > 8 && y < 14) return [240, 180, 40];
		if (y < 11) return [red + 6 * y, green + 8 * y, blue + 10 * y];
		const width = y - 9;
		if (Math.abs(x - COLUMNS / 2) < width)
			return y % 4 < 2 && x === COLUMNS / 2 ? [230, 230, 230] : [70, 72, 78];
		return [60 + red / 4, 92 + (y % 3) * 6, 56];
	});
}

/** Returns points relative to the ego vehicle: rings, and a wall on the left. */
export function pointsOf(frame: number, count = 400): Float32Array {
	const points = new Float32Array(4 * count);
	for (let i = 0; i < count; i += 1) {
		const isWall = i % 4 === 0;
		const angle = i * 2.39996 + frame / 50;
		const radius = 6 + 4 * (i % 8);
		points[4 * i] = isWall ? (i / count) * 60 - 20 : radius * Math.cos(angle);
		points[4 * i + 1] = isWall ? 12 : radius * Math.sin(angle);
		points[4 * i + 2] = isWall ? (i % 20) / 10 : 0;
		points[4 * i + 3] = (i % 16) / 16;
	}
	return points;
}

function joined<T extends Uint8Array | Float32Array>(
	rows: readonly T[],
	width: number,
	make: (length: number) => T,
) {
	const offsets = new Uint32Array(rows.length + 1);
	for (const [i, row] of rows.entries())
		offsets[i + 1] = (offsets[i] ?? 0) + row.length / width;
	const all = make(width * (offsets.at(-1) ?? 0));
	for (const [i, row] of rows.entries()) all.set(row, width * (offsets[i] ?? 0));
	return { offsets, all };
}

function cameraBatch(camera: (typeof CAMERAS)[number], rows: readonly SensorRow[]) {
	const images = rows.map(({ frame, absent = [], damaged = [] }) => {
		if (absent.includes(camera)) return new Uint8Array();
		const image = imageOf(camera, frame);
		return damaged.includes(camera) ? withoutPixels(image) : image;
	});
	const { all, offsets } = joined(images, 1, (length) => new Uint8Array(length));
	const valid = Uint8Array.from(rows, ({ absent = [] }) =>
		absent.includes(camera) ? 0 : 1,
	);
	return { [camera]: all, [`${camera}.offsets`]: offsets, [`${camera}.valid`]: valid };
}

/**
 * Saves cameras, a lidar and labels from two savers, as objects by key: a data set beside
 * one with frames.
 */
export async function sensorDataset({
	rows,
	join = ["frame_index"],
	settings,
	maxObjectSize = 64 * 1024,
}: SensorOptions): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
	const camera = { kind: "image", contentType: "image/jpeg", nullable: true } as const;
	const config = {
		name: "drive",
		attributes: {
			...Object.fromEntries(join.map((name) => [name, "<i8"])),
			...Object.fromEntries(CAMERAS.map((name) => [name, camera])),
			lidar: { dtype: "<f4", shape: [null, 4] },
			label: "<i4",
		},
		maxObjectSize,
		...(settings && { additional: { bevscope_sensors: settings } }),
	} as const;
	const objects = new Map<string, Uint8Array<ArrayBuffer>>();
	const destination = toMap(objects);
	const parts = new MemoryStore();
	const half = Math.ceil(rows.length / 2);
	for (const [saver, some] of [rows.slice(0, half), rows.slice(half)].entries()) {
		const made = await DataSaver.open(config, destination, { saver, parts });
		const of = {
			frame_index: BigInt64Array.from(some, ({ frame }) => BigInt(frame)),
			timestamp: BigInt64Array.from(some, ({ timestamp = 0n }) => timestamp),
		};
		const lidar = joined(
			some.map(({ frame, points }) => pointsOf(frame, points)),
			4,
			(length) => new Float32Array(length),
		);
		await made.save({
			...Object.fromEntries(join.map((name) => [name, of[name]])),
			...Object.assign({}, ...CAMERAS.map((name) => cameraBatch(name, some))),
			lidar: lidar.all,
			"lidar.offsets": lidar.offsets,
			label: Int32Array.from(some, ({ frame }) => frame % 7),
		});
		await made.finish();
	}
	await commitParts(destination, { parts });
	return objects;
}

const utf8 = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const parsed = (bytes: Uint8Array | undefined): Record<string, unknown> =>
	bytes ? JSON.parse(new TextDecoder().decode(bytes)) : {};

/** Returns the objects of one store with the arrays and tables of both. */
export function inOneStore(
	scenes: ReadonlyMap<string, Uint8Array>,
	sensors: ReadonlyMap<string, Uint8Array>,
): Map<string, Uint8Array> {
	const all = new Map([...sensors, ...scenes]);
	const attrs = { ...parsed(sensors.get(".zattrs")), ...parsed(scenes.get(".zattrs")) };
	all.set(".zattrs", utf8(attrs));
	const metadata: Record<string, unknown> = {};
	for (const [key, bytes] of all)
		if (/(^|\/)\.z(array|attrs|group)$/.test(key)) metadata[key] = parsed(bytes);
	all.set(".zmetadata", utf8({ zarr_consolidated_format: 1, metadata }));
	return all;
}
