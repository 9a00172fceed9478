import type { FrameRange } from "../timeline/clock.js";
import { type Axes, axesOf, type Box, type ChartView } from "./chart.js";
import { nearestFrame, type Range } from "./chart-scale.js";

/** What the gestures on a chart do. */
export interface ChartActions {
	/** Marks the frame under the pointer; undefined when it leaves. */
	over(frame: number | undefined): void;
	/** Displays a rectangle while it is dragged; undefined at the end. */
	mark(box: Box | undefined): void;
	/** Displays only these frames and values; undefined keeps the values. */
	zoom(span: FrameRange, range: Range | undefined): void;
	/** Seeks to a frame. */
	seek(frame: number): void;
}

/** Minimum lengths of a dragged rectangle in CSS pixels; shorter ones are clicks. */
const DRAG_PX = 5;
/** Minimum height of a rectangle that also limits the values. */
const VALUES_PX = 16;

function pointIn(area: Element, { clientX, clientY }: PointerEvent) {
	const { left, top } = area.getBoundingClientRect();
	return { x: clientX - left, y: clientY - top };
}

/** Returns the frames and values within a rectangle. */
export function zoomOf(
	{ x0, x1, y0, y1 }: Box,
	view: ChartView,
	axes: Axes = axesOf(view),
): { span: FrameRange; range: Range | undefined } {
	const frameAt = (x: number) =>
		nearestFrame(view.seconds, view.span, axes.secondsAt(x));
	const begin = frameAt(Math.min(x0, x1));
	const end = Math.max(begin + 2, frameAt(Math.max(x0, x1)) + 1);
	const tall = Math.abs(y1 - y0) >= VALUES_PX;
	const low = axes.valueAt(Math.max(y0, y1));
	const high = axes.valueAt(Math.min(y0, y1));
	const { length } = view.seconds;
	return {
		span: {
			begin: Math.min(begin, Math.max(0, length - 2)),
			end: Math.min(length, end),
		},
		range: tall ? [low, high] : undefined,
	};
}

/** Handles a pointer move over a chart. */
export function chartPointed(
	event: PointerEvent,
	area: Element,
	view: ChartView,
	actions: ChartActions,
): void {
	const { x } = pointIn(area, event);
	actions.over(nearestFrame(view.seconds, view.span, axesOf(view).secondsAt(x)));
}

/** Handles a press: a click seeks, a drag zooms to the rectangle. */
export function chartPressed(
	event: PointerEvent,
	area: Element,
	view: ChartView,
	actions: ChartActions,
): void {
	if (event.button !== 0) return;
	const from = pointIn(area, event);
	area.setPointerCapture(event.pointerId);
	const ended = new AbortController();
	const { signal } = ended;
	const boxTo = (e: PointerEvent): Box => {
		const { x, y } = pointIn(area, e);
		return { x0: from.x, x1: x, y0: from.y, y1: y };
	};
	const isDrag = ({ x0, x1 }: Box) => Math.abs(x1 - x0) >= DRAG_PX;
	const on = (type: string, act: (e: PointerEvent) => void) =>
		area.addEventListener(type, (e) => act(e as PointerEvent), { signal });
	on("pointermove", (e) => actions.mark(isDrag(boxTo(e)) ? boxTo(e) : undefined));
	on("pointerup", (e) => {
		ended.abort();
		const box = boxTo(e);
		actions.mark(undefined);
		if (isDrag(box)) {
			const { span, range } = zoomOf(box, view);
			actions.zoom(span, range);
		} else {
			const seconds = axesOf(view).secondsAt(from.x);
			actions.seek(nearestFrame(view.seconds, view.span, seconds));
		}
	});
	on("pointercancel", () => {
		ended.abort();
		actions.mark(undefined);
	});
}
