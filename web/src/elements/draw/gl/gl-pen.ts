import type { Pen } from "../picture.js";
import type { MeshOp } from "./gpu.js";
import { Mesh } from "./mesh.js";
import { addFan, addStroke, type SubPath } from "./stroke.js";

/** Maximum deviation of a polygon from its circle, in pixels. */
const ROUNDNESS = 0.05;

/**
 * Converts drawing calls to triangles; `onOp` receives each fill and stroke in order.
 */
export class GlPen implements Pen {
	fillStyle: string | CanvasGradient | CanvasPattern = "#000";
	strokeStyle: string | CanvasGradient | CanvasPattern = "#000";
	globalAlpha = 1;
	lineWidth = 1;
	lineJoin: CanvasLineJoin = "miter";
	/** Every value but `round` draws butt ends. */
	lineCap: CanvasLineCap = "butt";
	/** Vertices x, y. */
	readonly mesh = new Mesh(2);
	readonly #onOp: (op: MeshOp) => void;
	#dash: number[] = [];
	#path: { points: number[]; closed: boolean }[] = [];

	constructor(onOp: (op: MeshOp) => void) {
		this.#onOp = onOp;
	}

	/** Discards all triangles and restores the initial state. */
	reset(): void {
		this.mesh.clear();
		this.beginPath();
		this.setLineDash([]);
		this.globalAlpha = 1;
		this.lineJoin = "miter";
		this.lineCap = "butt";
	}

	setLineDash(segments: Iterable<number>): void {
		this.#dash = [...segments];
	}

	beginPath(): void {
		this.#path = [];
	}

	moveTo(x: number, y: number): void {
		this.#path.push({ points: [x, y], closed: false });
	}

	lineTo(x: number, y: number): void {
		const last = this.#path.at(-1);
		if (last && !last.closed) last.points.push(x, y);
		else this.moveTo(x, y);
	}

	closePath(): void {
		const last = this.#path.at(-1);
		if (last) last.closed = true;
	}

	/** Adds a whole circle; layers draw no other arcs. */
	arc(x: number, y: number, radius: number): void {
		const turn = Math.acos(1 - Math.min(1, ROUNDNESS / Math.max(radius, ROUNDNESS)));
		const count = Math.max(8, Math.ceil(Math.PI / turn));
		const points = Array.from({ length: count }, (_, k) => {
			const angle = (2 * Math.PI * k) / count;
			return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
		}).flat();
		this.#path.push({ points, closed: true });
	}

	fill(): void {
		this.#emit("fan", String(this.fillStyle), (path) => addFan(this.mesh, path));
	}

	stroke(): void {
		const { lineWidth: width, lineJoin: join } = this;
		const style = { width, join, dash: this.#dash, round: this.lineCap === "round" };
		this.#emit("strip", String(this.strokeStyle), (path) =>
			addStroke(this.mesh, path, style),
		);
	}

	#emit(kind: MeshOp["kind"], colour: string, add: (path: SubPath) => void): void {
		const range = this.mesh.range(() => this.#path.forEach(add));
		if (range.end === range.begin) return;
		const alpha = this.globalAlpha;
		this.#onOp({ of: "screen", kind, range, colour, alpha, width: 0 });
	}
}
