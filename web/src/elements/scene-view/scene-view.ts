import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { labelOf } from "../agents/describe.js";
import { limitsOf, summaryOf } from "../agents/summary.js";
import { PAINTERS } from "../draw/painter-choice.js";
import type { PictureSize } from "../export/size.js";
import type { ViewerController } from "../session/controller.js";
import { currentFrame, waitingWords } from "../session/showing.js";
import type { ViewerState } from "../session/state.js";
import { BevElement } from "../ui/bev-element.js";
import { Disclosure } from "../ui/disclosure.js";
import { rootStyles } from "../ui/root-styles.js";
import { Anchor, extentOf, nextFollow, poseOf, widestSpan } from "./anchor.js";
import {
	type Camera,
	type Follow,
	fitted,
	followsSelection,
	type Point,
	panned,
	refollowed,
	revealed,
	rotated,
	tilted,
	type View,
	viewOf,
	zoomed,
} from "./camera.js";
import type { Coords } from "./frames.js";
import { LazyControls } from "./lazy-controls.js";
import type { Selection } from "./picking.js";
import type { PicturePart } from "./picture-part.js";
import type { SceneActions } from "./scene-chrome.js";
import { type DrawingHost, SceneDrawing } from "./scene-drawing.js";
import { prefersStill, screenDensity } from "./scene-painter.js";
import { nextByDistance, pickedAt } from "./scene-picking.js";
import type { ScenePointer } from "./scene-pointer.js";
import { sceneStyles } from "./scene-styles.js";

/** The picture: a canvas and the controls of its camera. */
export class SceneView extends BevElement implements SceneActions, DrawingHost {
	static override styles = [rootStyles, sceneStyles];
	static override properties = {
		...BevElement.properties,
		painter: {},
		gestures: {},
		bare: { type: Boolean },
		subset: { attribute: false },
	};

	/** `auto`, `canvas2d` or `webgl2`; other values mean `auto`. */
	declare painter: string | null;
	/** `auto`, `greedy` or `cooperative`: whether wheel and touch may scroll the page. */
	declare gestures: string | null;
	/** Hides controls, readout and scale bar. */
	declare bare: boolean;
	/** What is shown of models or submissions; undefined for all. */
	declare subset: PicturePart | undefined;
	readonly #drawing = new SceneDrawing(this);
	readonly #cameras = new Disclosure(this, ".camera");
	readonly #anchor = new Anchor();
	#ticking: ViewerController | undefined;
	/** Whether the camera still has to move to a new selection. */
	#revealDue = false;
	/** The data set of the last displayed frame. */
	#drawnData: ViewerState["dataset"];
	#pointing: ScenePointer | undefined;
	/** Controls and notes over the picture. */
	readonly #late = new LazyControls(this);
	#observer: ResizeObserver | undefined;
	#scheme: MediaQueryList | undefined;
	#before: ViewerState | undefined;

	/** Whether the picture's size is held. */
	get held(): boolean {
		return this.#drawing.held !== undefined;
	}

	/** The view that the canvas shows. */
	get view(): View {
		return this.#drawing.view;
	}

	/** The picture's size in the layout. */
	get size(): PictureSize {
		const [width, height] = [this.clientWidth || 1, this.clientHeight || 1];
		return { width, height, density: screenDensity() };
	}

	/** Draws immediately in `size` and holds it; undefined fits the layout again. */
	hold(size: PictureSize | undefined): void {
		this.toggleAttribute("held", size !== undefined);
		this.#drawing.hold(size);
	}

	/** The painter of the last picture. */
	get drawnBy(): "canvas2d" | "webgl2" {
		return this.#drawing.drawnBy;
	}

	/** World coordinates under the pointer in the current drawing. */
	get pointer(): Point | undefined {
		return this.#pointing?.world;
	}

	zoomBy(factor: number): void {
		const { camera, follow } = this.state;
		const max = widestSpan(this.state);
		this.easeTo(zoomed(camera, follow, this.target, { factor, max }));
	}

	/**
	 * Moves the camera by a share of the picture's size, right and up; continues to
	 * follow.
	 */
	panBy(right: number, up: number): void {
		const { camera, follow } = this.state;
		const view = this.target;
		this.easeTo(panned(camera, follow, view, -right * view.width, up * view.height));
	}

	/** Applies the next change of the camera immediately. */
	snap(): void {
		this.#drawing.snap();
	}

	/** Moves the camera smoothly. */
	easeTo(camera: Camera, duration?: number): void {
		this.#drawing.ease(duration);
		this.controller?.setCamera(camera);
	}

	/** Rotates the picture around its centre, counter-clockwise. */
	rotateBy(radians: number): void {
		this.easeTo(rotated(this.state.camera, radians));
	}

	/** Tilts the camera to `radians` from straight down. */
	tiltTo(radians: number): void {
		this.easeTo(tilted(this.state.camera, radians));
	}

	/** Sets what the camera moves with. */
	follow(follow: Follow): void {
		this.#drawing.ease();
		const { camera } = this.state;
		this.controller?.setFollow(follow, refollowed(camera, this.target, follow));
	}

	/** Selects the next thing that the camera moves with. */
	cycleFollow(): void {
		this.follow(nextFollow(this.state));
	}

	/** Centres the ego vehicle at the default scale. */
	reset(): void {
		this.#drawing.ease();
		this.controller?.resetCamera();
	}

	/** Shows the whole map or, without one, the frame's surroundings. */
	fitAll(): void {
		const extent = extentOf(this.state);
		if (!extent) return;
		this.#drawing.ease();
		this.controller?.setFollow("free", fitted(...extent, this.target));
	}

	/** Sets the axes of the displayed coordinates. */
	setCoords(coords: Coords): void {
		this.controller?.setCoords(coords);
	}

	/** Starts measuring, or ends it and clears the path. */
	toggleMeasure(): void {
		this.controller?.toggleMeasure();
	}

	/**
	 * Hovers the next (+1) or previous (-1) agent by distance to the ego, and announces
	 * it.
	 */
	walk(direction: 1 | -1): void {
		const next = nextByDistance(this.state, direction);
		if (next === undefined) return;
		this.controller?.hover(next);
		this.controller?.announce(labelOf(this.state, next));
	}

	/** Returns the agent at a point of the window, in CSS pixels. */
	pick(clientX: number, clientY: number): Selection | undefined {
		const { left, top } = this.getBoundingClientRect();
		const at = { x: clientX - left, y: clientY - top };
		return pickedAt(this.moving, this.view, at, 0);
	}

	/** Draws the picture again, for example after a layer of the page changed. */
	redraw(): void {
		this.#drawing.request();
	}

	/** Loads controls and notes; rejects if that fails. */
	loadControls(): Promise<void> {
		return this.#late.load();
	}

	/** The canvas with the last drawing. */
	get canvas(): HTMLCanvasElement | null {
		return this.renderRoot.querySelector("canvas");
	}

	/**
	 * The state to draw: during playback, between two frames; with what is readable of a
	 * frame.
	 */
	get moving(): ViewerState {
		const { controller, state } = this;
		if (state.partial) return { ...state, shown: state.partial };
		const blend = controller && !prefersStill() ? this.#late.blend : undefined;
		return blend && controller ? blend.of(controller) : state;
	}

	/** The camera's target: the view at the end of easing. */
	get target(): View {
		const { camera, follow } = this.state;
		const pose = this.#anchor.of(this.moving);
		return viewOf(camera, follow, pose, this.#drawing.held ?? this.size);
	}

	/** Updates the readout, since the position under the pointer may have changed. */
	drawn(): void {
		if (this.pointer) super.stateChanged();
	}

	override connectedCallback(): void {
		super.connectedCallback();
		this.#scheme = globalThis.matchMedia?.("(prefers-color-scheme: light)");
		this.#scheme?.addEventListener("change", this.#drawing.request);
		this.#observer = new ResizeObserver(() => {
			this.#drawing.now();
			this.requestUpdate(); // updates the scale bar
		});
		this.#observer.observe(this);
		if (this.hasUpdated) this.#attachPointer();
		this.#watchTicks();
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#scheme?.removeEventListener("change", this.#drawing.request);
		this.#observer?.disconnect();
		this.#pointing?.dispose();
		this.#pointing = undefined;
		this.#drawing.stop();
		this.#watchTicks();
	}

	/** Draws at each tick of the controller's playback. */
	#watchTicks(): void {
		this.#ticking?.ticks.delete(this.#onTick);
		this.#ticking = this.isConnected ? this.controller : undefined;
		this.#ticking?.ticks.add(this.#onTick);
	}

	readonly #onTick = (): void => {
		if (this.moving !== this.state) this.#drawing.soon();
	};

	protected watched(state: ViewerState): readonly unknown[] {
		const { shown, partial, map, camera, follow, layers, selection, hover } = state;
		const { phase, frame, scene, frameProblem, theme, threshold, laneColours } = state;
		const { coords, measured, raster, aerial, review, playing, stalled, query } = state;
		return [
			...[shown, partial, map, camera, follow, layers, selection, hover],
			...[phase, frame, scene, frameProblem, theme, threshold, laneColours],
			...[coords, measured, aerial, review.drawn, playing, stalled, query],
			...[raster.picture, raster.footprint, state.overlays, state.simulated],
			...[state.pageLayers, state.mapChoice, state.mapHover, state.timeline],
			...[state.notes, state.placing, state.placed, state.pictured, state.solids],
			...[state.focus, state.plotted],
			...limitsOf(state),
		];
	}

	/** Applies to the controls over the picture; the picture itself is not paced. */
	protected override get pace(): number {
		return 100;
	}

	protected override stateChanged(): void {
		const { state } = this;
		this.#late.need();
		const before = this.#before;
		this.#before = state;
		this.#anchor.of(this.moving);
		// Steps and seeks ease to the new position; playback moves continuously, and the
		// first picture has no previous position.
		const jumped = before?.shown !== state.shown && !state.playing;
		if (before?.shown && jumped) this.#drawing.ease();
		// A link that is being opened sets the camera itself.
		if (state.shown) this.#drawnData = state.dataset;
		const isOpen = state.dataset && state.dataset === this.#drawnData;
		const { selection, focus } = state;
		const isNew = selection !== before?.selection || focus !== before?.focus;
		if (isOpen && isNew) this.#revealDue = selection !== undefined;
		else if (state.camera !== before?.camera) this.#revealDue = false;
		if (this.#revealDue) this.#reveal();
		if (state.playing) this.#drawing.snap();
		if (state.playing) this.#drawing.soon();
		else this.#drawing.request();
		super.stateChanged();
	}

	protected override firstUpdated(): void {
		this.#drawing.now();
	}

	protected override updated(changed: PropertyValues<this>): void {
		this.#attachPointer();
		if (changed.has("theme") || changed.has("subset")) this.#drawing.request();
	}

	protected override willUpdate(changed: PropertyValues<this>): void {
		super.willUpdate(changed);
		if (changed.has("controller")) this.#watchTicks();
		if (!changed.has("painter")) return;
		this.#drawing.painter = PAINTERS.find((name) => name === this.painter) ?? "auto";
	}

	protected override render(): TemplateResult {
		const { state, subset } = this;
		this.toggleAttribute("cooperative", this.#pointing?.cooperative ?? false);
		const label = `Scene, seen from above${subset ? `: ${subset.name}` : ""}`;
		const words = state.shown && !state.playing ? summaryOf(state) : "the scene";
		const waiting = waitingWords(state);
		const pointed = state.hover === undefined ? "" : "over";
		const marks = `${state.measured || state.placing ? "measuring" : pointed} ${waitingWords(state, "ego") ? "stale" : ""}`;
		return html`
			<div class="stage" tabindex="0" role="group" aria-label=${label}
				@transitionend=${this.#onTransition}>
				<canvas part="canvas" role="img" aria-label=${`Picture: ${waiting ?? words}`}
					@contextlost=${this.#onContextLost} @contextrestored=${this.#drawing.restored}
					class=${marks}></canvas>
			</div>
			${subset ? html`<div class="model ${subset.mark}"><span>${subset.name}</span></div>` : nothing}
			${this.#overPicture()} ${this.#pointing?.hint() ?? nothing}`;
	}

	/** Renders controls and notes over the picture. */
	#overPicture(): TemplateResult | typeof nothing {
		const { state, bare } = this;
		const controls = this.#late.code;
		if (!controls) return nothing;
		const notes = controls.sceneNotes(this.controller);
		if (bare) return html`${notes}`;
		const told = {
			...{ pointer: this.pointer, earth: this.#pointing?.earth, view: this.target },
			choose: (coords: Coords) => this.setCoords(coords),
		};
		return html`${controls.cameraMenu(state, this, this.#cameras)} ${notes}
			${controls.readout(state, told)} ${controls.zoomButtons(state, this)}`;
	}

	/** Redraws after the page changed a token used by the picture. */
	readonly #onTransition = ({ propertyName }: TransitionEvent): void => {
		if (propertyName === "--_read") this.#drawing.request();
	};

	readonly #onContextLost = (): void => {
		const composed = { bubbles: true, composed: true };
		this.dispatchEvent(new CustomEvent("context-lost", composed));
	};

	/** Handles gestures once their code is loaded, with the controls. */
	#attachPointer(): void {
		const { canvas, isConnected } = this;
		const { code } = this.#late;
		if (!canvas || !code || !isConnected || this.#pointing) return;
		this.#pointing = new code.ScenePointer(this, canvas);
	}

	/** Moves the camera to the selection as soon as the requested frame is displayed. */
	#reveal(): void {
		const { selection, camera, follow, focus } = this.state;
		const shown = currentFrame(this.state);
		if (!shown) return;
		const pose = poseOf(shown, selection);
		this.#revealDue = false;
		if (!pose || followsSelection(follow)) return;
		const moved = (focus?.reached ?? revealed)(camera, follow, this.target, pose);
		if (moved) this.easeTo(moved, focus?.flightMs);
	}
}
