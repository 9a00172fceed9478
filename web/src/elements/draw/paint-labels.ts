import { trackColour } from "../plots/track-colours.js";
import type { Point, Size } from "../scene-view/camera.js";
import type { Selection } from "../scene-view/picking.js";
import { outlineOf } from "./paint-agents.js";
import type { ScreenBox, TextBrush } from "./picture.js";

/** Boxes of a smaller length on the screen have a ring when they are selected. */
const SMALL = 16;
const RING_RADIUS = 11;

const PAD = 7;
const HEIGHT = 22;

function paintOutline(
	brush: TextBrush,
	selection: Selection,
	width: number,
): ScreenBox | undefined {
	const { ctx, picture } = brush;
	const outline = (picture.solids?.outlineOf ?? outlineOf)(brush, selection);
	if (!outline) return undefined;
	const { box } = outline;
	ctx.beginPath();
	outline.trace(brush, box);
	if (selection === picture.selection && box.length < SMALL) {
		ctx.moveTo(box.cx + RING_RADIUS, box.cy);
		ctx.arc(box.cx, box.cy, RING_RADIUS, 0, 2 * Math.PI);
	}
	ctx.lineJoin = "round";
	// A halo in the ground colour separates the line from boxes of similar colour.
	ctx.strokeStyle = picture.palette.ground;
	ctx.lineWidth = width + 2;
	ctx.stroke();
	ctx.strokeStyle = picture.palette[trackColour(selection, picture)];
	ctx.lineWidth = width;
	ctx.stroke();
	return box;
}

/** Clamps `at` so that `size` fits between the margins. */
function within(at: number, size: number, limit: number): number {
	const margin = 4;
	return Math.max(margin, Math.min(at, limit - size - margin));
}

/**
 * Paints text on a background, with its upper left corner at `at`, moved to stay in the
 * picture.
 */
export function paintTag({ ctx, picture }: TextBrush, at: Point, text: string): void {
	if (!text) return;
	const { palette, view } = picture;
	ctx.font = `600 12px ${palette.sans}`;
	const width = Math.ceil(ctx.measureText(text).width) + 2 * PAD;
	const x = within(at.x, width, view.width);
	const y = within(at.y, HEIGHT, view.height);
	ctx.fillStyle = palette.panel;
	ctx.strokeStyle = palette.line;
	ctx.lineWidth = 1;
	ctx.beginPath();
	ctx.rect(Math.round(x) + 0.5, Math.round(y) + 0.5, width, HEIGHT);
	ctx.globalAlpha = 0.92;
	ctx.fill();
	ctx.globalAlpha = 1;
	ctx.stroke();
	ctx.fillStyle = palette.ink;
	ctx.textBaseline = "middle";
	ctx.fillText(text, Math.round(x) + PAD, Math.round(y) + HEIGHT / 2 + 1);
}

/**
 * Distance in CSS pixels between an arrow and the picture's edges; the camera's buttons
 * are above.
 */
const EDGE = { left: 20, right: 20, top: 56, bottom: 20 };
const ARROW = 9;

/**
 * Returns where the line from the picture's centre to `to` meets the edge; undefined if
 * `to` is inside.
 */
export function edgeOf(size: Size, to: Point): Point | undefined {
	const { width, height } = size;
	if (to.x >= 0 && to.y >= 0 && to.x <= width && to.y <= height) return undefined;
	const [cx, cy] = [width / 2, height / 2];
	const [dx, dy] = [to.x - cx, to.y - cy];
	const across = (dx < 0 ? cx - EDGE.left : cx - EDGE.right) / Math.abs(dx);
	const along = (dy < 0 ? cy - EDGE.top : cy - EDGE.bottom) / Math.abs(dy);
	const share = Math.max(0, Math.min(across, along));
	return { x: cx + dx * share, y: cy + dy * share };
}

/** Paints an arrow at the picture's edge that points to an agent outside. */
function paintArrow({ ctx, picture }: TextBrush, at: Point, to: ScreenBox): void {
	const way = Math.hypot(to.cx - at.x, to.cy - at.y) || 1;
	const [x, y] = [(to.cx - at.x) / way, (to.cy - at.y) / way];
	ctx.beginPath();
	ctx.moveTo(at.x + x * ARROW, at.y + y * ARROW);
	ctx.lineTo(at.x - x * ARROW - y * ARROW, at.y - y * ARROW + x * ARROW);
	ctx.lineTo(at.x - x * ARROW + y * ARROW, at.y - y * ARROW - x * ARROW);
	ctx.closePath();
	ctx.lineJoin = "round";
	ctx.strokeStyle = picture.palette.ground;
	ctx.lineWidth = 4;
	ctx.stroke();
	ctx.fillStyle = picture.palette.ink;
	ctx.fill();
}

function paintLabel(brush: TextBrush, box: ScreenBox, text: string): void {
	const reach = Math.max(box.length, box.width) / 2;
	const at = { x: box.cx + reach * 0.5 + 8, y: box.cy - reach * 0.5 - HEIGHT - 4 };
	paintTag(brush, at, text);
}

/**
 * Paints outlines and labels of the tracks with a role, outlines of those of plots, and both
 * of the selected and the hovered agent.
 */
export function paintLabels(brush: TextBrush): void {
	const { selection, hover, labelOf, roles = [] } = brush.picture;
	for (const [track, role] of roles) {
		if (track === selection || track === hover) continue; // their labels have the role
		const box = paintOutline(brush, track, 1.5);
		const inside = box && !edgeOf(brush.picture.view, { x: box.cx, y: box.cy });
		if (inside) paintLabel(brush, box, role);
	}
	for (const track of brush.picture.plotted ?? [])
		if (![selection, hover, "ego"].includes(track)) paintOutline(brush, track, 1.5);
	const places: [Selection, ScreenBox][] = [];
	const mark = (of: Selection, width: number): void => {
		const box = paintOutline(brush, of, width);
		if (box && !paintOutside(brush, box, labelOf(of))) places.push([of, box]);
	};
	if (hover !== undefined && hover !== selection) mark(hover, 1.25);
	if (selection !== undefined) mark(selection, 2);
	for (const [of, box] of places) paintLabel(brush, box, labelOf(of));
}

/** Paints an arrow and a label for an agent outside of the picture; false if inside. */
function paintOutside(brush: TextBrush, box: ScreenBox, text: string): boolean {
	const { view } = brush.picture;
	const edge = edgeOf(view, { x: box.cx, y: box.cy });
	if (!edge) return false;
	paintArrow(brush, edge, box);
	const left = edge.x > view.width / 2;
	paintTag(brush, { x: edge.x + (left ? -150 : 18), y: edge.y - 11 }, text);
	return true;
}
