import type { ViewerDataset } from "../session/dataset.js";
import type { SceneInfo } from "../session/state.js";
import { formatDate, formatDateSeconds } from "../timeline/clock.js";
import { compared, type Sort } from "../ui/table.js";
import { scenarioOf } from "./benchmark.js";
import type { ListedScene } from "./listed-scenes.js";

export type SceneKey =
	| "index"
	| "host"
	| "startTime"
	| "scenario"
	| "tags"
	| "frames"
	| "duration";

/**
 * A query of the scene list: scenes whose host, start time or scenario, and tags contain
 * every word of `text`, sorted.
 */
export interface SceneQuery {
	readonly text: string;
	readonly sort: Sort<SceneKey>;
}

export const DATASET_ORDER: SceneQuery = {
	text: "",
	sort: { key: "index", descending: false },
};

function wordsOf(text: string): string[] {
	return text.toLowerCase().split(/\s+/).filter(Boolean);
}

export function isFiltered({ text }: SceneQuery): boolean {
	return wordsOf(text).length > 0;
}

/**
 * Returns whether `query` lists every scene in the data set's order, so that positions
 * are indices.
 */
export function isDatasetOrder(query: SceneQuery): boolean {
	return !isFiltered(query) && query.sort.key === "index" && !query.sort.descending;
}

/** Returns the scenes that match `query`, sorted, then by index. */
export function listScenes(
	scenes: readonly ListedScene[],
	query: SceneQuery,
): readonly ListedScene[] {
	if (isDatasetOrder(query)) return scenes;
	const words = wordsOf(query.text);
	const matches = ({ host, startTime, scenario = "", tags }: ListedScene): boolean => {
		const when = startTime === undefined ? scenario : formatDateSeconds(startTime);
		const text = `${host} ${when} ${tags.join(" ")}`.toLowerCase();
		return words.every((word) => text.includes(word));
	};
	const kept = words.length > 0 ? scenes.filter(matches) : [...scenes];
	const { key, descending } = query.sort;
	const value = (scene: ListedScene) =>
		key === "tags" ? scene.tags.join() : (scene[key] ?? Number.NaN);
	return kept.sort(
		(a, b) => compared(value(a), value(b), descending) || a.index - b.index,
	);
}

/** Returns where a scene is from, and when it begins or which scenario it is. */
export function whenOf(
	{ attrs }: Pick<ViewerDataset, "attrs">,
	scene: SceneInfo | undefined,
): string {
	if (!scene) return "";
	const { index, host, startTime } = scene;
	return `${host} · ${scenarioOf(attrs, index) ?? formatDate(startTime)}`;
}

/** Parses a scene number; returns a message if it is invalid. */
export function sceneNumberOf(text: string, count: number): number | string {
	const digits = text.trim();
	const range = `expected 0 to ${count - 1}`;
	if (!/^\d+$/.test(digits)) return `Invalid scene number (${range})`;
	const scene = Number(digits);
	return scene < count ? scene : `Scene out of range (${range})`;
}
