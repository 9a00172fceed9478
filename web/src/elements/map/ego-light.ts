import type { FrameView } from "../../dataset/frame-view.js";
import type { MapView } from "../../dataset/map-view.js";
import { lineOf, pointAt } from "../draw/map-lines.js";
import { type LaneShape, mapShapes } from "../draw/map-shapes.js";
import { frameWith, type ViewerState } from "../session/state.js";
import type { Store } from "../session/store.js";

/** Minimum interval in milliseconds between searches. */
const PACE = 400;
/** Every how many points of the ego's future a lane is searched. */
const EVERY = 5;
/** Largest angle between the ego's heading and its lane: 45 degrees. */
const ALIGNED = Math.SQRT1_2;

/** Context for point-in-path tests, created once. */
let tester: OffscreenCanvasRenderingContext2D | null | undefined;

function contains({ area }: LaneShape, x: number, y: number): boolean {
	tester ??= new OffscreenCanvas(1, 1).getContext("2d");
	return tester?.isPointInPath(area, x, y) === true;
}

function controlsOf({ lanes }: MapView, row: number): readonly string[] {
	return lanes.controls.slice(lanes.controls_first[row], lanes.controls_first[row + 1]);
}

/** Returns whether the lane's start has the direction (dx, dy), as far as one can tell. */
function isAligned(map: MapView, row: number, dx: number, dy: number): boolean {
	const [, , lx, ly] = pointAt(lineOf(map.lanes.left, row), 0);
	return lx * dx + ly * dy >= ALIGNED;
}

/**
 * Returns the traffic light of the lane in which the ego vehicle is, or which it enters
 * within the loaded future; undefined if there is none.
 */
export function egoLightOf(frame: FrameView, map: MapView): string | undefined {
	const { ego, lights } = frame;
	if (ego.is_virtual) return undefined;
	const shapes = mapShapes(map);
	const { future } = ego;
	const path = [...ego.centroid];
	for (let k = 2 * EVERY; k + 1 < future.length; k += 2 * EVERY)
		path.push(future[k] ?? 0, future[k + 1] ?? 0);
	for (let k = 0; k < path.length; k += 2) {
		const [x = 0, y = 0] = [path[k], path[k + 1]];
		for (const lane of shapes.lanes) {
			if (Math.hypot(lane.x - x, lane.y - y) > lane.radius || lane.inJunction) continue;
			const controls = controlsOf(map, lane.row);
			if (controls.length === 0) continue;
			if (!isAligned(map, lane.row, Math.cos(ego.yaw), Math.sin(ego.yaw))) continue;
			if (!contains(lane, x - shapes.originX, y - shapes.originY)) continue;
			const of = lights.traffic_light_id.findIndex(
				(id, i) => controls.includes(id) || controls.includes(lights.face_id[i] ?? ""),
			);
			if (of >= 0) return lights.traffic_light_id[of];
		}
	}
	return undefined;
}

/** Keeps the last traffic light that the ego vehicle approached in the scene. */
export class EgoLight {
	readonly #store: Store<ViewerState>;
	readonly #map: MapView;
	readonly #unsubscribe: () => void;
	#due: ReturnType<typeof setTimeout> | undefined;
	#scene: number | undefined;

	constructor(store: Store<ViewerState>, map: MapView) {
		this.#store = store;
		this.#map = map;
		this.#unsubscribe = store.subscribe((state, before) => {
			if (frameWith(state, "lights") !== frameWith(before, "lights")) this.#plan();
		});
		this.#plan();
	}

	dispose(): void {
		this.#unsubscribe();
		clearTimeout(this.#due);
		this.#store.patch({ egoLight: undefined });
	}

	#plan(): void {
		this.#due ??= setTimeout(() => {
			this.#due = undefined;
			this.#update();
		}, PACE);
	}

	#update(): void {
		const { egoLight } = this.#store.state;
		const shown = frameWith(this.#store.state, "lights");
		if (!shown || shown.ego.centroid.length === 0) return;
		const found = egoLightOf(shown, this.#map);
		const isOther = this.#scene !== shown.scene;
		this.#scene = shown.scene;
		const now = found ?? (isOther ? undefined : egoLight);
		if (now !== egoLight) this.#store.patch({ egoLight: now });
	}
}
