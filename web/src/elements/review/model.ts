import { Latest } from "../../base/latest.js";
import type { KeptIn, SceneReport } from "../../reviewing/protocol.js";
import type { RemoteReview } from "../../reviewing/remote-review.js";
import { SceneLines } from "./review-lines.js";
import type { ModelState } from "./review-state.js";

/** One model's predictions in the worker, and the work on them. */
export class Model {
	readonly id: number;
	readonly reading = new Latest();
	readonly scoring = new Latest();
	readonly loading = new Latest();
	#held: RemoteReview | undefined;
	#lines: SceneLines | undefined;
	#report: SceneReport | undefined;

	constructor(id: number) {
		this.id = id;
	}

	/** The predictions; undefined until the first file is read. */
	get held(): RemoteReview | undefined {
		return this.#held;
	}

	/** The scored scene's lines; undefined until it is scored. */
	get lines(): SceneLines | undefined {
		return this.#lines;
	}

	/** Replaces the predictions, and releases the previous ones. */
	hold(held: RemoteReview | undefined): void {
		this.forgetScene();
		this.#held?.release();
		this.#held = held;
	}

	/** Takes the scores of the scene, and what its lines are limited to. */
	scored(report: SceneReport, only: KeptIn | undefined): void {
		this.#report = report;
		this.limit(only);
	}

	/** Forgets the scene's lines, and limits the next ones. */
	limit(only: KeptIn | undefined): void {
		const [held, report] = [this.#held, this.#report];
		if (held && report) this.#lines = new SceneLines(held, report, only);
	}

	/** Cancels work on the scene. */
	forgetScene(): void {
		this.scoring.cancel();
		this.loading.cancel();
		this.#lines = undefined;
		this.#report = undefined;
	}

	/** Cancels all work and releases the predictions. */
	end(): void {
		this.reading.cancel();
		this.hold(undefined);
	}
}

/** Returns the state of a model that is read for the first time. */
export function newModel(
	id: number,
	named: Pick<ModelState, "name" | "address" | "slot">,
): ModelState {
	return {
		...{ id, ...named, visible: true, phase: "reading" },
		reading: { bytes: 0, all: undefined },
		...{ shape: undefined, report: undefined, lines: undefined },
		...{ linesDue: false, problem: undefined },
	};
}
