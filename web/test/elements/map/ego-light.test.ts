import { beforeAll, describe, expect, it, vi } from "vitest";
import type { FrameView } from "../../../src/dataset/frame-view.js";
import type { MapView } from "../../../src/dataset/map-view.js";
import { egoLightOf } from "../../../src/elements/map/ego-light.js";

/** A path of one ring, of which only the bounds count. */
class Path {
	readonly points: [number, number][] = [];
	addPath() {}
	moveTo(x: number, y: number) {
		this.points.push([x, y]);
	}
	lineTo(x: number, y: number) {
		this.points.push([x, y]);
	}
	closePath() {}
}

class Canvas {
	getContext() {
		const isPointInPath = ({ points }: Path, x: number, y: number) => {
			const [xs, ys] = [points.map(([px]) => px), points.map(([, py]) => py)];
			const isIn = (all: readonly number[], at: number) =>
				at >= Math.min(...all) && at <= Math.max(...all);
			return isIn(xs, x) && isIn(ys, y);
		};
		return { isPointInPath };
	}
}

beforeAll(() => {
	vi.stubGlobal("Path2D", Path);
	vi.stubGlobal("OffscreenCanvas", Canvas);
});

/** Three lanes to the right: with the faces f0 and f1, and without lights. */
function mapOf(inJunction = 0): MapView {
	const line = (y: number) => [0, y, 50, y];
	const lines = (ys: readonly number[]) => ({
		points: Float64Array.from(ys.flatMap(line)),
		offsets: Uint32Array.of(0, 2, 4, 6),
	});
	return {
		lanes: {
			length: 3,
			left: lines([4, 8, 12]),
			right: lines([0, 4, 8]),
			in_junction: Uint8Array.of(inJunction, 0, 0),
			controls: ["f0", "light-1"],
			controls_first: Uint32Array.of(0, 1, 2, 2),
		},
		crosswalks: { length: 0, points: new Float64Array(), offsets: Uint32Array.of(0) },
		bounds: Float64Array.of(0, 0, 50, 12),
	} as unknown as MapView;
}

function frameOf(y: number, yaw = 0, future: readonly number[] = []): FrameView {
	return {
		ego: {
			centroid: Float64Array.of(20, y),
			yaw,
			future: Float64Array.from(future),
		},
		lights: {
			face_id: ["f0", "f1"],
			traffic_light_id: ["light-0", "light-1"],
		},
	} as unknown as FrameView;
}

describe("the ego's light", () => {
	it("controls the ego's lane, by a face or by its own id", () => {
		expect(egoLightOf(frameOf(2), mapOf())).toBe("light-0");
		expect(egoLightOf(frameOf(6), mapOf())).toBe("light-1");
	});

	it("controls the lane that the ego enters within its future", () => {
		const future = Array.from({ length: 11 }, (_, k) => [20 + k, 10 - 0.6 * k]).flat();
		expect(egoLightOf(frameOf(10, 0, future), mapOf())).toBe("light-1");
	});

	it("does not exist on a lane without lights, in a junction or against its direction", () => {
		expect(egoLightOf(frameOf(10), mapOf())).toBeUndefined();
		expect(egoLightOf(frameOf(2), mapOf(1))).toBeUndefined();
		expect(egoLightOf(frameOf(2, Math.PI), mapOf())).toBeUndefined();
	});

	it("does not exist without an ego vehicle", () => {
		const frame = frameOf(2);
		const without = { ...frame, ego: { ...frame.ego, is_virtual: true } };
		expect(egoLightOf(without, mapOf())).toBeUndefined();
	});
});
