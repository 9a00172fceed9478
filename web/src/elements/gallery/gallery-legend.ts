import { html, type TemplateResult } from "lit";
import type { Palette } from "../draw/palette.js";
import { swatch } from "../review/model-list.js";
import type { GalleryModel } from "./gallery-state.js";

/** Name of the recorded paths in legends. */
const RECORDED = "recorded";

const COLOURS = ["model-1", "model-2", "model-3", "model-4"] as const;

/** Returns the colour of a model's predictions. */
export function colourOfModel(palette: Palette, slot: number): string {
	return palette[COLOURS[slot] ?? "predicted"];
}

/** A line of the pictures: its name and colour. */
export interface Coloured {
	readonly name: string;
	readonly colour: string;
}

/** Returns names and colours of the lines, for saved pictures; none without models. */
export function colouredOf(
	models: readonly GalleryModel[] | undefined,
	palette: Palette,
): readonly Coloured[] {
	if (!models) return [];
	const all = models.map(({ name, slot }) => ({
		name,
		colour: colourOfModel(palette, slot),
	}));
	return [...all, { name: RECORDED, colour: palette.ink }];
}

/** Renders how the models' predictions and the recorded paths are drawn. */
export function legend(models: readonly GalleryModel[]): TemplateResult {
	return html`<p class="legend">${models.map(
		({ slot, name }) => html`<span>${swatch(slot)} ${name}</span>`,
	)}<span>${swatch(-1)} ${RECORDED}</span></p>`;
}
