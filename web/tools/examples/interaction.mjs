// The made-up crossing as a map of Lanelet2, and its traffic as tracks of INTERACTION.
import { crossings, entries, lanes, SIZES, tracks } from "./crossing.mjs";

const CASES = 2;
const STEPS = 40;
const ORIGIN = [1000, 1000];

/** Degrees per metre at latitude and longitude 0, in the zone of UTM there. */
const DEGREES = [8.97435e-6, 9.03483e-6];

/** Lanes whose ends are points of the lanes before and after. */
function joined() {
	const all = lanes();
	const before = new Map(
		all.flatMap((lane) => lane.successors.map((id) => [id, lane])),
	);
	const byId = new Map(all.map((lane) => [lane.id, lane]));
	return all.map((lane) => {
		if (!lane.inJunction) return lane;
		const [from, to] = [before.get(lane.id), byId.get(lane.successors[0])];
		const side = (name) => [from[name].at(-1), ...lane[name].slice(1, -1), to[name][0]];
		return { ...lane, left: side("left"), right: side("right") };
	});
}

/** Collects nodes, ways and relations; a node per centimetre. */
class Osm {
	#nodes = new Map();
	#ways = [];
	#relations = [];

	#tags(tags) {
		return Object.entries(tags).map(([k, v]) => `<tag k="${k}" v="${v}"/>`);
	}

	#node(point) {
		const [x, y] = point.map((one, axis) => one + ORIGIN[axis]);
		const key = `${x.toFixed(2)} ${y.toFixed(2)}`;
		const known = this.#nodes.get(key);
		if (known) return known.id;
		const id = 10_000 + this.#nodes.size;
		const [lon, lat] = [x, y].map((one, axis) => (one * DEGREES[axis]).toFixed(12));
		const text = `<node id="${id}" lat="${lat}" lon="${lon}"/>`;
		this.#nodes.set(key, { id, text });
		return id;
	}

	way(points, tags) {
		const id = 50_000 + this.#ways.length;
		const nodes = points.map((point) => `<nd ref="${this.#node(point)}"/>`);
		this.#ways.push(
			`<way id="${id}">${[...nodes, ...this.#tags(tags)].join("")}</way>`,
		);
		return id;
	}

	relation(id, members, tags) {
		const all = members.map(
			([type, ref, role]) => `<member type="${type}" ref="${ref}" role="${role}"/>`,
		);
		const text = [...all, ...this.#tags(tags)].join("");
		this.#relations.push(`<relation id="${id}">${text}</relation>`);
	}

	text() {
		const nodes = [...this.#nodes.values()].map(({ text }) => text);
		const all = [...nodes, ...this.#ways, ...this.#relations].join("\n");
		return `<?xml version="1.0"?>\n<osm version="0.6">\n${all}\n</osm>\n`;
	}
}

function lanelet(map, id, { left, right, line }, tags, rule) {
	const sides = [
		["way", map.way(left, line), "left"],
		["way", map.way(right, line), "right"],
	];
	const rules = rule === undefined ? [] : [["relation", rule, "regulatory_element"]];
	map.relation(id, [...sides, ...rules], { type: "lanelet", ...tags });
}

/** Returns the map: LOCATION.osm. */
export function interactionMap() {
	const map = new Osm();
	const rules = new Map();
	for (const { arm, lane, end } of entries()) {
		const post = [end, [end[0] + 0.5, end[1]]];
		const light = map.way(post, { type: "traffic_light", subtype: "red_yellow_green" });
		const tags = { type: "regulatory_element", subtype: "traffic_light" };
		map.relation(900 + arm, [["way", light, "refers"]], tags);
		rules.set(lane, 900 + arm);
	}
	for (const { id, left, right, inJunction } of joined()) {
		const line = inJunction
			? { type: "virtual" }
			: { type: "line_thin", subtype: "solid" };
		const turn = inJunction ? { turn_direction: "straight" } : {};
		const tags = { subtype: "road", one_way: "yes", ...turn };
		lanelet(map, id, { left, right, line }, tags, rules.get(id));
	}
	for (const { id, edges } of crossings()) {
		const [left, right] = edges;
		const line = { type: "pedestrian_marking" };
		lanelet(map, id, { left, right, line }, { subtype: "crosswalk" });
	}
	return map.text();
}

function row(which, step, { id, type, at }) {
	const { x, y, heading, velocity } = at((which * STEPS + step) / 10);
	const isCar = type === "vehicle" || type === "bus";
	const place = [x + ORIGIN[0], y + ORIGIN[1], ...velocity];
	const [length, width] = SIZES[type];
	return [
		...[`${which + 1}.0`, id, step + 1, 100 * (step + 1)],
		isCar ? "car" : "pedestrian/bicycle",
		...place.map((one) => one.toFixed(3)),
		...(isCar ? [heading.toFixed(3), length, width] : ["", "", ""]),
	].join(",");
}

/** Returns the tracks: LOCATION_val.csv, with a case per 4 s. */
export function interactionTracks() {
	const rows = [
		"case_id,track_id,frame_id,timestamp_ms,agent_type,x,y,vx,vy,psi_rad,length,width",
	];
	for (let which = 0; which < CASES; which += 1) {
		for (const track of tracks()) {
			for (let step = 0; step < STEPS; step += 1) rows.push(row(which, step, track));
		}
	}
	return `${rows.join("\n")}\n`;
}
