// Made-up Argoverse 2 scenarios: the schema of the data set, with content of our own.

import { parquetWriteBuffer } from "hyparquet-writer";

export interface Argoverse2Options {
	readonly city?: string;
	/** City coordinate from which everything is placed, in metres. */
	readonly x?: number;
	readonly codec?: "SNAPPY" | "UNCOMPRESSED";
	/** Replaces columns; without a column if undefined. */
	readonly columns?: Readonly<Record<string, ParquetColumn | undefined>>;
}

type Options = Parameters<typeof parquetWriteBuffer>[0];
type ParquetColumn = Omit<Options["columnData"][number], "name">;

const STEPS = 52;
const START = 315_986_559_459_579_000;

interface Row {
	readonly track: string;
	readonly type: string;
	readonly category: number;
	readonly step: number;
	readonly x: number;
	readonly y: number;
}

/** Tracks with the first and last step: the focal 7, the scored 8, the unscored 9. */
const TRACKS = [
	["7", "vehicle", 3, 0, STEPS, 12, 0],
	["8", "pedestrian", 2, 10, STEPS, 9, 5],
	["9", "cyclist", 1, 0, 20, 15, 10],
	["rock", "static", 0, 0, STEPS, 20, 3],
	["AV", "vehicle", 1, 0, STEPS, 0, 0],
] as const;

function rowsFrom(x: number): Row[] {
	return TRACKS.flatMap(([track, type, category, begin, end, dx, y]) =>
		Array.from({ length: end - begin }, (_, i): Row => {
			const step = begin + i;
			return { track, type, category, step, x: x + dx + step / 2, y: 500 + y };
		}),
	);
}

const text = (data: string[]): ParquetColumn => ({ data, type: "STRING" });
const double = (data: number[]): ParquetColumn => ({ data, type: "DOUBLE" });
const int64 = (data: bigint[]): ParquetColumn => ({ data, type: "INT64" });

/** Returns the tracks of a scenario of 52 frames with 4 agents at most. */
export function argoverse2Tracks(
	id: string,
	{ city = "austin", x = 1000, codec = "SNAPPY", columns }: Argoverse2Options = {},
): Uint8Array<ArrayBuffer> {
	const rows = rowsFrom(x);
	const all = <T>(value: T): T[] => rows.map(() => value);
	const columnsOf: Record<string, ParquetColumn | undefined> = {
		observed: { data: rows.map(({ step }) => step < 50), type: "BOOLEAN" },
		track_id: text(rows.map(({ track }) => track)),
		object_type: text(rows.map(({ type }) => type)),
		object_category: int64(rows.map(({ category }) => BigInt(category))),
		timestep: int64(rows.map(({ step }) => BigInt(step))),
		position_x: double(rows.map((row) => row.x)),
		position_y: double(rows.map(({ y }) => y)),
		heading: double(all(0)),
		velocity_x: double(all(5)),
		velocity_y: double(all(0)),
		scenario_id: text(all(id)),
		start_timestamp: double(all(START)),
		end_timestamp: double(all(START + (STEPS - 1) * 100_000_000)),
		num_timestamps: int64(all(BigInt(STEPS))),
		focal_track_id: text(all("7")),
		city: text(all(city)),
		...columns,
	};
	const columnData = Object.entries(columnsOf).flatMap(([name, column]) =>
		column ? [{ name, ...column }] : [],
	);
	return new Uint8Array(parquetWriteBuffer({ columnData, codec }));
}

const line = (x: number, y: number, length = 20) =>
	[0, length].map((dx) => ({ x: x + dx, y, z: 0 }));

function lane(id: number, x: number, successors: number[]) {
	return {
		id,
		is_intersection: false,
		lane_type: "VEHICLE",
		left_lane_boundary: line(x, 502),
		right_lane_boundary: line(x, 498),
		left_lane_mark_type: "DASHED_WHITE",
		right_lane_mark_type: "SOLID_WHITE",
		left_neighbor_id: null,
		right_neighbor_id: null,
		predecessors: [],
		successors,
		centerline: line(x, 500),
	};
}

/** Returns the map of a scenario: `lanes` lanes in a row, and a crossing. */
export function argoverse2Map(x = 1000, lanes = 2): string {
	const ids = Array.from({ length: lanes }, (_, i) => i + 1);
	return JSON.stringify({
		drivable_areas: {},
		lane_segments: Object.fromEntries(
			ids.map((id) => [id, lane(id, x + 20 * (id - 1), id < lanes ? [id + 1] : [])]),
		),
		pedestrian_crossings: {
			900: {
				id: 900,
				edge1: line(x + 8, 495, 3),
				edge2: line(x + 8, 505, 3),
			},
		},
	});
}

/** Returns the files of a scenario's folder by name. */
export function argoverse2Files(
	id: string,
	options: Argoverse2Options & { readonly lanes?: number } = {},
): Map<string, Uint8Array<ArrayBuffer>> {
	const map = argoverse2Map(options.x, options.lanes);
	return new Map([
		[`scenario_${id}.parquet`, argoverse2Tracks(id, options)],
		[`log_map_archive_${id}.json`, new TextEncoder().encode(map)],
	]);
}

/** A mode of a forecast: a row of a submission. */
export interface ForecastRow {
	readonly scenario: string;
	readonly track: string;
	readonly probability: number;
	/** Positions x, y in the city's frame. */
	readonly path: readonly (readonly [x: number, y: number])[];
}

/** Returns a submission to the Argoverse 2 challenge, with lists as Arrow writes them. */
export function argoverse2Forecasts(
	rows: readonly ForecastRow[],
	codec: "SNAPPY" | "UNCOMPRESSED" = "SNAPPY",
): Uint8Array<ArrayBuffer> {
	const paths = ["predicted_trajectory_x", "predicted_trajectory_y"];
	const text = ["scenario_id", "track_id"].map((name) => ({
		...{ name, type: "BYTE_ARRAY", converted_type: "UTF8" },
		repetition_type: "OPTIONAL",
	}));
	const lists = paths.flatMap((name) => [
		{ name, repetition_type: "OPTIONAL", num_children: 1, converted_type: "LIST" },
		{ name: "list", repetition_type: "REPEATED", num_children: 1 },
		{ name: "element", repetition_type: "OPTIONAL", type: "DOUBLE" },
	]);
	const probability = { name: "probability", type: "DOUBLE" };
	const columnData = [
		{ name: "scenario_id", data: rows.map(({ scenario }) => scenario) },
		{ name: "track_id", data: rows.map(({ track }) => track) },
		{ name: "probability", data: rows.map((row) => row.probability) },
		...paths.map((name, axis) => ({
			name,
			data: rows.map(({ path }) => path.map((at) => at[axis])),
		})),
	];
	const schema = [
		{ name: "schema", num_children: 5 },
		...text,
		{ ...probability, repetition_type: "OPTIONAL" },
		...lists,
	];
	const options = { columnData, schema, codec } as unknown as Options;
	return new Uint8Array(parquetWriteBuffer(options));
}
