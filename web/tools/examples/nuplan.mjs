// The made-up crossing as a log of nuPlan, and as the map of its city.
import { crossings, entries, lanes, lightAt, SIZES, tracks } from "./crossing.mjs";
import { real, sqliteFile } from "./sqlite.mjs";

/** Las Vegas, zone 11. */
const EPSG = 32611;
const ORIGIN = [664_432, 3_998_249];
const START_US = 1_620_860_400_000_000;
const STEPS = 91; // 0.1 s apart
/** Seconds at which the scenes begin. */
const SCENES = [0, 2];
/** From the middle of the ego vehicle to that of its rear axle. */
const AXLE = 1.461;
const CATEGORIES = {
	vehicle: "vehicle",
	bus: "vehicle",
	cyclist: "bicycle",
	pedestrian: "pedestrian",
};
const EGO = 0;
const LANES = lanes();
const TRACKS = tracks();
const WALKER = 10;

/** Returns a token: a letter and a number in eight bytes. */
function token(kind, number) {
	const out = new Uint8Array(8);
	new DataView(out.buffer).setBigUint64(0, BigInt(number));
	out[0] = kind.charCodeAt(0);
	return out;
}

const moved = ([x, y]) => [x + ORIGIN[0], y + ORIGIN[1]];
const frames = SCENES.flatMap((from, scene) =>
	Array.from({ length: STEPS }, (_, step) => ({
		...{ scene, step, time: from + step / 10 },
		number: scene * STEPS + step,
		time_us: START_US + scene * 60_000_000 + step * 100_000,
	})),
);

function poseRow({ number, time, time_us }) {
	const { x, y, heading } = TRACKS[EGO].at(time);
	const axle = [x - AXLE * Math.cos(heading), y - AXLE * Math.sin(heading)];
	const turn = [Math.cos(heading / 2), 0, 0, Math.sin(heading / 2)];
	const place = [...moved(axle), 600].map(real);
	return [token("e", number), time_us, ...place, ...turn.map(real), EPSG];
}

function boxRow({ number, time }, { id, type, at }) {
	const { x, y, heading, velocity } = at(time);
	const [length, width, height] = SIZES[type];
	const values = [...moved([x, y]), width, length, height, ...velocity, heading];
	return [token("p", number), token("t", id), ...values.map(real)];
}

/** Returns the incoming lane that leads to a connector. */
const entering = (id) => LANES.find(({ successors }) => successors.includes(id)).id;

/** The connectors, and the arms from which they lead. */
const CONNECTORS = LANES.filter(({ inJunction }) => inJunction).map(({ id }) => {
	return { id, arm: entries().find(({ lane }) => lane === entering(id)).arm };
});

const lightRows = ({ number, time }) =>
	CONNECTORS.map(({ id, arm }) => [token("p", number), id, lightAt(arm, time)]);

/** A tag in every second frame of its time. */
function tagRows({ number, step, time }) {
	if (step % 2 > 0) return [];
	const { x, y } = TRACKS[EGO].at(time);
	const rows = [];
	if (Math.hypot(x, y) < 15) rows.push(["on_intersection", null]);
	if (time < 5) rows.push(["near_pedestrian_on_crosswalk", token("t", WALKER)]);
	return rows.map((row) => [token("p", number), ...row]);
}

/** Returns the log. */
export function nuplanLog() {
	const others = TRACKS.filter((_, i) => i !== EGO);
	const kinds = [...new Set(Object.values(CATEGORIES))];
	const table = (columns, rows) => ({ columns: columns.split(" "), rows });
	return sqliteFile({
		log: table("vehicle_name location map_version logfile", [
			["veh-0", "us-nv-las-vegas-strip", "example", "example"],
		]),
		scene: table(
			"token name roadblock_ids",
			SCENES.map((_, i) => [token("s", i), `scene-900${i}`, "101 201"]),
		),
		category: table(
			"token name",
			kinds.map((name, i) => [token("c", i), name]),
		),
		track: table(
			"token category_token",
			others.map(({ id, type }) => [
				token("t", id),
				token("c", kinds.indexOf(CATEGORIES[type])),
			]),
		),
		lidar_pc: table(
			"token ego_pose_token scene_token timestamp",
			frames.map(({ number, scene, time_us }) => {
				return [token("p", number), token("e", number), token("s", scene), time_us];
			}),
		),
		ego_pose: table(
			"token timestamp x y z qw qx qy qz epsg",
			frames.map((frame) => poseRow(frame)),
		),
		lidar_box: table(
			"lidar_pc_token track_token x y width length height vx vy yaw",
			frames.flatMap((frame) => others.map((track) => boxRow(frame, track))),
		),
		traffic_light_status: table(
			"lidar_pc_token lane_connector_id status",
			frames.flatMap(lightRows),
		),
		scenario_tag: table(
			"lidar_pc_token type agent_track_token",
			frames.flatMap(tagRows),
		),
	});
}

/** Returns a geometry of GeoPackage: lines of points, or polygons of one ring. */
function geometry(points, isPolygon = false) {
	const all = (isPolygon ? [...points, points[0]] : points).map(moved);
	const head = isPolygon ? [3, 1, all.length] : [2, all.length];
	const out = new DataView(new ArrayBuffer(8 + 1 + 4 * head.length + 16 * all.length));
	let at = 0;
	for (const byte of [0x47, 0x50, 0, 1]) out.setUint8(at++, byte);
	const put = (value) => {
		out.setInt32(at, value, true);
		at += 4;
	};
	put(EPSG);
	out.setUint8(at++, 1);
	for (const value of head) put(value);
	for (const value of all.flat()) {
		out.setFloat64(at, value, true);
		at += 8;
	}
	return new Uint8Array(out.buffer);
}

const SOLID = 2;
const leftOf = (id) => 2 * id;
const rightOf = (id) => 2 * id + 1;

/** Returns the map of the log's city: `map.gpkg`. */
export function nuplanMap() {
	const fid = "fid INTEGER PRIMARY KEY";
	const table = (columns, rows) => ({ columns: [fid, ...columns.split(" ")], rows });
	const all = [...LANES].sort((a, b) => a.id - b.id);
	const [roads, connectors] = [false, true].map((wanted) =>
		all.filter(({ inJunction }) => inJunction === wanted),
	);
	const layers = ["boundaries", "baseline_paths", "crosswalks"];
	return sqliteFile({
		gpkg_spatial_ref_sys: {
			columns: ["srs_id", "organization", "organization_coordsys_id"],
			rows: [[EPSG, "EPSG", EPSG]],
		},
		gpkg_geometry_columns: {
			columns: ["table_name", "column_name", "srs_id"],
			rows: layers.map((layer) => [layer, "geom", EPSG]),
		},
		boundaries: table(
			"geom boundary_type_fid",
			all.flatMap(({ id, left, right }) => [
				[leftOf(id), geometry(left), SOLID],
				[rightOf(id), geometry(right), SOLID],
			]),
		),
		baseline_paths: table(
			"geom lane_fid lane_connector_fid",
			all.map(({ id, centre, inJunction }) => [
				...[id, geometry(centre)],
				...(inJunction ? [null, id] : [id, null]),
			]),
		),
		lanes_polygons: table(
			"lane_group_fid lane_index left_boundary_fid right_boundary_fid",
			roads.map(({ id }) => [id, id, 0, leftOf(id), rightOf(id)]),
		),
		lane_connectors: table(
			"exit_lane_fid entry_lane_fid",
			connectors.map(({ id, successors }) => [id, entering(id), successors[0]]),
		),
		gen_lane_connectors_scaled_width_polygons: table(
			"lane_connector_fid left_boundary_fid right_boundary_fid",
			connectors.map(({ id }) => [id, id, leftOf(id), rightOf(id)]),
		),
		crosswalks: table(
			"geom",
			crossings().map(({ id, edges: [[a, b], [d, c]] }) => [
				id,
				geometry([a, b, c, d], true),
			]),
		),
	});
}
