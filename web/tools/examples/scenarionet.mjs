// The made-up crossing as a scenario of ScenarioNet.
import { crossings, entries, lanes, lightAt, SIZES, tracks } from "./crossing.mjs";
import { Float32, pickled } from "./pickle.mjs";

const STEPS = 91;
const CURRENT = 10;
const ORIGIN = [1200, 800];
const EGO = 0;
const PREDICTED = [1, 3, 7];
const TYPES = {
	vehicle: "VEHICLE",
	bus: "VEHICLE",
	pedestrian: "PEDESTRIAN",
	cyclist: "CYCLIST",
};
const STATES = { red: "STOP", yellow: "CAUTION", green: "GO" };

const steps = Array.from({ length: STEPS }, (_, step) => step);
const moved = ([x, y]) => [x + ORIGIN[0], y + ORIGIN[1]];
const column = (values) => new Float32([values.length], values);
const rows = (values) => new Float32([values.length, values[0].length], values.flat());
const line = (points) => rows(points.map(moved));

function trackOf({ id, type, at }) {
	const states = steps.map((step) => at(step / 10));
	const [length, width, height] = SIZES[type];
	const state = {
		position: rows(states.map(({ x, y }) => [...moved([x, y]), height / 2])),
		heading: column(states.map(({ heading }) => heading)),
		velocity: rows(states.map(({ velocity }) => velocity)),
		valid: column(steps.map(() => 1)),
		length: column(steps.map(() => length)),
		width: column(steps.map(() => width)),
		height: column(steps.map(() => height)),
	};
	const metadata = { type: TYPES[type], track_length: STEPS, object_id: `${id}` };
	return [`${id}`, { type: TYPES[type], state, metadata }];
}

function lightOf({ arm, lane, end }) {
	const object_state = steps.map(
		(step) => `LANE_STATE_${STATES[lightAt(arm, step / 10)]}`,
	);
	const light = { type: "TRAFFIC_LIGHT", lane: `${lane}`, state: { object_state } };
	return [
		`${lane}`,
		{ ...light, stop_point: column([...moved(end), 0]), metadata: {} },
	];
}

/** A lane with the ring of its sides. */
function laneOf({ id, centre, left, right, successors, inJunction }) {
	const lane = {
		type: inJunction ? "LANE_SURFACE_UNSTRUCTURE" : "LANE_SURFACE_STREET",
		polyline: line(centre),
		polygon: line([...right, ...left.toReversed(), right[0]]),
		exit_lanes: successors.map((one) => `${one}`),
	};
	return [`${id}`, lane];
}

function crossingOf({ id, edges: [[a, b], [d, c]] }) {
	return [`${id}`, { type: "CROSSWALK", polygon: line([a, b, c, d]) }];
}

/** Returns a pickle of one scenario. */
export function scenarionetPickle() {
	const all = tracks();
	const predicted = PREDICTED.map((index) => {
		const track = { track_index: index, track_id: `${all[index].id}`, difficulty: 0 };
		return [track.track_id, track];
	});
	return pickled({
		id: "example",
		version: "1",
		length: STEPS,
		metadata: {
			id: "example",
			dataset: "example",
			coordinate: "right-handed",
			metadrive_processed: false,
			ts: column(steps.map((step) => step / 10)),
			sdc_id: `${all[EGO].id}`,
			current_time_index: CURRENT,
			objects_of_interest: [`${all[PREDICTED[0]].id}`],
			tracks_to_predict: Object.fromEntries(predicted),
		},
		tracks: Object.fromEntries(all.map(trackOf)),
		dynamic_map_states: Object.fromEntries(entries().map(lightOf)),
		map_features: Object.fromEntries([
			...lanes().map(laneOf),
			...crossings().map(crossingOf),
		]),
	});
}
