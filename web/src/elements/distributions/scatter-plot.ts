import { css, html, nothing, type TemplateResult } from "lit";
import { formatNumber } from "../agents/describe.js";
import { ticksIn } from "../plots/chart-scale.js";
import type { ViewerState } from "../session/state.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { groupedCount } from "../ui/words.js";
import { type ColumnInfo, valueWords } from "./columns.js";
import type { ScatterRows } from "./distributions-controller.js";
import { type Painting, paintingOn } from "./paint.js";
import { Repaints } from "./repaints.js";

const LEFT = 44;
const BOTTOM = 18;
const PAD = 6;
/** Maximum distance of a click from its point, CSS pixels. */
const NEAR = 12;

const scatterPlotStyles = css`
:host { display: block; }
.plot { cursor: crosshair; border-radius: 3px; }
canvas { display: block; width: 100%; height: 180px; }
.at { min-height: 20px; color: var(--_ink2); }
`;

type Range = readonly [low: number, high: number];

/** What a scatter plot displays. */
export interface ScatterData {
	readonly rows: ScatterRows;
	readonly columns: readonly [x: ColumnInfo, y: ColumnInfo];
	/** The ranges of the axes: the edges of the columns' bins. */
	readonly ranges: readonly [x: Range, y: Range];
	/** Returns a point's colour token. */
	readonly token: (i: number) => string;
	/** Goes to a row. */
	readonly go: (i: number) => void;
}

/** Two columns of the rows that pass. A point beyond the axes is drawn at their edge. */
export class ScatterPlot extends BevElement {
	static override styles = [baseStyles, scatterPlotStyles];
	static override properties = {
		...BevElement.properties,
		data: { attribute: false },
	};

	declare data: ScatterData | undefined;
	#at: number | undefined;

	constructor() {
		super();
		new Repaints(this, () => this.#paint());
	}

	protected watched({ theme }: ViewerState): readonly unknown[] {
		return [theme];
	}

	protected override render(): TemplateResult | typeof nothing {
		const { data } = this;
		if (!data) return nothing;
		const { rows, columns } = data;
		const shown = rows.rows.length;
		const all = groupedCount(rows.count, "point");
		const drawn = shown < rows.count ? `${shown.toLocaleString("en")} of ${all}` : all;
		const words = this.#at === undefined ? drawn : this.#words(this.#at);
		return html`<div class="plot" role="slider" tabindex="0" aria-orientation="horizontal"
				aria-label=${`${columns[1].words} over ${columns[0].words}`} aria-valuemin="0"
				aria-valuemax=${shown} aria-valuenow=${(this.#at ?? -1) + 1} aria-valuetext=${words}
				@keydown=${this.#onKey} @pointerdown=${this.#onPointer}><canvas aria-hidden="true"></canvas></div>
			<div class="at mono">${words}</div>`;
	}

	#value(axis: 0 | 1, i: number): number {
		const { rows } = this.data ?? {};
		if (!rows) return Number.NaN;
		const column = axis === 0 ? rows.x : rows.y;
		return rows.values[column * rows.rows.length + i] ?? Number.NaN;
	}

	#words(i: number): string {
		const { data } = this;
		if (!data) return "";
		const { scenes, frames } = data.rows;
		const value = (axis: 0 | 1): string => {
			const [low, high] = data.ranges[axis];
			const info = data.columns[axis];
			return `${info.words} ${valueWords(info, this.#value(axis, i), high - low)}`;
		};
		return `scene ${scenes[i]}, frame ${frames[i]}: ${value(0)}, ${value(1)}`;
	}

	#places({ width, height }: Pick<Painting, "width" | "height">) {
		const [x, y] = this.data?.ranges ?? [
			[0, 1],
			[0, 1],
		];
		const part = (value: number, [low, high]: Range): number =>
			Math.min(1, Math.max(0, (value - low) / (high - low || 1)));
		const [across, up] = [width - LEFT - PAD, height - BOTTOM - PAD];
		return {
			x: (value: number) => LEFT + across * part(value, x),
			y: (value: number) => PAD + up * (1 - part(value, y)),
		};
	}

	#paint(): void {
		const painting = paintingOn(this.renderRoot.querySelector("canvas"), this);
		const { data } = this;
		if (!painting || !data) return;
		const { ctx, width, height, colour } = painting;
		const to = this.#places(painting);
		ctx.strokeStyle = colour("line");
		ctx.strokeRect(LEFT + 0.5, PAD + 0.5, width - LEFT - PAD, height - BOTTOM - PAD);
		ctx.fillStyle = colour("ink3");
		ctx.font = `11px ${colour("sans") || "sans-serif"}`;
		const [x, y] = data.ranges;
		const number = (value: number): string => formatNumber(value, digitsFor(value));
		ctx.textAlign = "center";
		for (const tick of ticksIn(x, 3))
			ctx.fillText(number(tick), to.x(tick), height - 5);
		ctx.textAlign = "right";
		for (const tick of ticksIn(y, 3))
			ctx.fillText(number(tick), LEFT - 4, to.y(tick) + 4);
		const count = data.rows.rows.length;
		ctx.globalAlpha = count > 500 ? 0.45 : 0.8;
		for (let i = 0; i < count; i += 1) {
			ctx.fillStyle = colour(data.token(i));
			ctx.fillRect(to.x(this.#value(0, i)) - 1.5, to.y(this.#value(1, i)) - 1.5, 3, 3);
		}
		ctx.globalAlpha = 1;
		if (this.#at === undefined) return;
		ctx.strokeStyle = colour("ink");
		ctx.lineWidth = 2;
		ctx.beginPath();
		const at = this.#at;
		ctx.arc(to.x(this.#value(0, at)), to.y(this.#value(1, at)), 5, 0, 2 * Math.PI);
		ctx.stroke();
	}

	readonly #onKey = (event: KeyboardEvent): void => {
		const count = this.data?.rows.rows.length ?? 0;
		if (event.ctrlKey || event.metaKey || event.altKey || count === 0) return;
		const at = this.#at ?? -1;
		const moves: Readonly<Record<string, number>> = {
			...{ ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1 },
			...{ Home: 0, End: count - 1, PageUp: at + 10, PageDown: at - 10, Enter: at },
		};
		const to = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined;
		if (to === undefined) return;
		event.preventDefault();
		event.stopPropagation();
		this.#at = Math.max(0, Math.min(count - 1, to));
		if (event.key === "Enter") this.data?.go(this.#at);
		this.requestUpdate();
	};

	readonly #onPointer = (event: PointerEvent): void => {
		const box = this.renderRoot.querySelector("canvas")?.getBoundingClientRect();
		const count = this.data?.rows.rows.length ?? 0;
		if (!box) return;
		const to = this.#places(box);
		let [best, least]: [number | undefined, number] = [undefined, NEAR];
		for (let i = 0; i < count; i += 1) {
			const across = to.x(this.#value(0, i)) - (event.clientX - box.left);
			const up = to.y(this.#value(1, i)) - (event.clientY - box.top);
			const far = Math.hypot(across, up);
			if (far <= least) [best, least] = [i, far];
		}
		if (best === undefined) return;
		this.#at = best;
		this.data?.go(best);
		this.requestUpdate();
	};
}

function digitsFor(value: number): number {
	return /\.(\d{1,3})/.exec(String(value))?.[1]?.length ?? 0;
}
