// The made-up crossing as a version of nuScenes: tables, and the map of its location.
import { crossings, entries, lanes, SIZES, tracks } from "./crossing.mjs";

const VERSION = "v1.0-example";
const LOCATION = "boston-seaport";
const ORIGIN = [1200, 900];
const START_US = 1_532_402_927_000_000;
const KEY_FRAMES = 19; // 0.5 s apart
/** Seconds at which the scenes begin. */
const SCENES = [0, 2];
const CURRENT = 4;
const PREDICTED = [1, 3, 7];
const KINDS = {
	vehicle: { category: "vehicle.car", attribute: "vehicle.moving" },
	bus: { category: "vehicle.bus.rigid", attribute: "vehicle.moving" },
	cyclist: { category: "vehicle.bicycle", attribute: "cycle.with_rider" },
	pedestrian: { category: "human.pedestrian.adult", attribute: "pedestrian.moving" },
};

const kinds = Object.values(KINDS);
const attributes = [...new Set(kinds.map(({ attribute }) => attribute))];
const frames = Array.from({ length: KEY_FRAMES }, (_, frame) => frame);

const rounded = (value) => Math.round(value * 1e6) / 1e6;
const moved = ([x, y]) => [rounded(x + ORIGIN[0]), rounded(y + ORIGIN[1])];
const turn = (yaw) => [Math.cos(yaw / 2), 0, 0, Math.sin(yaw / 2)].map(rounded);
const token = (...of) => of.join("-");

function annotation(scene, frame, { id, type, at }) {
	const { x, y, heading } = at(SCENES[scene] + frame / 2);
	const [length, width, height] = SIZES[type];
	return {
		token: token("box", scene, frame, id),
		sample_token: token("sample", scene, frame),
		instance_token: token("instance", scene, id),
		attribute_tokens: [KINDS[type].attribute],
		translation: [...moved([x, y]), height / 2],
		size: [width, length, height],
		rotation: turn(heading),
	};
}

function pose(scene, frame, ego) {
	const { x, y, heading } = ego.at(SCENES[scene] + frame / 2);
	return {
		token: token("data", scene, frame),
		translation: [...moved([x, y]), 0],
		rotation: turn(heading),
	};
}

/** Returns the tables by name. */
function tables() {
	const [ego, ...others] = tracks();
	const scenes = SCENES.map((_, scene) => scene);
	const samples = scenes.flatMap((scene) => frames.map((frame) => [scene, frame]));
	return {
		log: [
			{
				token: "log",
				location: LOCATION,
				vehicle: "n000",
				date_captured: "2018-07-24",
			},
		],
		category: kinds.map(({ category }) => ({ token: category, name: category })),
		attribute: attributes.map((name) => ({ token: name, name })),
		sensor: [{ token: "lidar", channel: "LIDAR_TOP", modality: "lidar" }],
		calibrated_sensor: [{ token: "calibrated", sensor_token: "lidar" }],
		scene: scenes.map((scene) => ({
			token: token("scene", scene),
			name: `scene-900${scene}`,
			log_token: "log",
		})),
		sample: samples.map(([scene, frame]) => ({
			token: token("sample", scene, frame),
			timestamp: START_US + scene * 60_000_000 + frame * 500_000,
			scene_token: token("scene", scene),
		})),
		instance: scenes.flatMap((scene) =>
			others.map(({ id, type }) => ({
				token: token("instance", scene, id),
				category_token: KINDS[type].category,
			})),
		),
		sample_data: samples.map(([scene, frame]) => ({
			token: token("data", scene, frame),
			sample_token: token("sample", scene, frame),
			ego_pose_token: token("data", scene, frame),
			calibrated_sensor_token: "calibrated",
			is_key_frame: true,
		})),
		ego_pose: samples.map(([scene, frame]) => pose(scene, frame, ego)),
		sample_annotation: samples.flatMap(([scene, frame]) =>
			others.map((track) => annotation(scene, frame, track)),
		),
	};
}

/** Returns what the prediction challenge asks for: instances in key frames. */
function prediction() {
	const items = (scene) =>
		PREDICTED.map((index) => {
			const { id } = tracks()[index];
			return `${token("instance", scene, id)}_${token("sample", scene, CURRENT)}`;
		});
	return Object.fromEntries(
		SCENES.map((_, scene) => [`scene-900${scene}`, items(scene)]),
	);
}

/** Returns a straight path per step of a line. */
function paths(line) {
	return line.slice(1).map((to, i) => {
		const [a, b] = [moved(line[i]), moved(to)];
		const heading = Math.atan2(b[1] - a[1], b[0] - a[0]);
		return {
			start_pose: [...a, heading],
			end_pose: [...b, heading],
			shape: "LSL",
			radius: 999.999,
			segment_length: [0, Math.hypot(b[0] - a[0], b[1] - a[1]), 0],
		};
	});
}

/** Returns the map of the location. */
function expansion() {
	const node = [];
	const polygon = [];
	const nodesOf = (name, points) =>
		points.map((point, i) => {
			const [x, y] = moved(point);
			node.push({ token: token(name, i), x, y });
			return token(name, i);
		});
	const polygonOf = (exterior_node_tokens) => {
		const polygon_token = token("polygon", polygon.length);
		polygon.push({ token: polygon_token, exterior_node_tokens, holes: [] });
		return { polygon_token };
	};
	const all = lanes().map((lane) => ({ ...lane, token: `${lane.id}` }));
	const laneOf = ({ token: name, left, right }) => {
		const [leftNodes, rightNodes] = [
			nodesOf(`${name}l`, left),
			nodesOf(`${name}r`, right),
		];
		const dividers = (nodes, segment_type) =>
			nodes.map((node_token) => ({ node_token, segment_type }));
		return {
			token: name,
			...polygonOf([...rightNodes, ...leftNodes.toReversed()]),
			lane_type: "CAR",
			left_lane_divider_segments: dividers(leftNodes, "SINGLE_SOLID_YELLOW"),
			right_lane_divider_segments: dividers(rightNodes, "SINGLE_SOLID_WHITE"),
		};
	};
	const linksOf = ({ token: name, id, successors }) => {
		const incoming = all.filter((one) => one.successors.includes(id));
		const tokens = incoming.map((one) => one.token);
		return [name, { incoming: tokens, outgoing: successors.map((one) => `${one}`) }];
	};
	const crossingOf = ({ id, edges: [[a, b], [d, c]] }) => ({
		token: `${id}`,
		...polygonOf(nodesOf(`${id}x`, [a, b, c, d])),
	});
	const lightOf = ({ lane, end }) => {
		const [tx, ty] = moved(end);
		const items = ["RED", "YELLOW", "GREEN"].map((color) => ({ color }));
		return { token: `${lane}/l`, pose: { tx, ty, tz: 5 }, items };
	};
	return {
		version: "1.3",
		canvas_edge: [2400, 1800],
		lane: all.filter(({ inJunction }) => !inJunction).map(laneOf),
		lane_connector: all
			.filter(({ inJunction }) => inJunction)
			.map(({ token: name }) => ({ token: name })),
		arcline_path_3: Object.fromEntries(
			all.map(({ token: name, centre }) => [name, paths(centre)]),
		),
		connectivity: Object.fromEntries(all.map(linksOf)),
		ped_crossing: crossings().map(crossingOf),
		traffic_light: entries().map(lightOf),
		node,
		polygon,
	};
}

/** Returns the files of the version and of the folder `maps` beside it, by path. */
export function nuscenesFiles() {
	const files = Object.entries(tables()).map(([table, rows]) => [
		`${VERSION}/${table}.json`,
		JSON.stringify(rows),
	]);
	return new Map([
		...files,
		[`maps/expansion/${LOCATION}.json`, JSON.stringify(expansion())],
		["maps/prediction/prediction_scenes.json", JSON.stringify(prediction())],
	]);
}
