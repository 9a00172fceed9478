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

const CODES = {
	...{ begin: 0, move: 1, line: 2, close: 3, arc: 4, fill: 5, stroke: 6 },
	...{ fillStyle: 7, strokeStyle: 8, alpha: 9, width: 10, join: 11, dash: 12 },
};

/** Records calls. */
export class DrawingPen {
	readonly #calls: number[] = [];
	readonly #words: string[] = [];
	lineCap: CanvasLineCap = "butt";

	set fillStyle(colour: string | CanvasGradient | CanvasPattern) {
		this.#calls.push(CODES.fillStyle, this.#wordOf(String(colour)));
	}

	set strokeStyle(colour: string | CanvasGradient | CanvasPattern) {
		this.#calls.push(CODES.strokeStyle, this.#wordOf(String(colour)));
	}

	set globalAlpha(alpha: number) {
		this.#calls.push(CODES.alpha, alpha);
	}

	set lineWidth(width: number) {
		this.#calls.push(CODES.width, width);
	}

	set lineJoin(join: CanvasLineJoin) {
		this.#calls.push(CODES.join, this.#wordOf(join));
	}

	beginPath(): void {
		this.#calls.push(CODES.begin);
	}

	moveTo(x: number, y: number): void {
		this.#calls.push(CODES.move, x, y);
	}

	lineTo(x: number, y: number): void {
		this.#calls.push(CODES.line, x, y);
	}

	closePath(): void {
		this.#calls.push(CODES.close);
	}

	arc(x: number, y: number, radius: number, begin: number, end: number): void {
		this.#calls.push(CODES.arc, x, y, radius, begin, end);
	}

	setLineDash(dashes: Iterable<number>): void {
		const lengths = [...dashes];
		this.#calls.push(CODES.dash, lengths.length, ...lengths);
	}

	fill(): void {
		this.#calls.push(CODES.fill);
	}

	stroke(): void {
		this.#calls.push(CODES.stroke);
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
	const acts: (() => void)[] = [];
	acts[CODES.begin] = () => ctx.beginPath();
	acts[CODES.move] = () => ctx.moveTo(next(), next());
	acts[CODES.line] = () => ctx.lineTo(next(), next());
	acts[CODES.close] = () => ctx.closePath();
	acts[CODES.arc] = () => ctx.arc(next(), next(), next(), next(), next());
	acts[CODES.fill] = () => ctx.fill();
	acts[CODES.stroke] = () => ctx.stroke();
	acts[CODES.fillStyle] = () => {
		ctx.fillStyle = word();
	};
	acts[CODES.strokeStyle] = () => {
		ctx.strokeStyle = word();
	};
	acts[CODES.alpha] = () => {
		ctx.globalAlpha = next();
	};
	acts[CODES.width] = () => {
		ctx.lineWidth = next();
	};
	acts[CODES.join] = () => {
		ctx.lineJoin = word() as CanvasLineJoin;
	};
	acts[CODES.dash] = () => ctx.setLineDash(Array.from({ length: next() }, next));
	while (at < calls.length) acts[next()]?.();
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
