// The made-up crossing as scenarios of the Waymo Open Motion data set.
import {
	beside,
	crossings,
	entries,
	lanes,
	lightAt,
	SIZES,
	tracks,
} from "./crossing.mjs";
import { bytes, double, float, integer, tfrecords, varint } from "./tfrecord.mjs";

const STEPS = 91;
const CURRENT = 10;
const ORIGIN = [4000, 2500];
const EGO = 0;
const PREDICTED = [1, 3, 7];
const TYPES = { vehicle: 1, bus: 1, pedestrian: 2, cyclist: 3 };
const STATES = { red: 4, yellow: 5, green: 6 };
const LINES = { doubleYellow: 7, white: 2 };

const steps = Array.from({ length: STEPS }, (_, step) => step);

const point = (number, [x, y]) =>
	bytes(number, [
		...double(1, x + ORIGIN[0]),
		...double(2, y + ORIGIN[1]),
		...double(3, 0),
	]);

function trackOf({ id, type, at }, from) {
	const [length, width, height] = SIZES[type];
	const states = steps.map((step) => {
		const { x, y, heading, velocity } = at(from + step / 10);
		return bytes(3, [
			...double(2, x + ORIGIN[0]),
			...double(3, y + ORIGIN[1]),
			...double(4, height / 2),
			...float(5, length),
			...float(6, width),
			...float(7, height),
			...float(8, heading),
			...float(9, velocity[0]),
			...float(10, velocity[1]),
			...integer(11, 1),
		]);
	});
	return bytes(2, [...integer(1, id), ...integer(2, TYPES[type]), ...states.flat()]);
}

function lightsAt(time) {
	return entries().flatMap(({ arm, lane, end }) =>
		bytes(1, [
			...integer(1, lane),
			...integer(2, STATES[lightAt(arm, time)]),
			...point(3, end),
		]),
	);
}

const feature = (id, kind, content) =>
	bytes(8, [...integer(1, id), ...bytes(kind, content)]);

function lineOf(id, type, points) {
	return feature(id, 4, [...integer(1, type), ...points.flatMap((p) => point(2, p))]);
}

/** A lane with lines on both sides, or none in the junction. */
function laneOf({ id, centre, left, right, successors, inJunction }) {
	const [leftId, rightId] = [id + 1000, id + 2000];
	const side = (number, line, type) =>
		bytes(number, [
			...integer(1, 0),
			...integer(2, centre.length - 1),
			...integer(3, line),
			...integer(4, type),
		]);
	const content = [
		...integer(2, 2),
		...(inJunction ? integer(3, 1) : []),
		...centre.flatMap((p) => point(8, p)),
		...bytes(10, successors.flatMap(varint)),
	];
	if (inJunction) return feature(id, 3, content);
	const sides = [
		...side(13, leftId, LINES.doubleYellow),
		...side(14, rightId, LINES.white),
	];
	return [
		...feature(id, 3, [...content, ...sides]),
		...lineOf(leftId, LINES.doubleYellow, left),
		...lineOf(rightId, LINES.white, right),
	];
}

function crossingOf({ id, edges: [[a, b], [d, c]] }) {
	return feature(
		id,
		8,
		[a, b, c, d].flatMap((p) => point(1, p)),
	);
}

/** A road edge 1 m beside each outgoing lane: the data set has them, L5Kit does not. */
function edgesOf() {
	return lanes()
		.filter(({ successors }) => successors.length === 0)
		.flatMap(({ id, right }) =>
			feature(id + 3000, 5, [
				...integer(1, 1),
				...beside(right, -1).flatMap((p) => point(2, p)),
			]),
		);
}

/** Returns a scenario that begins `from` seconds after the others. */
function scenario(id, from) {
	return Uint8Array.from([
		...steps.flatMap((step) => double(1, step / 10)),
		...tracks().flatMap((track) => trackOf(track, from)),
		...integer(4, tracks()[PREDICTED[0]].id),
		...bytes(5, new TextEncoder().encode(id)),
		...integer(6, EGO),
		...steps.flatMap((step) => bytes(7, lightsAt(from + step / 10))),
		...lanes().flatMap(laneOf),
		...crossings().flatMap(crossingOf),
		...edgesOf(),
		...integer(10, CURRENT),
		...PREDICTED.flatMap((index) => bytes(11, integer(1, index))),
	]);
}

/** Returns a TFRecord file of two scenarios. */
export function waymoRecords() {
	return tfrecords(scenario("example-a", 0), scenario("example-b", 2));
}
