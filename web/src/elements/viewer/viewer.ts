import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { PageLayer } from "../draw/page-layer.js";
import type { Overlay } from "../draw/picture.js";
import type { RecordOptions } from "../export/page-video.js";
import { type KeyTarget, keyFocus } from "../keys/key-focus.js";
import { formatLink, type LinkState, parseLink } from "../link/link.js";
import { restoreLink } from "../link/restore.js";
import type { Note } from "../notes/note.js";
import type { NotesStore } from "../notes/notes-store.js";
import type { Example, Pending } from "../open/open.js";
import { openPlace } from "../open/open-place.js";
import type { PredictionSets } from "../review/prediction-sets.js";
import type { PredictionsFrom } from "../review/review-controller.js";
import type { RolloutFrom } from "../rollout/rollout-controller.js";
import type { Camera, Point } from "../scene-view/camera.js";
import type { Selection } from "../scene-view/picking.js";
import { ViewerController } from "../session/controller.js";
import type {
	Opened,
	Place,
	TransferStats,
	ViewerDataset,
} from "../session/dataset.js";
import { keptNow } from "../session/showing.js";
import type { ViewerState } from "../session/state.js";
import { BevElement } from "../ui/bev-element.js";
import { rootStyles } from "../ui/root-styles.js";
import { GroupMembership } from "./group-membership.js";
import { IdleClose } from "./idle-close.js";
import { Landmarks } from "./landmarks.js";
import { LazyParts } from "./lazy-parts.js";
import { Panels } from "./panels.js";
import { Position } from "./position.js";
import { StartPage } from "./start-page.js";
import {
	ATTRIBUTE_DEFAULTS,
	ATTRIBUTE_PROPERTIES,
	AttributeChanges,
	displaySettings,
	type ViewerProperties,
} from "./viewer-attributes.js";
import { dispatchChanges, type ViewerEventTarget } from "./viewer-events.js";
import { ViewerPicture } from "./viewer-picture.js";
import { viewerStyles } from "./viewer-styles.js";

/** Features that this browser supports. */
export interface ViewerCapabilities {
	/** Encoding videos with WebCodecs. */
	readonly videos: boolean;
	/** Choosing a folder that can be reopened. */
	readonly folders: boolean;
	/** Whether WebGL2 is available. */
	readonly webgl2: boolean;
}

/**
 * The base class, with the types of the viewer's events and attributes. `Omit` leaves its
 * static members.
 */
const ViewerElement = BevElement as unknown as Omit<typeof BevElement, never> &
	(abstract new () => ViewerEventTarget & ViewerProperties & BevElement);

/** The complete viewer: all elements with one controller. */
export class Viewer extends ViewerElement implements KeyTarget {
	static override styles = [rootStyles, viewerStyles];
	static override properties = {
		...BevElement.properties,
		...ATTRIBUTE_PROPERTIES,
		examples: { attribute: false },
		linkBase: { attribute: false },
		pageKeys: { attribute: false },
		predictions: { attribute: false },
		pending: { attribute: false },
		choosing: { state: true },
		over: { state: true },
		copied: { state: true },
	};

	/** Further examples that the start page offers. */
	declare examples: readonly Example[];
	/** The page's address for `Copy link`; without it there is no such button. */
	declare linkBase: string | undefined;
	/**
	 * Whether to handle the page's keys from the start; for pages that consist of the
	 * viewer.
	 */
	declare pageKeys: boolean;
	/** Predictions to review, of one model or of several; undefined for none. */
	declare predictions: PredictionSets | undefined;
	/** A data set to confirm before it is opened. */
	declare pending: Pending | undefined;
	/** Whether a data set is being chosen. */
	declare choosing: boolean;
	/** Types of the files dragged over the viewer. */
	declare over: readonly string[] | undefined;
	/** Whether the link was just copied. */
	declare copied: boolean;
	/** State of the panels. */
	readonly layout = new Panels(this);
	readonly #landmarks = new Landmarks(this);
	readonly #membership = new GroupMembership(this);
	readonly #picture = new ViewerPicture(this);
	readonly #position = new Position(this);
	readonly #attributes = new AttributeChanges({
		viewer: this,
		membership: this.#membership,
		picture: this.#picture,
		position: this.#position,
	});
	readonly #start: StartPage;
	readonly #lazy: LazyParts;
	readonly #idleClose: IdleClose;
	#dataset: ViewerDataset | undefined;
	#stopEvents: (() => void) | undefined;

	constructor() {
		super();
		Object.assign(this, ATTRIBUTE_DEFAULTS);
		this.examples = [];
		this.pageKeys = false;
		this.choosing = false;
		this.copied = false;
		this.controller = new ViewerController({ opener: openPlace });
		this.#idleClose = new IdleClose(this.controller);
		this.#lazy = new LazyParts(this);
		this.#start = new StartPage(this, () => void this.#lazy.load());
	}

	/**
	 * See `ViewerController.settled`; also waits for the panels, which are loaded after the
	 * picture.
	 */
	get settled(): Promise<void> {
		// Attributes set just now take effect in the next update.
		return this.updateComplete
			.then(() => this.#membership.joined)
			.then(() => this.controller?.reviews.settled())
			.then(() => this.controller?.rollout.settled())
			.then(() => this.controller?.rollout.value?.settled())
			.then(() => this.controller?.settled)
			.then(() => this.#lazy.settled());
	}

	/**
	 * The open scene; without a data set, the initial scene. Setting it opens the scene
	 * at `frame`.
	 */
	get scene(): number | null {
		return this.#position.get("scene");
	}

	/** Displays another scene, from the frame that is set with it. */
	set scene(scene: number | string | null | undefined) {
		this.#position.set("scene", scene);
	}

	/**
	 * The displayed frame, null if none; without a data set, the initial frame. Setting
	 * it seeks.
	 */
	get frame(): number | null {
		return this.#position.get("frame");
	}

	/** Displays another frame. */
	set frame(frame: number | string | null | undefined) {
		this.#position.set("frame", frame);
	}

	/** The open data set; the name `dataset` is taken by `HTMLElement`. */
	get data(): ViewerDataset | undefined {
		return this.state.dataset;
	}

	/** The selected track, or `ego`. */
	get selection(): Selection | undefined {
		return this.state.selection;
	}

	/** Selects a track or the ego vehicle; undefined clears the selection. */
	set selection(selection: Selection | undefined) {
		this.controller?.select(selection);
	}

	/** The camera's position, extent, rotation and tilt. */
	get camera(): Camera {
		return this.state.camera;
	}

	/** Moves the camera. */
	set camera(camera: Camera) {
		this.controller?.setCamera(camera);
	}

	/**
	 * Opens a scene at a frame; resolves when it is displayed. Rejects with `out_of_range`
	 * if the scene, or the frame of the open scene, does not exist, and like `settled` if it
	 * cannot be read. In another scene, a frame above the last one means the last.
	 */
	async goTo(scene: number, frame = 0): Promise<void> {
		await this.updateComplete;
		await this.#position.goTo(scene, frame);
	}

	/**
	 * Returns the pixel of a point in world (metres), in CSS pixels from the viewer's
	 * upper left corner; undefined while no picture is displayed.
	 */
	project(x: number, y: number): Point | undefined {
		return this.#picture.project(x, y);
	}

	/** Returns the point in world (metres) of a pixel; the inverse of `project`. */
	unproject(x: number, y: number): Point | undefined {
		return this.#picture.unproject(x, y);
	}

	/**
	 * Draws a layer of the page over the picture, also in exported images and videos. It
	 * replaces the layer of the same name. Returns a function that removes it.
	 */
	addLayer(layer: PageLayer): () => void {
		return this.controller?.addLayer(layer) ?? (() => {});
	}

	/** Draws the picture again, for example after data of a layer changed. */
	redraw(): void {
		this.#picture.view?.redraw();
	}

	/** Points and lines of the page, drawn over the picture. */
	get overlays(): readonly Overlay[] {
		return this.state.overlays;
	}

	/** Draws points and lines over the picture, in world metres. */
	set overlays(overlays: readonly Overlay[]) {
		this.controller?.setOverlays(overlays);
	}

	/** The notes on the open data set. */
	get notes(): readonly Note[] {
		return this.state.notes;
	}

	/**
	 * Replaces the notes by those that the page stores; the browser then stores none.
	 * Undefined shows the browser's again. Invalid notes are reported as a notice.
	 */
	set notes(notes: readonly Note[] | undefined) {
		this.#needNotes((store) => store.give(notes));
	}

	/** Loads the notes' storage, and calls `act` with it; reports failures. */
	#needNotes(act: (store: NotesStore) => void = () => {}): void {
		this.controller?.notes.then(act).catch((error: unknown) => {
			this.controller?.notify(error instanceof Error ? error.message : String(error));
		});
	}

	/** Transfer statistics of the open data set. */
	get stats(): TransferStats {
		const { bytes, requests, absentChunks } = this.state;
		return { bytes, requests, absentChunks };
	}

	/** What this browser can do. */
	get capabilities(): ViewerCapabilities {
		return {
			videos: typeof VideoEncoder !== "undefined",
			folders: "showDirectoryPicker" in globalThis,
			webgl2: typeof WebGL2RenderingContext !== "undefined",
		};
	}

	/**
	 * Opens an address, files or an open data set; resolves when it is ready or has
	 * failed. `start` is the state, or the fragment of a link.
	 */
	async open(from: string | Place, start: LinkState | string = {}): Promise<void> {
		const state = typeof start === "string" ? parseLink(start).state : start;
		const place: Place =
			typeof from === "string" ? { kind: "address", address: from } : from;
		await this.controller?.open(place, { ...displaySettings(this), ...state });
		if (this.autoplay) this.#playWhenDrawn();
	}

	/** Closes the data set, and cancels opening. */
	close(): void {
		this.controller?.close();
	}

	/** Displays frame `frame` of the scene. */
	seek(frame: number): void {
		this.controller?.seek(frame);
	}

	/** Pauses, and moves by `frames`; negative moves back. */
	step(frames: number): void {
		this.controller?.step(frames);
	}

	/** Starts playback. */
	play(): void {
		this.controller?.play();
	}

	/** Stops playback. */
	pause(): void {
		this.controller?.pause();
	}

	/** Centres the ego at the default scale. */
	fit(): void {
		this.controller?.resetCamera();
	}

	/** Returns the agent at a point of the window, in CSS pixels. */
	pick(clientX: number, clientY: number): Selection | undefined {
		return this.#picture.view?.pick(clientX, clientY);
	}

	/**
	 * Encodes the current picture; null if there is none, or if the type is not
	 * supported.
	 */
	toBlob(type = "image/png"): Promise<Blob | null> {
		return this.#picture.toBlob(type);
	}

	/** Exports the marked section, or the whole scene, as a video: every frame once. */
	async record(options: RecordOptions = {}): Promise<Blob> {
		const { recordForPage } = await import("../export/page-video.js");
		return recordForPage(this.controller, this.#picture.view, options);
	}

	/** Displays a data set opened by the page. */
	show(name: string, opened: Opened, start: LinkState = {}): Promise<void> | undefined {
		return this.controller?.open({ kind: "given", name, opened }, start);
	}

	/** Adds a model's predictions, or replaces those of the same name. */
	addPredictions(name: string, from: PredictionsFrom): void {
		void this.controller?.reviews.give(from, name);
	}

	/** Removes a model's predictions; returns false if there is no model of that name. */
	removePredictions(name: string): boolean {
		return this.controller?.reviews.removeNamed(name) ?? false;
	}

	/**
	 * Opens simulated scenes: a file of `bevscope.save_rollout`, its text, or arrays;
	 * undefined closes them.
	 */
	setRollout(from: RolloutFrom | undefined, name = "Rollout"): void {
		void this.controller?.rollout.use((it) =>
			from === undefined ? it.clear() : it.give(from, name),
		);
	}

	/**
	 * Returns the state as a link's fragment, for `restore` and the attribute `state`.
	 */
	save(): string {
		return formatLink(this.controller?.linkState() ?? {});
	}

	/**
	 * Applies a link's fragment; opens its data set if it is not open. Reports invalid
	 * values.
	 */
	restore(fragment: string): void {
		if (this.controller) restoreLink(this.controller, fragment);
	}

	override connectedCallback(): void {
		super.connectedCallback();
		keyFocus.add(this);
		this.#idleClose.back();
		if (this.controller) this.#stopEvents = dispatchChanges(this.controller, this);
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		keyFocus.remove(this);
		this.#stopEvents?.();
		this.controller?.pause();
		this.#idleClose.left();
	}

	get modal(): boolean {
		const parts = [...this.renderRoot.querySelectorAll("*")];
		return parts.some(({ shadowRoot }) => shadowRoot?.querySelector(":modal"));
	}

	/** Acts on a key of the viewer. */
	handleKey(event: KeyboardEvent): void {
		this.#lazy.onKey(event);
	}

	/** Applies to the numbers on tabs. */
	protected override get pace(): number {
		return 100;
	}

	protected watched(state: ViewerState): readonly unknown[] {
		const { phase, place, bytes, requests, absentChunks, dataset, opening } = state;
		const { notices, announcement, serverWait, presumedAbsent, theme } = state;
		const { selection, mapChoice, review, rollout, plotsLinked, notes, gallery } =
			state;
		const { pictured, frameProblem, arrangement, besides, unreadable } = state;
		const { models, report } = review;
		const opened = [phase, place, bytes, requests, absentChunks, dataset, opening];
		const told = [notices, announcement, serverWait, presumedAbsent, theme];
		const shown = [selection, mapChoice, rollout, plotsLinked, notes, gallery];
		const placed = [arrangement, besides, unreadable, state.distributions];
		const reviewed = [review.phase, models.length, review.split && models, report];
		const picture = [keptNow(state), pictured, frameProblem, state.galleryLink];
		return [...opened, ...told, ...shown, ...placed, ...reviewed, ...picture];
	}

	protected override stateChanged(): void {
		const { phase, selection, dataset } = this.state;
		if (dataset && dataset !== this.#dataset) this.choosing = false;
		this.#dataset = dataset;
		if (phase === "ready" && this.state.pictured) this.#needNotes();
		this.layout.follow(this.state);
		this.#lazy.chrome?.selected(selection);
		super.stateChanged();
	}

	override regainFocus(from: Element, visible: boolean): void {
		void this.#lazy.chrome?.actions.regainFocus(from, visible);
	}

	protected override willUpdate(changed: PropertyValues<this>): void {
		super.willUpdate(changed);
		this.#attributes.update(changed);
	}

	protected override render(): TemplateResult {
		const { state, controller, layout } = this;
		const aside = this.choosing || this.pending || state.opening?.problem;
		const shown = state.phase === "ready" && !aside;
		const around = this.#lazy.chrome?.render(shown);
		const alone = this.controls === "none" ? "alone" : "";
		const bare = shown && !alone ? "" : "bare";
		const loading = around ? "" : `loading ${layout.has("timeline") ? "timed" : ""}`;
		const split = around?.split ?? [];
		return html`<div class="frame ${bare} ${alone} ${loading} ${layout.classes}" tabindex="-1">
				${around?.before}
				<div class="picture n${around?.count ?? 0}" role="region" aria-label=${this.regionName("Picture")}>
					<bev-scene-view exportparts="canvas, controls" .controller=${controller} .painter=${this.painter} .gestures=${this.gestures} ?bare=${this.controls === "none"} ?hidden=${!shown}
						?tools=${layout.sheet === "menu"} .model=${split[0]?.id}></bev-scene-view>
					${around?.pictures}
					<div class="overlay" ?hidden=${!shown}><slot name="overlay"></slot></div>
					${shown ? nothing : this.#start.render()}
					${around?.notices ?? this.#lazy.render()}
				</div>
				${around?.after}
			</div>
			${around?.dialogs}
			<div class="sr" role="status" aria-live="polite">${state.announcement}</div>`;
	}

	/** Returns the accessible name of a region. */
	regionName(of: string): string {
		return this.#landmarks.name(of);
	}

	protected override updated(changed: PropertyValues<this>): void {
		super.updated(changed);
		this.#lazy.updated();
	}

	/** Leaves the start page, and dismisses opening. */
	backToPicture(): void {
		this.#start.leave();
	}

	#playWhenDrawn(): void {
		if (globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches) return;
		this.controller?.displayed.then(
			() => this.play(),
			() => {}, // a frame that cannot be drawn is not played
		);
	}
}
