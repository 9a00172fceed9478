import type { FrameView } from "../../dataset/frame-view.js";
import type { MapView } from "../../dataset/map-view.js";
import { agentIndex } from "../agents/summary.js";
import { CanvasGround } from "../draw/canvas-painter.js";
import { paintMap } from "../draw/paint-map.js";
import type { Palette } from "../draw/palette.js";
import {
	type Brush,
	inverse,
	mapped,
	type Projection,
	scaleOf,
	type TextBrush,
} from "../draw/picture.js";
import { tracePolyline } from "../draw/polyline.js";
import { DEFAULT_LAYERS } from "../layers/layer-set.js";
import type { RasterPicture } from "./raster-state.js";

/** The vector data of a frame, with which its raster is compared. */
export interface Vectors {
	readonly frame: FrameView;
	readonly map: MapView | undefined;
	readonly laneColours: Uint8Array | undefined;
	/** The viewer's palette; map colours are replaced by the rasteriser's. */
	readonly palette: Palette;
}

/** Colours of a raster. */
interface Style {
	readonly ground: string;
	readonly agents: string;
	readonly self: string;
	/** Whether the map is drawn under the boxes. */
	readonly mapped: boolean;
}

/** Colours of a semantic raster. Reference: L5Kit, semantic_rasterizer.py. */
const MAP_COLOURS = {
	road: "#11111f",
	mark: "#ffd952",
	crosswalk: "#ff7545",
	red: "#ff0000",
	yellow: "#ffff00",
	green: "#00ff00",
} as const;

const BLACK = "#000000";
const WHITE = "#ffffff";
const COLOURED = { agents: "#0000ff", self: "#00ff00" } as const;

/**
 * Returns the style in which vectors resemble a raster's channel; undefined if there is
 * none.
 */
export function styleOf(
	channels: readonly string[],
	channel: number | undefined,
): Style | undefined {
	if (channel === undefined) {
		const onMap = channels.some((name) => name.startsWith("map"));
		return { ...COLOURED, ground: onMap ? WHITE : BLACK, mapped: onMap };
	}
	const alone = { ground: BLACK, mapped: false };
	if (channels[channel] === "agents, now")
		return { ...alone, agents: WHITE, self: BLACK };
	if (channels[channel] === "self, now")
		return { ...alone, agents: BLACK, self: WHITE };
	return undefined;
}

/**
 * Returns the projection from world metres to canvas pixels; canvas pixel centres are
 * at a half.
 */
function projectionOf({ fromWorld: m }: RasterPicture): Projection {
	const [a = 0, c = 0, e = 0, b = 0, d = 0, f = 0] = m;
	return { a, b, c, d, e: e + 0.5, f: f + 0.5 };
}

function brushFor(
	ctx: CanvasRenderingContext2D,
	image: RasterPicture,
	{ frame, map, laneColours, palette }: Vectors,
): TextBrush {
	const { width, height } = image.pixels;
	const middle = { x: (width - 1) / 2, y: (height - 1) / 2 };
	const { x, y } = mapped(inverse(image.fromWorld), middle);
	const pixelsPerMetre = scaleOf(image.fromWorld);
	const view = { x, y, width, height, pixelsPerMetre, rotation: 0 };
	const picture = {
		...{ view, frame, map, laneColours, density: 1, layers: DEFAULT_LAYERS },
		...{ aerial: undefined, predictions: [], measured: [], overlays: [] },
		...{ selection: undefined, hover: undefined },
		palette: { ...palette, ...MAP_COLOURS },
		visibility: frame.agents.kept,
		labelOf: () => "",
	};
	return { ctx, picture, projection: projectionOf(image) };
}

/**
 * Fills boxes of `corners` (n, 4, 2), including every pixel touched by an edge, like
 * OpenCV.
 */
function fillBoxes(
	brush: Brush,
	corners: Float64Array,
	rows: Iterable<number>,
	colour: string,
): void {
	brush.ctx.beginPath();
	for (const row of rows) {
		tracePolyline(brush, corners, 4 * row, 4 * row + 4);
		brush.ctx.closePath();
	}
	brush.ctx.fillStyle = colour;
	brush.ctx.fill();
	brush.ctx.strokeStyle = colour;
	brush.ctx.lineWidth = 1;
	brush.ctx.stroke();
}

/**
 * Fills the boxes of the frame. `track` is the raster's agent; undefined means the ego.
 * For an agent's raster, the ego is one of the other agents.
 */
function paintBoxes(
	brush: Brush,
	frame: FrameView,
	track: bigint | undefined,
	style: Style,
): void {
	const { agents, ego } = frame;
	const self = track === undefined ? undefined : agentIndex(frame, track);
	const kept = [...agents.kept.keys()].filter(
		(row) => agents.kept[row] === 1 && row !== self,
	);
	fillBoxes(brush, agents.corners, kept, style.agents);
	fillBoxes(brush, ego.corners, [0], self === undefined ? style.self : style.agents);
	if (self !== undefined) fillBoxes(brush, agents.corners, [self], style.self);
}

/**
 * Paints the absolute difference per colour between `image` and the same frame drawn as
 * vectors: black where they agree.
 */
export function paintDifference(
	ctx: CanvasRenderingContext2D,
	image: RasterPicture,
	vectors: Vectors,
	style: Style,
): void {
	const { width, height } = image.pixels;
	const brush = brushFor(ctx, image, vectors);
	ctx.fillStyle = style.ground;
	ctx.fillRect(0, 0, width, height);
	if (style.mapped) paintMap({ ...brush, ground: new CanvasGround(brush) });
	paintBoxes(brush, vectors.frame, image.track, style);
	const raster = document.createElement("canvas");
	raster.width = width;
	raster.height = height;
	raster.getContext("2d")?.putImageData(image.pixels, 0, 0);
	ctx.globalCompositeOperation = "difference";
	ctx.drawImage(raster, 0, 0);
	ctx.globalCompositeOperation = "source-over";
}
