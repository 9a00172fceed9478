import type { nothing, TemplateResult } from "lit";
import type { Geodetic } from "../../dataset/map-view.js";
import type { ViewerController } from "../session/controller.js";
import type { ViewerState } from "../session/state.js";
import type { PictureClick } from "../viewer/viewer-events.js";
import { widestSpan } from "./anchor.js";
import {
	type Camera,
	type Point,
	panned,
	refollowed,
	rotated,
	tilted,
	type View,
	worldFromScreen,
	zoomed,
} from "./camera.js";
import { EarthPoint } from "./earth-point.js";
import { GestureHint, isCooperative } from "./gestures.js";
import type { Selection } from "./picking.js";
import { SceneInput } from "./scene-input.js";
import { lightAt, pickedAt } from "./scene-picking.js";

/** Tolerance in CSS pixels around a box when picking. */
const SLACK = { mouse: 5, touch: 16 };

/** The picture that the pointer is over. */
export interface PointerHost extends HTMLElement {
	readonly controller: ViewerController | undefined;
	readonly state: ViewerState;
	readonly gestures: string | null;
	/** The view that the canvas shows. */
	readonly view: View;
	/** The camera's target. */
	readonly target: View;
	/** The displayed state, which may be between two frames. */
	readonly moving: ViewerState;
	/** Applies the next change of the camera immediately. */
	snap(): void;
	easeTo(camera: Camera): void;
	tiltTo(radians: number): void;
	requestUpdate(): void;
}

/** A place on the earth, and the same point in world metres. */
export interface EarthPlace {
	/** Latitude, longitude and height. */
	readonly place: Geodetic;
	readonly of: Point;
}

/** Gestures on a picture, and what is under the pointer. */
export class ScenePointer {
	readonly #host: PointerHost;
	readonly #input: SceneInput;
	readonly #hint: GestureHint;
	readonly #earth: EarthPoint;
	#place: EarthPlace | undefined;
	/** CSS pixels; the world position under the pointer changes with every picture. */
	#at: Point | undefined;

	constructor(host: PointerHost, canvas: HTMLElement) {
		this.#host = host;
		const changed = (): void => host.requestUpdate();
		this.#hint = new GestureHint(changed);
		this.#earth = new EarthPoint((place, of) => {
			this.#place = place && of && { place, of };
			changed();
		});
		const camera = (): Camera => host.state.camera;
		const put = (next: Camera): void => {
			host.snap();
			host.controller?.setCamera(next);
		};
		this.#input = new SceneInput(canvas, {
			pan: (dx, dy) => {
				host.snap();
				this.#at = undefined;
				this.#pan(dx, dy);
			},
			zoom: (factor, at) => put(this.#zoomedAt(factor, at)),
			rotate: (radians) => put(rotated(camera(), radians)),
			tilt: (radians) => put(tilted(camera(), (camera().tilt ?? 0) + radians)),
			flatten: () => host.tiltTo(0),
			click: (at, touch) => this.#onClick(at, touch),
			doubleClick: (at) => {
				if (!host.state.measured) host.easeTo(this.#zoomedAt(2, at));
			},
			move: (at) => this.#onMove(at),
			cooperative: () => this.cooperative,
			left: (gesture) => this.#hint.show(gesture),
		});
	}

	/** World coordinates under the pointer in the current drawing. */
	get world(): Point | undefined {
		return this.#at && worldFromScreen(this.#host.view, this.#at.x, this.#at.y);
	}

	/** The same place on the earth, if the map provides it. */
	get earth(): EarthPlace | undefined {
		this.#earth.ask(this.#host.state.map, this.world);
		return this.#place;
	}

	/** Whether the wheel and one finger scroll the page instead. */
	get cooperative(): boolean {
		return isCooperative(this.#host.gestures, this.#host);
	}

	/** Renders how to zoom or pan, after a gesture that was left to the page. */
	hint(): TemplateResult | typeof nothing {
		return this.#hint.render();
	}

	dispose(): void {
		this.#input.dispose();
		this.#hint.hide();
	}

	#zoomedAt(factor: number, at: Point): Camera {
		const { state, target } = this.#host;
		const max = widestSpan(state);
		return zoomed(state.camera, state.follow, target, { factor, at, max });
	}

	/** Drags the picture; the camera then follows nothing. */
	#pan(dx: number, dy: number): void {
		const { state, target, controller } = this.#host;
		const { camera, follow } = state;
		const free = follow === "free" ? camera : refollowed(camera, target, "free");
		controller?.setFollow("free", panned(free, "free", target, dx, dy));
	}

	#onClick(at: Point, touch: boolean): void {
		const { controller, state, view, moving } = this.#host;
		if (touch) this.#onMove(at);
		const world = worldFromScreen(view, at.x, at.y);
		const light = lightAt(moving, view, at);
		const object = light === undefined ? this.#pick(at, SLACK.touch) : undefined;
		if (!this.#tellClick(world, object)) return;
		if (state.placing) controller?.store.patch({ placing: false, placed: world });
		else if (state.measured) controller?.measureAt(world);
		else if (object !== undefined) controller?.select(object);
		else if (light === undefined) controller?.mapPicker.at(world);
		else controller?.mapPicker.select({ kind: "light", id: light });
	}

	/**
	 * Dispatches `picture-click`; returns false if the page prevented the default action.
	 */
	#tellClick(world: Point, object: Selection | undefined): boolean {
		const { shown } = this.#host.state;
		if (!shown) return true;
		const { scene, frame } = shown;
		const detail: PictureClick = { world, object, scene, frame };
		const way = { detail, bubbles: true, composed: true, cancelable: true };
		return this.#host.dispatchEvent(new CustomEvent("picture-click", way));
	}

	#onMove(at: Point | undefined): void {
		this.#at = at;
		this.#host.requestUpdate();
		this.#host.controller?.hover(at && this.#pick(at, SLACK.mouse));
	}

	#pick(at: Point, slack: number): Selection | undefined {
		return pickedAt(this.#host.moving, this.#host.view, at, slack);
	}
}
