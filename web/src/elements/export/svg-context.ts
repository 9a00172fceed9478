/** The subset of a 2D context that the painters use. */
type Used = Pick<
	CanvasRenderingContext2D,
	| ("fillStyle" | "strokeStyle" | "globalAlpha" | "lineWidth" | "lineJoin" | "lineCap")
	| ("font" | "textBaseline")
	| ("beginPath" | "moveTo" | "lineTo" | "closePath" | "arc" | "rect" | "setLineDash")
	| ("fill" | "stroke" | "fillRect" | "fillText" | "measureText")
	| ("save" | "restore" | "translate" | "setTransform")
>;

/** Digits after the point of coordinates, in CSS pixels. */
const DIGITS = 2;

function number(value: number): string {
	return String(Number(value.toFixed(DIGITS)));
}

/** Escapes text for XML. */
function escaped(text: string): string {
	return text
		.replaceAll("&", "&amp;")
		.replaceAll("<", "&lt;")
		.replaceAll(">", "&gt;")
		.replaceAll('"', "&quot;");
}

/** An element's attributes; undefined ones are left out. */
type Attributes = Readonly<Record<string, string | number | undefined>>;

function element(name: string, attributes: Attributes, content?: string): string {
	const pairs = Object.entries(attributes)
		.filter(([, value]) => value !== undefined)
		.map(([key, value]) => {
			const text = typeof value === "number" ? number(value) : (value ?? "");
			return ` ${key}="${escaped(text)}"`;
		});
	const open = `<${name}${pairs.join("")}`;
	return content === undefined ? `${open}/>` : `${open}>${escaped(content)}</${name}>`;
}

/** Parses the fonts that the painters set: `600 12px sans`. */
function fontOf(font: string): Attributes {
	const [, weight, size, family] =
		/^(?:(\d+) )?(\d+(?:\.\d+)?)px (.*)$/.exec(font) ?? [];
	return { "font-weight": weight, "font-size": size ?? "12", "font-family": family };
}

/**
 * Draws into an SVG document instead of a bitmap. Coordinates are CSS pixels; `translate` is
 * the only transform, and `arc` adds whole circles.
 */
export class SvgContext implements Used {
	fillStyle: string | CanvasGradient | CanvasPattern = "#000";
	strokeStyle: string | CanvasGradient | CanvasPattern = "#000";
	globalAlpha = 1;
	lineWidth = 1;
	lineJoin: CanvasLineJoin = "miter";
	lineCap: CanvasLineCap = "butt";
	font = "12px sans-serif";
	textBaseline: CanvasTextBaseline = "alphabetic";
	readonly #width: number;
	readonly #height: number;
	readonly #parts: string[] = [];
	readonly #saved: [number, number][] = [];
	readonly #ruler = document.createElement("canvas").getContext("2d");
	#dash: number[] = [];
	#path: string[] = [];
	#x = 0;
	#y = 0;

	constructor(width: number, height: number) {
		this.#width = width;
		this.#height = height;
	}

	/** Returns the document. */
	get document(): string {
		const size = { width: this.#width, height: this.#height };
		const box = `0 0 ${number(size.width)} ${number(size.height)}`;
		const root = element("svg", {
			xmlns: "http://www.w3.org/2000/svg",
			...size,
			viewBox: box,
		}).slice(0, -2);
		return `${[`${root}>`, ...this.#parts, "</svg>"].join("\n")}\n`;
	}

	/** Restores the initial position; only the scale differs from an SVG's pixels. */
	setTransform(): void {
		[this.#x, this.#y] = [0, 0];
	}

	translate(x: number, y: number): void {
		this.#x += x;
		this.#y += y;
	}

	save(): void {
		this.#saved.push([this.#x, this.#y]);
	}

	restore(): void {
		[this.#x, this.#y] = this.#saved.pop() ?? [0, 0];
	}

	setLineDash(segments: Iterable<number>): void {
		this.#dash = [...segments];
	}

	beginPath(): void {
		this.#path = [];
	}

	moveTo(x: number, y: number): void {
		this.#path.push(`M${this.#at(x, y)}`);
	}

	lineTo(x: number, y: number): void {
		this.#path.push(`${this.#path.length === 0 ? "M" : "L"}${this.#at(x, y)}`);
	}

	closePath(): void {
		if (this.#path.length > 0) this.#path.push("Z");
	}

	arc(x: number, y: number, radius: number): void {
		const half = (to: number) =>
			`A${number(radius)} ${number(radius)} 0 1 0 ${this.#at(to, y)}`;
		this.#path.push(
			`M${this.#at(x + radius, y)}${half(x - radius)}${half(x + radius)}Z`,
		);
	}

	rect(x: number, y: number, width: number, height: number): void {
		this.moveTo(x, y);
		this.lineTo(x + width, y);
		this.lineTo(x + width, y + height);
		this.lineTo(x, y + height);
		this.closePath();
	}

	fill(): void {
		if (this.#path.length === 0) return;
		this.#add("path", {
			d: this.#path.join(""),
			fill: String(this.fillStyle),
			"fill-opacity": this.#opacity,
		});
	}

	stroke(): void {
		if (this.#path.length === 0) return;
		this.#add("path", {
			d: this.#path.join(""),
			fill: "none",
			stroke: String(this.strokeStyle),
			"stroke-opacity": this.#opacity,
			"stroke-width": this.lineWidth,
			"stroke-linejoin": this.lineJoin === "miter" ? undefined : this.lineJoin,
			"stroke-linecap": this.lineCap === "butt" ? undefined : this.lineCap,
			"stroke-dasharray": this.#dash.length > 0 ? this.#dash.join(" ") : undefined,
		});
	}

	fillRect(x: number, y: number, width: number, height: number): void {
		const place = { x: x + this.#x, y: y + this.#y, width, height };
		this.#add("rect", {
			...place,
			fill: String(this.fillStyle),
			"fill-opacity": this.#opacity,
		});
	}

	fillText(text: string, x: number, y: number): void {
		const middle = this.textBaseline === "middle" ? "central" : undefined;
		const place = { x: x + this.#x, y: y + this.#y, "dominant-baseline": middle };
		const fill = { fill: String(this.fillStyle), "fill-opacity": this.#opacity };
		this.#parts.push(
			element("text", { ...place, ...fontOf(this.font), ...fill }, text),
		);
	}

	measureText(text: string): TextMetrics {
		const ruler = this.#ruler;
		if (!ruler) throw new Error("no 2D context to measure text");
		ruler.font = this.font;
		return ruler.measureText(text);
	}

	/** Adds an image, placed by an SVG transform. */
	image(
		href: string,
		size: { width: number; height: number },
		transform: string,
	): void {
		this.#add("image", { ...size, href, transform, opacity: this.#opacity });
	}

	get #opacity(): number | undefined {
		return this.globalAlpha === 1 ? undefined : this.globalAlpha;
	}

	#at(x: number, y: number): string {
		return `${number(x + this.#x)} ${number(y + this.#y)}`;
	}

	#add(name: string, attributes: Attributes): void {
		this.#parts.push(element(name, attributes));
	}
}
