import type { BatchSeen, PredictionProgress } from "../../model/predict-scenes.js";
import type { PredictionSet } from "../../model/prediction-rows.js";
import type { ModelContract } from "../../model/types.js";
import type { ViewerController } from "../session/controller.js";
import { isAbort, whyOf } from "../session/problem.js";
import type { RunState } from "./live-state.js";
import type { Driver } from "./unroller.js";

/** What to predict. */
export interface RunChoice {
	/** Whether all scenes; otherwise the displayed one. */
	readonly all: boolean;
	/** Predicts every n-th frame. */
	readonly every: number;
	readonly subject: ModelContract["subject"];
}

/** What a run tells, and waits for. */
export interface RunHooks {
	/** Receives what the panel shows. */
	tell(state: RunState): void;
	/** Resolves when the displayed frame does not need the model. */
	idle(signal: AbortSignal): Promise<unknown>;
	readonly onBatch: BatchSeen;
}

type Of = Pick<Driver, "model" | "maker" | "name">;

/** A run that has begun. */
interface Begun {
	readonly of: Of;
	readonly choice: RunChoice;
	readonly scene: number;
}

/** Predicts scenes in the background; the result is a set of predictions. */
export class SceneRun {
	readonly #controller: ViewerController;
	readonly #hooks: RunHooks;
	#running: AbortController | undefined;
	#begun: Begun | undefined;
	#last: PredictionProgress | undefined;
	#state: RunState | undefined;

	constructor(controller: ViewerController, hooks: RunHooks) {
		this.#controller = controller;
		this.#hooks = hooks;
	}

	/** Predicts from the first frame on. Resolves when it has ended, or was stopped. */
	async start(of: Of, choice: RunChoice): Promise<void> {
		this.forget();
		this.#begun = { of, choice, scene: this.#controller.state.scene };
		await this.resume();
	}

	/** Goes on after the last frame. */
	async resume(): Promise<void> {
		const begun = this.#begun;
		if (!begun || this.#running) return;
		const running = new AbortController();
		this.#running = running;
		const { scene, choice } = begun;
		this.#tell({
			...{ scene: choice.all ? undefined : scene, done: 0, of: 0, isAdded: false },
			...this.#state,
			...{ isRunning: true, problem: undefined },
		});
		const isLast = (): boolean => this.#running === running;
		try {
			const set = await this.#predict(begun, running.signal, isLast);
			if (!isLast()) return;
			await this.#give(set);
			if (!isLast()) return;
			this.#running = undefined;
			this.#change({ isRunning: false });
		} catch (error) {
			if (!isLast()) return;
			this.#running = undefined;
			const problem = isAbort(error) ? undefined : whyOf(error);
			this.#change({ isRunning: false, problem });
		}
	}

	/** Stops, and keeps what is predicted. */
	stop(): void {
		this.#running?.abort(new DOMException("predictions: stopped", "AbortError"));
	}

	/** Adds what is predicted so far to the predictions. */
	async add(): Promise<void> {
		if (this.#last) await this.#give(this.#last.predictions());
	}

	/** Stops, and forgets what is predicted. */
	forget(): void {
		this.stop();
		this.#running = undefined;
		this.#begun = undefined;
		this.#last = undefined;
		this.#state = undefined;
	}

	async #predict(
		{ of: { model, maker }, choice, scene }: Begun,
		signal: AbortSignal,
		isLast: () => boolean,
	): Promise<PredictionSet> {
		if (!maker.predict) throw new Error("this data set has no samples to predict on");
		return maker.predict({
			...{ model, signal, every: choice.every, subject: choice.subject },
			scenes: choice.all ? undefined : [scene],
			resume: this.#last,
			onBatch: this.#hooks.onBatch,
			onProgress: async (progress) => {
				if (!isLast()) return;
				this.#last = progress;
				this.#change({ done: progress.done, of: progress.of, isAdded: false });
				await this.#hooks.idle(signal);
			},
		});
	}

	async #give(set: PredictionSet): Promise<void> {
		const begun = this.#begun;
		if (!begun) return;
		const { reviews } = this.#controller;
		await reviews.give(set, begun.of.name);
		if (this.#begun !== begun) return;
		// Or there are too many sets already, which is reported.
		const { models } = reviews.state;
		this.#change({ isAdded: models.some(({ name }) => name === begun.of.name) });
	}

	#change(change: Partial<RunState>): void {
		if (this.#state) this.#tell({ ...this.#state, ...change });
	}

	#tell(state: RunState): void {
		this.#state = state;
		this.#hooks.tell(state);
	}
}
