import type { ViewerController } from "../session/controller.js";
import { frameCount } from "../session/state.js";
import { rangeOf } from "./clock.js";

/** Padding of a lane's time axis in CSS pixels: half of the slider's thumb. */
export const LANE_PAD = 7;

/** Returns the frame at a pointer over or beside `lane`. */
export function frameUnder(
	event: PointerEvent,
	lane: HTMLElement,
	count: number,
): number {
	const { left, width } = lane.getBoundingClientRect();
	const share = (event.clientX - left - LANE_PAD) / Math.max(1, width - 2 * LANE_PAD);
	return Math.round(Math.min(1, Math.max(0, share)) * (count - 1));
}

/** Tracks a pointer from press to release. */
export function dragging(
	lane: HTMLElement,
	begin: PointerEvent,
	to: (e: PointerEvent) => void,
) {
	lane.setPointerCapture(begin.pointerId);
	const ended = new AbortController();
	const { signal } = ended;
	lane.addEventListener("pointermove", to, { signal });
	for (const type of ["pointerup", "pointercancel"] as const) {
		lane.addEventListener(type, () => ended.abort(), { signal });
	}
}

/** Handles a press on a lane: seeks and scrubs; with Shift marks a section. */
export function lanePressed(
	event: PointerEvent,
	controller: ViewerController | undefined,
): void {
	const lane = event.currentTarget;
	if (!(lane instanceof HTMLElement) || !controller || event.button !== 0) return;
	const count = frameCount(controller.state);
	if (count === 0) return;
	event.preventDefault();
	const first = frameUnder(event, lane, count);
	if (!event.shiftKey) {
		controller.seek(first);
		dragging(lane, event, (e) => controller.seek(frameUnder(e, lane, count)));
		return;
	}
	dragging(lane, event, (e) => {
		controller.setSection(rangeOf(first, frameUnder(e, lane, count)));
	});
}
