import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { ComparedFrames, ComparedRows } from "../../tools/comparison.js";
import { formatNumber } from "../agents/describe.js";
import type { ViewerState } from "../session/state.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { groupedCount } from "../ui/words.js";
import { type ComparedLine, lineAt, listedColumns } from "./compared-rows.js";
import { MEASURE_NAMES } from "./measures.js";
import { goTo, isCurrent } from "./review-rows.js";
import { MEASURES, type Measure } from "./review-state.js";

/** Maximum height in CSS pixels; the margins hold the axes' numbers. */
const SIDE = 160;
const LEFT = 40;
const BOTTOM = 18;
const TOP = 8;
const RIGHT = 8;
/** Maximum distance of a click from its point, CSS pixels. */
const NEAR = 12;

const scatterStyles = css`
:host { display: block; padding: 0 8px 4px; }
.plot { position: relative; width: 100%; max-width: 320px; cursor: crosshair; }
canvas { display: block; width: 100%; height: clamp(96px, 13vh, ${SIDE}px); } /* leaves low windows rows of the table */
.at { color: var(--_ink2); min-height: 20px; padding: 0 4px; }
`;

/** Maximum number of points, besides those of the list. */
const MAX_POINTS = 4_000;

/** The values of elements with both by one measure, and their extent. */
interface Points {
	readonly columns: ComparedRows | ComparedFrames;
	/** Number of elements with both values. */
	readonly count: number;
	/** Element of each point, and its values of A and B. */
	readonly index: Uint32Array;
	readonly values: Float64Array;
	/** The axes. */
	readonly low: number;
	readonly high: number;
	/** Number of points beyond the axes, which are drawn at their edge. */
	readonly beyond: number;
}

/** Points from which on few outliers do not determine the axes. */
const MANY = 20;

/**
 * Returns the axes' range: up to the greatest value unless that is more than twice the
 * 99th percentile, and likewise down to the least; always with 0.
 */
function axesOf(values: Float64Array): readonly [low: number, high: number] {
	const sorted = Float64Array.from(values).sort();
	const last = sorted.length - 1;
	const far = sorted.length >= 2 * MANY ? 0.01 : 0;
	const at = (part: number): number => sorted[Math.round(part * last)] ?? 0;
	const reach = (usual: number, most: number): number =>
		usual !== 0 && most / usual > 2 ? 1.1 * usual : most;
	const low = Math.min(0, reach(Math.min(0, at(far)), Math.min(0, at(0))));
	return [low, Math.max(0, reach(Math.max(0, at(1 - far)), Math.max(0, at(1))))];
}

/** Returns the points: of all elements, or of evenly chosen ones and those of the list. */
export function pointsOf(
	columns: ComparedRows | ComparedFrames,
	by: Measure,
): Points | undefined {
	const { frames, a, b } = columns;
	const measure = MEASURES.indexOf(by);
	const all = new Uint32Array(frames.length);
	let count = 0;
	for (let i = 0; i < frames.length; i += 1) {
		const at = 3 * i + measure;
		if (Number.isFinite(a[at]) && Number.isFinite(b[at])) all[count++] = i;
	}
	if (count === 0) return undefined;
	const index = chosenOf(all.subarray(0, count), columns.worst[by]);
	const values = new Float64Array(2 * index.length);
	index.forEach((i, k) => {
		values[2 * k] = a[3 * i + measure] ?? NaN;
		values[2 * k + 1] = b[3 * i + measure] ?? NaN;
	});
	const [low, high] = axesOf(values);
	const isBeyond = (value = 0): boolean => value < low || value > high;
	const beyond = index.reduce(
		(sum, _, k) => sum + Number(isBeyond(values[2 * k]) || isBeyond(values[2 * k + 1])),
		0,
	);
	return { columns, count, index, values, low, high, beyond };
}

/** Returns at most `MAX_POINTS` elements, evenly chosen, and the listed ones. */
function chosenOf(all: Uint32Array, listed: Uint32Array): Uint32Array {
	if (all.length <= MAX_POINTS) return all;
	const chosen = new Set(listed);
	for (let i = 0; i < MAX_POINTS; i += 1)
		chosen.add(all[Math.floor((i * all.length) / MAX_POINTS)] ?? 0);
	return Uint32Array.from(chosen);
}

/** B's values over A's, as points: above the diagonal, B is worse. */
export class Scatter extends BevElement {
	static override styles = [baseStyles, scatterStyles];
	#points: Points | undefined;
	#of: readonly unknown[] = [];
	#observer: ResizeObserver | undefined;
	#scheme: MediaQueryList | undefined;
	#frame: number | undefined;
	/** Draws in the next animation frame, in which the page is laid out. */
	readonly #redraw = (): void => {
		this.#frame ??= requestAnimationFrame(() => {
			this.#frame = undefined;
			this.#draw();
		});
	};
	/** Position in the order of differences, moved by keys. */
	#at = 0;

	protected watched(state: ViewerState): readonly unknown[] {
		const { review, scene, frame, selection, theme } = state;
		return [listedColumns(state), review.by, scene, frame, selection, theme];
	}

	protected override get pace(): number {
		return 200;
	}

	override connectedCallback(): void {
		super.connectedCallback();
		this.#scheme = globalThis.matchMedia?.("(prefers-color-scheme: light)");
		this.#scheme?.addEventListener("change", this.#redraw);
		this.#observer = new ResizeObserver(this.#redraw);
		this.#observer.observe(this);
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#scheme?.removeEventListener("change", this.#redraw);
		this.#observer?.disconnect();
		if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
		this.#frame = undefined;
	}

	protected override willUpdate(changed: PropertyValues<this>): void {
		super.willUpdate(changed);
		const columns = listedColumns(this.state);
		const { by } = this.state.review;
		if (this.#of[0] === columns && this.#of[1] === by) return;
		this.#of = [columns, by];
		this.#points = columns && pointsOf(columns, by);
		this.#at = 0;
	}

	protected override render(): TemplateResult {
		const order = this.#order;
		if (!this.#points || order.length === 0) return html``;
		const here = this.#current();
		const words = here ? wordsOf(here) : "No point selected";
		const { short } = MEASURE_NAMES[this.state.review.by];
		const { beyond, count, index } = this.#points;
		const some = index.length < count ? `${index.length.toLocaleString("en")} of ` : "";
		const points = `${some}${groupedCount(count, "point")}`;
		return html`<div class="plot" role="slider" tabindex="0" aria-orientation="horizontal"
				aria-label=${`${short} of B over A, ${points}, by difference`}
				aria-valuemin="1" aria-valuemax=${order.length} aria-valuenow=${this.#at + 1} aria-valuetext=${words}
				@keydown=${this.#onKey} @pointerdown=${this.#onPointer}><canvas aria-hidden="true"></canvas></div>
			<div class="at mono">${words}${some ? html` <span class="hint">${points}: evenly chosen, and those of the list</span>` : nothing}${beyond > 0 ? html` <span class="hint">${beyond} beyond the axes, drawn at their edge</span>` : nothing}</div>`;
	}

	protected override updated(): void {
		this.#redraw();
	}

	get #order(): Uint32Array {
		const { columns } = this.#points ?? {};
		return columns?.worst[this.state.review.by] ?? new Uint32Array();
	}

	/** Returns the selected element, or the one that keys point at. */
	#current(): ComparedLine | undefined {
		const { columns } = this.#points ?? {};
		const { by } = this.state.review;
		if (!columns) return undefined;
		const order = this.#order;
		const found = order.findIndex((i) => isCurrent(lineAt(columns, i, by), this.state));
		if (found >= 0) this.#at = found;
		const index = order[this.#at];
		return found < 0 || index === undefined ? undefined : lineAt(columns, index, by);
	}

	readonly #onKey = (event: KeyboardEvent): void => {
		const last = this.#order.length - 1;
		const moves: Readonly<Record<string, number>> = {
			ArrowRight: this.#at + 1,
			ArrowUp: this.#at + 1,
			ArrowLeft: this.#at - 1,
			ArrowDown: this.#at - 1,
			PageUp: this.#at - 10,
			PageDown: this.#at + 10,
			Home: 0,
			End: last,
			Enter: this.#at,
		};
		const to = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined;
		if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
		event.preventDefault();
		event.stopPropagation();
		this.#at = Math.max(0, Math.min(last, to));
		const index = this.#order[this.#at];
		if (index !== undefined) this.#go(index);
	};

	readonly #onPointer = (event: PointerEvent): void => {
		const box = this.renderRoot.querySelector("canvas")?.getBoundingClientRect();
		if (!box) return;
		const index = this.#nearest(event.clientX - box.left, event.clientY - box.top, box);
		if (index !== undefined) this.#go(index);
	};

	#go(index: number): void {
		const { columns } = this.#points ?? {};
		if (!columns || !this.controller) return;
		goTo(this.controller, lineAt(columns, index, this.state.review.by));
	}

	/** Returns the element whose point is closest to (x, y). */
	#nearest(x: number, y: number, { width, height }: DOMRect): number | undefined {
		const points = this.#points;
		if (!points) return undefined;
		const to = scalesOf(points, width, height);
		let [best, least]: [number | undefined, number] = [undefined, NEAR];
		for (let i = 0; i < points.index.length; i += 1) {
			const [a = 0, b = 0] = [points.values[2 * i], points.values[2 * i + 1]];
			const distance = Math.hypot(to.x(a) - x, to.y(b) - y);
			if (distance > least) continue;
			[best, least] = [points.index[i], distance];
		}
		return best;
	}

	#draw(): void {
		const canvas = this.renderRoot.querySelector("canvas");
		const ctx = canvas?.getContext("2d");
		const points = this.#points;
		if (!canvas || !ctx || !points) return;
		const [width, height] = [canvas.clientWidth || 1, canvas.clientHeight || 1];
		const density = Math.min(2, devicePixelRatio || 1);
		canvas.width = Math.round(width * density);
		canvas.height = Math.round(height * density);
		ctx.setTransform(density, 0, 0, density, 0, 0);
		const style = getComputedStyle(this);
		const colour = (name: string) => style.getPropertyValue(`--_${name}`).trim();
		paintAxes(ctx, points, [width, height], colour);
		paintPoints(ctx, points, [width, height], colour("predicted"));
		const here = this.#current();
		if (!here) return;
		const to = scalesOf(points, width, height);
		ctx.globalAlpha = 1;
		ctx.strokeStyle = colour("ink");
		ctx.lineWidth = 2;
		ctx.beginPath();
		ctx.arc(to.x(here.a), to.y(here.b), 5, 0, 2 * Math.PI);
		ctx.stroke();
	}
}

function wordsOf({ track, frame, a, b }: ComparedLine): string {
	const who = track === -1n ? "Ego" : `Track ${track}`;
	const where = track === undefined ? `Frame ${frame}` : `${who}, frame ${frame}`;
	return `${where}: A ${formatNumber(a)}, B ${formatNumber(b)}`;
}

function scalesOf({ low, high }: Points, width: number, height: number) {
	const span = high - low || 1;
	const [across, up] = [width - LEFT - RIGHT, height - TOP - BOTTOM];
	const part = (value: number): number =>
		Math.min(1, Math.max(0, (value - low) / span));
	return {
		x: (value: number) => LEFT + across * part(value),
		y: (value: number) => TOP + up * (1 - part(value)),
	};
}

function paintAxes(
	ctx: CanvasRenderingContext2D,
	points: Points,
	[width, height]: readonly [number, number],
	colour: (name: string) => string,
): void {
	const to = scalesOf(points, width, height);
	const { low, high } = points;
	ctx.strokeStyle = colour("edge");
	ctx.lineWidth = 1;
	ctx.strokeRect(LEFT + 0.5, TOP + 0.5, width - LEFT - RIGHT, height - TOP - BOTTOM);
	ctx.setLineDash([4, 4]);
	ctx.beginPath();
	ctx.moveTo(to.x(low), to.y(low));
	ctx.lineTo(to.x(high), to.y(high));
	ctx.stroke();
	ctx.setLineDash([]);
	ctx.fillStyle = colour("ink3");
	ctx.font = `11px ${colour("sans") || "sans-serif"}`;
	ctx.textAlign = "right";
	ctx.fillText(formatNumber(high, 1), LEFT - 4, TOP + 9);
	ctx.fillText("B", LEFT - 4, (TOP + height - BOTTOM) / 2);
	ctx.fillText(formatNumber(low, 1), LEFT - 4, height - BOTTOM);
	ctx.textAlign = "center";
	ctx.fillText("A", (LEFT + width - RIGHT) / 2, height - 5);
	ctx.textAlign = "right";
	ctx.fillText(formatNumber(high, 1), width - RIGHT, height - 5);
}

function paintPoints(
	ctx: CanvasRenderingContext2D,
	points: Points,
	[width, height]: readonly [number, number],
	colour: string,
): void {
	const to = scalesOf(points, width, height);
	ctx.fillStyle = colour;
	ctx.globalAlpha = points.index.length > 500 ? 0.4 : 0.75;
	for (let i = 0; i < points.index.length; i += 1) {
		const [a = 0, b = 0] = [points.values[2 * i], points.values[2 * i + 1]];
		ctx.fillRect(to.x(a) - 1.5, to.y(b) - 1.5, 3, 3);
	}
	ctx.globalAlpha = 1;
}
