import type { Selection } from "../scene-view/picking.js";

/** Tokens of the colours, by style: the ego, the selection, then the plotted tracks. */
export const TRACK_COLOURS = [
	"ego",
	"ink",
	"vehicle",
	"pedestrian",
	"cyclist",
	"predicted",
	"yellow",
	"ink3",
] as const;

/** The tracks that have colours. */
interface Tracks {
	readonly plotted?: readonly Selection[] | undefined;
}

/**
 * Returns the style of a track, which is the same in all plots, rows and the picture: 0
 * for the ego vehicle, 2 to 7 for a plotted track, selected or not, and 1 for another
 * one, the selection.
 */
export function trackStyle(who: Selection, { plotted = [] }: Tracks): number {
	if (who === "ego") return 0;
	const at = plotted.filter((other) => other !== "ego").indexOf(who);
	return at < 0 ? 1 : 2 + (at % 6);
}

/** Returns the colour's token of a track that the picture outlines. */
export function trackColour(
	who: Selection,
	tracks: Tracks,
): (typeof TRACK_COLOURS)[number] {
	// The ego vehicle's box has its colour; an outline must differ.
	return TRACK_COLOURS[trackStyle(who, tracks) || 1] as (typeof TRACK_COLOURS)[number];
}
