import type { PropertyValues } from "lit";
import { BevError } from "../../errors.js";
import type { PageLayer } from "../draw/page-layer.js";
import type { Overlay } from "../draw/picture.js";
import type { VideoOptions } from "../export/video.js";
import { type LinkState, parseLink } from "../link/link.js";
import { LINK_DEFAULTS } from "../link/link-of.js";
import type { Note } from "../notes/note.js";
import type { NotesKeeper } from "../notes/notes-keeper.js";
import {
	type Camera,
	type Point,
	screenFromWorld,
	type View,
	worldFromScreen,
} from "../scene-view/camera.js";
import type { Selection } from "../scene-view/picking.js";
import type { SceneView } from "../scene-view/scene-view.js";
import type { Place, TransferStats, ViewerDataset } from "../session/dataset.js";
import { ViewerTarget } from "./viewer-target.js";

/** Options of a video export. */
export interface RecordOptions extends Partial<Omit<VideoOptions, "format" | "size">> {
	/** Default: `webm`. */
	readonly format?: "webm" | "mp4" | undefined;
	/** Size of the video in pixels. Default: the displayed size. */
	readonly size?:
		| {
				/** Width in pixels. */
				readonly width: number;
				/** Height in pixels. */
				readonly height: number;
		  }
		| undefined;
}

/** Features that this browser supports. */
export interface ViewerCapabilities {
	/** Encoding videos with WebCodecs. */
	readonly videos: boolean;
	/** Choosing a folder that can be reopened. */
	readonly folders: boolean;
	/** Whether WebGL2 is available. */
	readonly webgl2: boolean;
}

/** Attributes of display settings, and the link keys with the same meaning. */
const DISPLAY_KEYS = {
	coords: "c",
	follow: "w",
	layers: "l",
	threshold: "th",
	track: "t",
} as const;
type DisplayName = keyof typeof DISPLAY_KEYS;

/** Values after such an attribute is removed. */
const LOOK_DEFAULTS = {
	coords: { coords: LINK_DEFAULTS.coords },
	follow: { follow: LINK_DEFAULTS.follow },
	layers: { layers: LINK_DEFAULTS.layers },
	threshold: { threshold: LINK_DEFAULTS.threshold },
	track: { selection: undefined },
} as const satisfies Record<DisplayName, LinkState>;

/** Properties of the position in the data set. */
type Where = "scene" | "frame";

/** The viewer's API for pages: attributes, properties and methods. */
export abstract class ViewerFace extends ViewerTarget {
	static override properties = {
		...ViewerTarget.properties,
		scene: { noAccessor: true },
		frame: { noAccessor: true },
		coords: {},
		follow: {},
		layers: {},
		threshold: {},
		track: {},
		speed: { type: Number },
		loop: { type: Boolean },
		autoplay: { type: Boolean },
		controls: {},
		gestures: {},
	};

	/** Coordinate frame of the readout: `world`, `ego`, `agent` or `raster`. */
	declare coords: string | null;
	/** What the camera follows: `position`, `heading` or `free`. */
	declare follow: string | null;
	/** Enabled layers, separated by commas. */
	declare layers: string | null;
	/**
	 * Lower bound, exclusive, of the sum of known classes' probabilities of kept agents.
	 */
	declare threshold: string | null;
	/** The selection: a track id, or `ego`. */
	declare track: string | null;
	/** Playback speed; 1 is real time. */
	declare speed: number | null;
	/** Whether playback repeats the marked section, or the scene. */
	declare loop: boolean;
	/** Plays once the first frame is displayed, unless prefers-reduced-motion is set. */
	declare autoplay: boolean;
	/** `none` hides all panels and bars. */
	declare controls: string | null;

	/**
	 * `greedy`: wheel and one finger control the picture; `cooperative`: they scroll the
	 * page; `auto`.
	 */
	declare gestures: string | null;

	/** The position set by the page; null means 0. */
	readonly #wanted: Record<Where, number | null> = { scene: null, frame: null };
	/** Properties set since the last update. */
	readonly #due = new Set<Where>();

	constructor() {
		super();
		for (const name of Object.keys(DISPLAY_KEYS) as DisplayName[]) this[name] = null;
		this.speed = null;
		this.loop = false;
		this.autoplay = false;
		this.controls = null;
		this.gestures = null;
	}

	/**
	 * The open scene; without a data set, the initial scene. Setting it opens the scene
	 * at `frame`.
	 */
	get scene(): number | null {
		const { dataset, sceneInfo } = this.state;
		return dataset ? (sceneInfo?.index ?? null) : this.#wanted.scene;
	}

	/** Displays another scene, from the frame that is set with it. */
	set scene(scene: number | string | null | undefined) {
		this.#want("scene", scene);
	}

	/**
	 * The displayed frame, null if none; without a data set, the initial frame. Setting
	 * it seeks.
	 */
	get frame(): number | null {
		const { dataset, shown } = this.state;
		return dataset ? (shown?.frame ?? null) : this.#wanted.frame;
	}

	/** Displays another frame. */
	set frame(frame: number | string | null | undefined) {
		this.#want("frame", frame);
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

	/** The camera's position, extent and rotation. */
	get camera(): Camera {
		return this.state.camera;
	}

	/** Moves the camera. */
	set camera(camera: Camera) {
		this.controller?.setCamera(camera);
	}

	/**
	 * Opens a scene at a frame; resolves when it is displayed. A frame above the last one
	 * means the last. Rejects with `out_of_range` if the scene does not exist, and like
	 * `settled` if it cannot be read.
	 */
	async goTo(scene: number, frame = 0): Promise<void> {
		await this.updateComplete;
		const { phase, sceneCount } = this.state;
		for (const [name, index] of Object.entries({ scene, frame })) {
			const last = name === "scene" && phase === "ready" ? sceneCount - 1 : Infinity;
			if (Number.isSafeInteger(index) && index >= 0 && index <= last) continue;
			throw new BevError("out_of_range", `goTo: ${name} ${index} is out of range`);
		}
		if (!this.controller?.amendStart({ scene, frame })) {
			if (phase !== "ready")
				throw new BevError("invalid_argument", "goTo: no data set");
			this.controller?.goTo({ scene, frame });
		}
		await this.controller?.displayed;
	}

	/**
	 * Returns the pixel of a point in world (metres), in CSS pixels from the viewer's
	 * upper left corner; undefined while no picture is displayed.
	 */
	project(x: number, y: number): Point | undefined {
		const shown = this.#shownView();
		if (!shown) return undefined;
		const at = screenFromWorld(shown.view, x, y);
		return { x: at.x + shown.left, y: at.y + shown.top };
	}

	/** Returns the point in world (metres) of a pixel; the inverse of `project`. */
	unproject(x: number, y: number): Point | undefined {
		const shown = this.#shownView();
		return shown && worldFromScreen(shown.view, x - shown.left, y - shown.top);
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
		this.#picture?.redraw();
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
		this.needNotes((keeper) => keeper.give(notes));
	}

	/** Loads the notes' storage, and calls `act` with it; reports failures. */
	protected needNotes(act: (keeper: NotesKeeper) => void = () => {}): void {
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
	 * failed.
	 */
	async open(from: string | Place, start: LinkState = {}): Promise<void> {
		const place: Place =
			typeof from === "string" ? { kind: "address", address: from } : from;
		await this.controller?.open(place, { ...this.display(), ...start });
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
		return this.#picture?.pick(clientX, clientY);
	}

	/**
	 * Encodes the current picture; null if there is none, or if the type is not
	 * supported.
	 */
	toBlob(type = "image/png"): Promise<Blob | null> {
		const canvas = this.#picture?.canvas;
		return new Promise((resolve) => {
			if (canvas) canvas.toBlob(resolve, type);
			else resolve(null);
		});
	}

	/** Exports the marked section, or the whole scene, as a video: every frame once. */
	async record({
		format = "webm",
		signal = new AbortController().signal,
		onProgress = () => {},
		size,
		speed,
		caption,
	}: RecordOptions = {}): Promise<Blob> {
		const [{ recordVideo }, { FORMATS }, { sizeInPixels }] = await Promise.all([
			import("../export/video.js"),
			import("../export/encoding.js"),
			import("../export/size.js"),
		]);
		const kind = FORMATS.find(({ ending }) => ending === format);
		const picture = this.#picture;
		if (!this.controller || !picture || !kind) {
			throw new TypeError(
				`record: unsupported format, or no picture (found ${format}, expected webm or mp4)`,
			);
		}
		const held = size && sizeInPixels(picture.size, size.width, size.height);
		const how = { format: kind, size: held, speed, caption };
		return recordVideo(this.controller, picture, { ...how, signal, onProgress });
	}

	protected override willUpdate(changed: PropertyValues<this>): void {
		super.willUpdate(changed);
		const { controller } = this;
		if (!controller) return;
		this.#changeDisplay(changed);
		this.#steer();
		if (changed.has("speed") && this.speed && this.speed > 0)
			controller.setSpeed(this.speed);
		else if (changed.get("speed") && !this.speed) controller.setSpeed(1);
		if (changed.has("loop") && this.loop !== controller.state.loop) {
			if (this.loop || changed.get("loop")) controller.toggleLoop();
		}
	}

	/** Returns the display settings of the attributes. */
	protected display(): LinkState {
		return this.#parsed(Object.keys(DISPLAY_KEYS) as DisplayName[]).state;
	}

	/** Returns the initial position for a data set that is opened now. */
	protected whereToBegin(): LinkState {
		this.#due.clear();
		const { scene, frame } = this.#wanted;
		return { scene: scene ?? undefined, frame: frame ?? undefined };
	}

	#parsed(names: readonly DisplayName[]): { state: LinkState; bad: readonly string[] } {
		const pairs = names.flatMap((name) => {
			const value = this[name] ?? null;
			return value === null ? [] : [[DISPLAY_KEYS[name], String(value)]];
		});
		return parseLink(new URLSearchParams(pairs).toString());
	}

	/** Applies changed attributes; removed ones are reset to their defaults. */
	#changeDisplay(changed: PropertyValues<this>): void {
		const names = (Object.keys(DISPLAY_KEYS) as DisplayName[]).filter((name) =>
			changed.has(name),
		);
		const gone = names.filter(
			(name) => this[name] == null && changed.get(name) != null,
		);
		const { state, bad } = this.#parsed(names);
		const link = Object.assign({}, ...gone.map((name) => LOOK_DEFAULTS[name]), state);
		this.controller?.notify(...bad);
		if (Object.keys(link).length === 0) return;
		if (!this.controller?.amendStart(link)) this.#applyLook(link);
	}

	#applyLook({ follow, ...link }: LinkState): void {
		const { controller } = this;
		controller?.adjust(link);
		if ("selection" in link) controller?.select(link.selection);
		if (follow === undefined) return;
		// Keeps the visible area if a frame is displayed.
		if (this.state.shown && this.#picture) this.#picture.follow(follow);
		else controller?.adjust({ follow });
	}

	#want(where: Where, value: number | string | null | undefined): void {
		const number = value === null || value === undefined ? null : Number(value);
		if (number !== null && !(Number.isSafeInteger(number) && number >= 0)) {
			this.controller?.notify(
				`${where}: invalid index (found ${value}, expected a whole number from 0)`,
			);
			return;
		}
		this.#wanted[where] = number;
		this.#due.add(where);
		this.requestUpdate();
	}

	/** Seeks to the values of `scene` and `frame` set by the page. */
	#steer(): void {
		if (this.#due.size === 0) return;
		const frame = this.#wanted.frame ?? 0;
		const where = this.#due.has("scene")
			? { scene: this.#wanted.scene ?? 0, frame }
			: { frame };
		this.#due.clear();
		if (this.controller?.amendStart(where)) return;
		if (this.state.phase === "ready") this.controller?.goTo(where);
	}

	/** The displayed view and its position in the viewer. */
	#shownView(): { view: View; left: number; top: number } | undefined {
		const picture = this.#picture;
		if (!picture || !this.state.shown) return undefined;
		const [own, outer] = [
			picture.getBoundingClientRect(),
			this.getBoundingClientRect(),
		];
		return {
			view: picture.view,
			left: own.left - outer.left,
			top: own.top - outer.top,
		};
	}

	get #picture(): SceneView | null {
		return this.renderRoot.querySelector<SceneView>("bev-scene-view");
	}

	#playWhenDrawn(): void {
		if (globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches) return;
		this.controller?.displayed.then(
			() => this.play(),
			() => {}, // a frame that cannot be drawn is not played
		);
	}
}
