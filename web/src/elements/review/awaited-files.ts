import type { ViewerState } from "../session/state.js";
import type { Store } from "../session/store.js";
import {
	type AwaitedFiles,
	MAX_MODELS,
	type ModelsLink,
	type ReviewState,
} from "./review-state.js";

/** Longest file name. */
const MAX_NAME = 255;
/** Characters of a name that the notice shows. */
const MAX_SHOWN = 60;

/** Returns the names of a link's local models, at most as many as can be open. */
export function localNames({ localModels = "" }: ModelsLink): readonly string[] {
	return localModels
		.split("|", MAX_MODELS)
		.filter((name) => name !== "" && name.length <= MAX_NAME)
		.map((name) => name.replaceAll("%7C", "|").replaceAll("%25", "%"));
}

/** Returns the notice that asks for files; undefined if none are missing. */
export function awaitedNotice({
	awaited,
}: Pick<ReviewState, "awaited">): string | undefined {
	return awaited && awaited.missing.length > 0
		? noticeOf("predictions", awaited.missing)
		: undefined;
}

/** Returns the notice that asks for local files of a link. */
export function noticeOf(what: string, names: readonly string[]): string {
	const shown = names.map((name) =>
		name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name,
	);
	return `The link's sender also had local ${what}: ${shown.join(", ")}. Drop them here to see them.`;
}

/**
 * Names the link's local files in a notice until they are open, and calls `arrived` when
 * they are read. Another link, another data set or removing all models ends that.
 */
export function awaitFiles(
	store: Store<ViewerState>,
	link: ModelsLink,
	arrived: () => void,
): void {
	const names = localNames(link);
	let awaited: AwaitedFiles | undefined;
	let notice = "";
	const check = (): void => {
		const { review, notices } = store.state;
		if (review.awaited !== awaited) {
			stop();
			return;
		}
		const open = names.map((name) => review.models.find((one) => one.name === name));
		const missing = names.filter((_, i) => !open[i]);
		if (missing.join("|") !== awaited?.missing.join("|")) {
			const others = notices.filter((one) => one !== notice);
			notice = noticeOf("predictions", missing);
			awaited = { link, missing };
			const shown = missing.length > 0 ? [...others, notice] : others;
			store.patch({ review: { ...review, awaited }, notices: shown });
		} else if (open.every((one) => one && one.phase !== "reading")) {
			stop();
			store.patch({ review: { ...review, awaited: undefined } });
			arrived();
		}
	};
	// Ends waiting for the files of an earlier link.
	store.patch({ review: { ...store.state.review, awaited } });
	if (names.length === 0) return;
	const stop = store.subscribe(check);
	check();
}
