import { classOf, SHOWN, visibilityOf } from "../agents/summary.js";
import type { Palette } from "../draw/palette.js";
import { futuresLegend } from "../futures/futures-legend.js";
import { CLASSES, showsEgo } from "../layers/layer-set.js";
import type { ReviewState } from "../review/review-state.js";
import { scaleBar, type View } from "../scene-view/camera.js";
import { currentFrame } from "../session/showing.js";
import { frameCount, frameSeconds, type ViewerState } from "../session/state.js";
import { frameText } from "../timeline/clock.js";

/** Arguments of the caption drawn onto an exported picture; CSS pixels. */
export interface Captioned {
	readonly ctx: CanvasRenderingContext2D;
	readonly state: ViewerState;
	readonly view: View;
	readonly density: number;
	readonly palette: Palette;
}

const MARGIN = 12;
const PAD = 10;
const LINE = 18;
/** Maximum length of the scale bar. */
const LONGEST = 110;
const CHIP = 10;

type Shape = "box" | "circle" | "diamond" | "line";

/** An entry of the legend. */
interface Key {
	readonly name: string;
	readonly colour: string;
	readonly shape: Shape;
}

const CLASS_KEYS = {
	vehicle: { name: "Vehicle", shape: "box" },
	cyclist: { name: "Cyclist", shape: "diamond" },
	pedestrian: { name: "Pedestrian", shape: "circle" },
	other: { name: "Other", shape: "box" },
} as const;

const LIGHTS = ["red", "yellow", "green"] as const;

const MODEL_COLOURS = ["model-1", "model-2", "model-3", "model-4"] as const;

/** Returns the keys of the drawn models; a single one needs no name. */
function modelKeys({ models, drawn }: ReviewState, palette: Palette): Key[] {
	return drawn.map(({ model, slot }) => {
		const named = models.length > 1 && models.find(({ id }) => id === model);
		const colour = palette[MODEL_COLOURS[slot] ?? "predicted"];
		return { name: named ? named.name : "Predicted", colour, shape: "line" };
	});
}

/** Returns the legend for the content of the picture. */
export function legendOf(state: ViewerState, palette: Palette): Key[] {
	const { layers, laneColours, review } = state;
	const shown = currentFrame(state);
	if (!shown) return [];
	const keys: Key[] = [];
	if (showsEgo(layers, shown))
		keys.push({ name: "Ego", colour: palette.ego, shape: "box" });
	const visibility = visibilityOf(shown, state);
	const present = new Set(
		Array.from(visibility, (it, i) => (it === SHOWN ? classOf(shown, i) : undefined)),
	);
	for (const of of CLASSES) {
		if (present.has(of)) keys.push({ ...CLASS_KEYS[of], colour: palette[of] });
	}
	const lit = new Set(layers.has("lights") ? laneColours : []);
	LIGHTS.forEach((name, i) => {
		if (lit.has(i + 1))
			keys.push({ name: `Lane: ${name}`, colour: palette[name], shape: "line" });
	});
	if (layers.has("predicted")) keys.push(...modelKeys(review, palette));
	return [...keys, ...futuresKeys(state)];
}

/** Returns the keys of the submissions whose futures are drawn. */
function futuresKeys({ futures }: ViewerState): Key[] {
	if (!futures) return [];
	const sets = futures.sets.map(({ name, here }, index) => ({ name, here, index }));
	return futuresLegend(
		sets.filter(({ here }) => here),
		futures.view,
	).map((key) => ({ ...key, shape: "line" }));
}

/** Returns the caption's first entry: `Scene 3 · frame 84 of 248 · 8.4 s`. */
export function captionTime(state: ViewerState): string {
	const where = frameText(state.frame, frameCount(state), frameSeconds(state));
	return `Scene ${state.scene} · ${where}`;
}

function paintChip(ctx: CanvasRenderingContext2D, { shape, colour }: Key): void {
	const [half, middle] = [CHIP / 2, LINE / 2];
	ctx.fillStyle = colour;
	ctx.beginPath();
	if (shape === "box") ctx.rect(0, middle - half, CHIP, CHIP);
	else if (shape === "circle") ctx.arc(half, middle, half, 0, 2 * Math.PI);
	else if (shape === "line") ctx.rect(0, middle - 1.5, CHIP, 3);
	else {
		ctx.moveTo(half, middle - half);
		ctx.lineTo(CHIP, middle);
		ctx.lineTo(half, middle + half);
		ctx.lineTo(0, middle);
	}
	ctx.fill();
}

/** An item of the caption with its width. */
interface Item {
	readonly width: number;
	readonly paint: () => void;
}

function wordsItem({ ctx, palette }: Captioned, words: string, after = 0): Item {
	const { width } = ctx.measureText(words);
	const paint = () => {
		ctx.fillStyle = palette.ink;
		ctx.fillText(words, after, LINE / 2 + 1);
	};
	return { width: after + width, paint };
}

function scaleItem(of: Captioned): Item {
	const { ctx, view, palette } = of;
	const metres = scaleBar(view.pixelsPerMetre, LONGEST);
	const length = metres * view.pixelsPerMetre;
	const name = metres >= 1000 ? `${metres / 1000} km` : `${metres} m`;
	const words = wordsItem(of, name, length + 8);
	const paint = () => {
		ctx.strokeStyle = palette.ink;
		ctx.lineWidth = 1.5;
		ctx.beginPath();
		ctx.moveTo(0, LINE / 2 - 4);
		ctx.lineTo(0, LINE / 2 + 4);
		ctx.lineTo(length, LINE / 2 + 4);
		ctx.lineTo(length, LINE / 2 - 4);
		ctx.stroke();
		words.paint();
	};
	return { width: words.width, paint };
}

function keyItem(of: Captioned, key: Key): Item {
	const words = wordsItem(of, key.name, CHIP + 6);
	const paint = () => {
		paintChip(of.ctx, key);
		words.paint();
	};
	return { width: words.width, paint };
}

/** Breaks `items` into lines of at most `width`. */
function linesOf(items: readonly Item[], width: number): Item[][] {
	const lines: Item[][] = [];
	let used = Number.POSITIVE_INFINITY;
	for (const item of items) {
		if (used + item.width > width) {
			lines.push([]);
			used = 0;
		}
		lines.at(-1)?.push(item);
		used += item.width + PAD;
	}
	return lines;
}

const widthOf = (line: readonly Item[]): number =>
	line.reduce((sum, { width }) => sum + width + PAD, -PAD);

/** Paints time, scale and legend on a background in the lower left corner. */
export function paintCaption(of: Captioned): void {
	const { ctx, state, view, density, palette } = of;
	ctx.setTransform(density, 0, 0, density, 0, 0);
	ctx.globalAlpha = 1;
	ctx.textBaseline = "middle";
	ctx.font = `12px ${palette.sans}`;
	const room = view.width - 2 * MARGIN - 2 * PAD;
	const items = [wordsItem(of, captionTime(state)), scaleItem(of)];
	const keys = legendOf(state, palette).map((key) => keyItem(of, key));
	const lines = [...linesOf(items, room), ...linesOf(keys, room)];
	const width = Math.min(room, Math.max(...lines.map(widthOf))) + 2 * PAD;
	const height = lines.length * LINE + 2 * (PAD - 3);
	const top = view.height - MARGIN - height;
	ctx.fillStyle = palette.panel;
	ctx.strokeStyle = palette.line;
	ctx.lineWidth = 1;
	ctx.beginPath();
	ctx.rect(MARGIN, top, width, height);
	ctx.globalAlpha = 0.9;
	ctx.fill();
	ctx.globalAlpha = 1;
	ctx.stroke();
	lines.forEach((line, row) => {
		let x = MARGIN + PAD;
		for (const { width: wide, paint } of line) {
			ctx.save();
			ctx.translate(x, top + PAD - 3 + row * LINE);
			paint();
			ctx.restore();
			x += wide + PAD;
		}
	});
}
