import { html, type TemplateResult } from "lit";
import type { Palette } from "../draw/palette.js";
import { futuresLegend } from "../futures/futures-legend.js";
import { swatch } from "../review/model-list.js";
import type { ViewerState } from "../session/state.js";
import type { GalleryModel } from "./gallery-state.js";

/** Name of the recorded paths in legends. */
const RECORDED = "recorded";

const COLOURS = ["model-1", "model-2", "model-3", "model-4"] as const;

/** Dashes that tell the models apart without colour, as in the scene's picture. */
export const DASHES: readonly (readonly number[])[] = [
	[],
	[6, 3],
	[2, 3],
	[6, 3, 2, 3],
];

/** Returns the colour of a model's predictions. */
export function colourOfModel(palette: Palette, slot: number): string {
	return palette[COLOURS[slot] ?? "predicted"];
}

/** A line of the pictures: its name, colour and dashes. */
export interface Coloured {
	readonly name: string;
	readonly colour: string;
	/** Lengths of dashes and gaps in pixels; solid if absent or empty. */
	readonly dash?: readonly number[];
}

/** Returns how the lines are drawn, for saved pictures; none without models. */
export function colouredOf(
	models: readonly GalleryModel[] | undefined,
	palette: Palette,
): readonly Coloured[] {
	if (!models) return [];
	const all = models.map(({ name, slot }) => ({
		name,
		colour: colourOfModel(palette, slot),
		dash: DASHES[slot] ?? [],
	}));
	return [...all, { name: RECORDED, colour: palette.ink }];
}

/** Renders how the models' predictions and the recorded paths are drawn. */
export function legend(models: readonly GalleryModel[]): TemplateResult {
	return html`<p class="legend">${models.map(
		({ slot, name }) => html`<span>${swatch(slot)} ${name}</span>`,
	)}<span>${swatch(-1)} ${RECORDED}</span></p>`;
}

/** Returns what the colours of futures mean in the pictures; none without futures. */
export function futuresKeys({
	futures,
	gallery,
}: Pick<ViewerState, "futures" | "gallery">): readonly Coloured[] {
	if (!futures || !gallery?.items.some((one) => one.futures)) return [];
	const sets = futures.sets.map(({ name, about }, index) => ({ name, about, index }));
	const view = { ...futures.view, rollout: undefined };
	return futuresLegend(
		sets.filter(({ about }) => about),
		view,
	);
}

/** Renders what the colours of futures mean. */
export function colours(keys: readonly Coloured[]): TemplateResult {
	return html`<p class="legend">${keys.map(
		({ name, colour }) =>
			html`<span><svg class="swatch" viewBox="0 0 18 12" width="18" height="12" aria-hidden="true"><rect y="4.5" width="18" height="3" fill=${colour}/></svg> ${name}</span>`,
	)}</p>`;
}
