import type { Counting } from "../../tools/scores.js";
import { invalidAddress, resolved } from "../open/places.js";
import { Lazy } from "../session/lazy-object.js";
import { withOutcomes } from "../session/outcomes.js";
import type { ViewerState } from "../session/state.js";
import type { Store } from "../session/store.js";
import { addressesIn } from "./addresses.js";
import type { PredictionSets } from "./prediction-sets.js";
import type { PredictionsFrom, ReviewController } from "./review-controller.js";
import type {
	KeptPredictions,
	ModelPair,
	ModelsLink,
	ReviewList,
	ReviewState,
} from "./review-state.js";
import type { ScenePredictions } from "./scene-predictions.js";

type Code = typeof import("./review-code.js");
type Both = Code & { readonly controller: ReviewController };

/** The predictions of a viewer. Their code is loaded on first use. */
export class Reviews {
	readonly #store: Store<ViewerState>;
	readonly #lazy: Lazy<Both>;
	/** Names of models that are given before the code is loaded. */
	readonly #coming = new Set<string>();

	constructor(store: Store<ViewerState>) {
		this.#store = store;
		const load = async (): Promise<Both> => {
			const code = await import("./review-code.js");
			return { ...code, controller: new code.ReviewController(store) };
		};
		this.#lazy = new Lazy(load, (error) =>
			this.#notify([`Predictions: loading failed: ${String(error)}`]),
		);
	}

	/** The models and their comparison. */
	get state(): ReviewState {
		return this.#store.state.review;
	}

	/** Resolves when what was asked before the code was loaded has begun. */
	settled(): Promise<void> {
		return this.#lazy.settled();
	}

	/** See `ReviewController.give`. */
	async give(from: PredictionsFrom, name: string, address?: string): Promise<void> {
		this.#coming.add(name);
		await this.#use((it) => {
			this.#coming.delete(name);
			return it.give(from, name, address);
		});
	}

	/** See `ReviewController.fetch`. */
	async fetch(url: URL, address: string, name?: string): Promise<void> {
		await this.#use((it) => it.fetch(url, address, name));
	}

	/** Removes the model of that name; returns whether there is one. */
	removeNamed(name: string): boolean {
		const known =
			this.#coming.has(name) || this.state.models.some((one) => one.name === name);
		if (known) void this.#lazy.use((it) => it.removeNamed(it.controller, name));
		return known;
	}

	/** Replaces the sets that a page passed; see `changeSets`. */
	changeSets(
		change: readonly [PredictionSets | undefined, PredictionSets | undefined],
	): void {
		void this.#lazy.use((it) => it.changeSets(it.controller, change));
	}

	/** Replaces the addresses that a page passed; see `changeAddresses`. */
	changeAddresses(change: readonly [string, string]): void {
		const bad = addressesIn(change[1]).filter(
			(address) => !resolved(address, document.baseURI),
		);
		this.#notify(bad.map((address) => invalidAddress("predictions-src", address)));
		void this.#lazy.use((it) => it.changeAddresses(it.controller, change));
	}

	/** Opens the models of a link; see `restoreModels`. */
	restore(link: ModelsLink, siteOf: (address: string) => URL | undefined): void {
		if (!link.predictions && !link.localModels) return;
		void this.#lazy.use((it) => it.restoreModels(it.controller, link, siteOf));
	}

	/** See `ReviewController.cancelReading`. */
	cancelReading(id: number): void {
		void this.#use((it) => it.cancelReading(id));
	}

	/** See `ReviewController.remove`. */
	remove(id: number): void {
		void this.#use((it) => it.remove(id));
	}

	/** See `ReviewController.clear`. */
	clear(): void {
		void this.#use((it) => it.clear());
	}

	/** See `ReviewController.show`. */
	show(id: number, visible: boolean): void {
		void this.#use((it) => it.show(id, visible));
	}

	/** See `ReviewController.choose`. */
	choose(id: number): void {
		void this.#use((it) => it.choose(id));
	}

	/** See `ReviewController.split`. */
	split(split: boolean): void {
		void this.#use((it) => it.split(split));
	}

	/** See `ReviewController.list`. */
	list(list: ReviewList): void {
		void this.#use((it) => it.list(list));
	}

	/** See `ReviewController.count`. */
	count(counting: Counting): void {
		void this.#use((it) => it.count(counting));
	}

	/** See `ReviewController.compare`. */
	compare(pair: ModelPair): void {
		void this.#use((it) => it.compare(pair));
	}

	/** See `ReviewController.rankAll`. */
	async rankAll(): Promise<void> {
		await this.#use((it) => it.rankAll());
	}

	/** See `ReviewController.collect`. */
	collect(collects: boolean): void {
		void this.#use((it) => it.collect(collects));
	}

	/** See `ReviewController.keep`. */
	keep(kept: KeptPredictions | undefined): void {
		void this.#use((it) => it.keep(kept));
	}

	/** See `ReviewController.stopRanking`. */
	stopRanking(): void {
		void this.#use((it) => it.stopRanking());
	}

	/** See `ReviewController.predictionsOf`. */
	predictionsOf(ids: readonly number[]): Promise<ScenePredictions | undefined> {
		return this.#use((it) => it.predictionsOf(ids));
	}

	#use<R>(act: (controller: ReviewController) => R): Promise<Awaited<R> | undefined> {
		return this.#lazy.use(({ controller }) => act(controller));
	}

	#notify(notices: readonly string[]): void {
		if (notices.length === 0) return;
		this.#store.patch(withOutcomes(this.#store.state, ...notices));
	}
}
