import type { FrameView } from "../frame-view.js";
import { labelName } from "./pure/layers.js";
import type { Selection } from "./pure/link.js";
import type { ViewerState } from "./state.js";
import { agentIndex } from "./summary.js";

/** `7.42 m/s`; a dash where it is not known. */
export function formatSpeed(speed: number, digits = 2): string {
	return Number.isFinite(speed) ? `${speed.toFixed(digits)} m/s` : "–";
}

/** `54.1°`, from -180 to 180. */
export function formatAngle(radians: number): string {
	const turn = Math.atan2(Math.sin(radians), Math.cos(radians));
	return `${formatNumber((turn * 180) / Math.PI, 1)}°`;
}

/** `−709.30`, with a minus that is as wide as a digit. */
export function formatNumber(value: number, digits = 2): string {
	return Number.isFinite(value) ? value.toFixed(digits).replace("-", "−") : "–";
}

/** What agent `i` most probably is, in words. */
export function agentName(state: ViewerState, frame: FrameView, i: number): string {
	const label = frame.agents.label[i] ?? 0;
	return labelName(state.dataset?.labels[label] ?? `LABEL_${label}`);
}

/** The words beside a thing in the picture: `Car 17 · 7.4 m/s`. */
export function labelOf(state: ViewerState, selection: Selection): string {
	const frame = state.shown;
	if (!frame) return "";
	if (selection === "ego") return `Ego · ${formatSpeed(frame.ego.speed, 1)}`;
	const i = agentIndex(frame, selection);
	if (i === undefined) return `${selection}`;
	const name = agentName(state, frame, i);
	const speed = frame.agents.speed[i] ?? Number.NaN;
	const moving = Number.isFinite(speed) ? ` · ${formatSpeed(speed, 1)}` : "";
	return `${name} ${selection}${moving}`;
}
