import { formatNumber } from "../agents/describe.js";
import { MAX_ITEMS } from "../gallery/gallery-item.js";
import type { GalleryItem, GalleryList } from "../gallery/gallery-state.js";
import type { ViewerState } from "../session/state.js";
import { LIST_NAMES, MEASURE_NAMES } from "./measures.js";
import { listed, type Row } from "./review-rows.js";
import { compares, type Measure, type ReviewState } from "./review-state.js";

/** Returns the listed predictions for the gallery. */
export function reviewGallery(state: ViewerState): GalleryList {
	const { by, list, name, models, pair, active } = state.review;
	const shown = compares(list) ? [pair?.a, pair?.b] : [active];
	const items = listed(state)
		.slice(0, MAX_ITEMS)
		.map((row) => itemOf(row, state, by));
	const of = compares(list) ? ` (${pairNames(state)})` : ` of ${name}`;
	const title = `${LIST_NAMES[list]}${of} by ${MEASURE_NAMES[by].short}`;
	return { title, items, models: models.filter(({ id }) => shown.includes(id)) };
}

/** Returns which models A and B are. */
function pairNames({ review: { pair, models } }: ViewerState): string {
	const name = (id: number | undefined): string =>
		models.find((one) => one.id === id)?.name ?? "";
	return `A ${name(pair?.a)}, B ${name(pair?.b)}`;
}

function itemOf(row: Row, state: ViewerState, by: Measure): GalleryItem {
	const { scene } = state;
	const { frame, track } = row;
	const ego = track === undefined || track === -1n;
	return {
		scene: "scene" in row ? row.scene : scene,
		frame,
		track: ego ? undefined : track,
		mark: track === -1n ? "ego" : track,
		follows: !ego,
		lines: track ?? "all",
		values: valuesOf(row, by, state.review),
	};
}

function valuesOf(
	row: Row,
	by: Measure,
	{ pair, models }: ReviewState,
): GalleryItem["values"] {
	const { short: name } = MEASURE_NAMES[by];
	const unit = by === "nll" ? "" : " m";
	const said = (
		of: string,
		number: number,
		sign = "",
	): GalleryItem["values"][number] => ({
		name: of,
		text: `${sign}${formatNumber(number)}${unit}`,
		number,
	});
	if (!("a" in row)) return [said(name, row[by])];
	const { a, b } = row;
	const called = (id: number | undefined, usual: string): string =>
		models.find((one) => one.id === id)?.name ?? usual;
	return [
		said(`${name} B \u2212 A`, b - a, b > a ? "+" : ""),
		said(called(pair?.a, "A"), a),
		said(called(pair?.b, "B"), b),
	];
}
