import { type ResultArrays, stringsOf } from "../arrays/result.js";
import { BevError } from "../base/errors.js";
import type { FrameView, Polylines } from "./frame-view.js";
import type { LaneBoundaries, MapQuestions, MapView } from "./map-view.js";

/** Groups the arrays of a `frame` query. `scene` and `frame` are the requested ones. */
export function frameView(
	arrays: ResultArrays,
	scene: number,
	frame: number,
): FrameView {
	const f4 = (name: string): Float32Array => arrays.view(name, Float32Array);
	const f8 = (name: string): Float64Array => arrays.view(name, Float64Array);
	const u1 = (name: string): Uint8Array => arrays.view(name, Uint8Array);
	const i8 = (name: string): BigInt64Array => arrays.view(name, BigInt64Array);
	const release = (): void => arrays.release();
	return {
		scene,
		frame,
		index: Number(only("frame.index", i8("frame.index"))),
		timestamp: only("frame.timestamp", i8("frame.timestamp")),
		ego: {
			is_virtual: only("ego.is_virtual", u1("ego.is_virtual")) === 1,
			centroid: f8("ego.centroid"),
			translation: f8("ego.translation"),
			rotation: f8("ego.rotation"),
			yaw: only("ego.yaw", f8("ego.yaw")),
			speed: only("ego.speed", f4("ego.speed")),
			corners: f8("ego.corners"),
			trail: f8("ego.trail"),
			future: f8("ego.future"),
		},
		agents: {
			length: arrays.array("agents.row").data.length,
			row: i8("agents.row"),
			track_id: arrays.view("agents.track_id", BigUint64Array),
			centroid: f8("agents.centroid"),
			corners: f8("agents.corners"),
			yaw: f4("agents.yaw"),
			extent: f4("agents.extent"),
			velocity: f4("agents.velocity"),
			speed: f4("agents.speed"),
			label: u1("agents.label"),
			class: u1("agents.class"),
			probability: f4("agents.probability"),
			known_probability: f4("agents.known_probability"),
			kept: u1("agents.kept"),
			distance: f4("agents.distance"),
			label_probabilities: f4("agents.label_probabilities"),
		},
		trails: polylines(arrays, "trails"),
		futures: polylines(arrays, "futures"),
		lights: {
			length: arrays.array("lights.state").data.length,
			face_id: stringsOf(arrays, "lights.face_id"),
			traffic_light_id: stringsOf(arrays, "lights.traffic_light_id"),
			state: u1("lights.state"),
			status: f4("lights.status"),
		},
		release,
		[Symbol.dispose]: release,
	};
}

/** Groups the arrays of a map. `handle` answers the queries that need the core. */
export function mapView(
	arrays: ResultArrays,
	handle: MapQuestions & Pick<MapView, "release">,
): MapView {
	const texts = (name: string): string[] => stringsOf(arrays, name);
	const u1 = (name: string): Uint8Array => arrays.view(name, Uint8Array);
	const u4 = (name: string): Uint32Array => arrays.view(name, Uint32Array);
	const i4 = (name: string): Int32Array => arrays.view(name, Int32Array);
	const f4 = (name: string): Float32Array => arrays.view(name, Float32Array);
	const f8 = (name: string): Float64Array => arrays.view(name, Float64Array);
	const [lanes, crosswalks, faces] = [
		texts("lanes.id"),
		texts("crosswalks.id"),
		texts("faces.id"),
	];
	const [lights, junctions, segments] = [
		texts("lights.id"),
		texts("junctions.id"),
		texts("segments.id"),
	];
	return {
		lanes: {
			length: lanes.length,
			id: lanes,
			left: boundaries(arrays, "lanes.left"),
			right: boundaries(arrays, "lanes.right"),
			centre: { ...polylines(arrays, "lanes.centre"), z: f8("lanes.centre.z") },
			controls: texts("lanes.controls"),
			controls_first: u4("lanes.controls.first"),
			in_junction: u1("lanes.in_junction"),
			ahead: u4("lanes.ahead"),
			ahead_first: u4("lanes.ahead.first"),
			adjacent_left: i4("lanes.adjacent_left"),
			adjacent_right: i4("lanes.adjacent_right"),
			junction: i4("lanes.junction"),
			segment: i4("lanes.segment"),
			speed_limit: f4("lanes.speed_limit"),
			stop_line: f8("lanes.stop_line"),
			turn: u1("lanes.turn"),
			access: u1("lanes.access"),
			orientation: u1("lanes.orientation"),
			can_have_parked_cars: u1("lanes.can_have_parked_cars"),
		},
		crosswalks: {
			length: crosswalks.length,
			id: crosswalks,
			z: f8("crosswalks.z"),
			...polylines(arrays, "crosswalks"),
		},
		lights: {
			length: lights.length,
			id: lights,
			position: f8("lights.position"),
			from_deg: f4("lights.from_deg"),
			movements: u1("lights.movements"),
		},
		junctions: {
			length: junctions.length,
			id: junctions,
			is_intersection: u1("junctions.is_intersection"),
			lanes: u4("junctions.lanes"),
			lanes_first: u4("junctions.lanes.first"),
		},
		segments: {
			length: segments.length,
			id: segments,
			speed_limit: f4("segments.speed_limit"),
			speed_limit_backward: f4("segments.speed_limit_backward"),
		},
		faces: { length: faces.length, id: faces, colour: u1("faces.colour") },
		bounds: f8("bounds"),
		...handle,
		[Symbol.dispose]: handle.release,
	};
}

function boundaries(arrays: ResultArrays, name: string): LaneBoundaries {
	return {
		...polylines(arrays, name),
		z: arrays.view(`${name}.z`, Float64Array),
		divider: arrays.view(`${name}.divider`, Uint8Array),
		dividers: arrays.view(`${name}.dividers`, Uint8Array),
		dividers_first: arrays.view(`${name}.dividers.first`, Uint32Array),
		changes_cm: arrays.view(`${name}.changes_cm`, Int32Array),
		changes_first: arrays.view(`${name}.changes_cm.first`, Uint32Array),
	};
}

function polylines(arrays: ResultArrays, name: string): Polylines {
	return {
		points: arrays.view(`${name}.points`, Float64Array),
		offsets: arrays.view(`${name}.offsets`, Uint32Array),
	};
}

function only<T>(name: string, data: ArrayLike<T>): T {
	const [value] = Array.from(data);
	if (value === undefined) throw new BevError("internal", `result: ${name} is empty`);
	return value;
}
