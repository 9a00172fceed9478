import { describe, expect, it } from "vitest";
import {
	PAINTS_AT_ONCE,
	PaintQueue,
} from "../../../src/elements/distributions/repaints.js";

/** A queue, whose animation frames are called by `next`. */
function made() {
	const frames: (() => void)[] = [];
	const queue = new PaintQueue((callback) => frames.push(callback));
	const painted: number[] = [];
	const paints = Array.from({ length: 2 * PAINTS_AT_ONCE + 1 }, (_, i) => () => {
		painted.push(i);
	});
	const next = () => {
		painted.length = 0;
		frames.shift()?.();
		return painted.length;
	};
	return { queue, paints, painted, frames, next };
}

describe("distributions/repaints", () => {
	it("few are painted in each animation frame, in order, until none waits", () => {
		const { queue, paints, painted, frames, next } = made();
		for (const paint of paints) queue.add(paint);
		expect(frames).toHaveLength(1);
		expect(next()).toBe(PAINTS_AT_ONCE);
		expect(painted[0]).toBe(0);
		expect(next()).toBe(PAINTS_AT_ONCE);
		expect(next()).toBe(1);
		expect(painted).toEqual([2 * PAINTS_AT_ONCE]);
		expect(frames).toHaveLength(0);
	});

	it("a paint that is asked for twice is made once; a removed one is not", () => {
		const { queue, paints, painted, next } = made();
		const [first, second] = paints;
		for (const paint of [first, second, first]) if (paint) queue.add(paint);
		if (second) queue.remove(second);
		next();
		expect(painted).toEqual([0]);
	});

	it("what a paint asks for is painted in the next frame", () => {
		const { queue, paints, painted, next } = made();
		const [first] = paints;
		queue.add(() => {
			if (first) queue.add(first);
		});
		expect(next()).toBe(0);
		expect(next()).toBe(1);
		expect(painted).toEqual([0]);
	});
});
