import { agentIndex } from "../agents/summary.js";
import type { PageLayerView } from "../draw/page-layer.js";
import type { Point } from "../scene-view/camera.js";
import type { ViewerState } from "../session/state.js";
import type { Subject } from "./edit-actions.js";

/** Pixels from an agent's front to its handle, and the handle's radius. */
const STALK = 20;
const KNOB = 6;

/** Returns the pixel of the handle that turns a subject. */
export function handleOf(
	{ pose, of }: Subject,
	{ shown }: ViewerState,
	view: Pick<PageLayerView, "project" | "pixelsPerMetre">,
): Point {
	const i = shown && of !== "ego" ? agentIndex(shown, of) : undefined;
	const length = i === undefined ? 5 : (shown?.agents.extent[3 * i] ?? 5);
	const far = length / 2 + STALK / view.pixelsPerMetre;
	return view.project(
		pose.x + far * Math.cos(pose.yaw),
		pose.y + far * Math.sin(pose.yaw),
	);
}

/** Draws the handle of a subject. */
export function drawHandle(
	context: CanvasRenderingContext2D,
	subject: Subject,
	of: {
		readonly state: ViewerState;
		readonly view: PageLayerView;
		readonly colour: string;
	},
): void {
	const from = of.view.project(subject.pose.x, subject.pose.y);
	const to = handleOf(subject, of.state, of.view);
	context.strokeStyle = of.colour;
	context.fillStyle = of.colour;
	context.lineWidth = 1.5;
	context.beginPath();
	context.moveTo(from.x, from.y);
	context.lineTo(to.x, to.y);
	context.stroke();
	context.beginPath();
	context.arc(to.x, to.y, KNOB, 0, 2 * Math.PI);
	context.fill();
}
