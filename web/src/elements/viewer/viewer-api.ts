import type { Patch } from "../../dataset/patch.js";
import type { PageLayer } from "../draw/page-layer.js";
import type { Overlay } from "../draw/picture.js";
import { loadEdits } from "../edits/load-edits.js";
import type { RecordOptions } from "../export/page-video.js";
import { formatLink, type LinkState } from "../link/link.js";
import { restoreLink } from "../link/restore.js";
import type { LiveModelOptions, ModelFrom } from "../models/live-controller.js";
import { loadLive } from "../models/load-live.js";
import type { Note } from "../notes/note.js";
import type { NotesStore } from "../notes/notes-store.js";
import type { PredictionsFrom } from "../review/review-controller.js";
import type { RolloutFrom } from "../rollout/rollout-controller.js";
import type { Camera, Point } from "../scene-view/camera.js";
import type { Selection } from "../scene-view/picking.js";
import type { Opened, TransferStats, ViewerDataset } from "../session/dataset.js";
import { BevElement } from "../ui/bev-element.js";
import type { ViewerProperties } from "./viewer-attributes.js";
import type { ViewerEventTarget } from "./viewer-events.js";
import { ViewerPicture } from "./viewer-picture.js";

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

/** What a page can ask of a viewer, and tell it. */
export abstract class ViewerApi extends ViewerElement {
	protected readonly picture = new ViewerPicture(this);

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
	 * Returns the pixel of a point in world (metres), in CSS pixels from the viewer's
	 * upper left corner; undefined while no picture is displayed.
	 */
	project(x: number, y: number): Point | undefined {
		return this.picture.project(x, y);
	}

	/** Returns the point in world (metres) of a pixel; the inverse of `project`. */
	unproject(x: number, y: number): Point | undefined {
		return this.picture.unproject(x, y);
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
		this.picture.view?.redraw();
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
		this.needNotes((store) => store.give(notes));
	}

	/** Loads the notes' storage, and calls `act` with it; reports failures. */
	protected needNotes(act: (store: NotesStore) => void = () => {}): void {
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
		return this.picture.view?.pick(clientX, clientY);
	}

	/**
	 * Encodes the current picture; null if there is none, or if the type is not
	 * supported.
	 */
	toBlob(type = "image/png"): Promise<Blob | null> {
		return this.picture.toBlob(type);
	}

	/** Exports the marked section, or the whole scene, as a video: every frame once. */
	async record(options: RecordOptions = {}): Promise<Blob> {
		const { recordForPage } = await import("../export/page-video.js");
		return recordForPage(this.controller, this.picture.view, options);
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
	 * Opens a model that predicts the displayed frames and can drive: an ONNX file or its
	 * URL, an open `Model`, which stays the page's, or a function in place of a model;
	 * undefined closes it. Resolves when it is open; the panel tells why it is not.
	 */
	async setModel(
		from: ModelFrom | undefined,
		options: LiveModelOptions = {},
	): Promise<void> {
		await (await loadLive()).setModel(this.controller, from, options);
	}

	/**
	 * Shows the scenes with the edits of a what-if patch, or of its JSON; undefined shows
	 * the recorded ones. Rejects with the reason if it cannot be applied.
	 */
	async setPatch(patch: Patch | string | undefined): Promise<void> {
		await (await loadEdits()).setPatch(this.controller, patch);
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
}
