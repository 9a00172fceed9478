import { html, type PropertyValues, type TemplateResult } from "lit";
import type { Geodetic } from "../../map-view.js";
import { labelOf } from "../describe.js";
import { EarthPoint } from "../earth-point.js";
import {
	type Follow,
	type Point,
	panned,
	refollowed,
	type View,
	viewOf,
	worldFromScreen,
	zoomed,
} from "../pure/camera.js";
import { type Coords, hasCoords } from "../pure/frames.js";
import type { Selection } from "../pure/link.js";
import { nextByDistance, pickedAt } from "../scene-picking.js";
import type { ViewerState } from "../state.js";
import { summaryOf } from "../summary.js";
import { baseStyles } from "./base-styles.js";
import { BevElement } from "./bev-element.js";
import { icon } from "./icons.js";
import { readout } from "./readout.js";
import { SceneInput } from "./scene-input.js";
import { sceneNotes } from "./scene-notes.js";
import { ScenePainter } from "./scene-painter.js";
import { sceneStyles } from "./scene-styles.js";

const FOLLOW_NAMES: readonly (readonly [Follow, string])[] = [
	["position", "Follow"],
	["heading", "Heading up"],
	["free", "Free"],
];
const COORDS_NAMES: readonly (readonly [Coords, string])[] = [
	["world", "World"],
	["ego", "Ego"],
	["agent", "Agent"],
	["raster", "Raster"],
];
/** CSS pixels around a box within which a pointer still means it. */
const SLACK = { mouse: 5, touch: 16 };
const NO_POSE = { x: 0, y: 0, yaw: 0 };

/** The picture: one canvas, and the few controls that belong to how it is looked at. */
export class SceneView extends BevElement {
	static override styles = [baseStyles, sceneStyles];
	static override properties = {
		...BevElement.properties,
		pointer: { state: true },
		earth: { state: true },
	};

	/** World coordinates under the pointer. */
	declare pointer: Point | undefined;
	/** Where on Earth that is, as far as the map knows. */
	declare earth: Geodetic | undefined;

	/** Goes to where the camera is at once instead of easing there. */
	instant = false;
	readonly #painter = new ScenePainter();
	readonly #earth = new EarthPoint((place) => {
		this.earth = place;
	});
	#frameRequest: number | undefined;
	#drawDue = false;
	#input: SceneInput | undefined;
	#observer: ResizeObserver | undefined;
	#scheme: MediaQueryList | undefined;
	#before: ViewerState | undefined;

	/** Zooms about the middle; 2 shows half as much. */
	zoomBy(factor: number): void {
		const { camera, follow } = this.state;
		this.#painter.easing.begin(performance.now());
		this.controller?.setCamera(zoomed(camera, follow, this.#target(), factor));
	}

	/** Moves what is looked at by a share of the picture's size, right and up. */
	panBy(right: number, up: number): void {
		const { camera, follow } = this.state;
		const view = this.#target();
		const next = panned(camera, follow, view, -right * view.width, up * view.height);
		this.#painter.easing.begin(performance.now());
		this.controller?.setCamera(next);
	}

	follow(follow: Follow): void {
		this.#painter.easing.begin(performance.now());
		const { camera } = this.state;
		this.controller?.setFollow(follow, refollowed(camera, this.#target(), follow));
	}

	cycleFollow(): void {
		const at = FOLLOW_NAMES.findIndex(([follow]) => follow === this.state.follow);
		const [next = "position"] = FOLLOW_NAMES[(at + 1) % FOLLOW_NAMES.length] ?? [];
		this.follow(next);
	}

	reset(): void {
		this.#painter.easing.begin(performance.now());
		this.controller?.resetCamera();
	}

	/** Hovers the next (+1) or previous (-1) agent by distance to the ego, and says its name. */
	walk(direction: 1 | -1): void {
		const next = nextByDistance(this.state, direction);
		if (next === undefined) return;
		this.controller?.hover(next);
		this.controller?.announce(labelOf(this.state, next));
	}

	/** The canvas, as it was last drawn. */
	get canvas(): HTMLCanvasElement | null {
		return this.renderRoot.querySelector("canvas");
	}

	override connectedCallback(): void {
		super.connectedCallback();
		this.#scheme = matchMedia("(prefers-color-scheme: light)");
		this.#scheme.addEventListener("change", this.#requestDraw);
		this.#observer = new ResizeObserver(() => {
			this.#draw();
			this.requestUpdate(); // the scale bar
		});
		this.#observer.observe(this);
		if (this.hasUpdated) this.#attachInput();
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#scheme?.removeEventListener("change", this.#requestDraw);
		this.#observer?.disconnect();
		this.#input?.dispose();
		if (this.#frameRequest !== undefined) cancelAnimationFrame(this.#frameRequest);
		this.#frameRequest = undefined;
		this.#painter.release();
		this.controller?.painted(this, undefined);
	}

	protected watched(state: ViewerState): readonly unknown[] {
		const { shown, map, camera, follow, layers, distance, selection, hover } = state;
		const { phase, frame, scene, frameProblem, theme, threshold, laneColours } = state;
		const { coords, measured, raster } = state;
		const picture = [shown, map, camera, follow, layers, distance, selection, hover];
		return [
			...picture,
			phase,
			frame,
			scene,
			frameProblem,
			theme,
			threshold,
			laneColours,
			coords,
			measured,
			raster.picture,
		];
	}

	protected override stateChanged(): void {
		const { state } = this;
		const before = this.#before;
		this.#before = state;
		// A step or a seek eases to where the ego is now; playback moves by itself.
		const jumped = before?.shown !== state.shown && !state.playing;
		if (before && jumped) this.#painter.easing.begin(performance.now());
		if (state.playing) this.#painter.easing.snap();
		if (state.playing) this.#drawNow();
		else this.#requestDraw();
		super.stateChanged();
	}

	protected override firstUpdated(): void {
		this.#attachInput();
		this.#draw();
	}

	protected override updated(changed: PropertyValues<this>): void {
		if (changed.has("theme")) this.#requestDraw();
	}

	protected override render(): TemplateResult {
		const { state } = this;
		const words = state.shown && !state.playing ? summaryOf(state) : "the scene";
		return html`
			<div class="stage" tabindex="0" role="group" aria-label="Scene, seen from above">
				<canvas part="canvas" role="img" aria-label=${`Picture: ${words}`} @contextrestored=${this.#onRestored}
					class=${state.measured ? "measuring" : state.hover === undefined ? "" : "over"}></canvas>
			</div>
			<div class="over-left">
				<div class="segments" role="group" aria-label="Camera">
					${FOLLOW_NAMES.map(
						([follow, name]) => html`<button aria-pressed=${state.follow === follow}
							@click=${() => this.follow(follow)}>${name}</button>`,
					)}
				</div>
				<div class="segments" role="group" aria-label="Coordinates">
					${COORDS_NAMES.map(
						([coords, name]) => html`<button aria-pressed=${state.coords === coords}
							?disabled=${!hasCoords(coords, state)}
							@click=${() => this.controller?.setCoords(coords)}>${name}</button>`,
					)}
				</div>
			</div>
			${sceneNotes(this.controller)}
			${readout(state, this.pointer, this.earth, this.#target())}
			<div class="over-right">
				<button class="icon-only" aria-label="Measure" title="Measure (M)" aria-pressed=${state.measured !== undefined}
					@click=${() => this.controller?.toggleMeasure()}>${icon("measure")}</button>
				<button class="icon-only" aria-label="Zoom in" title="Zoom in (+)"
					@click=${() => this.zoomBy(1.5)}>${icon("plus")}</button>
				<button class="icon-only" aria-label="Zoom out" title="Zoom out (−)"
					@click=${() => this.zoomBy(1 / 1.5)}>${icon("minus")}</button>
				<button class="icon-only" aria-label="Centre on the ego" title="Centre on the ego (0)"
					@click=${() => this.reset()}>${icon("fit")}</button>
			</div>`;
	}

	/** Where the camera is going: what easing ends at. */
	#target(): View {
		const { camera, follow, shown } = this.state;
		const [x = 0, y = 0] = shown?.ego.centroid ?? [];
		const pose = shown ? { x, y, yaw: shown.ego.yaw } : NO_POSE;
		const size = { width: this.clientWidth || 1, height: this.clientHeight || 1 };
		return viewOf(camera, follow, pose, size);
	}

	#attachInput(): void {
		const { canvas } = this;
		if (!canvas) return;
		this.#input?.dispose();
		this.#input = new SceneInput(canvas, {
			pan: (dx, dy) => {
				const { camera, follow } = this.state;
				this.#painter.easing.snap();
				this.controller?.setCamera(panned(camera, follow, this.#target(), dx, dy));
			},
			zoom: (factor, at) => {
				const { camera, follow } = this.state;
				this.#painter.easing.snap();
				this.controller?.setCamera(zoomed(camera, follow, this.#target(), factor, at));
			},
			click: (at) => this.#onClick(at),
			move: (at) => this.#onPointer(at),
		});
	}

	#onClick(at: Point): void {
		const { controller, state } = this;
		if (!state.measured) controller?.select(this.#pick(at, SLACK.touch));
		else controller?.measureAt(worldFromScreen(this.#painter.view, at.x, at.y));
	}

	#onPointer(at: Point | undefined): void {
		this.pointer = at && worldFromScreen(this.#painter.view, at.x, at.y);
		this.#earth.ask(this.state.map, this.pointer);
		this.controller?.hover(at && this.#pick(at, SLACK.mouse));
	}

	#pick(at: Point, slack: number): Selection | undefined {
		const { view } = this.#painter;
		return pickedAt(this.state, view, at, slack);
	}

	/** In this very animation frame, once for all that changes in it: the player's beat. */
	#drawNow(): void {
		if (this.#drawDue) return;
		this.#drawDue = true;
		queueMicrotask(() => {
			this.#drawDue = false;
			this.#draw();
		});
	}

	readonly #requestDraw = (): void => {
		this.#frameRequest ??= requestAnimationFrame(() => {
			this.#frameRequest = undefined;
			this.#draw();
		});
	};

	/** The context was lost, and with it what was drawn ahead. */
	readonly #onRestored = (): void => {
		this.#painter.release();
		this.#requestDraw();
	};

	#draw(): void {
		const { canvas, state } = this;
		if (!canvas || !this.isConnected) return;
		if (this.instant) this.#painter.easing.snap();
		const arrived = this.#painter.draw(canvas, this, state, this.#target());
		const { shown, map, laneColours } = state;
		if (arrived) this.controller?.painted(this, { shown, map, laneColours });
		else this.#requestDraw();
	}
}
