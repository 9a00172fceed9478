/** Calls of a 2D context, recorded to be repeated in another thread. */
export interface Drawing {
	/** Size in device pixels. */
	readonly width: number;
	readonly height: number;
	/** Device pixels per unit of the coordinates. */
	readonly density: number;
	/** Each call's code, followed by its numbers. */
	readonly calls: Float64Array;
	/** Colours and line joins, which calls name by index. */
	readonly words: readonly string[];
}

/** The recorded part of a 2D context. */
type Drawn = Pick<
	OffscreenCanvasRenderingContext2D,
	| ("fillStyle" | "strokeStyle" | "globalAlpha" | "lineWidth" | "lineJoin")
	| ("beginPath" | "moveTo" | "lineTo" | "closePath" | "arc" | "setLineDash")
	| ("fill" | "stroke")
>;

// The codes of calls; constants, which bundlers insert.
const BEGIN = 0;
const MOVE = 1;
const LINE = 2;
const CLOSE = 3;
const ARC = 4;
const FILL = 5;
const STROKE = 6;
const FILL_STYLE = 7;
const STROKE_STYLE = 8;
const ALPHA = 9;
const WIDTH = 10;
const JOIN = 11;
const DASH = 12;

/** Records calls. */
export class DrawingPen {
	readonly #calls: number[] = [];
	readonly #words: string[] = [];
	lineCap: CanvasLineCap = "butt";

	set fillStyle(colour: string | CanvasGradient | CanvasPattern) {
		this.#calls.push(FILL_STYLE, this.#wordOf(String(colour)));
	}

	set strokeStyle(colour: string | CanvasGradient | CanvasPattern) {
		this.#calls.push(STROKE_STYLE, this.#wordOf(String(colour)));
	}

	set globalAlpha(alpha: number) {
		this.#calls.push(ALPHA, alpha);
	}

	set lineWidth(width: number) {
		this.#calls.push(WIDTH, width);
	}

	set lineJoin(join: CanvasLineJoin) {
		this.#calls.push(JOIN, this.#wordOf(join));
	}

	beginPath(): void {
		this.#calls.push(BEGIN);
	}

	moveTo(x: number, y: number): void {
		this.#calls.push(MOVE, x, y);
	}

	lineTo(x: number, y: number): void {
		this.#calls.push(LINE, x, y);
	}

	closePath(): void {
		this.#calls.push(CLOSE);
	}

	arc(x: number, y: number, radius: number, begin: number, end: number): void {
		this.#calls.push(ARC, x, y, radius, begin, end);
	}

	setLineDash(dashes: Iterable<number>): void {
		const lengths = [...dashes];
		this.#calls.push(DASH, lengths.length, ...lengths);
	}

	fill(): void {
		this.#calls.push(FILL);
	}

	stroke(): void {
		this.#calls.push(STROKE);
	}

	/** Returns what was recorded. */
	drawing(size: Pick<Drawing, "width" | "height" | "density">): Drawing {
		return { ...size, calls: Float64Array.from(this.#calls), words: this.#words };
	}

	#wordOf(word: string): number {
		const at = this.#words.indexOf(word);
		return at < 0 ? this.#words.push(word) - 1 : at;
	}
}

/** Repeats the calls of a drawing. */
export function repeated(ctx: Drawn, { calls, words }: Drawing): void {
	let at = 0;
	const next = (): number => calls[at++] ?? 0;
	const word = (): string => words[next()] ?? "";
	while (at < calls.length) {
		const code = next();
		if (code === MOVE) ctx.moveTo(next(), next());
		else if (code === LINE) ctx.lineTo(next(), next());
		else if (code === ARC) ctx.arc(next(), next(), next(), next(), next());
		else if (code === BEGIN) ctx.beginPath();
		else if (code === CLOSE) ctx.closePath();
		else if (code === FILL) ctx.fill();
		else if (code === STROKE) ctx.stroke();
		else if (code === FILL_STYLE) ctx.fillStyle = word();
		else if (code === STROKE_STYLE) ctx.strokeStyle = word();
		else if (code === ALPHA) ctx.globalAlpha = next();
		else if (code === WIDTH) ctx.lineWidth = next();
		else if (code === JOIN) ctx.lineJoin = word() as CanvasLineJoin;
		else if (code === DASH) ctx.setLineDash(Array.from({ length: next() }, next));
	}
}

/** Returns the drawing's pixels on a transparent ground. Throws without a 2D context. */
export function pixelsOf(drawing: Drawing): ImageBitmap {
	const { width, height, density } = drawing;
	const canvas = new OffscreenCanvas(width, height);
	const ctx = canvas.getContext("2d");
	if (!ctx) throw new Error("predictions: no 2D context");
	ctx.scale(density, density);
	repeated(ctx, drawing);
	return canvas.transferToImageBitmap();
}
