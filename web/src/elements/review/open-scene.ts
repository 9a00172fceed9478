import { Latest } from "../../base/latest.js";
import { type KeptIn, MAX_ROWS } from "../../reviewing/protocol.js";
import { isAbort, whyOf } from "../session/problem.js";
import type { RankedModels } from "./all-scenes.js";
import type { Model } from "./model.js";
import type { ModelState, ReviewState } from "./review-state.js";
import { SceneLook } from "./scene-look.js";

/** The models to score, and the worker that has them. */
interface ScoredModels extends RankedModels {
	/** Changes a model; does nothing if it was removed. */
	change(id: number, change: Partial<ModelState>): void;
}

/** Scores and compares models in the open scene, and loads the lines of its frames. */
export class OpenScene {
	readonly #of: ScoredModels;
	readonly #look = new SceneLook();
	readonly #comparing = new Latest();

	constructor(of: ScoredModels) {
		this.#of = of;
	}

	get #state(): ReviewState {
		return this.#of.store.state.review;
	}

	#patch(change: Partial<ReviewState>): void {
		this.#of.store.patch({ review: { ...this.#state, ...change } });
	}

	#modelState(id: number): ModelState | undefined {
		return this.#state.models.find((one) => one.id === id);
	}

	/** Cancels comparing. */
	cancel(): void {
		this.#comparing.cancel();
	}

	/** Forgets the scene of a worker that has ended. */
	forget(): void {
		this.#look.forget();
	}

	/** Scores a model, loads its lines, and compares the pair. */
	async score(model: Model): Promise<void> {
		model.forgetScene();
		const { held, id } = model;
		const { dataset, sceneInfo } = this.#of.store.state;
		if (!held) return;
		this.#comparing.cancel();
		const linesDue = dataset !== undefined;
		this.#patch({ comparison: undefined });
		const none = { report: undefined, lines: undefined, ahead: undefined };
		this.#of.change(id, { ...none, linesDue });
		const reviewer = this.#of.reviewer();
		if (!dataset || !sceneInfo || !reviewer) return;
		const scene = { dataset, index: sceneInfo.index, key: sceneInfo };
		let looked: Promise<unknown> | undefined;
		await model.scoring.run(
			async (signal) => {
				await this.#look.join(scene, reviewer, signal);
				return held.score(this.#state.counting);
			},
			{
				done: (report) => {
					model.scored(report, this.#limitOf(model));
					this.#of.change(id, { report });
					looked = Promise.all([this.show(model), this.compare()]);
				},
				failed: (error) => this.#fail(id, error),
			},
		);
		await looked;
	}

	#fail(id: number, error: unknown): void {
		if (isAbort(error)) return;
		this.#of.change(id, { problem: whyOf(error), linesDue: false });
	}

	/** Compares the pair once both models are scored. */
	async compare(): Promise<void> {
		this.#comparing.cancel();
		const { sceneInfo } = this.#of.store.state;
		const { pair } = this.#state;
		const held = this.#of.heldPair(pair);
		const scored = pair && [pair.a, pair.b].every((id) => this.#modelState(id)?.report);
		const reviewer = this.#of.reviewer();
		if (!held || !scored || !sceneInfo || !reviewer) return;
		await this.#comparing.run(() => reviewer.compare(held, sceneInfo.index, MAX_ROWS), {
			done: (comparison) => this.#patch({ comparison, problem: undefined }),
			failed: (error) => this.#patch({ problem: whyOf(error) }),
		});
	}

	/** Loads a model's lines of what distributions keep now. */
	limit(model: Model): void {
		model.limit(this.#limitOf(model));
		void this.show(model);
	}

	/** Returns what the lines of a model are limited to in the open scene. */
	#limitOf({ id }: Model): KeptIn | undefined {
		const { table, ids } = this.#state.kept?.rows ?? {};
		const scene = this.#of.store.state.sceneInfo?.index;
		const model = ids?.indexOf(id) ?? -1;
		return table && scene !== undefined && model >= 0
			? { table: table.id, model, scene }
			: undefined;
	}

	/**
	 * Updates a model's predictions of the displayed frame; does nothing until the scene
	 * is scored.
	 */
	async show(model: Model): Promise<void> {
		const { shown, sceneInfo } = this.#of.store.state;
		const { lines: scene, id } = model;
		if (!scene) return;
		model.loading.cancel();
		const known = shown !== undefined && shown.scene === sceneInfo?.index;
		const source = known ? scene.source(shown.frame) : undefined;
		if (!known || source === undefined) {
			this.#of.change(id, { lines: undefined, ahead: undefined, linesDue: false });
			return;
		}
		scene.prefetch(source);
		const kept = scene.kept(source);
		// Until they are loaded, shows older predictions that reach this frame.
		const older = this.#modelState(id)?.lines;
		const stays = older && scene.reaches(older.frame, shown.frame) ? older : undefined;
		const ahead = scene.ahead(shown.frame);
		this.#of.change(id, { lines: kept ?? stays, ahead, linesDue: !kept });
		if (kept) return;
		await model.loading.run(() => scene.load(source), {
			done: (lines) => this.#of.change(id, { lines, linesDue: false }),
			failed: (error) => this.#fail(id, error),
		});
	}
}
