import { Latest } from "../../base/latest.js";
import type { FrameView } from "../../dataset/frame-view.js";
import { agentIndex } from "../agents/summary.js";
import type { PageLayer, PageLayerView } from "../draw/page-layer.js";
import type { Point } from "../scene-view/camera.js";
import type { SceneView } from "../scene-view/scene-view.js";
import type { ViewerController } from "../session/controller.js";
import type { ViewerDataset } from "../session/dataset.js";
import type { ViewerState } from "../session/state.js";
import { subjectOf } from "./edit-actions.js";
import { EditGestures } from "./edit-gestures.js";
import { drawHandle } from "./edit-handle.js";
import type { Editor } from "./edits-state.js";

function outline(context: CanvasRenderingContext2D, points: readonly Point[]): void {
	context.beginPath();
	for (const { x, y } of points) context.lineTo(x, y);
	context.closePath();
	context.stroke();
}

/** Recorded boxes of what is edited, and the handle of the selection. */
export class EditLayer {
	readonly #controller: ViewerController;
	readonly #editor: Editor;
	readonly #reading = new Latest();
	readonly #gestures = new WeakMap<Element, EditGestures>();
	readonly #layer: PageLayer;
	#ghost: FrameView | undefined;
	/** The displayed frame whose recorded form was asked for. */
	#asked: FrameView | undefined;

	constructor(controller: ViewerController, editor: Editor) {
		this.#controller = controller;
		this.#editor = editor;
		this.#layer = {
			name: "What if",
			draw: (context, view, frame) => this.#draw(context, view, frame),
		};
	}

	/** Reads the recorded frame of a displayed one that is edited. */
	update(state: ViewerState, recorded: ViewerDataset | undefined): void {
		const { shown, editing } = state;
		const isEdited = editing?.list.some(({ scene }) => scene === shown?.scene);
		const wanted = isEdited && !editing?.recorded ? shown : undefined;
		if (wanted === this.#asked && (wanted || !this.#ghost)) return;
		this.#asked = wanted;
		const { scene, frame } = wanted ?? {};
		const isHeld = this.#ghost?.scene === scene && this.#ghost?.frame === frame;
		if (isHeld) return;
		this.#reading.cancel();
		this.#put(undefined);
		if (!recorded || scene === undefined || frame === undefined) return;
		const { threshold } = state;
		const read = (signal: AbortSignal) =>
			recorded.frame(scene, frame, { past: 0, future: 0, threshold, signal });
		void this.#reading.run(read, {
			done: (ghost) => this.#put(ghost),
			failed: () => {}, // a picture without ghosts
			discard: (ghost) => ghost.release(),
		});
	}

	/** Draws again, from now on with the layer. */
	redraw(): void {
		this.#controller.addLayer({ ...this.#layer });
	}

	#put(ghost: FrameView | undefined): void {
		if (ghost === this.#ghost) return;
		this.#ghost?.release();
		this.#ghost = ghost;
		this.redraw();
	}

	#draw(
		context: CanvasRenderingContext2D,
		view: PageLayerView,
		frame: FrameView | undefined,
	): void {
		const { state } = this.#controller;
		const style = getComputedStyle(context.canvas);
		const colour = (name: string): string => style.getPropertyValue(`--_${name}`);
		if (frame && this.#ghost?.frame === frame.frame)
			this.#drawGhosts(context, view, frame, colour("ink3"));
		const host = (context.canvas.getRootNode() as ShadowRoot).host as SceneView;
		if (!state.editing?.on || !host || host.held) return;
		if (!this.#gestures.has(host))
			this.#gestures.set(host, new EditGestures(host, this.#controller, this.#editor));
		const subject = subjectOf(state, state.selection);
		if (subject && !state.editing.recorded)
			drawHandle(context, subject, { state, view, colour: colour("accent") });
	}

	#drawGhosts(
		context: CanvasRenderingContext2D,
		view: PageLayerView,
		frame: FrameView,
		colour: string,
	): void {
		const { list = [] } = this.#controller.state.editing ?? {};
		const ghost = this.#ghost;
		if (!ghost) return;
		const own = list.filter(({ scene }) => scene === frame.scene);
		const tracks = own.flatMap((edit) => (edit.op === "light" ? [] : [edit.track]));
		context.strokeStyle = colour;
		context.lineWidth = 1.5;
		context.setLineDash([4, 3]);
		for (const track of new Set(tracks)) {
			const before = boxOf(ghost, track);
			const now = boxOf(frame, track);
			if (!before || (now && isSamePlace(before, now))) continue;
			const points = [0, 1, 2, 3].map((k) =>
				view.project(before[2 * k] ?? 0, before[2 * k + 1] ?? 0),
			);
			outline(context, points);
			if (now) continue;
			const [a, b, c, d] = points;
			if (a && c) outline(context, [a, c]);
			if (b && d) outline(context, [b, d]);
		}
	}
}

/** Returns the corners of a track's box; undefined if the frame lacks it. */
function boxOf(frame: FrameView, track: number | "ego"): Float64Array | undefined {
	if (track === "ego") return frame.ego.is_virtual ? undefined : frame.ego.corners;
	const i = agentIndex(frame, BigInt(track));
	return i === undefined ? undefined : frame.agents.corners.subarray(8 * i, 8 * i + 8);
}

function isSamePlace(a: Float64Array, b: Float64Array): boolean {
	return a.every((value, k) => Math.abs(value - (b[k] ?? 0)) < 1e-6);
}
