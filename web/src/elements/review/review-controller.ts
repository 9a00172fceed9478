import { BevError } from "../../base/errors.js";
import { Latest } from "../../base/latest.js";
import { SharedTask } from "../../base/shared-task.js";
import type { Drawing } from "../../reviewing/drawing.js";
import type { BytesFrom } from "../../reviewing/pieces.js";
import type { RemoteReview } from "../../reviewing/remote-review.js";
import type { Reviewer } from "../../reviewing/reviewer.js";
import type { Counting } from "../../tools/scores.js";
import type { Predictions } from "../../tools.js";
import { predictionPainters } from "../draw/prediction-layer.js";
import { nameOfUrl } from "../open/places.js";
import { withOutcomes } from "../session/outcomes.js";
import { whyOf } from "../session/problem.js";
import type { ViewerState } from "../session/state.js";
import { type Store, until } from "../session/store.js";
import { AllScenes } from "./all-scenes.js";
import { awaitFiles } from "./awaited-files.js";
import { comingOf } from "./coming-lines.js";
import { fetched } from "./fetched.js";
import type { ForecastOptions } from "./forecast-file.js";
import { Model, newModel } from "./model.js";
import { modelsLink } from "./models-link.js";
import { OpenScene } from "./open-scene.js";
import {
	coversAll,
	derived,
	type KeptPredictions,
	MAX_MODELS,
	type ModelPair,
	type ModelState,
	type ModelsLink,
	NO_REVIEW,
	type ReviewList,
	type ReviewState,
} from "./review-state.js";
import { ScenePredictions } from "./scene-predictions.js";
import { startReviewer } from "./start-reviewer.js";

/** Predictions as CSV text in L5Kit's format, as a file, or as arrays. */
export type PredictionsFrom = string | Blob | Predictions;

/** Names of files with forecasts of Argoverse 2, and with predictions for nuScenes. */
const FORECASTS = /\.(parquet|json)$/i;

type Named = { readonly name: string; readonly address: string | undefined };

/**
 * Updates the review of one to four models' predictions for the scene and the displayed
 * frame.
 */
export class ReviewController {
	readonly #store: Store<ViewerState>;
	readonly #reviewer: SharedTask<Reviewer>;
	#started: Reviewer | undefined;
	readonly #models = new Map<number, Model>();
	#nextId = 1;
	readonly #scene: OpenScene;
	readonly #listing = new Latest();
	readonly #all: AllScenes;
	/** @internal */
	constructor(
		store: Store<ViewerState>,
		start: () => Promise<Reviewer> = startReviewer,
	) {
		this.#store = store;
		const held = {
			...{ store, models: this.#models },
			reviewer: () => this.#started,
			heldPair: (pair: ModelPair | undefined) => this.#heldPair(pair),
		};
		this.#all = new AllScenes(held);
		this.#scene = new OpenScene({
			...held,
			change: (id, change) => this.#change(id, change),
		});
		this.#reviewer = new SharedTask(async (signal) => {
			const reviewer = await start();
			if (signal.aborted) reviewer.close();
			else this.#started = reviewer;
			return reviewer;
		});
		this.#patch({
			painters: predictionPainters((drawing) => this.#draw(drawing)),
			link: modelsLink,
		});
		store.subscribe((state, before) => {
			if (state.sceneInfo !== before.sceneInfo) {
				for (const model of this.#models.values()) void this.#scene.score(model);
			}
			if (state.shown !== before.shown) {
				for (const model of this.#models.values()) void this.#scene.show(model);
			}
			const { pair } = before.review;
			if (state.review.pair !== pair) this.#paired();
		});
	}

	/**
	 * Reads a model's predictions and adds them. A set of the same name is replaced when
	 * they are read. `address` is their address in links.
	 */
	give(from: PredictionsFrom, name: string, address?: string): Promise<void> {
		const isForecasts = from instanceof Blob && FORECASTS.test(name);
		return this.#read({ name, address }, async (how) =>
			isForecasts ? this.#forecasts(from, name, how) : from,
		);
	}

	/** Like `give`, for a file at `url`; `address` is its form in links. */
	fetch(url: URL, address: string, name = nameOfUrl(url)): Promise<void> {
		return this.#read({ name, address }, async (how) => {
			const response = await fetched(url, how.signal);
			if (!FORECASTS.test(url.pathname)) return response;
			return this.#forecasts(await response.blob(), name, how);
		});
	}

	/** Reads forecasts of the open scenes, of Argoverse 2 or nuScenes. */
	async #forecasts(file: Blob, name: string, how: ForecastOptions) {
		const { readForecasts, readNuscenes } = await import("./forecast-file.js");
		const isOpen = (state: ViewerState): boolean => state.dataset !== undefined;
		const { dataset } = await until(this.#store, isOpen, how.signal); // links name both
		if (!/\.json$/i.test(name)) return readForecasts(file, name, dataset, how);
		const reviewer = await this.#reviewer.join(how.signal);
		return readNuscenes({ file, name, reviewer }, dataset, how);
	}

	/** Cancels reading a model; its previous predictions stay. */
	cancelReading(id: number): void {
		const model = this.#models.get(id);
		if (!model) return;
		if (!model.held) this.remove(id);
		else {
			model.reading.cancel();
			this.#change(id, { reading: undefined });
		}
	}

	/** Removes a model, and cancels reading it. */
	remove(id: number): void {
		this.#models.get(id)?.end();
		this.#models.delete(id);
		if (this.#models.size === 0) {
			this.clear();
			return;
		}
		const models = this.state.models.filter((one) => one.id !== id);
		this.#derive({ models });
		this.#all.anew();
	}

	/** Removes all models, and cancels reading. */
	clear(): void {
		for (const model of this.#models.values()) model.end();
		this.#models.clear();
		this.#scene.cancel();
		this.#all.cancel();
		this.#listing.cancel();
		this.#end();
		const { by, painters, link, counting } = this.state;
		this.#store.patch({ review: { ...NO_REVIEW, by, painters, link, counting } });
	}

	/** Shows or hides a model in the picture. */
	show(id: number, visible: boolean): void {
		this.#change(id, { visible });
	}

	/** Lists and plots a model. */
	choose(id: number): void {
		this.#derive({ active: id });
	}

	/** Gives each visible model a picture of its own, or draws all in one. */
	split(split: boolean): void {
		this.#patch({ split });
	}

	/** Selects a list; ranks all scenes if it needs that. */
	list(list: ReviewList): void {
		this.#listing.cancel();
		this.#derive({ list });
		if (coversAll(this.state.list) && !this.state.ranking) void this.rankAll();
	}

	/**
	 * Selects a list once the models are read and a scene is open, unless another one is
	 * selected or the models are removed meanwhile.
	 */
	async listAfter(reads: readonly Promise<void>[], list: ReviewList): Promise<void> {
		const isOpen = ({ sceneInfo }: ViewerState): boolean => sceneInfo !== undefined;
		const ready = async (signal: AbortSignal): Promise<void> => {
			await Promise.all(reads);
			await until(this.#store, isOpen, signal);
		};
		await this.#listing.run(ready, { done: () => this.list(list) });
	}

	/** Awaits the local files of a link; see `awaitFiles`. */
	expect(link: ModelsLink, arrived: () => void): void {
		awaitFiles(this.#store, link, arrived);
	}

	/** Sets how steps without ground truth count, and scores again. */
	count(counting: Counting): void {
		if (counting === this.state.counting) return;
		this.#patch({ counting });
		for (const model of this.#models.values()) void this.#scene.score(model);
		this.#all.anew();
	}

	/** Sets the models to compare. */
	compare(pair: ModelPair): void {
		this.#derive({ pair });
	}

	/** See `AllScenes.rank`. */
	rankAll(): Promise<void> {
		return this.#all.rank();
	}

	/** See `AllScenes.collect`. */
	collect(collects: boolean): void {
		this.#all.collect(collects);
	}

	/** Lists and draws only these predictions; undefined for all. */
	keep(kept: KeptPredictions | undefined): void {
		const before = this.state.kept;
		if (kept !== before) this.#patch({ kept });
		if (kept?.rows === before?.rows) return;
		for (const model of this.#models.values()) this.#scene.limit(model);
	}

	/** Stops ranking; results so far stay. */
	stopRanking(): void {
		this.#all.stop();
	}

	/**
	 * Returns the predictions of these models in any scene of the open data set, which the
	 * caller closes; undefined if one of them is not read.
	 */
	predictionsOf(ids: readonly number[]): ScenePredictions | undefined {
		const { dataset } = this.#store.state;
		const held = ids.flatMap((id) => this.#models.get(id)?.held ?? []);
		const reviewer = this.#started;
		if (!dataset || !reviewer || held.length < ids.length) return undefined;
		return new ScenePredictions(dataset, reviewer.ranking(held));
	}

	async #read(
		{ name, address }: Named,
		find: (how: ForecastOptions) => Promise<BytesFrom | Predictions>,
	): Promise<void> {
		const model = this.#begin({ name, address });
		if (!model) return;
		const { id } = model;
		const work = async (signal: AbortSignal): Promise<RemoteReview> => {
			const reviewer = await this.#reviewer.join(signal);
			const onProgress = (bytes: number, all: number | undefined): void => {
				if (!signal.aborted) this.#change(id, { reading: { bytes, all } });
			};
			const onScenario = (...scenarios: [done: number, all: number]): void => {
				if (signal.aborted) return;
				this.#change(id, { reading: { bytes: 0, all: undefined, scenarios } });
			};
			const found = await find({ signal, onProgress: onScenario });
			return reviewer.read(found, { name, signal, onProgress });
		};
		let scored: Promise<void> | undefined;
		await model.reading.run(work, {
			done: (held) => {
				model.hold(held);
				const { shape } = held;
				this.#change(id, { phase: "ready", reading: undefined, shape, address });
				this.#all.anew();
				scored = this.#scene.score(model);
			},
			failed: (error) => this.#failed(model, error),
			discard: (held) => held.release(),
		});
		await scored;
	}

	/** Returns the model that a file is read for; undefined if there are too many. */
	#begin({ name, address }: Named): Model | undefined {
		const reading = { bytes: 0, all: undefined };
		const known = this.state.models.find((one) => one.name === name);
		const model = known && this.#models.get(known.id);
		if (model) {
			const phase = model.held ? "ready" : "reading";
			this.#change(model.id, { phase, reading, problem: undefined });
			return model;
		}
		// Failed files make room for the next ones.
		const models = this.state.models.filter(({ phase }) => phase !== "failed");
		for (const { id, phase } of this.state.models) {
			if (phase === "failed") this.#models.delete(id);
		}
		const free = [0, 1, 2, 3].find((slot) => models.every((one) => one.slot !== slot));
		if (free === undefined) {
			const notice = `Predictions: ${name} not added: ${MAX_MODELS} models are open; remove one first`;
			this.#store.patch(withOutcomes(this.#store.state, notice));
			return undefined;
		}
		const added = new Model(this.#nextId++);
		this.#models.set(added.id, added);
		const named = { name, address, slot: free };
		this.#derive({ models: [...models, newModel(added.id, named)] });
		return added;
	}

	#failed(model: Model, error: unknown): void {
		const problem = whyOf(error);
		const phase = model.held ? "ready" : "failed";
		// The worker failed, not the file: nothing that it held is left.
		const broken = error instanceof BevError && error.code === "internal";
		const others = [...this.#models.values()].some(({ held }) => held);
		if (broken && !others) this.#end();
		this.#change(model.id, { phase, reading: undefined, problem });
	}

	async #draw(drawing: Drawing): Promise<ImageBitmap> {
		if (this.#started) return this.#started.draw(drawing);
		throw new BevError("invalid_argument", "predictions: released");
	}

	/** Frees all memory; the next predictions start a new worker. */
	#end(): void {
		this.#started?.close();
		this.#all.forget();
		this.#started = undefined;
		this.#scene.forget();
		this.#reviewer.forget();
	}

	/** The models and their comparison. */
	get state(): ReviewState {
		return this.#store.state.review;
	}

	#patch(change: Partial<ReviewState>): void {
		this.#store.patch({ review: { ...this.state, ...change } });
	}

	#derive(change: Partial<ReviewState>): void {
		const review = derived({ ...this.state, ...change });
		const coming = comingOf(review.models);
		this.#store.patch({ review: { ...review, coming } });
	}

	/** Changes a model; does nothing if it was removed. */
	#change(id: number, change: Partial<ModelState>): void {
		const { models } = this.state;
		if (!models.some((one) => one.id === id)) return;
		const changed = models.map((one) => (one.id === id ? { ...one, ...change } : one));
		this.#derive({ models: changed });
	}

	/** The pair was changed: compares it in the scene. */
	#paired(): void {
		const { ranking, pair } = this.state;
		if (ranking) this.#all.anew();
		if (this.state.comparison) this.#patch({ comparison: undefined });
		if (pair) void this.#scene.compare();
		else this.#scene.cancel();
	}

	/** Returns the pair's ids in the worker, if both are read. */
	#heldPair(pair: ModelPair | undefined): readonly [number, number] | undefined {
		const a = pair && this.#models.get(pair.a)?.held;
		const b = pair && this.#models.get(pair.b)?.held;
		return a && b && [a.id, b.id];
	}
}
