// A made-up crossing of two roads with traffic, from plain geometry: the content of the
// example scenarios. Arms are numbered counter-clockwise from east; metres and seconds.

const ARM_END = 90;
const JUNCTION = 12;
const LANE_WIDTH = 3.5;

const along = (arm) =>
	[
		[1, 0],
		[0, 1],
		[-1, 0],
		[0, -1],
	][arm];
const add = ([x, y], [dx, dy], by = 1) => [x + dx * by, y + dy * by];
const dot = ([ax, ay], [bx, by]) => ax * bx + ay * by;
const right = ([x, y]) => [y, -x];
const back = ([x, y]) => [-x, -y];

/** Returns the part of `p` across the arm. */
const across = (p, arm) => add(p, along(arm), -dot(p, along(arm)));

function straight(from, to, step = 6) {
	const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
	const count = Math.max(1, Math.round(length / step));
	const part = (i) => add(from, [to[0] - from[0], to[1] - from[1]], i / count);
	return Array.from({ length: count + 1 }, (_, i) => part(i));
}

function curve(from, by, to) {
	const at = (t) =>
		[0, 1].map((k) => (1 - t) ** 2 * from[k] + 2 * t * (1 - t) * by[k] + t * t * to[k]);
	return Array.from({ length: 11 }, (_, i) => at(i / 10));
}

function incoming(arm) {
	const side = right(back(along(arm)));
	const at = (s) => add(add([0, 0], along(arm), s), side, LANE_WIDTH / 2);
	return straight(at(ARM_END), at(JUNCTION));
}

function outgoing(arm) {
	const side = right(along(arm));
	const at = (s) => add(add([0, 0], along(arm), s), side, LANE_WIDTH / 2);
	return straight(at(JUNCTION), at(ARM_END));
}

function connecting(from, to) {
	const [begin, end] = [incoming(from).at(-1), outgoing(to)[0]];
	if ((from + 2) % 4 === to) return straight(begin, end);
	return curve(begin, add(across(begin, from), across(end, to)), end);
}

const inId = (arm) => 101 + arm;
const outId = (arm) => 201 + arm;
const turnId = (from, to) => 301 + 4 * from + to;

/** Returns a polyline `by` metres to the left of another. */
export function beside(points, by) {
	return points.map((p, i) => {
		const [a, b] = [points[Math.max(0, i - 1)], points[i + 1] ?? p];
		const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
		const length = Math.hypot(dx, dy);
		return [p[0] - (dy / length) * by, p[1] + (dx / length) * by];
	});
}

/** The lanes: `left` and `right` are their sides. */
export function lanes() {
	const arms = [0, 1, 2, 3];
	const lane = (id, centre, successors, inJunction) => ({
		id,
		centre,
		left: beside(centre, LANE_WIDTH / 2),
		right: beside(centre, -LANE_WIDTH / 2),
		successors,
		inJunction,
	});
	const others = (arm) => arms.filter((to) => to !== arm);
	return [
		...arms.map((arm) =>
			lane(
				inId(arm),
				incoming(arm),
				others(arm).map((to) => turnId(arm, to)),
				false,
			),
		),
		...arms.map((arm) => lane(outId(arm), outgoing(arm), [], false)),
		...arms.flatMap((arm) =>
			others(arm).map((to) =>
				lane(turnId(arm, to), connecting(arm, to), [outId(to)], true),
			),
		),
	];
}

/** The incoming lane of an arm, and its end. */
export const entries = () =>
	[0, 1, 2, 3].map((arm) => ({ arm, lane: inId(arm), end: incoming(arm).at(-1) }));

/** The edges of a crossing per arm: two points each. */
export function crossings() {
	return [0, 1, 2, 3].map((arm) => {
		const [u, side] = [along(arm), right(along(arm))];
		const edge = (s) => [-4.5, 4.5].map((by) => add(add([0, 0], u, s), side, by));
		return { id: 401 + arm, edges: [edge(JUNCTION + 1), edge(JUNCTION + 4)] };
	});
}

/** Seconds after which the east-west road has green, and the lights before. */
const CHANGE = 8;

/** Returns the light of an arm: "green", "yellow" or "red". */
export function lightAt(arm, time) {
	const northSouth = arm % 2 === 1;
	if (time >= CHANGE) return northSouth ? "red" : "green";
	if (!northSouth) return "red";
	return time < CHANGE - 3 ? "green" : "yellow";
}

/** Distance driven after `time`, from standing until the light changes. */
const waiting = (time) => Math.max(0, time - CHANGE) ** 2;
const steady = (speed) => (time) => speed * time;

/**
 * The tracks: a route (arm to arm), the position on it at time 0, the distance driven
 * since, and the offset to the left. The first one is the ego vehicle.
 */
const ROUTES = [
	{ id: 1, type: "vehicle", route: [3, 1], start: 20, drive: steady(8) },
	{ id: 2, type: "vehicle", route: [3, 0], start: 45, drive: steady(7) },
	{ id: 3, type: "vehicle", route: [1, 3], start: 10, drive: steady(9) },
	{ id: 4, type: "vehicle", route: [1, 2], start: 32, drive: steady(6) },
	{ id: 5, type: "vehicle", route: [0, 2], start: 73, drive: waiting },
	{ id: 6, type: "vehicle", route: [0, 3], start: 66, drive: waiting },
	{ id: 7, type: "bus", route: [2, 0], start: 69, drive: waiting },
	{ id: 8, type: "cyclist", route: [3, 1], start: 38, drive: steady(4.5), left: -1.2 },
	{ id: 9, type: "vehicle", route: [1, 3], start: 130, drive: steady(0), left: -3 },
];

/** Walkers: from, to, metres per second. */
const WALKS = [
	{ id: 10, from: [14.5, -9], to: [14.5, 9], speed: 1.4 },
	{ id: 11, from: [-14.5, 8], to: [-14.5, -9], speed: 1.2 },
	{ id: 12, from: [8, -40], to: [8, -16], speed: 1.3 },
];

/** Length, width and height by type. */
export const SIZES = {
	vehicle: [4.5, 1.9, 1.6],
	bus: [11, 2.6, 3.2],
	cyclist: [1.9, 0.7, 1.7],
	pedestrian: [0.7, 0.7, 1.75],
};

/** Returns position and direction `s` metres along a polyline. */
function on(points, s) {
	let rest = s;
	for (let i = 1; i < points.length; i += 1) {
		const [a, b] = [points[i - 1], points[i]];
		const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
		if (rest <= length || i === points.length - 1) {
			const u = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
			return { at: add(a, u, rest), u };
		}
		rest -= length;
	}
	throw new Error("a polyline has two points");
}

function driven({ route: [from, to], start, drive, left = 0 }, time) {
	const path = [
		...incoming(from),
		...connecting(from, to).slice(1),
		...outgoing(to).slice(1),
	];
	const { at, u } = on(path, start + drive(time));
	const speed = (drive(time + 0.05) - drive(time - 0.05)) / 0.1;
	return { at: add(at, right(u), -left), u, speed };
}

function walked({ from, to, speed }, time) {
	const { at, u } = on([from, to], speed * time);
	return { at, u, speed };
}

/**
 * Returns the tracks with their state at `time`: position, heading, velocity. The first
 * is the ego vehicle, the second the one to predict.
 */
export function tracks() {
	const state = ({ at: [x, y], u, speed }) => ({
		x,
		y,
		heading: Math.atan2(u[1], u[0]),
		velocity: [u[0] * speed, u[1] * speed],
	});
	return [
		...ROUTES.map((one) => ({ ...one, at: (time) => state(driven(one, time)) })),
		...WALKS.map((one) => ({
			...one,
			type: "pedestrian",
			at: (time) => state(walked(one, time)),
		})),
	];
}
