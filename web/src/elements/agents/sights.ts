import type { AbortOptions } from "../../api.js";
import type { FrameView } from "../../frame-view.js";
import { Latest } from "../../latest.js";
import type { SelectedScene, SelectionRules } from "../../samples/selection.js";
import { problemOf } from "../session/problem.js";
import type { ViewerState } from "../session/state.js";
import type { Store } from "../session/store.js";

/** Counts history and future of a scene's agents as L5Kit does. */
export type SelectScene = (
	scene: number,
	rules: SelectionRules,
	options: AbortOptions,
) => Promise<SelectedScene>;

/**
 * For each agent of a scene, the number of past and future frames in which its track is
 * visible.
 */
export type SceneSights = Pick<SelectedScene, "scene" | "first" | "mask">;

/** Minimum frames of history and future of an agent. */
export interface Minima {
	readonly minHistory: number;
	readonly minFuture: number;
	/** Undefined while being read, or if that failed. */
	readonly sights: SceneSights | undefined;
}

export const NO_MINIMA: Minima = { minHistory: 0, minFuture: 0, sights: undefined };

/**
 * Returns whether agent `i` meets the minima; true if the sights belong to another
 * scene.
 */
export function isSeenEnough(
	frame: FrameView,
	i: number,
	{ minHistory, minFuture, sights }: Minima,
): boolean {
	if (minHistory <= 0 && minFuture <= 0) return true;
	if (sights?.scene !== frame.scene) return true;
	const at = 2 * (Number(frame.agents.row[i]) - sights.first);
	const [history = 0, future = 0] = [sights.mask[at], sights.mask[at + 1]];
	return history >= minHistory && future >= minFuture;
}

/** Updates `sights` for the scene and the thresholds while a minimum is set. */
export class SightLoader {
	readonly #store: Store<ViewerState>;
	readonly #select: SelectScene | undefined;
	readonly #unsubscribe: () => void;
	readonly #asking = new Latest();
	/** Inputs of the last request, whether or not it succeeded. */
	#asked: readonly unknown[] = [];

	constructor(store: Store<ViewerState>, select: SelectScene | undefined) {
		this.#store = store;
		this.#select = select;
		this.#unsubscribe = store.subscribe(() => this.#look());
		this.#look();
	}

	dispose(): void {
		this.#unsubscribe();
		this.#asking.cancel();
	}

	/** Retries a failed read. */
	retry(): void {
		if (this.#store.state.sights || this.#asking.isBusy) return;
		this.#asked = [];
		this.#look();
	}

	#look(): void {
		const { sceneInfo, threshold, distance, minHistory, minFuture } = this.#store.state;
		const wanted =
			sceneInfo && (minHistory > 0 || minFuture > 0)
				? [sceneInfo, threshold, distance]
				: [];
		const same =
			wanted.length === this.#asked.length &&
			wanted.every((value, i) => value === this.#asked[i]);
		if (same) return;
		this.#asked = wanted;
		this.#asking.cancel();
		if (wanted.length === 0 || !sceneInfo || !this.#select) {
			this.#store.patch({ sights: undefined, sightsDue: false });
			return;
		}
		this.#store.patch({ sights: undefined, sightsDue: true });
		const rules = { label_threshold: threshold, max_distance_to_ego: distance };
		void this.#ask(this.#select, sceneInfo.index, rules);
	}

	#ask(select: SelectScene, scene: number, rules: SelectionRules): Promise<void> {
		return this.#asking.run((signal) => select(scene, rules, { signal }), {
			done: (sights) => this.#store.patch({ sights, sightsDue: false }),
			failed: (error) => {
				const { notices } = this.#store.state;
				const notice = `Track lengths: read failed, minimum history and future are not applied: ${problemOf(error).why}`;
				this.#store.patch({ sightsDue: false, notices: [...notices, notice] });
			},
		});
	}
}
