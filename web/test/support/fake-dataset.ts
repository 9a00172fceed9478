import type { FrameOptions } from "../../src/api.js";
import type { FrameView, Polylines } from "../../src/dataset/frame-view.js";
import type { MapView } from "../../src/dataset/map-view.js";
import type {
	Opened,
	RowColumns,
	ViewerDataset,
} from "../../src/elements/session/dataset.js";
import { fakeTimeline } from "./fake-timeline.js";

/**
 * Options of a data set with agents on circles: vehicles, a cyclist, a pedestrian and
 * others.
 */
export interface FakeOptions {
	readonly scenes?: number;
	readonly frames?: number;
	readonly agents?: number;
	/** Called before a frame is returned, to delay it or to make it fail. */
	readonly beforeFrame?: (frame: number, asked: FrameOptions) => Promise<void>;
	readonly map?: MapView | undefined;
}

const LABELS = ["NOT_SET", "UNKNOWN", "DONTCARE", "CAR", "VAN", "TRAM", "BUS", "TRUCK"]
	.concat(["EMERGENCY_VEHICLE", "OTHER_VEHICLE", "BICYCLE", "MOTORCYCLE", "CYCLIST"])
	.concat(["MOTORCYCLIST", "PEDESTRIAN", "ANIMAL"])
	.map((name) => `PERCEPTION_LABEL_${name}`)
	.concat("AVRESEARCH_LABEL_DONTCARE");
const STEP_S = 0.1;
const START = 1_570_735_440_000_000_000n;

interface Kind {
	readonly label: number;
	readonly class: number;
	readonly size: readonly [number, number, number];
	readonly pace: number;
}

const KINDS: readonly Kind[] = [
	{ label: 3, class: 0, size: [4.6, 1.9, 1.6], pace: 8 },
	{ label: 3, class: 0, size: [4.9, 2, 1.7], pace: 11 },
	{ label: 7, class: 0, size: [8.4, 2.5, 3], pace: 7 },
	{ label: 12, class: 1, size: [1.8, 0.6, 1.7], pace: 5 },
	{ label: 14, class: 2, size: [0.7, 0.7, 1.8], pace: 1.4 },
	{ label: 1, class: 3, size: [1.5, 1.2, 1], pace: 0 },
];

interface At {
	readonly x: number;
	readonly y: number;
	readonly yaw: number;
}

function kindOf(i: number): Kind {
	return KINDS[i % KINDS.length] as Kind;
}

function place(i: number, frame: number): At {
	const { pace } = kindOf(i);
	const radius = 18 + 9 * (i % 6);
	const phase = i * 2.399 + (pace * STEP_S * frame) / radius;
	return {
		x: radius * Math.cos(phase),
		y: radius * Math.sin(phase),
		yaw: phase + Math.PI / 2,
	};
}

function egoPlace(frame: number): At {
	return {
		x: 0.9 * frame * STEP_S * 3,
		y: 3 * Math.sin(frame / 60),
		yaw: 0.05 * Math.cos(frame / 60),
	};
}

function corners({ x, y, yaw }: At, length: number, width: number): number[] {
	const [cos, sin] = [Math.cos(yaw), Math.sin(yaw)];
	const sides = [
		[1, 1],
		[-1, 1],
		[-1, -1],
		[1, -1],
	] as const;
	return sides.flatMap(([a, b]) => {
		const [dx, dy] = [(a * length) / 2, (b * width) / 2];
		return [x + cos * dx - sin * dy, y + sin * dx + cos * dy];
	});
}

function polylines(lines: readonly (readonly At[])[]): Polylines {
	const offsets = [0];
	for (const line of lines) offsets.push((offsets.at(-1) ?? 0) + line.length);
	const points = lines.flatMap((line) => line.flatMap(({ x, y }) => [x, y]));
	return { points: Float64Array.from(points), offsets: Uint32Array.from(offsets) };
}

function times(begin: number, count: number, of: (frame: number) => At): At[] {
	return Array.from({ length: Math.max(0, count) }, (_, k) => of(begin + k));
}

/** Returns frame `frame` of the synthetic scene. */
export function fakeFrame(
	scene: number,
	frame: number,
	agents: number,
	{ past = 25, future = 0, threshold = 0.5 }: FrameOptions = {},
): FrameView {
	const rows = Array.from({ length: agents }, (_, i) => i);
	const at = rows.map((i) => place(i, frame));
	const ego = egoPlace(frame);
	const probability = rows.map((i) => (i % 5 === 4 ? 0.42 : 0.97));
	const back = (of: (f: number) => At) =>
		times(frame - Math.min(past, frame), Math.min(past, frame) + 1, of).reverse();
	const flat = (points: readonly At[]) =>
		Float64Array.from(points.flatMap(({ x, y }) => [x, y]));
	const view: FrameView = {
		scene,
		frame,
		index: scene * 1000 + frame,
		timestamp: START + BigInt(frame) * 100_000_000n,
		ego: {
			is_virtual: false,
			centroid: Float64Array.of(ego.x, ego.y),
			translation: Float64Array.of(ego.x, ego.y, 1.5),
			rotation: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
			yaw: ego.yaw,
			speed: frame === 0 ? Number.NaN : 2.7 + Math.sin(frame / 20),
			corners: Float64Array.from(corners(ego, 4.87, 1.85)),
			trail: flat(back(egoPlace)),
			future: flat(times(frame, future + 1, egoPlace)),
		},
		agents: {
			length: agents,
			row: BigInt64Array.from(rows, (i) => BigInt(frame * agents + i)),
			track_id: BigUint64Array.from(rows, (i) => BigInt(i + 1)),
			centroid: flat(at),
			corners: Float64Array.from(
				at.flatMap((p, i) => corners(p, kindOf(i).size[0], kindOf(i).size[1])),
			),
			yaw: Float32Array.from(at, ({ yaw }) => yaw),
			extent: Float32Array.from(rows.flatMap((i) => kindOf(i).size)),
			velocity: Float32Array.from(
				at.flatMap(({ yaw }, i) => [
					Math.cos(yaw) * kindOf(i).pace,
					Math.sin(yaw) * kindOf(i).pace,
				]),
			),
			speed: Float32Array.from(rows, (i) =>
				frame === 0 ? Number.NaN : kindOf(i).pace,
			),
			label: Uint8Array.from(rows, (i) => kindOf(i).label),
			class: Uint8Array.from(rows, (i) => kindOf(i).class),
			probability: Float32Array.from(probability),
			known_probability: Float32Array.from(probability),
			kept: Uint8Array.from(probability, (p) => (p > threshold ? 1 : 0)),
			distance: Float32Array.from(at, ({ x, y }) => Math.hypot(x - ego.x, y - ego.y)),
			label_probabilities: Float32Array.from(
				rows.flatMap((i) =>
					LABELS.map((_, k) =>
						k === kindOf(i).label
							? (probability[i] ?? 0)
							: k === 1
								? 1 - (probability[i] ?? 0)
								: 0,
					),
				),
			),
		},
		trails: polylines(rows.map((i) => back((f) => place(i, f)))),
		futures: polylines(rows.map((i) => times(frame, future + 1, (f) => place(i, f)))),
		lights: {
			length: 3,
			face_id: ["f-red", "f-green", "g-red"],
			traffic_light_id: ["light-1", "light-1", "light-2"],
			state: frame % 80 < 40 ? Uint8Array.of(0, 1, 1) : Uint8Array.of(1, 0, 0),
			status: new Float32Array(9),
		},
		release() {},
		[Symbol.dispose]() {},
	};
	return view;
}

function line(points: readonly (readonly [number, number])[]): At[] {
	return points.map(([x, y]) => ({ x, y, yaw: 0 }));
}

function boundaries(lines: readonly At[][]): MapView["lanes"]["left"] {
	return {
		...polylines(lines),
		z: new Float64Array(lines.flat().length),
		divider: new Uint8Array(lines.length),
		dividers: new Uint8Array(0),
		dividers_first: new Uint32Array(lines.length + 1),
		changes_cm: new Int32Array(0),
		changes_first: new Uint32Array(lines.length + 1),
	};
}

/** Returns two crossing roads of two lanes each, with crosswalks and two lights. */
export function fakeMap(): MapView {
	const lane = (offset: number, along: boolean): [At[], At[]] => {
		const side = (at: number): At[] =>
			line([-120, -60, -8, 8, 60, 120].map((s) => (along ? [s, at] : [at, s])));
		return [side(offset + 1.8), side(offset - 1.8)];
	};
	const lanes = [
		lane(1.8, true),
		lane(-1.8, true),
		lane(1.8, false),
		lane(-1.8, false),
	];
	const crosswalk = (x: number): At[] =>
		line([
			[x, -4],
			[x + 3, -4],
			[x + 3, 4],
			[x, 4],
		]);
	const crosswalks = [crosswalk(8), crosswalk(-11)];
	return {
		lanes: {
			length: lanes.length,
			id: lanes.map((_, i) => `lane-${i}`),
			left: boundaries(lanes.map(([left]) => left)),
			right: boundaries(lanes.map(([, right]) => right)),
			centre: { ...polylines(lanes.map(() => [])), z: new Float64Array(0) },
			controls: ["f-red", "f-green", "f-red", "f-green", "g-red", "g-red"],
			controls_first: Uint32Array.of(0, 2, 4, 5, 6),
			in_junction: Uint8Array.of(0, 0, 0, 1),
			ahead: new Uint32Array(0),
			ahead_first: new Uint32Array(5),
			adjacent_left: new Int32Array(4).fill(-1),
			adjacent_right: new Int32Array(4).fill(-1),
			junction: new Int32Array(4).fill(-1),
			segment: new Int32Array(4).fill(-1),
			speed_limit: new Float32Array(4).fill(Number.NaN),
			turn: new Uint8Array(4),
			access: new Uint8Array(4),
			orientation: new Uint8Array(4),
			can_have_parked_cars: new Uint8Array(4),
			stop_line: Float64Array.from(
				lanes.flatMap((sides, i) =>
					sides.flatMap((side) => {
						const end = side.at(i === 3 ? 0 : -1);
						return end ? [end.x, end.y] : [];
					}),
				),
			),
		},
		crosswalks: {
			length: 2,
			id: ["c-0", "c-1"],
			z: new Float64Array(8),
			...polylines(crosswalks),
		},
		lights: {
			length: 0,
			id: [],
			position: new Float64Array(0),
			from_deg: new Float32Array(0),
			movements: new Uint8Array(0),
		},
		junctions: {
			length: 0,
			id: [],
			is_intersection: new Uint8Array(0),
			lanes: new Uint32Array(0),
			lanes_first: new Uint32Array(1),
		},
		segments: {
			length: 0,
			id: [],
			speed_limit: new Float32Array(0),
			speed_limit_backward: new Float32Array(0),
		},
		faces: {
			length: 3,
			id: ["f-red", "f-green", "g-red"],
			colour: Uint8Array.of(0, 1, 0),
		},
		bounds: Float64Array.of(-120, -120, 120, 120),
		lanesNear: async () => Uint32Array.of(0),
		crosswalksNear: async () => Uint32Array.of(0),
		laneLines: async () => {
			const none = new Float64Array();
			return { left: none, right: none, mid: none };
		},
		lightFeature: async () => 4,
		geodetic: async () => ({ latitude: 0, longitude: 0, altitude: 0 }),
		laneColours: async (lit) => {
			const red = lit.includes("f-red") ? 1 : lit.includes("f-green") ? 3 : 0;
			const cross = lit.includes("g-red") ? 1 : 0;
			return Uint8Array.of(red, red, cross, cross);
		},
		release: () => {},
		[Symbol.dispose]: () => {},
	};
}

function columns(
	length: number,
	of: Record<string, ArrayLike<number | bigint>>,
	hosts: string[],
): RowColumns {
	return {
		length,
		column: (name) => ({ data: of[name] ?? [] }),
		strings: () => hosts,
	};
}

/**
 * A data set with a few dozen agents on circles, complete enough for the viewer; `reads`
 * are those of whole frames.
 */
export function fakeDataset(options: FakeOptions = {}): Opened & { reads: number[] } {
	const { scenes = 3, frames = 120, agents = 42, beforeFrame } = options;
	const reads: number[] = [];
	const dataset: ViewerDataset = {
		labels: LABELS,
		stats: { bytes: 1_900_000, requests: 14, absentChunks: 0 },
		scenes: {
			length: scenes,
			async rows(begin, end) {
				const of = Array.from({ length: end - begin }, (_, k) => begin + k);
				return columns(
					of.length,
					{
						frame_index_interval: of.flatMap((s) => [
							BigInt(s * frames),
							BigInt((s + 1) * frames),
						]),
						start_time: of.map((s) => START + BigInt(s) * 25_000_000_000n),
					},
					of.map((s) => `host-a0${s}`),
				);
			},
		},
		frames: {
			length: scenes * frames,
			async rows(begin, end) {
				const of = Array.from(
					{ length: end - begin },
					(_, k) => START + BigInt(k) * 100_000_000n,
				);
				return columns(of.length, { timestamp: of }, []);
			},
		},
		agents: { length: 0, rows: async () => columns(0, {}, []) },
		async frame(scene, frame, asked = {}) {
			const { agents: withAgents = true, lights = true } = asked;
			if (withAgents && lights) reads.push(frame);
			await beforeFrame?.(frame, asked);
			asked.signal?.throwIfAborted();
			return fakeFrame(scene, frame, agents, asked);
		},
		async timeline(scene, { track, signal } = {}) {
			signal?.throwIfAborted();
			return fakeTimeline(scene, frames, track);
		},
		onStats: () => () => {},
		close() {},
	};
	return { dataset, reads, findMap: async () => options.map };
}
