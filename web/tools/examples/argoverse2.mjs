// The made-up crossing as an Argoverse 2 motion forecasting scenario.
import { parquetWriteBuffer } from "hyparquet-writer";
import { crossings, lanes, tracks } from "./crossing.mjs";

const STEPS = 110;
const START = 315_970_000_000_000_000;
const ORIGIN = [1200, -800];
const EGO = 1;
const FOCAL = 2;
const SCORED = [4, 8];

/** City coordinates are whole centimetres in maps. */
const point = ([x, y]) => ({
	x: Math.round((x + ORIGIN[0]) * 100) / 100,
	y: Math.round((y + ORIGIN[1]) * 100) / 100,
	z: 0,
});

function category(id) {
	if (id === FOCAL) return 3n;
	return SCORED.includes(id) ? 2n : 1n;
}

function rows() {
	return tracks().flatMap((track) =>
		Array.from({ length: STEPS }, (_, step) => ({
			...track.at(step / 10),
			track,
			step,
		})),
	);
}

/** Returns `scenario_ID.parquet`. */
export function argoverse2Tracks(id) {
	const all = rows();
	const column = (name, type, value) => ({ name, type, data: all.map(value) });
	const columnData = [
		column("observed", "BOOLEAN", ({ step }) => step < 50),
		column("track_id", "STRING", ({ track }) =>
			track.id === EGO ? "AV" : `${track.id}`,
		),
		column("object_type", "STRING", ({ track }) => track.type),
		column("object_category", "INT64", ({ track }) => category(track.id)),
		column("timestep", "INT64", ({ step }) => BigInt(step)),
		column("position_x", "DOUBLE", ({ x }) => x + ORIGIN[0]),
		column("position_y", "DOUBLE", ({ y }) => y + ORIGIN[1]),
		column("heading", "DOUBLE", ({ heading }) => heading),
		column("velocity_x", "DOUBLE", ({ velocity }) => velocity[0]),
		column("velocity_y", "DOUBLE", ({ velocity }) => velocity[1]),
		column("scenario_id", "STRING", () => id),
		column("start_timestamp", "DOUBLE", () => START),
		column("end_timestamp", "DOUBLE", () => START + (STEPS - 1) * 100_000_000),
		column("num_timestamps", "INT64", () => BigInt(STEPS)),
		column("focal_track_id", "STRING", () => `${FOCAL}`),
		column("city", "STRING", () => "austin"),
	];
	return new Uint8Array(parquetWriteBuffer({ columnData, codec: "SNAPPY" }));
}

/** Returns `log_map_archive_ID.json`. */
export function argoverse2Map() {
	const lane = ({ id, centre, left, right, successors, inJunction }) => ({
		id,
		is_intersection: inJunction,
		lane_type: "VEHICLE",
		left_lane_boundary: left.map(point),
		right_lane_boundary: right.map(point),
		left_lane_mark_type: inJunction ? "NONE" : "DOUBLE_SOLID_YELLOW",
		right_lane_mark_type: inJunction ? "NONE" : "SOLID_WHITE",
		left_neighbor_id: null,
		right_neighbor_id: null,
		predecessors: [],
		successors,
		centerline: centre.map(point),
	});
	const crossing = ({ id, edges: [edge1, edge2] }) => ({
		id,
		edge1: edge1.map(point),
		edge2: edge2.map(point),
	});
	const byId = (list) => Object.fromEntries(list.map((one) => [one.id, one]));
	return JSON.stringify({
		drivable_areas: {},
		lane_segments: byId(lanes().map(lane)),
		pedestrian_crossings: byId(crossings().map(crossing)),
	});
}
