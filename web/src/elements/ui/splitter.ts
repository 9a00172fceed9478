import { html, type TemplateResult } from "lit";

/** Options of a splitter. */
export interface SplitterOptions {
	/** Accessible name. */
	readonly label: string;
	/** Id of the resized element. */
	readonly controls: string;
	/** Edge of the resized element at which it is. */
	readonly edge: "left" | "top";
	/** Returns the pixels of one unit of the size, if it is not in pixels. */
	readonly unit?: (splitter: Element) => number;
	/** Least and greatest size, in CSS pixels or units. */
	readonly limits: readonly [min: number, max: number];
	readonly value: number;
	/** Sets the size; undefined restores the default. */
	readonly set: (size: number | undefined) => void;
}

/** Change of the size per arrow key, in CSS pixels. */
const STEP = 16;

/** Renders a splitter, movable by pointer and arrow keys; its parent is the resized element. */
export function splitter(options: SplitterOptions): TemplateResult {
	const { label, controls, edge, limits, value, set } = options;
	return html`<div class="splitter" role="separator" tabindex="0" aria-orientation=${edge === "left" ? "vertical" : "horizontal"}
		aria-label=${label} aria-controls=${controls} title="Drag to resize, double-click to reset"
		aria-valuemin=${limits[0]} aria-valuemax=${limits[1]} aria-valuenow=${value}
		@pointerdown=${(event: PointerEvent) => drag(event, options)}
		@dblclick=${() => set(undefined)}
		@keydown=${(event: KeyboardEvent) => step(event, options)}></div>`;
}

function clamped(size: number, [min, max]: SplitterOptions["limits"]): number {
	return Math.round(10 * Math.min(max, Math.max(min, size))) / 10;
}

function drag(
	event: PointerEvent,
	{ edge, limits, value, set, unit = () => 1 }: SplitterOptions,
): void {
	const { currentTarget: target } = event;
	if (!(target instanceof HTMLElement) || event.button !== 0) return;
	const size = unit(target);
	const at = ({ clientX, clientY }: PointerEvent) =>
		edge === "left" ? clientX : clientY;
	const start = at(event);
	target.setPointerCapture(event.pointerId);
	const ended = new AbortController();
	const { signal } = ended;
	const move = (moved: PointerEvent) =>
		set(clamped(value + (start - at(moved)) / size, limits));
	target.addEventListener("pointermove", move, { signal });
	for (const type of ["pointerup", "pointercancel"] as const)
		target.addEventListener(type, () => ended.abort(), { signal });
}

function step(
	event: KeyboardEvent,
	{ edge, limits, value, set, unit = () => 1 }: SplitterOptions,
): void {
	const by = STEP / unit(event.currentTarget as Element);
	const [more, less] =
		edge === "left" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
	const [min, max] = limits;
	const sizes: Readonly<Record<string, number>> = {
		[more]: value + by,
		[less]: value - by,
		Home: min,
		End: max,
	};
	const size = sizes[event.key];
	if (size === undefined || event.altKey) return;
	event.preventDefault();
	set(clamped(size, limits));
}
