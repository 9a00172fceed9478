import { pictured, placeOf, wordsOf } from "./gallery-item.js";
import type { Coloured } from "./gallery-legend.js";
import { pageOf } from "./gallery-page.js";
import type { GalleryItem } from "./gallery-state.js";
import { THUMBNAIL } from "./thumbnail-painter.js";
import type { Thumbnails } from "./thumbnails.js";

/** Most pictures of a saved page and of a sheet. */
export const MAX_SAVED = { html: 500, png: 120 } as const;

export type SavedFormat = keyof typeof MAX_SAVED;

/** What is saved, and how. */
export interface SaveJob {
	readonly title: string;
	/** Names and colours of the pictures' lines. */
	readonly legend: readonly Coloured[];
	readonly source: string;
	readonly items: readonly GalleryItem[];
	readonly images: Thumbnails;
	readonly tagsOf: (item: GalleryItem) => readonly string[];
	/** Returns the address of an item in a viewer, if it has one. */
	readonly linkOf: (item: GalleryItem) => string | undefined;
	/** Called after each picture. */
	readonly onProgress: (done: number) => void;
	readonly signal: AbortSignal;
}

/** Returns the gallery as a page that needs no other file. */
export async function savedPage(job: SaveJob): Promise<Blob> {
	const saved = [];
	for (const item of job.items) {
		const image = await job.images.image(pictured(item), job.signal);
		job.signal.throwIfAborted();
		const place = placeOf(item);
		const url = image && (await dataUrl(image));
		saved.push({
			...{ place, values: item.values, image: url },
			...{ tags: job.tagsOf(item), link: job.linkOf(item) },
		});
		job.onProgress(saved.length);
	}
	const { title, source, legend } = job;
	return new Blob([pageOf({ title, source, legend, items: saved })], {
		type: "text/html",
	});
}

/** Space around the pictures of a sheet, and height of their captions. */
const GAP = 16;
const CAPTION = 44;
const HEAD = 64;
const LEGEND = 24;

/** Returns the gallery as one image. */
export async function savedSheet(job: SaveJob): Promise<Blob> {
	const { items, title, source, legend } = job;
	const { width, height } = THUMBNAIL;
	const columns = Math.max(1, Math.ceil(Math.sqrt(items.length)));
	const rows = Math.max(1, Math.ceil(items.length / columns));
	const canvas = document.createElement("canvas");
	canvas.width = GAP + columns * (width + GAP);
	const head = legend.length > 0 ? HEAD + LEGEND : HEAD;
	canvas.height = head + rows * (height + CAPTION + GAP);
	const context = canvas.getContext("2d");
	if (!context) throw new Error("no canvas");
	context.fillStyle = "#ffffff";
	context.fillRect(0, 0, canvas.width, canvas.height);
	const write = writer(context);
	write(title, {
		x: GAP,
		y: 28,
		font: "600 18px sans-serif",
		width: canvas.width - 2 * GAP,
	});
	write(source, {
		x: GAP,
		y: 48,
		font: "13px sans-serif",
		width: canvas.width - 2 * GAP,
	});
	paintLegend(context, legend, { x: GAP, y: 70 });
	for (const [i, item] of items.entries()) {
		const image = await job.images.image(pictured(item), job.signal);
		job.signal.throwIfAborted();
		const x = GAP + (i % columns) * (width + GAP);
		const y = head + Math.floor(i / columns) * (height + CAPTION + GAP);
		context.fillStyle = "#0b0e12";
		context.fillRect(x, y, width, height);
		if (image) context.drawImage(image, x, y, width, height);
		else write("not drawn", { x: x + 8, y: y + 20, font: "13px sans-serif", width });
		write(placeOf(item), { x, y: y + height + 17, font: "600 13px sans-serif", width });
		const tags = job.tagsOf(item).map((tag) => `#${tag}`);
		const said = [...item.values.map(wordsOf), ...tags].join(" \u00b7 ");
		write(said, { x, y: y + height + 35, font: "12px sans-serif", width });
		job.onProgress(i + 1);
	}
	return blobOf(canvas);
}

/** Paints names in the colours of their lines, which a thin edge makes readable. */
function paintLegend(
	context: CanvasRenderingContext2D,
	legend: readonly Coloured[],
	{ x, y }: { readonly x: number; readonly y: number },
): void {
	let left = x;
	context.font = "13px sans-serif";
	context.lineWidth = 3;
	for (const { name, colour, dash = [] } of legend) {
		context.fillStyle = "#161a20";
		context.fillRect(left, y - 9, 26, 9);
		context.strokeStyle = colour;
		context.setLineDash([...dash]);
		context.beginPath();
		context.moveTo(left + 2, y - 4.5);
		context.lineTo(left + 24, y - 4.5);
		context.stroke();
		context.fillStyle = "#161a20";
		context.fillText(name, left + 32, y);
		left += 56 + context.measureText(name).width;
	}
}

interface Line {
	readonly x: number;
	readonly y: number;
	readonly font: string;
	/** Longer text is cut. */
	readonly width: number;
}

function writer(context: CanvasRenderingContext2D): (text: string, line: Line) => void {
	return (text, { x, y, font, width }) => {
		context.font = font;
		context.fillStyle = text === "not drawn" ? "#ffffff" : "#161a20";
		let shown = text;
		while (shown.length > 1 && context.measureText(shown).width > width) {
			shown = `${shown.slice(0, Math.floor(shown.length * 0.9) - 1).trimEnd()}\u2026`;
		}
		context.fillText(shown, x, y);
	};
}

async function dataUrl(image: ImageBitmap): Promise<string> {
	const canvas = document.createElement("canvas");
	canvas.width = image.width;
	canvas.height = image.height;
	canvas.getContext("2d")?.drawImage(image, 0, 0);
	const blob = await blobOf(canvas);
	return new Promise((resolve, reject) => {
		const reader = new FileReader();
		reader.onload = () => resolve(String(reader.result));
		reader.onerror = () => reject(reader.error);
		reader.readAsDataURL(blob);
	});
}

function blobOf(canvas: HTMLCanvasElement): Promise<Blob> {
	return new Promise((resolve, reject) => {
		canvas.toBlob((blob) => {
			if (blob) resolve(blob);
			else reject(new Error("gallery: the image is too large"));
		}, "image/png");
	});
}
