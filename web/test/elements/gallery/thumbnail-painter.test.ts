import { describe, expect, it } from "vitest";
import {
	THUMBNAIL,
	viewAround,
} from "../../../src/elements/gallery/thumbnail-painter.js";
import { screenFromWorld } from "../../../src/elements/scene-view/camera.js";

const { width, height } = THUMBNAIL;
const pose = { x: 100, y: -50, yaw: 2 };

/** World points at distances ahead and to the left of the pose. */
function world(
	...points: readonly (readonly [ahead: number, left: number])[]
): number[] {
	const [cos, sin] = [Math.cos(pose.yaw), Math.sin(pose.yaw)];
	return points.flatMap(([a, l]) => [
		pose.x + cos * a - sin * l,
		pose.y + sin * a + cos * l,
	]);
}

describe("gallery/thumbnail-painter", () => {
	it("is 16 : 9; its agent heads to the right, from the left third on", () => {
		expect(width / height).toBeCloseTo(16 / 9);
		const view = viewAround(pose, []);
		const at = screenFromWorld(view, pose.x, pose.y);
		expect([at.x, at.y]).toEqual([
			expect.closeTo(0.35 * width, 6),
			expect.closeTo(height / 2, 6),
		]);
		const [x = 0, y = 0] = world([10, 0]);
		const ahead = screenFromWorld(view, x, y);
		expect([ahead.x - at.x, ahead.y - at.y]).toEqual([
			expect.closeTo(10 * view.pixelsPerMetre, 6),
			expect.closeTo(0, 6),
		]);
	});

	it("contains all points, near or far, ahead, aside or behind", () => {
		for (const far of [1, 20, 60, 100]) {
			for (const points of [
				world([far, 0]),
				world([far / 3, far / 3]),
				world([far, -far / 4], [-far / 3, far / 4]),
			]) {
				const view = viewAround(pose, points);
				for (let k = 0; k < points.length; k += 2) {
					const { x, y } = screenFromWorld(view, points[k] ?? 0, points[k + 1] ?? 0);
					expect([x > 0, y > 0, x < width, y < height]).not.toContain(false);
				}
				expect(width / view.pixelsPerMetre).toBeLessThanOrEqual(240);
			}
		}
	});

	it("is near to what moves little, and unknown points change nothing", () => {
		const across = (points: readonly number[]) =>
			width / viewAround(pose, points).pixelsPerMetre;
		expect(across(world([3, 0]))).toBeCloseTo(26);
		expect(across(world([30, 0]))).toBeCloseTo(51);
		expect(across([...world([3, 0]), Number.NaN, 0])).toBeCloseTo(26);
	});
});
