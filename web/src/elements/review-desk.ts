import type { PredictionReview } from "../review.js";
import type { Predictions, Tools } from "../tools.js";
import { isAbort, problemOf } from "./pure/problem.js";
import { NO_REVIEW, type RankingState, type ReviewState } from "./review-state.js";
import { sceneTracks } from "./scene-tracks.js";
import type { ViewerState } from "./state.js";
import type { Store } from "./store.js";

/** So many of all scenes are listed. */
const MOST_RANKED = 200;

/** The text of a CSV as L5Kit writes it, a file of it, or arrays. */
export type PredictionsFrom = string | Blob | Predictions;

/** What reads and scores predictions; it is loaded with the first of them. */
type Reviewer = Pick<Tools, "review">;

async function loadReviewer(): Promise<Reviewer> {
	const { loadTools } = await import("../tools.js");
	return loadTools();
}

/** Keeps the review of predictions in step with the scene and the frame on show. */
export class ReviewDesk {
	readonly #store: Store<ViewerState>;
	readonly #load: () => Promise<Reviewer>;
	#tools: Promise<Reviewer> | undefined;
	#review: PredictionReview | undefined;
	#reading = new AbortController();
	#looking = new AbortController();
	#ranking = new AbortController();

	constructor(store: Store<ViewerState>, load: () => Promise<Reviewer> = loadReviewer) {
		this.#store = store;
		this.#load = load;
		store.subscribe((state, before) => {
			if (state.sceneInfo !== before.sceneInfo) void this.#lookAtScene();
			if (state.shown !== before.shown) this.#lookAtFrame();
		});
	}

	/** Reviews these, in place of those before. `address` is where a link finds them. */
	async give(from: PredictionsFrom, name: string, address?: string): Promise<void> {
		this.clear();
		const { signal } = this.#reading;
		this.#patch({ phase: "reading", name, address });
		try {
			const tools = await this.#loaded();
			const data = from instanceof Blob ? await from.text() : from;
			if (signal.aborted) return;
			this.#review = tools.review(data, name);
			this.#patch({ phase: "ready", shape: this.#review.shape });
			await this.#lookAtScene();
		} catch (error) {
			if (!signal.aborted) this.#fail(error);
		}
	}

	/** As `give`, of a file at `url`; `address` is how a link names it. */
	async fetch(url: URL, address: string): Promise<void> {
		this.clear();
		const { signal } = this.#reading;
		const name = url.pathname.split("/").at(-1) ?? url.href;
		this.#patch({ phase: "reading", name, address });
		try {
			const response = await fetch(url, { signal });
			if (!response.ok) throw new Error(`HTTP ${response.status} for ${url.href}`);
			const text = await response.text();
			if (!signal.aborted) await this.give(text, name, address);
		} catch (error) {
			if (!signal.aborted) this.#fail(error);
		}
	}

	/** Ranks them over all scenes of the data that is open, one after another. */
	async rankAll(): Promise<void> {
		const { dataset } = this.#store.state;
		if (!this.#review || !dataset) return;
		const { signal } = this.#freshRanking();
		const { rankScenes } = await import("./ranking-run.js");
		if (signal.aborted || !this.#review) return;
		const ranking = this.#review.ranking(MOST_RANKED);
		const onChange = (state: RankingState): void => {
			const latest = this.#ranking.signal === signal;
			// Of data that was closed nothing is told.
			if (latest && dataset === this.#store.state.dataset)
				this.#patch({ ranking: state });
		};
		try {
			await rankScenes({ dataset, ranking, signal, onChange });
		} finally {
			ranking.release();
		}
	}

	/** Ends that; what is ranked so far stays. */
	stopRanking(): void {
		this.#ranking.abort();
	}

	/** Forgets the predictions. */
	clear(): void {
		this.#freshRanking();
		this.#reading.abort();
		this.#reading = new AbortController();
		this.#looking.abort();
		this.#review?.release();
		this.#review = undefined;
		this.#store.patch({ review: { ...NO_REVIEW, by: this.#state.by } });
	}

	#freshRanking(): AbortController {
		this.#ranking.abort();
		this.#ranking = new AbortController();
		return this.#ranking;
	}

	/** After a failure to load the next one given tries again. */
	#loaded(): Promise<Reviewer> {
		this.#tools ??= this.#load().catch((error: unknown) => {
			this.#tools = undefined;
			throw error;
		});
		return this.#tools;
	}

	get #state(): ReviewState {
		return this.#store.state.review;
	}

	#patch(change: Partial<ReviewState>): void {
		this.#store.patch({ review: { ...this.#state, ...change } });
	}

	#fail(error: unknown): void {
		this.#patch({ phase: "failed", problem: problemOf(error).why });
	}

	async #lookAtScene(): Promise<void> {
		this.#looking.abort();
		this.#looking = new AbortController();
		const { signal } = this.#looking;
		const { dataset, sceneInfo } = this.#store.state;
		if (!this.#review) return;
		this.#patch({ report: undefined, lines: undefined });
		if (!dataset || !sceneInfo) return;
		try {
			const tracks = await sceneTracks(dataset, sceneInfo.index, signal);
			if (signal.aborted || !this.#review) return;
			this.#patch({ report: this.#review.lookAt(tracks) });
			this.#lookAtFrame();
		} catch (error) {
			if (signal.aborted || isAbort(error)) return;
			this.#fail(error);
		}
	}

	/** What the picture shows; nothing as long as the scene is not looked at. */
	#lookAtFrame(): void {
		const { shown, sceneInfo, review } = this.#store.state;
		if (!this.#review || !review.report) return;
		const known = shown !== undefined && shown.scene === sceneInfo?.index;
		this.#patch({ lines: known ? this.#review.lines(shown.frame) : undefined });
	}
}
