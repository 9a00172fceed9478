import { html, type SVGTemplateResult, svg, type TemplateResult } from "lit";

const SHAPES = {
	play: svg`<path d="M5 3.2v9.6l8-4.8z" fill="currentColor" stroke-linejoin="round"/>`,
	pause: svg`<path d="M5.2 3.5v9M10.8 3.5v9" stroke-width="2.6"/>`,
	previous: svg`<path d="M10 3.5 5.5 8l4.5 4.5"/>`,
	next: svg`<path d="M6 3.5 10.5 8 6 12.5"/>`,
	first: svg`<path d="M11.5 3.5 7 8l4.5 4.5M4.5 3.5v9"/>`,
	last: svg`<path d="M4.5 3.5 9 8l-4.5 4.5M11.5 3.5v9"/>`,
	loop: svg`<path d="M3 8V7a2.5 2.5 0 0 1 2.5-2.5H13M11 2.5l2 2-2 2M13 8v1a2.5 2.5 0 0 1-2.5 2.5H3M5 13.5l-2-2 2-2"/>`,
	measure: svg`<path d="m2.5 10.5 8-8 3 3-8 8zM5 8l1.2 1.2M7 6l1.2 1.2M9 4l1.2 1.2"/>`,
	close: svg`<path d="m4 4 8 8M12 4l-8 8"/>`,
	plus: svg`<path d="M8 3.5v9M3.5 8h9"/>`,
	minus: svg`<path d="M3.5 8h9"/>`,
	fit: svg`<path d="M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3"/><circle cx="8" cy="8" r="1.2" fill="currentColor"/>`,
	grow: svg`<path d="M9.5 3H13v3.5M13 3 9 7M6.5 13H3V9.5M3 13l4-4"/>`,
	shrink: svg`<path d="M9 3.5V7h3.5M9 7l4-4M7 12.5V9H3.5M7 9l-4 4"/>`,
	options: svg`<path d="M2.5 5h5M11.5 5h2M2.5 11h2M8.5 11h5"/><circle cx="9.5" cy="5" r="1.7"/><circle cx="6.5" cy="11" r="1.7"/>`,
	whole: svg`<path d="M2.5 4.5 6 3l4 1.5 3.5-1.5v8.5L10 13l-4-1.5L2.5 13zM6 3v8.5M10 4.5V13" stroke-linejoin="round"/>`,
	tilt: svg`<path d="m8 2.5 5 2.4v6L8 13.5l-5-2.6v-6zM3 4.9l5 2.6 5-2.6M8 7.5v6" stroke-linejoin="round"/>`,
	camera: svg`<path d="M2.5 5.5v5h7v-5zM9.5 7.3l4-2v5.4l-4-2" stroke-linejoin="round"/>`,
	theme: svg`<circle cx="8" cy="8" r="5.2"/><path d="M8 2.8a5.2 5.2 0 0 1 0 10.4z" fill="currentColor" stroke="none"/>`,
	help: svg`<path d="M5.8 6.1a2.3 2.3 0 1 1 3.4 2c-.8.5-1.2.9-1.2 1.8M8 12.4v.2"/>`,
	link: svg`<path d="M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2-2a2.6 2.6 0 0 0-3.7-3.7l-.9.9M9.2 6.8a2.6 2.6 0 0 0-3.7 0l-2 2a2.6 2.6 0 0 0 3.7 3.7l.9-.9"/>`,
	folder: svg`<path d="M2.5 4.5v8h11v-6.5h-6L6 4.5z" stroke-linejoin="round"/>`,
	layers: svg`<path d="m8 2.8 5.5 2.9L8 8.6 2.5 5.7zM2.5 8.6 8 11.5l5.5-2.9M2.5 11.3 8 14.2l5.5-2.9" stroke-linejoin="round"/>`,
	distribution: svg`<path d="M2.5 13h11M4.5 13V9.5M8 13V4M11.5 13V7"/>`,
	plot: svg`<path d="M3 3v10h10M5 10l2.5-3.5 2 2L13 4.5"/>`,
	list: svg`<path d="M3 4.5h10M3 8h10M3 11.5h10"/>`,
	warning: svg`<path d="M8 2.6 14 13H2zM8 6.6v3M8 11.2v.2" stroke-linejoin="round"/>`,
	up: svg`<path d="m4 9.5 4-4 4 4"/>`,
	down: svg`<path d="m4 6.5 4 4 4-4"/>`,
	difference: svg`<circle cx="6" cy="8" r="3.8"/><circle cx="10" cy="8" r="3.8"/>`,
	undo: svg`<path d="M5.5 3 2.8 5.7l2.7 2.7M3 5.7h6.2a3.6 3.6 0 0 1 0 7.2H6.5"/>`,
	redo: svg`<path d="m10.5 3 2.7 2.7-2.7 2.7M13 5.7H6.8a3.6 3.6 0 0 0 0 7.2h2.7"/>`,
	layout: svg`<path d="M2.5 3h11v10h-11zM9 3v10M9 8h4.5" stroke-linejoin="round"/>`,
	more: svg`<path d="M3.6 8h.1M8 8h.1M12.4 8h.1" stroke-width="2.4" stroke-linecap="round"/>`,
} satisfies Record<string, SVGTemplateResult>;

export type IconName = keyof typeof SHAPES;

/** Renders a decorative icon; the enclosing control has an accessible name. */
export function icon(name: IconName): TemplateResult {
	return html`<svg class="icon" viewBox="0 0 16 16" fill="none" stroke="currentColor"
		stroke-width="1.5" stroke-linecap="round" aria-hidden="true" focusable="false">${SHAPES[name]}</svg>`;
}
