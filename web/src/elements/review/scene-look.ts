import { SharedTask } from "../../base/shared-task.js";
import type { Reviewer } from "../../reviewing/reviewer.js";
import type { ViewerDataset } from "../session/dataset.js";
import { sceneTracks } from "./scene-tracks.js";

/** A scene of the open data set. */
export interface OpenScene {
	readonly dataset: ViewerDataset;
	readonly index: number;
	/** Identifies the opening of the scene. */
	readonly key: unknown;
}

/** Reads a scene's tracks once for all models, and passes them to the reviewer. */
export class SceneLook {
	#key: unknown;
	#task: SharedTask<void> | undefined;

	/**
	 * Resolves when the reviewer looks at the scene. A newer scene replaces the previous
	 * one, whose callers must have left.
	 */
	join(scene: OpenScene, reviewer: Reviewer, signal: AbortSignal): Promise<void> {
		if (!this.#task || this.#key !== scene.key) {
			this.#key = scene.key;
			this.#task = new SharedTask(async (own) => {
				const tracks = await sceneTracks(scene.dataset, scene.index, own);
				own.throwIfAborted();
				await reviewer.look(tracks);
			});
		}
		return this.#task.join(signal);
	}

	/** Forgets the scene. */
	forget(): void {
		this.#task = undefined;
		this.#key = undefined;
	}
}
