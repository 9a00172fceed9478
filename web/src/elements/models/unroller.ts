import type { Model } from "../../model/model.js";
import type { SimulationProgress } from "../../model/simulate.js";
import type { SimulatedScene } from "../../model/simulated-scene.js";
import type { RasterMaker } from "../raster/rasters.js";
import type { ViewerController } from "../session/controller.js";
import { isAbort, whyOf } from "../session/problem.js";
import { frameCount } from "../session/state.js";
import type { UnrollState } from "./live-state.js";

/** What the model drives. */
export const DRIVEN = ["ego", "agents", "both"] as const;

/** What to simulate, from the displayed frame on. */
export interface UnrollChoice {
	/** Number of frames ahead. */
	readonly steps: number;
	readonly drives: (typeof DRIVEN)[number];
	/** Whether the first samples have the frames before; L5Kit's have no history. */
	readonly history: boolean;
}

/** A model, its samples, and the number of frames in their history. */
export interface Driver {
	readonly model: Model;
	readonly maker: RasterMaker;
	readonly name: string;
	readonly history: number;
}

/** Shows the rollout; returns false once it is closed. */
type Show = (scenes: readonly SimulatedScene[]) => Promise<boolean>;

/** Minimum interval between comparisons of a growing rollout with the log. */
const SHOW_EVERY_MS = 250;

function stopped(): DOMException {
	return new DOMException("unroll: stopped", "AbortError");
}

/** Shows scenes while they are simulated: one at a time, and not too often. */
class Growing {
	readonly #show: Show;
	readonly #onClosed: () => void;
	#last = Number.NEGATIVE_INFINITY;
	#work: Promise<void> | undefined;

	constructor(show: Show, onClosed: () => void) {
		this.#show = show;
		this.#onClosed = onClosed;
	}

	/** Shows them unless the last ones are being shown, or were just now. */
	offer(find: SimulationProgress["scenes"]): void {
		if (this.#work || performance.now() - this.#last < SHOW_EVERY_MS) return;
		this.#work = this.#put(find)
			.catch(() => {}) // the simulation has ended, and says why
			.finally(() => {
				this.#work = undefined;
				this.#last = performance.now();
			});
	}

	/** Shows them after all before. */
	async end(scenes: readonly SimulatedScene[]): Promise<void> {
		await this.#work;
		await this.#put(async () => scenes);
	}

	async #put(find: SimulationProgress["scenes"]): Promise<void> {
		if (!(await this.#show(await find()))) this.#onClosed();
	}
}

/** Lets a model drive from the displayed frame on; the result is a rollout that grows. */
export class Unroller {
	readonly #controller: ViewerController;
	readonly #tell: (state: UnrollState) => void;
	#running: AbortController | undefined;

	/** @param tell receives what the panel shows */
	constructor(controller: ViewerController, tell: (state: UnrollState) => void) {
		this.#controller = controller;
		this.#tell = tell;
	}

	/** Resolves when all frames are simulated, or it was stopped, or has failed. */
	async start(driver: Driver, choice: UnrollChoice): Promise<void> {
		this.stop();
		const running = new AbortController();
		this.#running = running;
		const { scene, frame: start } = this.#controller.state;
		const ahead = Math.min(
			choice.steps,
			frameCount(this.#controller.state) - 1 - start,
		);
		let state: UnrollState = {
			...{ scene, start, done: 1, of: ahead + 1 },
			...{ isRunning: true, problem: undefined },
		};
		const tell = (change: Partial<UnrollState>): void => {
			state = { ...state, ...change };
			if (this.#running === running) this.#tell(state);
		};
		tell({});
		try {
			if (ahead < 1) throw new Error(`frame ${start} is the scene's last one`);
			await this.#run(driver, choice, { state, signal: running.signal, tell });
			tell({ isRunning: false });
		} catch (error) {
			const problem = isAbort(error) ? undefined : whyOf(error);
			tell({ isRunning: false, problem });
		}
		if (this.#running === running) this.#running = undefined;
	}

	/** Stops, and keeps the frames that are simulated. */
	stop(): void {
		this.#running?.abort(stopped());
	}

	async #run(
		{ model, maker, name, history }: Driver,
		{ drives }: UnrollChoice,
		{
			state: { scene, start, of },
			signal,
			tell,
		}: {
			readonly state: UnrollState;
			readonly signal: AbortSignal;
			readonly tell: (change: Partial<UnrollState>) => void;
		},
	): Promise<void> {
		if (!maker.simulate) throw new Error("this data set has no samples to simulate on");
		const show = await this.#controller.rollout.use((it) =>
			it.growing(`${name}, from frame ${start}`),
		);
		if (!show) throw stopped(); // loading has failed, which is reported
		const growing = new Growing(show, () => this.stop());
		const found = await maker.simulate({
			...{ model, scene, start, history, steps: of, signal },
			ego: drives === "agents" ? "log" : "model",
			agents: drives === "ego" ? "log" : "model",
			onProgress: ({ done, scenes }) => {
				tell({ done });
				growing.offer(scenes);
			},
		});
		await growing.end(found);
	}
}
