import type { Point } from "../pure/camera.js";

/** What pointers do to a picture, in CSS pixels from its upper left corner. */
export interface SceneInputHandlers {
	pan(dx: number, dy: number): void;
	zoom(factor: number, at: Point): void;
	click(at: Point): void;
	/** Undefined: the pointer left. */
	move(at: Point | undefined): void;
}

/** A pointer that moved less than this between down and up was a click. */
const CLICK_SLACK = 4;

/** Mouse, pen and touch on one element: drag, wheel, pinch, click. */
export class SceneInput {
	readonly #element: HTMLElement;
	readonly #handlers: SceneInputHandlers;
	readonly #down = new Map<number, Point>();
	readonly #abort = new AbortController();
	#travelled = 0;

	constructor(element: HTMLElement, handlers: SceneInputHandlers) {
		this.#element = element;
		this.#handlers = handlers;
		const { signal } = this.#abort;
		const on = <K extends keyof HTMLElementEventMap>(
			type: K,
			listener: (event: HTMLElementEventMap[K]) => void,
			passive = true,
		) => element.addEventListener(type, listener, { signal, passive });
		on("pointerdown", (event) => this.#onDown(event));
		on("pointermove", (event) => this.#onMove(event));
		on("pointerup", (event) => this.#onUp(event));
		on("pointercancel", (event) => this.#down.delete(event.pointerId));
		on("pointerleave", () => handlers.move(undefined));
		on("wheel", (event) => this.#onWheel(event), false);
	}

	dispose(): void {
		this.#abort.abort();
	}

	#at(event: MouseEvent): Point {
		const box = this.#element.getBoundingClientRect();
		return { x: event.clientX - box.left, y: event.clientY - box.top };
	}

	#onDown(event: PointerEvent): void {
		if (event.button !== 0) return;
		if (this.#down.size === 0) this.#travelled = 0;
		this.#element.setPointerCapture(event.pointerId);
		this.#down.set(event.pointerId, this.#at(event));
	}

	#onMove(event: PointerEvent): void {
		const at = this.#at(event);
		const before = this.#down.get(event.pointerId);
		if (!before) {
			this.#handlers.move(at);
			return;
		}
		const others = [...this.#down].filter(([id]) => id !== event.pointerId);
		this.#down.set(event.pointerId, at);
		this.#travelled += Math.hypot(at.x - before.x, at.y - before.y);
		if (this.#travelled < CLICK_SLACK) return;
		const other = others[0]?.[1];
		// Each of two fingers moves the middle by half of its own way.
		const share = other ? 0.5 : 1;
		this.#handlers.pan((at.x - before.x) * share, (at.y - before.y) * share);
		if (!other) return;
		const apart = Math.hypot(at.x - other.x, at.y - other.y);
		const was = Math.hypot(before.x - other.x, before.y - other.y);
		const middle = { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 };
		if (was > 1 && apart > 1) this.#handlers.zoom(apart / was, middle);
	}

	#onUp(event: PointerEvent): void {
		const wasDown = this.#down.delete(event.pointerId);
		const still = this.#travelled < CLICK_SLACK && this.#down.size === 0;
		if (wasDown && still) this.#handlers.click(this.#at(event));
	}

	#onWheel(event: WheelEvent): void {
		event.preventDefault();
		const pixels = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY;
		// A pinch on a touch pad arrives as a wheel with ctrl, in much smaller steps.
		const pace = event.ctrlKey ? 0.01 : 0.0016;
		this.#handlers.zoom(Math.exp(-pixels * pace), this.#at(event));
	}
}
