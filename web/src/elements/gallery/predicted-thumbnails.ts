import type { PredictedLines } from "../../tools/review.js";
import type { Palette } from "../draw/palette.js";
import { tracePolyline } from "../draw/polyline.js";
import type { ScenePredictions } from "../review/scene-predictions.js";
import { colourOfModel, DASHES } from "./gallery-legend.js";
import type { GalleryModel } from "./gallery-state.js";
import type { Finisher, PicturedAt } from "./thumbnails.js";

/** Opacity of the ground's colour over the raster, whose colours are as bright as lines. */
const VEIL = 0.5;
/** Opacity of improbable modes. */
const FAINTEST = 0.3;

/** A model's predictions and how they are drawn. */
interface Drawn {
	readonly slot: number;
	readonly lines: PredictedLines;
}

type Context = CanvasRenderingContext2D;
type Lines = { readonly points: Float64Array; readonly offsets: Uint32Array };

/** Draws models' predictions and the recorded paths into thumbnails. */
export class PredictedThumbnails implements Finisher {
	readonly #models: readonly GalleryModel[];
	readonly #predictions: ScenePredictions;
	readonly #palette: Palette;

	constructor(
		models: readonly GalleryModel[],
		predictions: ScenePredictions,
		palette: Palette,
	) {
		this.#models = models;
		this.#predictions = predictions;
		this.#palette = palette;
	}

	/** Returns the image with the predictions of `at.lines`. */
	async finish(
		at: PicturedAt,
		image: ImageData,
		fromWorld: ArrayLike<number>,
		signal: AbortSignal,
	): Promise<ImageData> {
		if (at.lines === undefined) return image;
		const all = await this.#predictions.lines(at.scene, at.frame, signal);
		const drawn = this.#models.flatMap(({ slot }, i) => {
			const { [i]: lines } = all;
			return lines ? [{ slot, lines }] : [];
		});
		const canvas = document.createElement("canvas");
		canvas.width = image.width;
		canvas.height = image.height;
		const context = canvas.getContext("2d");
		if (!context) throw new Error("no canvas");
		context.putImageData(image, 0, 0);
		this.#paint(context, drawn, fromWorld, at.lines);
		return context.getImageData(0, 0, image.width, image.height);
	}

	/** Frees the memory. */
	close(): void {
		this.#predictions.close();
	}

	#paint(
		ctx: Context,
		models: readonly Drawn[],
		fromWorld: ArrayLike<number>,
		of: bigint | "all",
	): void {
		const palette = this.#palette;
		const [a = 0, c = 0, e = 0, b = 0, d = 0, f = 0] = Array.from(fromWorld);
		const brush = { ctx, projection: { a, b, c, d, e, f } };
		const isWanted = (track: bigint): boolean => of === "all" || track === of;
		ctx.globalAlpha = VEIL;
		ctx.fillStyle = palette.ground;
		ctx.fillRect(0, 0, ctx.canvas.width, ctx.canvas.height);
		ctx.lineJoin = "round";
		const trace = ({ points, offsets }: Lines, i: number): void => {
			ctx.beginPath();
			tracePolyline(brush, points, offsets[i] ?? 0, offsets[i + 1] ?? 0);
		};
		/** Strokes the path with an edge that separates it from the raster. */
		const stroke = (colour: string, width: number): void => {
			ctx.setLineDash([]);
			ctx.strokeStyle = palette.ground;
			ctx.lineWidth = width + 2;
			ctx.stroke();
			ctx.strokeStyle = colour;
			ctx.lineWidth = width;
		};
		const seen = new Set<bigint>();
		for (const { lines } of models) {
			lines.truthTracks.forEach((track, i) => {
				if (!isWanted(track) || seen.has(track)) return;
				seen.add(track);
				ctx.globalAlpha = 1;
				trace(lines.truth, i);
				stroke(palette.ink, 2);
				ctx.stroke();
			});
		}
		for (const { slot, lines } of models) {
			lines.confidences.forEach((confidence, i) => {
				if (!isWanted(lines.tracks[i] ?? 0n)) return;
				ctx.globalAlpha = FAINTEST + (1 - FAINTEST) * Math.min(1, confidence);
				trace(lines.modes, i);
				stroke(colourOfModel(palette, slot), 1.5 + confidence);
				ctx.setLineDash([...(DASHES[slot] ?? [])]);
				ctx.stroke();
			});
		}
		ctx.setLineDash([]);
		ctx.globalAlpha = 1;
	}
}
