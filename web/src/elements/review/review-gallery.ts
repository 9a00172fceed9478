import { formatNumber } from "../agents/describe.js";
import { MAX_ITEMS } from "../gallery/gallery-item.js";
import type { GalleryItem, GalleryList } from "../gallery/gallery-state.js";
import type { ViewerState } from "../session/state.js";
import { listed, type Row } from "./review-rows.js";
import {
	compares,
	MEASURE_NAMES,
	type Measure,
	type ReviewList,
} from "./review-state.js";

/** Names of the lists. */
export const LIST_NAMES: Readonly<Record<ReviewList, string>> = {
	agents: "By agent",
	frames: "By frame",
	all: "All scenes",
	worse: "B − A by agent",
	"worse-frames": "B − A by frame",
	"worse-all": "B − A, all scenes",
	"worse-all-frames": "B − A, all frames",
};

/** Returns the listed predictions for the gallery. */
export function reviewGallery(state: ViewerState): GalleryList {
	const { by, list, name } = state.review;
	const items = listed(state)
		.slice(0, MAX_ITEMS)
		.map((row) => itemOf(row, state, by));
	const of = compares(list) ? ` (${pairNames(state)})` : ` of ${name}`;
	return { title: `${LIST_NAMES[list]}${of} by ${MEASURE_NAMES[by][0]}`, items };
}

/** Returns which models A and B are. */
function pairNames({ review: { pair, models } }: ViewerState): string {
	const name = (id: number | undefined): string =>
		models.find((one) => one.id === id)?.name ?? "";
	return `A ${name(pair?.a)}, B ${name(pair?.b)}`;
}

function itemOf(row: Row, { scene }: ViewerState, by: Measure): GalleryItem {
	const { frame, track } = row;
	const ego = track === undefined || track === -1n;
	return {
		scene: "scene" in row ? row.scene : scene,
		frame,
		track: ego ? undefined : track,
		follows: !ego,
		values: valuesOf(row, by),
	};
}

function valuesOf(row: Row, by: Measure): GalleryItem["values"] {
	const [name] = MEASURE_NAMES[by];
	const said = (of: string, number: number): GalleryItem["values"][number] => ({
		name: of,
		text: formatNumber(number),
		number,
	});
	if (!("a" in row)) return [said(name, row[by])];
	const { a, b } = row;
	return [said(`${name} B \u2212 A`, b - a), said("A", a), said("B", b)];
}
