import { describe, expect, it } from "vitest";
import type { Given, OperationName, Result } from "../../../src/core/core.js";
import type { FrameView } from "../../../src/dataset/frame-view.js";
import type { MapView } from "../../../src/dataset/map-view.js";
import type { Limits } from "../../../src/elements/agents/summary.js";
import { laneArrows, middleOf } from "../../../src/elements/map/lane-lines.js";
import {
	laneAttributes,
	type MapTools,
	objectsNamed,
	tracksOn,
} from "../../../src/elements/map/map-facts.js";
import { fakeFrame, fakeMap } from "../../support/fake-dataset.js";

const NO_LIMITS: Limits = {
	distance: Number.POSITIVE_INFINITY,
	minHistory: 0,
	minFuture: 0,
	trackLengths: undefined,
};

/** The fake map with other columns of its lanes. */
function mapWith(lanes: Partial<MapView["lanes"]>): MapView {
	const map = fakeMap();
	return { ...map, lanes: { ...map.lanes, ...lanes } };
}

function side(...points: number[]): MapView["lanes"]["left"] {
	return {
		...fakeMap().lanes.left,
		points: Float64Array.from(points),
		offsets: Uint32Array.of(0, points.length / 2),
	};
}

/** A frame with these positions; the agents are the tracks 7, 8 .. */
function frameWith({ ego, agents }: { ego: [number, number]; agents: number[] }) {
	const frame = fakeFrame(0, 0, 2);
	return {
		...frame,
		ego: { ...frame.ego, centroid: Float64Array.from(ego) },
		agents: {
			...frame.agents,
			centroid: Float64Array.from(agents),
			track_id: BigUint64Array.from(agents, (_, i) => 7n + BigInt(i)),
		},
	} as unknown as FrameView;
}

/** A core that answers some operations. */
function toolsOf(
	answers: {
		readonly [Name in OperationName]?: (given: Given<Name>) => Result<Name>;
	},
): MapTools {
	return {
		run: (name, given) => {
			const answer = answers[name];
			if (answer) return answer(given);
			throw new Error(`${name}: not expected`);
		},
	};
}

describe("facts of the map", () => {
	it("the core is asked about the lines of the lane or crosswalk", () => {
		const asked: unknown[] = [];
		const tools = toolsOf({
			points_on_lane: ({ left, right, points }) => {
				asked.push([...left], [...right]);
				return Float64Array.of(points.length > 2 ? 1 : 0);
			},
			points_in_outline: ({ outline }) => {
				asked.push([...outline]);
				return Float64Array.of();
			},
		});
		const line = (...points: number[]) => ({
			...side(...points),
			offsets: Uint32Array.of(0, 1, points.length / 2),
		});
		const map = {
			...mapWith({ left: line(1, 2, 3, 4, 5, 6), right: line(7, 8, 9, 10) }),
			crosswalks: { ...fakeMap().crosswalks, ...line(20, 21, 22, 23) },
		};
		const frame = frameWith({ ego: [0, 1], agents: [2, 3, 4, 5] });
		const seen = { map, frame, limits: NO_LIMITS };
		expect(tracksOn(tools, seen, { kind: "lane", row: 1 })).toEqual({
			tracks: ["ego", 8n],
			filteredOut: 0,
		});
		expect(asked.slice(0, 2)).toEqual([
			[3, 4, 5, 6],
			[9, 10],
		]);
		asked.length = 0;
		expect(tracksOn(tools, seen, { kind: "crosswalk", row: 0 }).tracks).toEqual([]);
		expect(asked[0]).toEqual([20, 21]);
	});

	it("agents that are filtered out are only counted", () => {
		const tools = toolsOf({
			points_on_lane: ({ points }) =>
				points.length > 2 ? Float64Array.of(0, 1, 2) : Float64Array.of(),
		});
		const whole = frameWith({ ego: [0, 1], agents: [2, 3, 4, 5, 6, 7] });
		const agents = {
			...whole.agents,
			kept: Uint8Array.of(0, 1, 1),
			distance: Float64Array.of(1, 2, 99),
		};
		const frame = { ...whole, agents } as unknown as FrameView;
		const lane = { kind: "lane", row: 0 } as const;
		const on = (limits: Limits) =>
			tracksOn(tools, { map: fakeMap(), frame, limits }, lane);
		expect(on(NO_LIMITS)).toEqual({ tracks: [8n, 9n], filteredOut: 1 });
		const near = { ...NO_LIMITS, distance: 50 };
		expect(on(near)).toEqual({ tracks: [8n], filteredOut: 2 });
	});

	it("attributes are words", () => {
		const map = mapWith({
			turn: Uint8Array.of(4),
			access: Uint8Array.of(3),
			orientation: Uint8Array.of(2),
			speed_limit: Float32Array.of(12.5),
			can_have_parked_cars: Uint8Array.of(1),
		});
		expect(laneAttributes(map, 0).map(([, value]) => value)).toEqual([
			"right",
			"bus",
			"one-way forward",
			"12.5 m/s",
			"yes",
		]);
		expect(laneAttributes(fakeMap(), 0)).toContainEqual(["Speed limit", "none"]);
	});

	it("elements are found by a part of their id, equal ids first", () => {
		const map = mapWith({ id: ["x-10", "X-1", "y", "z"] });
		const ids = (text: string) =>
			objectsNamed({ map, timeline: undefined }, text).map(({ id }) => id);
		expect(ids("x-1")).toEqual(["X-1", "x-10"]);
		expect(ids("c-0")).toEqual(["c-0"]);
		expect(ids(" ")).toEqual([]);
		const many = mapWith({ id: Array.from({ length: 99 }, (_, i) => `lane ${i}`) });
		expect(objectsNamed({ map: many, timeline: undefined }, "lane")).toHaveLength(20);
		expect(objectsNamed({ map: undefined, timeline: undefined }, "a")).toEqual([]);
	});

	it("arrows are in the middle of a lane and point in its direction", () => {
		// A lane to the east, 40 m long; the right boundary has more points.
		const map = mapWith({ left: side(0, 4, 40, 4), right: side(0, 0, 4, 0, 40, 0) });
		expect(middleOf(map, 0)).toEqual({ x: 20, y: 2 });
		expect(middleOf(map, 0, 0)).toEqual({ x: 0, y: 2 });
		const arrows = laneArrows(map, 0);
		expect(arrows).toHaveLength(3);
		for (const { points } of arrows) {
			const [x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0] = points;
			expect(y1).toBeCloseTo(2);
			expect(x1 - x0).toBeCloseTo(1.8);
			expect(x0).toBeCloseTo(x2);
			expect(y0 + y2).toBeCloseTo(4);
		}
		const none = mapWith({ left: side(), right: side() });
		expect(middleOf(none, 0)).toBeUndefined();
		expect(laneArrows(none, 0)).toEqual([]);
	});
});
