import { Latest } from "../../base/latest.js";
import type { Reviewer } from "../../reviewing/reviewer.js";
import type { ViewerState } from "../session/state.js";
import type { Store } from "../session/store.js";
import { CollectedRows } from "./collected-rows.js";
import type { Model } from "./model.js";
import { coversAll, type ModelPair, type RankingState } from "./review-state.js";

/** Maximum number of predictions listed over all scenes. */
const MAX_RANKED = 200;

/** The models to rank, and the worker that has them. */
export interface RankedModels {
	readonly store: Store<ViewerState>;
	readonly models: ReadonlyMap<number, Model>;
	/** Returns the worker; undefined until predictions were read. */
	reviewer(): Reviewer | undefined;
	/** Returns the pair's ids in the worker, if both are read. */
	heldPair(pair: ModelPair | undefined): readonly [number, number] | undefined;
}

/** Ranks predictions over all scenes, and collects them as rows of distributions. */
export class AllScenes {
	readonly #of: RankedModels;
	readonly #ranking = new Latest();
	readonly #rows = new CollectedRows();
	#stop = new AbortController();

	constructor(of: RankedModels) {
		this.#of = of;
	}

	/**
	 * Ranks predictions over all scenes of the open data set, one scene after another, and
	 * compares the pair.
	 */
	async rank(): Promise<void> {
		const { store, models } = this.#of;
		const reviewer = this.#of.reviewer();
		const { dataset, review } = store.state;
		const { pair } = review;
		const ready = [...models.values()].flatMap(({ id, held }) =>
			held ? [{ id, held }] : [],
		);
		if (!reviewer || ready.length === 0 || !dataset) return;
		const stop = new AbortController();
		this.#stop = stop;
		const work = async (superseded: AbortSignal): Promise<void> => {
			superseded.addEventListener("abort", () => stop.abort());
			const { rankScenes } = await import("./ranking-run.js");
			const table = await this.#rows.begin(reviewer, superseded);
			if (superseded.aborted) return;
			const ids = ready.map(({ id }) => id);
			const onChange = (state: RankingState): void => {
				// Results of a closed data set are dropped.
				const open = dataset === store.state.dataset;
				const rows = table && { table, ids };
				if (open && !superseded.aborted) this.#patch({ ...state, rows });
			};
			const held = ready.map((one) => one.held);
			const { counting } = store.state.review;
			const compared = { pair: this.#of.heldPair(pair), most: MAX_RANKED, counting };
			const ranking = reviewer.ranking(held, { ...compared, distribution: table?.id });
			try {
				await rankScenes({ dataset, ranking, ids, signal: stop.signal, onChange });
			} finally {
				ranking.release();
			}
		};
		await this.#ranking.run(work, { done: () => {} });
	}

	/**
	 * Drops results over all scenes, which were of other models; ranks again if the list
	 * shows them.
	 */
	anew(): void {
		this.cancel();
		this.#patch(undefined);
		if (coversAll(this.#of.store.state.review.list) || this.#rows.wanted)
			void this.rank();
	}

	/** Collects the predictions of all scenes as rows from now on, or no more. */
	collect(collects: boolean): void {
		const begins = collects && !this.#rows.wanted;
		this.#rows.wanted = collects;
		if (begins && !this.#of.store.state.review.ranking?.rows) void this.rank();
	}

	/** Stops ranking; results so far stay. */
	stop(): void {
		this.#stop.abort();
	}

	/** Stops ranking without results. */
	cancel(): void {
		this.#ranking.cancel();
	}

	/** Forgets the rows of a worker that has ended. */
	forget(): void {
		this.#rows.forget();
	}

	#patch(ranking: RankingState | undefined): void {
		const { store } = this.#of;
		store.patch({ review: { ...store.state.review, ranking } });
	}
}
