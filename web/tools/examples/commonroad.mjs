// The made-up crossing as a scenario of CommonRoad. The ego vehicle is the planning problem.
import { crossings, entries, lanes, SIZES, tracks } from "./crossing.mjs";

const STEPS = 91;
const ORIGIN = [300, 400];
const TYPES = {
	vehicle: "car",
	bus: "bus",
	pedestrian: "pedestrian",
	cyclist: "bicycle",
};
const LIGHT = 500;
const PROBLEM = 601;

/** Colours of a light, and their number of time steps. */
const CYCLES = {
	northSouth: [
		["green", 50],
		["yellow", 30],
		["red", 80],
	],
	eastWest: [
		["red", 80],
		["green", 50],
		["yellow", 30],
	],
};

const tag = (name, content, attributes = {}) => {
	const written = Object.entries(attributes).map(
		([key, value]) => ` ${key}="${value}"`,
	);
	return `<${name}${written.join("")}>${content}</${name}>\n`;
};
const all = (values, write) => values.map(write).join("");
const number = (value) => `${Number(value.toFixed(6))}`;
const exact = (name, value) => tag(name, tag("exact", value));
const reference = (name, ref) => tag(name, "", { ref });

function pointOf([x, y]) {
	return tag(
		"point",
		tag("x", number(x + ORIGIN[0])) + tag("y", number(y + ORIGIN[1])),
	);
}

const bound = (name, points, marking) =>
	tag(name, all(points, pointOf) + tag("lineMarking", marking));

function laneletOf({ id, left, right, successors, inJunction }) {
	const light = entries().find(({ lane }) => lane === id);
	return tag(
		"lanelet",
		bound("leftBound", left, "solid") +
			bound("rightBound", right, "solid") +
			all(successors, (one) => reference("successor", one)) +
			tag("laneletType", inJunction ? "intersection" : "urban") +
			(light ? reference("trafficLightRef", LIGHT + light.arm) : ""),
		{ id },
	);
}

function crosswalkOf({ id, edges: [first, second] }) {
	return tag(
		"lanelet",
		bound("leftBound", first, "no_marking") +
			bound("rightBound", second, "no_marking") +
			tag("laneletType", "crosswalk"),
		{ id },
	);
}

function lightOf({ arm, end }) {
	const cycle = CYCLES[arm % 2 === 1 ? "northSouth" : "eastWest"];
	const element = ([color, steps]) =>
		tag("cycleElement", tag("duration", steps) + tag("color", color));
	return tag(
		"trafficLight",
		tag("cycle", all(cycle, element)) + tag("position", pointOf(end)),
		{ id: LIGHT + arm },
	);
}

function stateOf(name, { x, y, heading, velocity }, step) {
	return tag(
		name,
		tag("position", pointOf([x, y])) +
			exact("orientation", number(heading)) +
			exact("time", step) +
			exact("velocity", number(Math.hypot(...velocity))),
	);
}

function obstacleOf({ id, type, at }) {
	const [length, width] = SIZES[type];
	const later = Array.from({ length: STEPS - 1 }, (_, i) => i + 1);
	return tag(
		"dynamicObstacle",
		tag("type", TYPES[type]) +
			tag("shape", tag("rectangle", tag("length", length) + tag("width", width))) +
			stateOf("initialState", at(0), 0) +
			tag(
				"trajectory",
				all(later, (step) => stateOf("state", at(step / 10), step)),
			),
		{ id },
	);
}

function problemOf({ at }) {
	const time = tag("intervalStart", 60) + tag("intervalEnd", STEPS - 1);
	return tag(
		"planningProblem",
		stateOf("initialState", at(0), 0) + tag("goalState", tag("time", time)),
		{ id: PROBLEM },
	);
}

/** Returns the text of a scenario's file. */
export function commonroadXml() {
	const [ego, ...others] = tracks();
	return `<?xml version="1.0" encoding="UTF-8"?>\n${tag(
		"commonRoad",
		tag("scenarioTags", "<urban/><intersection/>") +
			all(lanes(), laneletOf) +
			all(crossings(), crosswalkOf) +
			all(entries(), lightOf) +
			all(others, obstacleOf) +
			problemOf(ego),
		{
			commonRoadVersion: "2020a",
			benchmarkID: "ZAM_Example-1_1_T-1",
			author: "bevscope",
			affiliation: "bevscope",
			source: "made up",
			date: "2026-01-01",
			timeStepSize: 0.1,
		},
	)}`;
}
