import { withOutcomes } from "../session/outcomes.js";
import type { ViewerState } from "../session/state.js";
import { type Store, until } from "../session/store.js";
import { galleryFrom, listOf } from "./gallery-link.js";

/** Returns whether all models of the link are read, or could not be. */
function areModelsKnown({ review }: ViewerState): boolean {
	const { models } = review;
	return models.length > 0 && models.every(({ phase }) => phase !== "reading");
}

/** Opens the gallery of a link; its predictions are read first. */
export async function openLinked(
	store: Store<ViewerState>,
	text: string,
): Promise<void> {
	const linked = galleryFrom(text);
	if (!linked) {
		const notice = "Link: ignored ga (expected pictures)";
		store.patch(withOutcomes(store.state, notice));
		return;
	}
	const { dataset } = store.state;
	const isOver = (state: ViewerState): boolean => state.dataset !== dataset;
	const { signal } = new AbortController();
	if (linked.hasLines)
		await until(store, (state) => isOver(state) || areModelsKnown(state), signal);
	if (isOver(store.state)) return;
	store.patch({ gallery: listOf(linked, store.state.review.models) });
}
