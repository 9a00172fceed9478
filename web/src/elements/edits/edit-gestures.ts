import {
	followsSelection,
	type Point,
	refollowed,
	screenFromWorld,
	type View,
	worldFromScreen,
} from "../scene-view/camera.js";
import type { Selection } from "../scene-view/picking.js";
import type { SceneView } from "../scene-view/scene-view.js";
import type { ViewerController } from "../session/controller.js";
import { canName, moved, type Subject, subjectOf } from "./edit-actions.js";
import { handleOf } from "./edit-handle.js";
import { type Edits, withEdit } from "./edit-list.js";
import type { Editor } from "./edits-state.js";

/** Maximum movement of a click in CSS pixels. */
const CLICK_SLACK = 4;

/** Distance from the handle's centre in which it is caught. */
const HANDLE_SLACK = { mouse: 12, touch: 24 };

/** A gesture on a road user. */
interface Drag {
	readonly pointer: number;
	readonly of: Selection;
	/** The view in which it began; the picture may follow what is moved. */
	readonly view: View;
	readonly start: Point;
	/** The edits before. */
	readonly before: Edits;
	readonly turns: boolean;
	/** Undefined until the pointer has moved. */
	subject?: Subject | undefined;
}

/** Pointer gestures that edit, on one picture; all others are the picture's. */
export class EditGestures {
	readonly #view: SceneView;
	readonly #controller: ViewerController;
	readonly #editor: Editor;
	#drag: Drag | undefined;

	constructor(view: SceneView, controller: ViewerController, editor: Editor) {
		this.#view = view;
		this.#controller = controller;
		this.#editor = editor;
		view.addEventListener("pointerdown", (event) => this.#onDown(event), true);
		view.addEventListener("pointermove", (event) => this.#onMove(event), true);
		view.addEventListener("pointerup", (event) => this.#onUp(event), true);
		view.addEventListener("pointercancel", () => this.#cancel(), true);
	}

	#at(event: PointerEvent): Point {
		const { left, top } = this.#view.getBoundingClientRect();
		return { x: event.clientX - left, y: event.clientY - top };
	}

	#onDown(event: PointerEvent): void {
		const { state } = this.#controller;
		const { editing, measured, placing } = state;
		if (this.#drag) this.#cancel(); // a second finger: the picture's gesture
		if (!editing?.on || editing.recorded || measured || placing) return;
		const isOnCanvas = event.composedPath()[0] === this.#view.canvas;
		if (event.button !== 0 || event.ctrlKey || !isOnCanvas) return;
		const at = this.#at(event);
		const turns = this.#isOnHandle(at, event.pointerType === "touch");
		const of = turns ? state.selection : this.#view.pick(event.clientX, event.clientY);
		if (of === undefined || !canName(of)) return;
		event.preventDefault(); // the picture does not move
		this.#view.focus();
		this.#view.setPointerCapture(event.pointerId);
		const { view } = this.#view;
		const before = editing.list;
		this.#drag = { pointer: event.pointerId, of, view, start: at, before, turns };
	}

	#isOnHandle(at: Point, touch: boolean): boolean {
		const { state } = this.#controller;
		const subject = subjectOf(state, state.selection);
		if (!subject) return false;
		const { view } = this.#view;
		const project = (x: number, y: number): Point => screenFromWorld(view, x, y);
		const { pixelsPerMetre } = view;
		const handle = handleOf(subject, state, { project, pixelsPerMetre });
		const far = Math.hypot(handle.x - at.x, handle.y - at.y);
		return far <= HANDLE_SLACK[touch ? "touch" : "mouse"];
	}

	#onMove(event: PointerEvent): void {
		const drag = this.#drag;
		if (!drag || event.pointerId !== drag.pointer) return;
		const at = this.#at(event);
		const far = Math.hypot(at.x - drag.start.x, at.y - drag.start.y);
		if (!drag.subject && far < CLICK_SLACK) return;
		drag.subject ??= this.#begun(drag);
		const { subject } = drag;
		if (!subject) return;
		const from = worldFromScreen(drag.view, drag.start.x, drag.start.y);
		const to = worldFromScreen(drag.view, at.x, at.y);
		const edit = drag.turns
			? moved(subject, { x: 0, y: 0 }, turnOf(subject, to))
			: moved(subject, { x: to.x - from.x, y: to.y - from.y });
		this.#editor.set(withEdit(drag.before, edit));
	}

	/** Selects what is dragged, and lets the picture stand if it follows that. */
	#begun({ of }: Drag): Subject | undefined {
		const controller = this.#controller;
		if (controller.state.selection !== of) controller.select(of);
		const { follow, camera } = controller.state;
		const followed = followsSelection(follow) ? controller.state.selection : "ego";
		if (follow !== "free" && followed === of) {
			this.#view.snap();
			controller.setFollow("free", refollowed(camera, this.#view.target, "free"));
		}
		return subjectOf(controller.state, of);
	}

	#onUp(event: PointerEvent): void {
		const drag = this.#drag;
		if (!drag || event.pointerId !== drag.pointer) return;
		this.#drag = undefined;
		if (!drag.subject) this.#controller.select(drag.of);
	}

	#cancel(): void {
		const drag = this.#drag;
		this.#drag = undefined;
		if (drag?.subject) this.#editor.set(drag.before);
	}
}

/** Returns the radians from a subject's heading to a point. */
function turnOf({ pose }: Subject, { x, y }: Point): number {
	const turn = Math.atan2(y - pose.y, x - pose.x) - pose.yaw;
	return Math.atan2(Math.sin(turn), Math.cos(turn));
}
