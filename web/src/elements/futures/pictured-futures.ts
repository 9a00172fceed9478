import type { RolloutTruth } from "../../reviewing/protocol.js";
import type { Overlay } from "../draw/picture.js";
import { scenarioOf } from "../scenes/benchmark.js";
import type { ViewerState } from "../session/state.js";
import { futuresOverlays } from "./futures-drawing.js";
import { type DrawnSet, viewOf } from "./futures-view.js";
import { sceneColumns } from "./scene-columns.js";

/** Futures to draw into a picture. */
export interface PicturedScene {
	readonly scene: number;
	readonly frame: number;
	/** As `viewOf` reads it. */
	readonly which: string;
	readonly lanes: RolloutTruth["lanes"];
}

type Known = Pick<ViewerState, "futures" | "dataset">;

/** Futures for pictures of any scene; the last scene's stay in memory. */
export class PicturedFutures {
	#last:
		| { readonly scene: number; readonly sets: Promise<readonly DrawnSet[]> }
		| undefined;

	/**
	 * Returns what is drawn of the open submissions; nothing of one that lacks the scene.
	 *
	 * @param signal the same in all calls: they share what is read
	 */
	async overlays(
		state: Known,
		{ scene, frame, which, lanes }: PicturedScene,
		signal: AbortSignal,
	): Promise<readonly Overlay[]> {
		const chosen = viewOf(which);
		const view = state.futures?.view;
		if (!view || !chosen) return [];
		if (this.#last?.scene !== scene) {
			const sets = this.#read(state, { scene, lanes }, signal);
			this.#last = { scene, sets };
			sets.catch(() => {
				if (this.#last?.sets === sets) this.#last = undefined;
			});
		}
		const sets = await this.#last.sets;
		const open = state.futures?.sets.filter(({ about }) => about) ?? [];
		return futuresOverlays(sets, {
			...{ scene, frame, track: undefined, several: open.length > 1 },
			view: { ...view, ...chosen, split: false },
		});
	}

	async #read(
		{ futures, dataset }: Known,
		{ scene, lanes }: Pick<PicturedScene, "scene" | "lanes">,
		signal: AbortSignal,
	): Promise<readonly DrawnSet[]> {
		const id = scenarioOf(dataset?.attrs, scene);
		if (!futures || !dataset || id === undefined) return [];
		const rows = sceneColumns(dataset, scene, signal);
		rows.catch(() => {}); // read by the submissions, if there are any
		const needed = async () => ({ rows: await rows, lanes, signal });
		const sets: DrawnSet[] = [];
		for (const [index, { key }] of futures.sets.entries()) {
			const source = futures.sources.find((one) => one.key === key);
			if (!source?.read || !source.scenarios.has(id)) continue;
			const isMeasured = futures.view.colour === "outcome";
			sets.push({ futures: await source.read(id, needed, isMeasured), index });
		}
		return sets;
	}
}
