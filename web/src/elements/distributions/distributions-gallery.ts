import type { GalleryItem } from "../gallery/gallery-state.js";
import type { ViewerController } from "../session/controller.js";
import { brushWords } from "./bars.js";
import { valueWords } from "./columns.js";
import type { DistributionsController, Result } from "./distributions-controller.js";
import { placeOf } from "./row-places.js";
import { futureValues, scoredNames, whichFutures } from "./score-rows.js";
import { areScores } from "./settings.js";

/** Opens the gallery with the listed rows. */
export function distributionsGallery(
	controller: ViewerController,
	{ settings }: DistributionsController,
	result: Result,
): void {
	const { rows, on, columns, table } = result;
	const info = columns[on];
	if (!info) return;
	const { models, ranking } = controller.state.review;
	const ids = ranking?.rows?.table === table ? ranking.rows.ids : [];
	const predicted = settings.table === "predictions";
	const { futures } = controller.state;
	const items = Array.from(rows.rows, (_, i): GalleryItem => {
		const { track, ...place } = placeOf(rows, i, on, columns);
		const row = { rows, columns, i };
		const number = rows.values[on * rows.rows.length + i] ?? Number.NaN;
		const ego = track === -1n;
		return {
			...place,
			track: ego ? undefined : track,
			follows: !ego,
			...(predicted && { lines: track }),
			...(futures &&
				areScores(settings.table) && { futures: whichFutures(row, futures) }),
			values: [
				{ name: info.words, text: valueWords(info, number, 1), number },
				...futureValues(row),
			],
		};
	});
	const kept = [...settings.brushes].flatMap(([name, brush]) => {
		const of = columns.find((one) => one.name === name);
		return of ? [`${of.words} ${brushWords(brush, of)}`] : [];
	});
	const ranked = areScores(settings.table) ? (futures?.scored ?? []) : [];
	const title = [`Largest by ${info.words}`, ...scoredNames(ranked), ...kept].join(
		"; ",
	);
	const shown = predicted ? models.filter(({ id }) => ids.includes(id)) : undefined;
	controller.store.patch({ gallery: { title, items, models: shown } });
}
