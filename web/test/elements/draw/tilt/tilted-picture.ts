import type { FrameView } from "../../../../src/dataset/frame-view.js";
import type { MapView } from "../../../../src/dataset/map-view.js";
import { visibilityOf } from "../../../../src/elements/agents/summary.js";
import type { Palette } from "../../../../src/elements/draw/palette.js";
import type { Picture } from "../../../../src/elements/draw/picture.js";
import { DEFAULT_LAYERS } from "../../../../src/elements/layers/layer-set.js";
import { DEFAULT_CAMERA, viewOf } from "../../../../src/elements/scene-view/camera.js";
import { EMPTY_STATE } from "../../../../src/elements/session/state.js";
import { fakeFrame } from "../../../support/fake-dataset.js";

const palette = new Proxy({}, { get: (_, name) => String(name) }) as Palette;
export const frame = fakeFrame(0, 10, 12);
const [x = 0, y = 0] = frame.ego.centroid;
export const pose = { x, y, yaw: frame.ego.yaw };
export const TILT = Math.PI / 4;

/** Returns a tilted picture of a frame with 12 agents, the ego's heading up. */
export function picture(changes: Partial<Picture> = {}, tilt = TILT): Picture {
	const layers = changes.layers ?? DEFAULT_LAYERS;
	const camera = { ...DEFAULT_CAMERA, span: 60, tilt };
	return {
		view: viewOf(camera, "heading", pose, { width: 600, height: 400 }),
		...{ density: 1, palette, layers, map: undefined, laneColours: undefined },
		...{ aerial: undefined, predictions: [], frame },
		visibility: visibilityOf(frame, { ...EMPTY_STATE, layers }),
		...{ selection: undefined, hover: undefined, measured: [] },
		labelOf: (of) => `label of ${of}`,
		...changes,
	};
}

/** A map with one light. */
export function mapWith(id: string, position: [number, number]): MapView {
	return {
		lights: { length: 1, id: [id], position: Float64Array.from(position) },
		faces: { length: 1, id: ["face"], colour: Uint8Array.of(1) },
	} as unknown as MapView;
}

/** The frame with a light whose only face has this state. */
export function lit(id: string, state: number): FrameView {
	return {
		...frame,
		lights: {
			...{ length: 1, face_id: ["face"], traffic_light_id: [id] },
			...{ state: Uint8Array.of(state), status: Float32Array.of(1, 0, 0) },
		},
	};
}
