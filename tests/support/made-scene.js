// A synthetic scene of L5Kit's size, for pages: 300 lanes of 20 points, 40 crosswalks, an active
// face, 248 frames of 100 agents with trails of 20. Served, not bundled.

const LANES = 300;
const LANE_POINTS = 20;
const AGENTS = 100;
export const FRAMES = 248;
const TRAIL = 20;
const START = 1_570_735_440_000_000_000n;

/** Returns a grid of curved lanes, 3.6 m wide and 25 m long, all of which are visible at once. */
function laneSides(lane) {
	const [column, row] = [lane % 20, Math.floor(lane / 20)];
	const turned = lane % 2 === 1;
	const side = (offset) =>
		Array.from({ length: LANE_POINTS }, (_, k) => {
			const along = (25 * k) / (LANE_POINTS - 1);
			const aside = offset + 2 * Math.sin(along / 9);
			const [x, y] = turned ? [aside, along] : [along, aside];
			return [x + column * 11 - 110, y + row * 11 - 82];
		});
	return [side(1.8), side(-1.8)];
}

function packed(lines) {
	const offsets = Uint32Array.of(
		0,
		...lines.map(
			(
				(sum) => (line) =>
					(sum += line.length)
			)(0),
		),
	);
	return { points: Float64Array.from(lines.flat(2)), offsets };
}

/** Returns one side of the lanes, without line kinds. */
function boundary(lines) {
	const none = new Uint32Array(lines.length + 1);
	const kinds = { dividers: new Uint8Array(0), dividers_first: none };
	return {
		...packed(lines),
		...kinds,
		changes_cm: new Int32Array(0),
		changes_first: none,
	};
}

function map() {
	const sides = Array.from({ length: LANES }, (_, lane) => laneSides(lane));
	const crosswalks = Array.from({ length: 40 }, (_, i) => {
		const [x, y] = [(i % 8) * 26 - 104, Math.floor(i / 8) * 32 - 80];
		return [
			[x, y],
			[x + 4, y],
			[x + 4, y + 12],
			[x, y + 12],
		];
	});
	const release = () => {};
	return {
		lanes: {
			length: LANES,
			id: sides.map((_, i) => `lane-${i}`),
			left: boundary(sides.map(([left]) => left)),
			right: boundary(sides.map(([, right]) => right)),
			centre: packed(sides.map(() => [])),
			controls: [],
			controls_first: new Uint32Array(LANES + 1),
			in_junction: Uint8Array.from(sides, (_, i) => (i % 7 === 0 ? 1 : 0)),
			ahead: new Uint32Array(0),
			ahead_first: new Uint32Array(LANES + 1),
			adjacent_left: new Int32Array(LANES).fill(-1),
			adjacent_right: new Int32Array(LANES).fill(-1),
			speed_limit: new Float32Array(LANES).fill(Number.NaN),
			turn: new Uint8Array(LANES),
			access: new Uint8Array(LANES),
			orientation: new Uint8Array(LANES),
			can_have_parked_cars: new Uint8Array(LANES),
			stop_line: Float64Array.from(
				sides.flatMap((both, i) =>
					both.flatMap((side) => side.at(i % 7 === 0 ? 0 : -1)),
				),
			),
		},
		crosswalks: {
			length: 40,
			id: crosswalks.map((_, i) => `c${i}`),
			...packed(crosswalks),
		},
		lights: {
			length: 0,
			id: [],
			position: new Float64Array(0),
			from_deg: new Float32Array(0),
			movements: new Uint8Array(0),
		},
		faces: { length: 1, id: ["f"], colour: Uint8Array.of(1) },
		bounds: Float64Array.of(-110, -110, 110, 110),
		// All rows: queries by bounding box may return false positives.
		lanesNear: async () => Uint32Array.from(sides.keys()),
		crosswalksNear: async () => Uint32Array.from(crosswalks.keys()),
		geodetic: async (x, y) => ({ latitude: y / 1e5, longitude: x / 1e5, altitude: 0 }),
		laneColours: async () => Uint8Array.from(sides, (_, i) => (i % 5 === 0 ? 3 : 0)),
		release,
		[Symbol.dispose ?? Symbol("dispose")]: release,
	};
}

/** Agents move on rings around the ego; one in ten walks, one in ten cycles. */
function place(agent, frame) {
	const radius = 10 + (agent % 25) * 3;
	const phase = agent * 2.399 + (frame * 0.8) / radius;
	const ego = frame * 0.4 - 50;
	return [
		ego + radius * Math.cos(phase),
		radius * Math.sin(phase),
		phase + Math.PI / 2,
	];
}

function corners([x, y, yaw], length, width) {
	const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
	return [
		[length, width],
		[-length, width],
		[-length, -width],
		[length, -width],
	].flatMap(([a, b]) => [x + (c * a - s * b) / 2, y + (s * a + c * b) / 2]);
}

const timeOf = (frame) => START + BigInt(frame) * 100_000_000n;

/**
 * Returns predictions for all agents in every tenth frame: 3 modes of 50 steps, which
 * leave the ring by `off` metres per second.
 */
export function predictions(off) {
	const [modes, steps] = [3, 50];
	const rows = Array.from({ length: Math.ceil(FRAMES / 10) * AGENTS }, (_, i) => i);
	const frameOf = (row) => Math.floor(row / AGENTS) * 10;
	const coords = rows.flatMap((row) => {
		const frame = frameOf(row);
		const [x, y] = place(row % AGENTS, frame);
		return Array.from({ length: modes * steps }, (_, i) => {
			const [mode, step] = [Math.floor(i / steps), (i % steps) + 1];
			const [toX, toY] = place(row % AGENTS, frame + step);
			return [toX - x + off * (mode - 1) * step * 0.1, toY - y + off * step * 0.1];
		}).flat();
	});
	return {
		timestamps: BigInt64Array.from(rows, (row) => timeOf(frameOf(row))),
		track_ids: BigInt64Array.from(rows, (row) => BigInt((row % AGENTS) + 1)),
		confidences: Float64Array.from(rows.flatMap(() => [0.25, 0.5, 0.25])),
		coords: Float64Array.from(coords),
	};
}

function frameView(scene, frame, { past = 0, future = 0 }) {
	const agents = Array.from({ length: AGENTS }, (_, i) => i);
	const at = agents.map((i) => place(i, frame));
	const ego = (f) => [f * 0.4 - 50, 0];
	const back = Math.min(TRAIL, past, frame);
	const ahead = Math.min(future, FRAMES - 1 - frame);
	const line = (of, count, step) =>
		Array.from({ length: count + 1 }, (_, k) => of(frame + step * k).slice(0, 2));
	const kind = (i) => (i % 10 === 0 ? 2 : i % 10 === 5 ? 1 : 0);
	const release = () => {};
	const f4 = (of) => Float32Array.from(agents, of);
	return {
		scene,
		frame,
		index: frame,
		timestamp: timeOf(frame),
		ego: {
			centroid: Float64Array.from(ego(frame)),
			translation: Float64Array.of(...ego(frame), 0),
			rotation: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
			yaw: frame / 60,
			speed: 6 + Math.sin(frame / 15),
			corners: Float64Array.from(corners([...ego(frame), frame / 60], 4.87, 1.85)),
			trail: Float64Array.from(line(ego, back, -1).flat()),
			future: Float64Array.from(line(ego, ahead, 1).flat()),
		},
		agents: {
			length: AGENTS,
			row: BigInt64Array.from(agents, (i) => BigInt(frame * AGENTS + i)),
			track_id: BigUint64Array.from(agents, (i) => BigInt(i + 1)),
			centroid: Float64Array.from(at.flatMap((p) => p.slice(0, 2))),
			corners: Float64Array.from(
				at.flatMap((p, i) =>
					kind(i) === 0 ? corners(p, 4.6, 1.9) : corners(p, 1, 0.8),
				),
			),
			yaw: f4((i) => at[i][2]),
			extent: Float32Array.from(agents.flatMap(() => [4.6, 1.9, 1.6])),
			velocity: new Float32Array(2 * AGENTS),
			speed: f4(() => 8),
			label: Uint8Array.from(agents, (i) => [3, 12, 14][kind(i)]),
			class: Uint8Array.from(agents, kind),
			probability: f4(() => 0.95),
			known_probability: f4(() => 0.97),
			kept: new Uint8Array(AGENTS).fill(1),
			distance: f4((i) => 10 + (i % 25) * 3),
			label_probabilities: new Float32Array(17 * AGENTS),
		},
		trails: packed(agents.map((i) => line((f) => place(i, f), back, -1))),
		futures: packed(agents.map((i) => line((f) => place(i, f), ahead, 1))),
		lights: {
			length: 1,
			face_id: ["f"],
			traffic_light_id: ["t"],
			state: Uint8Array.of(0),
			status: new Float32Array(3),
		},
		release,
		[Symbol.dispose ?? Symbol("dispose")]: release,
	};
}

/** Returns the motion of the ego, or of a track that is always visible. */
function motion(speed, yaw) {
	const of = (value) => Float64Array.from({ length: FRAMES }, (_, k) => value(k));
	const still = of(() => 0);
	return { speed: of(speed), acceleration: still, yaw: of(yaw), yaw_rate: still };
}

function timeline(scene, track) {
	const ego = motion(
		(k) => 6 + Math.sin(k / 15),
		(k) => k / 60,
	);
	const other = motion(
		() => 8,
		() => 0,
	);
	const faces = [{ id: "f", frame: 0 }];
	const of = track === undefined ? undefined : other;
	const runs = {
		length: 1,
		light: Uint32Array.of(0),
		begin: Uint32Array.of(0),
		end: Uint32Array.of(FRAMES),
		state: Uint8Array.of(0),
		active_offset: Uint32Array.of(0, 1),
		active_face: Uint32Array.of(0),
	};
	const lights = { id: ["t"], runs };
	return { scene, of: track, ego, track: of, anomalies: [], faces, lights };
}

/** Returns the argument of `viewer.show`. */
export function opened() {
	const table = (length, columns) => ({
		length,
		rows: async (begin, end) => ({
			length: end - begin,
			column: (name) => ({ data: columns(begin, end)[name] ?? [] }),
			strings: () => ["bench"],
		}),
	});
	const scenes = () => ({
		frame_index_interval: [0n, BigInt(FRAMES)],
		start_time: [START],
	});
	const frames = (begin, end) => {
		const shown = Array.from({ length: end - begin }, (_, k) => begin + k);
		return {
			timestamp: BigInt64Array.from(shown, timeOf),
			agent_index_interval: BigInt64Array.from(
				shown.flatMap((frame) => [frame, frame + 1]),
				(frame) => BigInt(frame * AGENTS),
			),
			ego_translation: Float64Array.from(shown.flatMap((f) => [f * 0.4 - 50, 0, 0])),
		};
	};
	const agents = (begin, end) => {
		const rows = Array.from({ length: end - begin }, (_, k) => begin + k);
		const at = (row) => place(row % AGENTS, Math.floor(row / AGENTS)).slice(0, 2);
		return {
			track_id: BigUint64Array.from(rows, (row) => BigInt((row % AGENTS) + 1)),
			centroid: Float64Array.from(rows.flatMap(at)),
			label_probabilities: new Float32Array(17 * rows.length),
		};
	};
	const dataset = {
		labels: Array.from({ length: 17 }, (_, i) => `PERCEPTION_LABEL_L${i}`),
		stats: { bytes: 0, requests: 0, absentChunks: [] },
		scenes: table(1, scenes),
		frames: table(FRAMES, frames),
		agents: table(FRAMES * AGENTS, agents),
		frame: async (scene, frame, options = {}) => frameView(scene, frame, options),
		timeline: async (scene, { track } = {}) => timeline(scene, track),
		onStats: () => () => {},
		close() {},
	};
	return { dataset, findMap: async () => map() };
}
