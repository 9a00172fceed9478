import type { FrameView, Polylines } from "../../dataset/frame-view.js";
import type { MapView } from "../../dataset/map-view.js";
import { NO_MINIMA } from "../agents/agents-state.js";
import { visibilityOf } from "../agents/summary.js";
import { paint } from "../draw/canvas-painter.js";
import { type Palette, paletteOf } from "../draw/palette.js";
import type { Overlay, Picture } from "../draw/picture.js";
import type { PicturedFutures } from "../futures/pictured-futures.js";
import { DEFAULT_LAYERS } from "../layers/layer-set.js";
import { activeFaces } from "../map/lane-lights.js";
import type { ModelLines } from "../review/model-lines.js";
import type { ScenePredictions } from "../review/scene-predictions.js";
import { poseOf } from "../scene-view/anchor.js";
import type { Pose, View } from "../scene-view/camera.js";
import type { ViewerController } from "../session/controller.js";
import type { ViewerDataset } from "../session/dataset.js";
import { problemOf } from "../session/problem.js";
import type { ViewerState } from "../session/state.js";
import { until } from "../session/store.js";
import type { GalleryModel } from "./gallery-state.js";
import type { Painter, PicturedAt } from "./pictured-at.js";

/** Size of a thumbnail in CSS pixels of its drawing. */
export const THUMBNAIL = { width: 320, height: 180 } as const;
/** Frames of trails. */
const PAST = 15;
/** Metres across: of a place, and the least and the most of predictions. */
const ACROSS = { place: 80, least: 26, most: 240 };
/** Part of the width at which the followed agent is, which heads to the right. */
const ANCHOR = 0.35;
/** Space around paths in metres. */
const MARGIN = 6;
/** Maximum number of cached sets of active faces. */
const MAX_LIGHTS = 100;

/** What thumbnails are drawn with. */
export interface ThumbnailSource {
	readonly controller: ViewerController;
	/** Has the colours. */
	readonly host: Element;
	/** Models whose predictions are drawn. */
	readonly models?: readonly GalleryModel[] | undefined;
	/**
	 * Uses stored pictures of scenes where they show the same; called with the reason if
	 * they cannot be used.
	 */
	readonly onStoredNotice?: ((notice: string) => void) | undefined;
	/** Pixels of images per pixel of the drawing. Default: 1. */
	readonly density?: number | undefined;
}

function isMapKnown({ mapState }: ViewerState): boolean {
	return mapState !== "unknown" && mapState !== "loading";
}

/** Adds the points of the lines of a track to `out`. */
function addPoints(
	out: number[],
	{ points, offsets }: Polylines,
	isOf: (line: number) => boolean,
): void {
	for (let i = 0; i + 1 < offsets.length; i += 1) {
		if (!isOf(i)) continue;
		for (let k = 2 * (offsets[i] ?? 0); k < 2 * (offsets[i + 1] ?? 0); k += 1)
			out.push(points[k] ?? Number.NaN);
	}
}

/** Returns world points that a thumbnail must contain, as x and y in turn. */
function pointsOf(lines: readonly ModelLines[], track: bigint): number[] {
	const out: number[] = [];
	for (const { lines: one } of lines) {
		addPoints(out, one.modes, (i) => one.tracks[i] === track);
		addPoints(out, one.truth, (i) => one.truthTracks[i] === track);
	}
	return out;
}

/** Returns the view around a pose, which heads to the right, with these points in it. */
export function viewAround({ x, y, yaw }: Pose, points: readonly number[]): View {
	const { width, height } = THUMBNAIL;
	const [cos, sin] = [Math.cos(yaw), Math.sin(yaw)];
	let [left, right, low, high] = [0, 0, 0, 0];
	for (let k = 0; k + 1 < points.length; k += 2) {
		const [dx, dy] = [(points[k] ?? x) - x, (points[k + 1] ?? y) - y];
		const [ahead, aside] = [cos * dx + sin * dy, cos * dy - sin * dx];
		if (!Number.isFinite(ahead + aside)) continue;
		[left, right] = [Math.min(left, ahead), Math.max(right, ahead)];
		[low, high] = [Math.min(low, aside), Math.max(high, aside)];
	}
	const reach = Math.max(right - left, ((high - low) * width) / height);
	const usual = points.length > 0 ? Math.max(ACROSS.least, 1.7 * reach) : ACROSS.place;
	const across = Math.min(ACROSS.most, Math.max(usual, reach + 2 * MARGIN));
	const up = (across * height) / width;
	const within = (at: number, least: number, most: number): number =>
		least > most ? (least + most) / 2 : Math.min(most, Math.max(least, at));
	const ahead = within(
		(0.5 - ANCHOR) * across,
		right + MARGIN - across / 2,
		left - MARGIN + across / 2,
	);
	const aside = within(0, high + MARGIN - up / 2, low - MARGIN + up / 2);
	return {
		x: x + cos * ahead - sin * aside,
		y: y + sin * ahead + cos * aside,
		pixelsPerMetre: width / across,
		rotation: -yaw,
		width,
		height,
	};
}

/** Draws thumbnails of any scene as the viewer draws its picture. */
export class ThumbnailPainter implements Painter {
	readonly #source: ThumbnailSource;
	readonly #lights = new Map<string, Uint8Array>();
	#predictions: Promise<ScenePredictions | undefined> | undefined;
	/** The map of a scene that is not open. */
	#map: { readonly scene: number; readonly view: MapView | undefined } | undefined;
	#futures: Promise<PicturedFutures> | undefined;
	#canvas: OffscreenCanvas | undefined;
	/** Read once: reading it computes the page's styles. */
	#palette: Palette | undefined;

	constructor(source: ThumbnailSource) {
		this.#source = source;
	}

	async draw(at: PicturedAt, signal: AbortSignal): Promise<ImageBitmap | undefined> {
		const { store } = this.#source.controller;
		const { dataset } = await until(store, isMapKnown, signal);
		if (!dataset) return undefined;
		const stored = await this.#stored(dataset, at, signal);
		if (stored) return stored;
		const { threshold } = store.state;
		const options = { past: PAST, future: 0, threshold, signal };
		const frame = await dataset.frame(at.scene, at.moment ?? at.frame, options);
		try {
			const map = await this.#mapOf(at.scene, signal);
			const laneColours = await this.#coloursOf(map, frame, signal);
			const lines = await this.#linesOf(at, signal);
			const overlays = await this.#futuresOf(at, map, signal);
			signal.throwIfAborted();
			return this.#paint(at, { frame, map, laneColours, lines, overlays });
		} finally {
			frame.release();
		}
	}

	/** Returns the stored picture of a scene's first frame, if that is what is shown. */
	async #stored(
		dataset: ViewerDataset,
		{ scene, frame, track, mark, lines, futures, moment }: PicturedAt,
		signal: AbortSignal,
	): Promise<ImageBitmap | undefined> {
		const { host, onStoredNotice: onNotice } = this.#source;
		const others = [track, mark, lines, futures, moment];
		const isOther = others.some((one) => one !== undefined);
		if (frame !== 0 || isOther || !onNotice) return undefined;
		try {
			const png = await dataset.facts?.({}).image?.(scene, { signal, onNotice });
			if (!png) return undefined;
			this.#palette ??= paletteOf(host);
			const { storedImage } = await import("./stored-image.js");
			return await storedImage(png as Uint8Array<ArrayBuffer>, this.#palette);
		} catch (error) {
			signal.throwIfAborted();
			onNotice(`${problemOf(error).why} (pictures are drawn)`);
			return undefined;
		}
	}

	/** Frees the memory. */
	close(): void {
		void this.#predictions?.then((them) => them?.close()).catch(() => {});
		this.#map?.view?.release();
		this.#map = undefined;
	}

	async #mapOf(scene: number, signal: AbortSignal): Promise<MapView | undefined> {
		const { state } = this.#source.controller;
		const { dataset, mapAddress, mapPlace } = state;
		const isChosen = mapAddress !== undefined || mapPlace !== undefined;
		if (scene === state.scene || isChosen || !dataset?.sceneMap) return state.map;
		if (this.#map?.scene !== scene) {
			const view = await dataset.sceneMap(scene, { signal });
			this.#map?.view?.release();
			this.#map = { scene, view };
		}
		return this.#map.view;
	}

	/** Returns the lanes' colours in a frame; undefined if the map has no answer. */
	async #coloursOf(
		map: MapView | undefined,
		frame: FrameView,
		signal: AbortSignal,
	): Promise<Uint8Array | undefined> {
		if (!map || frame.lights.length === 0) return undefined;
		const lit = activeFaces(frame);
		const key = `${this.#map?.view === map ? this.#map.scene : ""} ${lit.join("\n")}`;
		const known = this.#lights.get(key);
		if (known) return known;
		const colours = await map.laneColours(lit, { signal });
		if (this.#lights.size >= MAX_LIGHTS) this.#lights.clear();
		this.#lights.set(key, colours);
		return colours;
	}

	async #linesOf(
		{ scene, frame, lines }: PicturedAt,
		signal: AbortSignal,
	): Promise<readonly ModelLines[]> {
		const { controller, models } = this.#source;
		if (lines === undefined || !models) return [];
		const ids = models.map(({ id }) => id);
		this.#predictions ??= controller.reviews.predictionsOf(ids);
		const all = (await (await this.#predictions)?.lines(scene, frame, signal)) ?? [];
		return models.flatMap(({ id, slot }, i) => {
			const { [i]: own } = all;
			return own ? [{ model: id, slot, lines: { frame, ...own } }] : [];
		});
	}

	async #futuresOf(
		{ scene, frame, futures: which, moment = frame }: PicturedAt,
		map: MapView | undefined,
		signal: AbortSignal,
	): Promise<readonly Overlay[]> {
		if (which === undefined) return [];
		this.#futures ??= import("../futures/pictured-futures.js").then(
			(it) => new it.PicturedFutures(),
		);
		const { left, right } = map?.lanes ?? {};
		const lanes = left && right ? { left, right } : undefined;
		const { state } = this.#source.controller;
		const given = { scene, frame: moment, which, lanes };
		return (await this.#futures).overlays(state, given, signal);
	}

	#paint(
		{ track, mark, lines: of }: PicturedAt,
		drawn: Pick<Picture, "frame" | "map" | "laneColours"> & {
			readonly lines: readonly ModelLines[];
			readonly overlays: readonly Overlay[];
		},
	): ImageBitmap | undefined {
		const { controller, host, density = 1 } = this.#source;
		const { frame, map, laneColours, lines, overlays } = drawn;
		if (!frame) return undefined;
		const { state } = controller;
		const pose = poseOf(frame, track) ?? poseOf(frame, "ego");
		if (!pose) return undefined;
		const isOne = typeof of === "bigint";
		const points = isOne ? pointsOf(lines, of) : [];
		for (const one of overlays) for (const value of one.points) points.push(value);
		const marked = poseOf(frame, mark);
		if (marked && points.length > 0) points.push(marked.x, marked.y);
		const filter = {
			...{ ...NO_MINIMA, layers: DEFAULT_LAYERS, selection: mark, query: "" },
			...{ distance: Number.POSITIVE_INFINITY, dataset: state.dataset },
		};
		this.#palette ??= paletteOf(host);
		const { width, height } = THUMBNAIL;
		const picture: Picture = {
			...{ frame, map, laneColours, overlays, density, aerial: undefined },
			...{ layers: DEFAULT_LAYERS, palette: this.#palette, grid: !map },
			...{ selection: mark, hover: undefined, measured: [], labelOf: () => "" },
			...(isOne && { focus: mark }),
			view: viewAround(pose, points),
			visibility: visibilityOf(frame, filter),
			predictions: lines,
			predictionPainter: state.review.painters?.direct,
		};
		this.#canvas ??= new OffscreenCanvas(width * density, height * density);
		const ctx = this.#canvas.getContext("2d", { alpha: false });
		if (!ctx) return undefined;
		paint(ctx as unknown as CanvasRenderingContext2D, picture);
		return this.#canvas.transferToImageBitmap();
	}
}
