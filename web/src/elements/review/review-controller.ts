import { BevError } from "../../errors.js";
import { Latest } from "../../latest.js";
import type { HeldReview } from "../../reviewing/held-review.js";
import type { BytesFrom } from "../../reviewing/pieces.js";
import type { Reviewer } from "../../reviewing/reviewer.js";
import { SharedTask } from "../../shared-task.js";
import type { Predictions } from "../../tools.js";
import { isAbort, problemOf } from "../session/problem.js";
import type { ViewerState } from "../session/state.js";
import type { Store } from "../session/store.js";
import { SceneLines } from "./review-lines.js";
import { NO_REVIEW, type RankingState, type ReviewState } from "./review-state.js";
import { sceneTracks } from "./scene-tracks.js";

/** Maximum number of predictions listed over all scenes. */
const MAX_RANKED = 200;

/** Predictions as CSV text in L5Kit's format, as a file, or as arrays. */
export type PredictionsFrom = string | Blob | Predictions;

async function startReviewer(): Promise<Reviewer> {
	const { Reviewer } = await import("../../reviewing/reviewer.js");
	return Reviewer.start();
}

async function responseOf(url: URL, signal: AbortSignal): Promise<Response> {
	const response = await fetch(url, { signal });
	if (!response.ok) throw new Error(`HTTP ${response.status} for ${url.href}`);
	return response;
}

/** Updates the review of predictions for the scene and the displayed frame. */
export class ReviewController {
	readonly #store: Store<ViewerState>;
	readonly #reviewer: SharedTask<Reviewer>;
	#started: Reviewer | undefined;
	readonly #reading = new Latest();
	readonly #looking = new Latest();
	readonly #loading = new Latest();
	readonly #ranking = new Latest();
	#stop = new AbortController();
	#review: HeldReview | undefined;
	#lines: SceneLines | undefined;

	constructor(
		store: Store<ViewerState>,
		start: () => Promise<Reviewer> = startReviewer,
	) {
		this.#store = store;
		this.#reviewer = new SharedTask(async (signal) => {
			const reviewer = await start();
			if (signal.aborted) reviewer.close();
			else this.#started = reviewer;
			return reviewer;
		});
		store.subscribe((state, before) => {
			if (state.sceneInfo !== before.sceneInfo) {
				if (this.#state.before) this.#patch({ before: undefined });
				void this.#lookAtScene();
			}
			if (state.shown !== before.shown) void this.#lookAtFrame();
		});
	}

	/**
	 * Reads predictions; when done, they replace the previous ones. `address` is their
	 * address in links.
	 */
	give(from: PredictionsFrom, name: string, address?: string): Promise<void> {
		return this.#read({ name, address }, async () => from);
	}

	/** Like `give`, for a file at `url`; `address` is its form in links. */
	fetch(url: URL, address: string): Promise<void> {
		const name = url.pathname.split("/").at(-1) ?? url.href;
		return this.#read({ name, address }, (signal) => responseOf(url, signal));
	}

	/** Cancels reading; the previous predictions stay. */
	cancelReading(): void {
		this.#reading.cancel();
		this.#patch({ reading: undefined });
	}

	/**
	 * Ranks predictions over all scenes of the open data set, one scene after another.
	 */
	async rankAll(): Promise<void> {
		const { dataset } = this.#store.state;
		const review = this.#review;
		if (!review || !dataset) return;
		const stop = new AbortController();
		this.#stop = stop;
		const work = async (superseded: AbortSignal): Promise<void> => {
			superseded.addEventListener("abort", () => stop.abort());
			const { rankScenes } = await import("./ranking-run.js");
			if (superseded.aborted) return;
			const onChange = (state: RankingState): void => {
				// Results of a closed data set are dropped.
				const open = dataset === this.#store.state.dataset;
				if (open && !superseded.aborted) this.#patch({ ranking: state });
			};
			const ranking = review.ranking(MAX_RANKED);
			try {
				await rankScenes({ dataset, ranking, signal: stop.signal, onChange });
			} finally {
				ranking.release();
			}
		};
		await this.#ranking.run(work, { done: () => {} });
	}

	/** Stops ranking; results so far stay. */
	stopRanking(): void {
		this.#stop.abort();
	}

	/** Removes the predictions, and cancels reading. */
	clear(): void {
		this.#reading.cancel();
		this.#hold(undefined);
		this.#end();
		this.#store.patch({ review: { ...NO_REVIEW, by: this.#state.by } });
	}

	async #read(
		{ name, address }: { readonly name: string; readonly address: string | undefined },
		find: (signal: AbortSignal) => Promise<BytesFrom | Predictions>,
	): Promise<void> {
		const reading = { name, address };
		this.#patch({
			reading: { ...reading, bytes: 0, all: undefined },
			problem: undefined,
		});
		const work = async (signal: AbortSignal): Promise<HeldReview> => {
			const reviewer = await this.#reviewer.join(signal);
			const onProgress = (bytes: number, all: number | undefined): void => {
				if (!signal.aborted) this.#patch({ reading: { ...reading, bytes, all } });
			};
			return reviewer.read(await find(signal), { name, signal, onProgress });
		};
		let scored: Promise<void> | undefined;
		await this.#reading.run(work, {
			done: (review) => {
				const list = this.#state.list === "all" ? "agents" : this.#state.list;
				const before = this.#replaced(name);
				this.#hold(review);
				const { by } = this.#state;
				const ready = { phase: "ready", shape: review.shape, ...reading } as const;
				this.#store.patch({ review: { ...NO_REVIEW, by, list, before, ...ready } });
				scored = this.#lookAtScene();
			},
			failed: (error) => {
				const problem = problemOf(error).why;
				const failed = { phase: "failed", ...reading } as const;
				const before = this.#review ? {} : failed;
				// The worker failed, not the file.
				const broken = error instanceof BevError && error.code === "internal";
				if (broken && !this.#review) this.#end();
				this.#patch({ reading: undefined, problem, ...before });
			},
			discard: (review) => review.release(),
		});
		await scored;
	}

	/**
	 * Notifies that `name` replaces the current predictions; returns their means for
	 * comparison.
	 */
	#replaced(name: string): ReviewState["before"] {
		const { phase, report, name: before } = this.#state;
		if (phase !== "ready") return undefined;
		const notice = `Predictions: ${name} replaced ${before}`;
		const { notices } = this.#store.state;
		if (name !== before) this.#store.patch({ notices: [...notices, notice] });
		return report && { name: before, mean: report.mean };
	}

	/** Frees all memory; the next predictions start a new worker. */
	#end(): void {
		this.#started?.close();
		this.#started = undefined;
		this.#reviewer.forget();
	}

	/** Replaces the current review and releases it. */
	#hold(review: HeldReview | undefined): void {
		this.#ranking.cancel();
		this.#looking.cancel();
		this.#loading.cancel();
		this.#lines = undefined;
		this.#review?.release();
		this.#review = review;
	}

	get #state(): ReviewState {
		return this.#store.state.review;
	}

	#patch(change: Partial<ReviewState>): void {
		this.#store.patch({ review: { ...this.#state, ...change } });
	}

	#fail(error: unknown): void {
		if (isAbort(error)) return;
		this.#patch({ problem: problemOf(error).why, linesDue: false });
	}

	async #lookAtScene(): Promise<void> {
		this.#looking.cancel();
		this.#loading.cancel();
		this.#lines = undefined;
		const review = this.#review;
		const { dataset, sceneInfo } = this.#store.state;
		if (!review) return;
		const linesDue = dataset !== undefined;
		this.#patch({ report: undefined, lines: undefined, linesDue });
		if (!dataset || !sceneInfo) return;
		const work = async (signal: AbortSignal) =>
			review.lookAt(await sceneTracks(dataset, sceneInfo.index, signal));
		let looked: Promise<void> | undefined;
		await this.#looking.run(work, {
			done: (report) => {
				this.#lines = new SceneLines(review, report);
				this.#patch({ report });
				looked = this.#lookAtFrame();
			},
			failed: (error) => this.#fail(error),
		});
		await looked;
	}

	/**
	 * Updates the predictions of the displayed frame; does nothing until the scene is
	 * scored.
	 */
	async #lookAtFrame(): Promise<void> {
		const { shown, sceneInfo, review } = this.#store.state;
		const scene = this.#lines;
		if (!scene) return;
		this.#loading.cancel();
		const known = shown !== undefined && shown.scene === sceneInfo?.index;
		const source = known ? scene.source(shown.frame) : undefined;
		if (!known || source === undefined) {
			this.#patch({ lines: undefined, linesDue: false });
			return;
		}
		scene.prefetch(source);
		const kept = scene.kept(source);
		// Until they are loaded, shows older predictions that reach this frame.
		const older = review.lines;
		const stays = older && scene.reaches(older.frame, shown.frame) ? older : undefined;
		this.#patch({ lines: kept ?? stays, linesDue: !kept });
		if (kept) return;
		await this.#loading.run(() => scene.load(source), {
			done: (lines) => this.#patch({ lines, linesDue: false }),
			failed: (error) => this.#fail(error),
		});
	}
}
