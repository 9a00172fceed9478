import { describe, expect, it } from "vitest";
import {
	byDistance,
	distanceToBox,
	picked,
} from "../../../src/elements/scene-view/picking.js";
import { fakeFrame } from "../../support/fake-dataset.js";
import { withoutEgo } from "../../support/virtual-ego.js";

const square = Float64Array.of(1, 1, -1, 1, -1, -1, 1, -1);
const frame = fakeFrame(0, 10, 12);
const visibility = new Uint8Array(12).fill(1);
const at = (i: number) => ({
	x: frame.agents.centroid[2 * i] ?? 0,
	y: frame.agents.centroid[2 * i + 1] ?? 0,
});

describe("picking", () => {
	it("measures from the box's edge, 0 inside", () => {
		expect(distanceToBox(square, 0, { x: 0.9, y: -0.9 })).toBe(0);
		expect(distanceToBox(square, 0, { x: 3, y: 0 })).toBe(2);
		expect(distanceToBox(square, 0, { x: 4, y: 5 })).toBe(5);
	});

	it("returns the agent whose box contains the point", () => {
		for (let i = 0; i < 12; i += 1) {
			expect(picked({ frame, visibility, ego: true }, at(i), 0)).toBe(BigInt(i + 1));
		}
	});

	it("returns the ego unless its layer is off", () => {
		const [x = 0, y = 0] = frame.ego.centroid;
		expect(picked({ frame, visibility, ego: true }, { x, y }, 0)).toBe("ego");
		expect(picked({ frame, visibility, ego: false }, { x, y }, 0)).toBeUndefined();
	});

	it("finds no ego vehicle where there is none", () => {
		const without = withoutEgo(frame);
		for (const p of [at(0), { x: 0, y: 0 }, { x: 1e4, y: 1e4 }]) {
			expect(picked({ frame: without, visibility, ego: true }, p, 5)).not.toBe("ego");
		}
		expect(byDistance({ frame: without, visibility, ego: true })).toHaveLength(12);
	});

	it("ignores hidden agents and those beyond the tolerance", () => {
		const hidden = visibility.slice();
		hidden[3] = 0;
		expect(
			picked({ frame, visibility: hidden, ego: true }, at(3), 0.1),
		).toBeUndefined();
		const far = { x: 500, y: 500 };
		expect(picked({ frame, visibility, ego: true }, far, 10)).toBeUndefined();
	});

	it("moves between agents by distance to the ego", () => {
		const tracks = byDistance({ frame, visibility, ego: true });
		const distances = tracks.map((t) => frame.agents.distance[Number(t) - 1] ?? 0);
		expect(tracks).toHaveLength(12);
		expect(distances).toEqual([...distances].sort((a, b) => a - b));
	});
});
