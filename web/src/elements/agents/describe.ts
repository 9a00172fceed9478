import type { FrameView } from "../../dataset/frame-view.js";
import { labelName } from "../layers/layer-set.js";
import type { Selection } from "../scene-view/picking.js";
import { type Benchmark, benchmarkOf } from "../scenes/benchmark.js";
import type { ViewerState } from "../session/state.js";
import { formatNumber } from "../ui/words.js";
import { agentIndex } from "./summary.js";

export { formatNumber } from "../ui/words.js";

/** Formats a speed: `7.42 m/s`; a dash if unknown. */
export function formatSpeed(speed: number, digits = 2): string {
	return Number.isFinite(speed) ? `${formatNumber(speed, digits)} m/s` : "–";
}

/** Formats an angle in degrees, -180 to 180: `54.1°`. */
export function formatAngle(radians: number): string {
	const turn = Math.atan2(Math.sin(radians), Math.cos(radians));
	return `${formatNumber((turn * 180) / Math.PI, 1)}°`;
}

/** Returns the display name of agent `i`'s most probable class. */
export function agentName(state: ViewerState, frame: FrameView, i: number): string {
	const label = frame.agents.label[i] ?? 0;
	return labelName(state.dataset?.labels[label] ?? `LABEL_${label}`);
}

/** Returns the label beside an agent in the picture: `Car 17 · 7.4 m/s`. */
export function labelOf(state: ViewerState, selection: Selection): string {
	const frame = state.shown ?? state.partial;
	if (!frame) return "";
	if (selection === "ego")
		return frame.ego.is_virtual
			? "No ego vehicle"
			: `Ego · ${formatSpeed(frame.ego.speed, 1)}`;
	const i = agentIndex(frame, selection);
	if (i === undefined) return `${selection}`;
	const name = agentName(state, frame, i);
	const speed = frame.agents.speed[i] ?? Number.NaN;
	const role = rolesIn(state).get(selection);
	const marked = role === undefined ? "" : ` · ${role}`;
	const moving = Number.isFinite(speed) ? ` · ${formatSpeed(speed, 1)}` : "";
	return `${name} ${selection}${marked}${moving}`;
}

/** Returns the tracks that a benchmark predicts in the scene. */
export function rolesIn({ dataset, scene }: ViewerState): Benchmark["roles"] {
	return benchmarkOf(dataset?.attrs, scene).roles;
}
