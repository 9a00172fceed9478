import type { Point } from "./camera.js";

/** Handlers of pointer gestures; CSS pixels from the picture's upper left corner. */
export interface SceneInputHandlers {
	pan(dx: number, dy: number): void;
	zoom(factor: number, at: Point): void;
	/** Rotates the picture around its centre, counter-clockwise. */
	rotate(radians: number): void;
	/** Tilts the camera further from straight down. */
	tilt(radians: number): void;
	/** Looks straight down again. */
	flatten(): void;
	click(at: Point, touch: boolean): void;
	doubleClick(at: Point): void;
	/** Undefined when the pointer leaves. */
	move(at: Point | undefined): void;
	/** Returns whether the wheel without Ctrl and one finger scroll the page. */
	cooperative(): boolean;
	/** Called when a gesture was left to the page. */
	left(gesture: "wheel" | "touch"): void;
}

/** Maximum movement of a click in CSS pixels. */
const CLICK_SLACK = 4;
/**
 * Radians per CSS pixel of a drag that rotates or tilts: half a turn in 300 pixels, or 60
 * degrees in 200.
 */
const TURN = Math.PI / 300;
const TILT = TURN / 2;
/**
 * Radians that two fingers must twist before the picture rotates, since pinches are
 * never straight.
 */
const TWIST_SLACK = 0.15;
/** Pixels per notch of a mouse wheel. Touch pads report a pinch in smaller steps. */
const NOTCH = 50;

interface Held {
	readonly at: Point;
	/** Where the gesture of all present pointers began. */
	readonly start: Point;
	readonly rotates: boolean;
}

/** Movement in CSS pixels after which two fingers tilt or do not, at most. */
const DECIDED = 24;

/**
 * Returns whether two fingers side by side move up or down together; undefined while this
 * is open.
 */
function isTilting(a: Held, b: Held): boolean | undefined {
	const moves = [a, b].map(
		({ at, start }) => [at.x - start.x, at.y - start.y] as const,
	);
	const isBeside = Math.abs(a.start.x - b.start.x) > Math.abs(a.start.y - b.start.y);
	const isUpright = moves.every(([dx, dy]) => Math.abs(dy) >= 2 * Math.abs(dx));
	if (!isBeside || !isUpright) return false;
	const [p = 0, q = 0] = moves.map(([, dy]) => dy);
	if (Math.min(Math.abs(p), Math.abs(q)) >= CLICK_SLACK) return p * q > 0;
	return Math.max(Math.abs(p), Math.abs(q)) > DECIDED ? false : undefined;
}

function angleOf(a: Point, b: Point): number {
	return Math.atan2(a.y - b.y, a.x - b.x);
}

/**
 * Gestures of mouse, pen and touch on one element: drag, wheel, pinch, twist, click.
 */
export class SceneInput {
	readonly #element: HTMLElement;
	readonly #handlers: SceneInputHandlers;
	readonly #down = new Map<number, Held>();
	readonly #abort = new AbortController();
	#travelled = 0;
	#twisted = 0;
	/** Whether the gesture tilts; undefined while this is open. */
	#tilts: boolean | undefined;

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
		on("pointercancel", (event) => this.#onCancel(event));
		on("pointerleave", (event) => {
			// Fingers leave after every tap; the hovered agent is kept.
			if (event.pointerType !== "touch") handlers.move(undefined);
		});
		on("wheel", (event) => this.#onWheel(event), false);
		on("dblclick", (event) => {
			if (event.ctrlKey) handlers.flatten();
			else handlers.doubleClick(this.#at(event));
		});
		// The right button rotates; the middle button would start the browser's
		// auto-scroll.
		on("contextmenu", (event) => event.preventDefault(), false);
		on("mousedown", (event) => event.button === 1 && event.preventDefault(), false);
		for (const type of ["touchstart", "touchmove"] as const)
			on(type, (event) => event.touches.length > 1 && event.preventDefault(), false);
	}

	dispose(): void {
		this.#abort.abort();
	}

	#at(event: MouseEvent): Point {
		const box = this.#element.getBoundingClientRect();
		return { x: event.clientX - box.left, y: event.clientY - box.top };
	}

	#onDown(event: PointerEvent): void {
		if (event.button > 2 || event.defaultPrevented) return; // an edit
		if (this.#down.size === 0) this.#travelled = 0;
		this.#twisted = 0;
		this.#tilts = undefined;
		this.#element.setPointerCapture(event.pointerId);
		const rotates = event.button === 2 || (event.button === 0 && event.ctrlKey);
		const at = this.#at(event);
		for (const [id, held] of this.#down)
			this.#down.set(id, { ...held, start: held.at });
		this.#down.set(event.pointerId, { at, start: at, rotates });
	}

	#onMove(event: PointerEvent): void {
		const at = this.#at(event);
		const held = this.#down.get(event.pointerId);
		if (!held) {
			this.#handlers.move(at);
			return;
		}
		const others = [...this.#down].filter(([id]) => id !== event.pointerId);
		this.#down.set(event.pointerId, { ...held, at });
		const before = held.at;
		this.#travelled += Math.hypot(at.x - before.x, at.y - before.y);
		if (this.#travelled < CLICK_SLACK) return;
		const other = others[0]?.[1];
		if (other) this.#onFingers(before, { ...held, at }, other);
		else if (held.rotates) this.#turn(before, at);
		else if (this.#isLeft(event)) this.#handlers.left("touch");
		else this.#handlers.pan(at.x - before.x, at.y - before.y);
	}

	/** Rotates, or tilts if the first movement is rather up or down. */
	#turn(before: Point, at: Point): void {
		const [left, up] = [before.x - at.x, before.y - at.y];
		this.#tilts ??= Math.abs(up) > Math.abs(left);
		if (this.#tilts) this.#handlers.tilt(up * TILT);
		else this.#handlers.rotate(left * TURN);
	}

	/** Handles the movement of one of two fingers; `before` is where it was. */
	#onFingers(before: Point, held: Held, other: Held): void {
		// Where one finger scrolls the page, two fingers pan.
		this.#tilts ??= this.#handlers.cooperative() ? false : isTilting(held, other);
		if (this.#tilts) this.#handlers.tilt(((before.y - held.at.y) * TILT) / 2);
		else if (this.#tilts === false) this.#pinch(before, held.at, other.at);
	}

	#pinch(before: Point, at: Point, other: Point): void {
		// Each finger moves the centre by half of its movement.
		this.#handlers.pan((at.x - before.x) / 2, (at.y - before.y) / 2);
		const apart = Math.hypot(at.x - other.x, at.y - other.y);
		const was = Math.hypot(before.x - other.x, before.y - other.y);
		if (was <= 1 || apart <= 1) return;
		const middle = { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 };
		this.#handlers.zoom(apart / was, middle);
		const turn = angleOf(at, other) - angleOf(before, other);
		const twist = Math.atan2(Math.sin(turn), Math.cos(turn));
		this.#twisted += twist;
		if (Math.abs(this.#twisted) > TWIST_SLACK) this.#handlers.rotate(-twist);
	}

	#onUp(event: PointerEvent): void {
		const held = this.#down.get(event.pointerId);
		this.#down.delete(event.pointerId);
		const still = this.#travelled < CLICK_SLACK && this.#down.size === 0;
		const click = held && still && event.button === 0 && !held.rotates;
		if (click) this.#handlers.click(this.#at(event), event.pointerType === "touch");
	}

	/** The page took over the gesture to scroll. */
	#onCancel(event: PointerEvent): void {
		if (this.#isLeft(event)) this.#handlers.left("touch");
		this.#down.delete(event.pointerId);
	}

	#isLeft(event: PointerEvent): boolean {
		const oneFinger = event.pointerType === "touch" && this.#down.size === 1;
		return oneFinger && this.#handlers.cooperative();
	}

	#onWheel(event: WheelEvent): void {
		const zooms = event.ctrlKey || event.metaKey;
		if (!zooms && this.#handlers.cooperative()) {
			this.#handlers.left("wheel");
			return;
		}
		event.preventDefault();
		const pixels = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY;
		// Touch pads report a pinch as wheel events with Ctrl, in smaller steps.
		const pinched = event.ctrlKey && Math.abs(pixels) < NOTCH;
		this.#handlers.zoom(Math.exp(-pixels * (pinched ? 0.01 : 0.0016)), this.#at(event));
	}
}
