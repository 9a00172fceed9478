import { beforeAll, describe, expect, it, vi } from "vitest";
import type { LaneBoundaries, MapView } from "../../../src/dataset/map-view.js";
import { laneMarks, sectionsOf } from "../../../src/elements/draw/lane-marks.js";
import { laneSignal } from "../../../src/elements/draw/lane-signals.js";
import {
	between,
	cut,
	lengthOf,
	pointAt,
} from "../../../src/elements/draw/map-lines.js";
import { mapShapes } from "../../../src/elements/draw/map-shapes.js";
import { gridStep } from "../../../src/elements/draw/paint-grid.js";
import { roadDetail, zebraRings } from "../../../src/elements/draw/road-detail.js";

class Path {
	addPath() {}
	moveTo() {}
	lineTo() {}
	closePath() {}
}

beforeAll(() => {
	vi.stubGlobal("Path2D", Path);
});

type Line = readonly number[];

/** A lane from the left to the right of 4 m width at `y`, or any boundaries. */
interface LaneSpec {
	readonly left: Line;
	readonly right: Line;
	readonly kinds?: readonly [left: number, right: number];
	readonly inJunction?: boolean;
	readonly stop?: Line;
}

function packed(lines: readonly Line[]) {
	const offsets = [0];
	for (const line of lines) offsets.push((offsets.at(-1) ?? 0) + line.length / 2);
	return {
		points: Float64Array.from(lines.flat()),
		offsets: Uint32Array.from(offsets),
	};
}

function side(lines: readonly Line[], kinds: readonly number[]): LaneBoundaries {
	return {
		...packed(lines),
		z: new Float64Array(0),
		divider: Uint8Array.from(kinds),
		dividers: Uint8Array.from(kinds),
		dividers_first: Uint32Array.from([...kinds.keys(), kinds.length]),
		changes_cm: new Int32Array(0),
		changes_first: new Uint32Array(kinds.length + 1),
	};
}

const NO_LINE = Array<number>(4).fill(Number.NaN);

function mapOf(specs: readonly LaneSpec[]): MapView {
	const kinds = (k: 0 | 1) => specs.map((spec) => spec.kinds?.[k] ?? 0);
	const zeros = new Uint8Array(specs.length);
	return {
		lanes: {
			length: specs.length,
			left: side(
				specs.map(({ left }) => left),
				kinds(0),
			),
			right: side(
				specs.map(({ right }) => right),
				kinds(1),
			),
			in_junction: Uint8Array.from(specs, ({ inJunction }) => (inJunction ? 1 : 0)),
			stop_line: Float64Array.from(specs.flatMap(({ stop = NO_LINE }) => stop)),
			orientation: zeros,
			can_have_parked_cars: zeros,
		},
		crosswalks: { length: 0, ...packed([]) },
		bounds: Float64Array.of(0, 0, 0, 0),
	} as unknown as MapView;
}

const row = (y: number, from: number, to: number): Line => [from, y, to, y];
const [UPPER, LOWER]: [LaneSpec, LaneSpec] = [
	{ left: row(8, 0, 90), right: row(4, 0, 90) },
	{ left: row(4, 0, 90), right: row(0, 0, 90) },
];

describe("painted lines", () => {
	it("are dashed between lanes of one direction, solid at the edges", () => {
		const { solid, dashed, double } = laneMarks(mapOf([UPPER, LOWER]), [0, 1]);
		expect([...solid.points]).toEqual([...row(8, 0, 90), ...row(0, 0, 90)]);
		expect(double.points).toHaveLength(0);
		// Once for both lanes: 3 m of every 9 m.
		expect([...dashed.points.subarray(0, 8)]).toEqual([
			...row(4, 0, 3),
			...row(4, 9, 12),
		]);
		expect(dashed.offsets).toHaveLength(11);
	});

	it("are solid between lanes of opposite directions", () => {
		const other = { left: row(4, 90, 0), right: row(8, 90, 0) };
		const { solid, dashed } = laneMarks(mapOf([LOWER, other]), [0, 1]);
		expect(dashed.points).toHaveLength(0);
		expect(solid.offsets).toHaveLength(4);
	});

	it("have the map's line kinds", () => {
		const kinds = [6, 12] as const;
		const map = mapOf([
			{ ...UPPER, kinds },
			{ ...LOWER, inJunction: true },
		]);
		const { double, solid, dashed } = laneMarks(map, [0, 1]);
		expect([...double.points]).toEqual([...row(8, 0, 90)]);
		expect([...solid.points]).toEqual([...row(4, 0, 90)]);
		expect(dashed.points).toHaveLength(0);
	});

	it("change their kind where the map says so", () => {
		const changing = {
			...side([row(0, 0, 90)], [0]),
			dividers: Uint8Array.of(5, 3),
			dividers_first: Uint32Array.of(0, 2),
			changes_cm: Int32Array.of(2000),
			changes_first: Uint32Array.of(0, 1),
		};
		expect(sectionsOf(changing, 0)).toEqual([
			{ from: 0, to: 20, kind: 5 },
			{ from: 20, to: Number.POSITIVE_INFINITY, kind: 3 },
		]);
	});
});

describe("a road's detail", () => {
	it("has chevrons every 30 m outside, and centre lines inside junctions", () => {
		const map = mapOf([UPPER, { ...LOWER, inJunction: true }]);
		const [tile] = mapShapes(map).tiles;
		if (!tile) throw new Error("no tile");
		const detail = roadDetail(map, tile);
		expect(detail.chevrons.rings.map((ring) => ring[0])).toEqual([15, 45, 75]);
		expect([...detail.guides.points.subarray(0, 2)]).toEqual([0, 2]);
		expect(roadDetail(map, tile)).toBe(detail);
	});

	it("has bars across the longer side of a crosswalk", () => {
		const bars = zebraRings(Float64Array.of(0, 0, 12, 0, 12, 4, 0, 4));
		expect(bars).toHaveLength(10);
		for (const [x0 = 0, y0, x1 = 0, , , y2] of bars) {
			expect([y0, y2]).toEqual([0, 4]);
			expect(x1 - x0).toBeCloseTo(0.6);
		}
	});
});

describe("a light", () => {
	const approach: LaneSpec = {
		left: row(4, 0, 60),
		right: row(0, 0, 60),
		stop: [60, 4, 60, 0],
	};
	const ahead: LaneSpec = {
		left: row(4, 60, 90),
		right: row(0, 60, 90),
		inJunction: true,
	};

	it("colours the last metres of an approach, and its stop line", () => {
		const { approach: area, stop, way } = laneSignal(mapOf([approach]), 0);
		const xs = [...(area?.rings[0] ?? [])].filter((_, k) => k % 2 === 0);
		expect([Math.min(...xs), Math.max(...xs)]).toEqual([36, 60]);
		expect([...(stop?.points ?? [])]).toEqual([60, 4, 60, 0]);
		expect(way).toBeUndefined();
	});

	it("gives a junction lane an arrow, and its part of the stop line, if any", () => {
		const map = mapOf([approach, ahead, { ...ahead, stop: [60, 4, 60, 2] }]);
		const signal = laneSignal(map, 1);
		expect(signal.stop).toBeUndefined();
		expect(signal.approach).toBeUndefined();
		expect([...(signal.way?.points.subarray(0, 2) ?? [])]).toEqual([60, 2]);
		expect(signal.head?.rings[0]).toContain(90);
		expect([...(laneSignal(map, 2).stop?.points ?? [])]).toEqual([60, 4, 60, 2]);
	});
});

describe("lines", () => {
	const bent = [0, 0, 10, 0, 10, 10];

	it("are cut by distance", () => {
		expect(cut(bent, 8, 13)).toEqual([8, 0, 10, 0, 10, 3]);
		expect(cut(bent, 30, 40)).toEqual([]);
		expect(lengthOf(bent)).toBe(20);
		expect(pointAt(bent, 13)).toEqual([10, 3, 0, 1]);
		expect(pointAt(bent, 99)[2]).toBe(0);
	});

	it("have a line between them", () => {
		expect(between([0, 4, 10, 4], [0, 0, 10, 0])).toEqual([0, 2, 10, 2]);
		expect(between([0, 4], [0, 0, 10, 0])).toEqual([]);
	});
});

describe("a grid", () => {
	it("has lines 1, 2 or 5 times a power of ten metres apart, at least 48 pixels", () => {
		expect(gridStep(5)).toBe(10);
		expect(gridStep(1)).toBe(50);
		expect(gridStep(0.3)).toBe(200);
		expect(gridStep(60)).toBe(1);
	});
});
