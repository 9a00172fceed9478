import { checkOptions, type Kinds } from "../../base/arguments.js";
import type { ModelContract } from "../../model/types.js";
import { Model, type ModelOptions } from "../../model.js";
import { pixelsOf } from "../../reviewing/drawing.js";
import type { SampleArray } from "../../samples/sample.js";
import { predictionPainters } from "../draw/prediction-layer.js";
import type { RasterMaker } from "../raster/rasters.js";
import {
	type FrameLines,
	isSameLines,
	type ModelLines,
} from "../review/model-lines.js";
import type { ViewerController } from "../session/controller.js";
import { isAbort, whyOf } from "../session/problem.js";
import type { ViewerState } from "../session/state.js";
import { type Store, until } from "../session/store.js";
import { type AgentLines, agentsOf } from "./live-agents.js";
import { configFor, historyIn, type SampleNeeds } from "./live-config.js";
import { joinLines, KeptLines, linesOf, linesOfRecords } from "./live-lines.js";
import type { LiveState, LiveTimes } from "./live-state.js";
import { type RunChoice, SceneRun } from "./scene-run.js";
import { type UnrollChoice, Unroller } from "./unroller.js";

/** Id of the live model's lines among those of predictions, and index of its colour. */
const LIVE = -1;
const SLOT = 9;

/** Frames whose predictions are kept: some 2 MB of three modes of 50 steps. */
const MAX_KEPT = 4096;

/** A frame of a scene. */
interface At {
	readonly scene: number;
	readonly frame: number;
}

/** What a model is opened from: a file or its address, a function, or an open model. */
export type ModelFrom = Parameters<typeof Model.open>[0] | Model;

/** How the viewer opens and samples a model. */
export interface LiveModelOptions
	extends Pick<ModelOptions, "name" | "settings" | "runtime" | "provider" | "timeout"> {
	/** L5Kit's config of the samples. Default: the model's, the data's or the viewer's. */
	config?: Readonly<Record<string, unknown>> | undefined;
	/** Of a function: the form of the samples' images. Default `none`. */
	image?: "f32" | "u8" | "none" | undefined;
	/** Of a function: whether samples are vectorized. Default false. */
	vectorized?: boolean | undefined;
}

const OPTIONS: Kinds = {
	...{ name: "text", settings: "any", runtime: "any", provider: "text" },
	...{ timeout: "number", config: "options", image: "text", vectorized: "flag" },
};

/** What the shapes of a function determine: nothing. */
const NOTHING_ASSUMED: ModelContract["assumed"] = {
	...{ history_num_frames: null, future_num_frames: null, width: null, height: null },
};

function isMapKnown({ mapState }: ViewerState): boolean {
	return mapState !== "unknown" && mapState !== "loading";
}

function isAt(one: At | undefined, other: At | undefined): boolean {
	return one?.scene === other?.scene && one?.frame === other?.frame;
}

/**
 * Runs a model on the ego vehicle's sample of the displayed frame: one at a time, always
 * for the latest frame. Results are kept by frame; until the displayed frame's are there,
 * the previous ones stay, faint and with their frame's number.
 */
export class LiveController {
	readonly #controller: ViewerController;
	readonly #store: Store<ViewerState>;
	readonly #painters = predictionPainters(async (drawing) => pixelsOf(drawing));
	readonly #kept = new KeptLines(MAX_KEPT);
	#opening = new AbortController();
	readonly #unroller: Unroller;
	readonly #run: SceneRun;
	#model: Model | undefined;
	/** Whether the page has the model, and closes it. */
	#isPages = false;
	#options: LiveModelOptions = {};
	/** Frames before the present one that the samples have. */
	#history = 0;
	#maker: RasterMaker | undefined;
	#lines: { readonly scene: number; readonly lines: FrameLines } | undefined;
	#busy: At | undefined;
	/** A frame that failed, which is not tried again until another one is shown. */
	#failed: At | undefined;
	#stop = (): void => {};

	constructor(controller: ViewerController) {
		this.#controller = controller;
		this.#store = controller.store;
		this.#unroller = new Unroller(controller, (unroll) => this.#patch({ unroll }));
		this.#run = new SceneRun(controller, {
			tell: (run) => this.#patch({ run }),
			idle: (signal) =>
				until(this.#store, ({ live }) => live?.busy === undefined, signal),
			onBatch: (frames, samples, records) => {
				if (this.#subject !== "ego") return; // a frame's other subjects are missing
				for (const { scene, lines } of linesOfRecords(frames, samples, records))
					this.#kept.put(scene, lines);
				this.#patch({ kept: this.#kept.size });
				this.#draw();
			},
		});
	}

	/**
	 * Opens a model in place of the present one; the state has the reason if it fails.
	 * `given` may read the options.
	 */
	async open(
		from: ModelFrom,
		given: LiveModelOptions | (() => Promise<LiveModelOptions>) = {},
	): Promise<void> {
		const known = typeof given === "function" ? {} : given;
		checkOptions("model", known, OPTIONS);
		this.close();
		const { signal } = this.#opening;
		this.#stop = this.#store.subscribe((state, before) => this.#follow(state, before));
		const bytes = from instanceof Blob ? from.size : undefined;
		const name = known.name ?? (from instanceof File ? from.name : "Model");
		const nothing = { frame: undefined, busy: undefined, times: undefined, kept: 0 };
		const none = {
			...{ contract: undefined, used: undefined, config: "" },
			...{ unroll: undefined, run: undefined },
		};
		const live = { name, bytes, phase: "opening", ...nothing, ...none } as const;
		this.#store.patch({ live: { ...live, problem: undefined } });
		if (bytes !== undefined)
			this.#controller.notify(`${name}: a model; see Predictions`);
		try {
			const options = typeof given === "function" ? await given() : given;
			signal.throwIfAborted();
			const model = await this.#made(from, options, signal);
			if (signal.aborted) {
				if (model !== from) model.close();
				return;
			}
			this.#options = options;
			this.#isPages = model === from;
			this.#model = model;
			const { contract, used } = model;
			const called = contract?.name ?? options.name ?? model.name;
			this.#patch({ contract, used, name: called });
			await this.#prepare(signal);
		} catch (error) {
			if (signal.aborted || isAbort(error)) return;
			this.#patch({ phase: "failed", problem: whyOf(error) });
		}
	}

	/** Lets the model drive from the displayed frame on. */
	async unroll(choice: UnrollChoice): Promise<void> {
		const [model, maker] = [this.#model, this.#maker];
		const { live } = this.#store.state;
		if (!model || !maker || !live) return;
		const history = choice.history ? this.#history : 0;
		await this.#unroller.start({ model, maker, name: live.name, history }, choice);
	}

	/** Stops the simulation and keeps the frames that are simulated. */
	stopUnroll(): void {
		this.#unroller.stop();
	}

	/** Predicts scenes in the background; the result is a set of predictions. */
	async run(choice: RunChoice): Promise<void> {
		const [model, maker] = [this.#model, this.#maker];
		const { live } = this.#store.state;
		if (!model || !maker || !live) return;
		await this.#run.start({ model, maker, name: live.name }, choice);
	}

	/** Stops predicting scenes, and keeps what is predicted. */
	stopRun(): void {
		this.#run.stop();
	}

	/** Goes on predicting scenes. */
	async resumeRun(): Promise<void> {
		await this.#run.resume();
	}

	/** Adds what is predicted of scenes to the predictions. */
	async addRun(): Promise<void> {
		await this.#run.add();
	}

	/** Ends the model's worker; the next frame starts it again. */
	cancel(): void {
		this.#model?.cancel();
	}

	/** Closes the model. */
	close(): void {
		this.#stop();
		this.#opening.abort();
		this.#opening = new AbortController();
		if (!this.#isPages) this.#model?.close();
		this.#model = undefined;
		this.#isPages = false;
		this.#options = {};
		this.#forget();
		this.#store.patch({ live: undefined });
		this.#draw();
	}

	#follow(state: ViewerState, before: ViewerState): void {
		if (state.dataset !== before.dataset) {
			this.#forget();
			// Another data set clears the state of what is computed with the previous one.
			if (!state.live && before.live) {
				const nothing = { frame: undefined, busy: undefined, problem: undefined };
				const none = { run: undefined, kept: 0 };
				this.#store.patch({ live: { ...before.live, ...nothing, ...none } });
			}
			if (state.dataset && this.#model) void this.#prepareAgain();
			// A viewer that has left the page needs no worker; the next data set starts it.
			if (state.phase === "empty") this.cancel();
		}
		if (!state.live && !before.live) return;
		if (state.shown !== before.shown) void this.#keepUp();
		if (state.shown !== before.shown || state.review.drawn !== before.review.drawn)
			this.#draw();
	}

	async #made(
		from: ModelFrom,
		{ config: _, image: __, vectorized: ___, ...options }: LiveModelOptions,
		signal: AbortSignal,
	): Promise<Model> {
		return from instanceof Model ? from : Model.open(from, { ...options, signal });
	}

	/** Returns what the samples need to have. */
	#needs({ contract }: Model): SampleNeeds {
		const { config, image = "none", vectorized = false } = this.#options;
		const made = { image, vectorized, config: null, assumed: NOTHING_ASSUMED };
		const needs = contract ?? made;
		return config ? { ...needs, config } : needs;
	}

	/** Forgets what belongs to a data set. */
	#forget(): void {
		this.#unroller.stop();
		this.#run.forget();
		this.#patch({ run: undefined });
		this.#maker?.close();
		this.#maker = undefined;
		this.#kept.clear();
		this.#lines = undefined;
		this.#failed = undefined;
	}

	async #prepareAgain(): Promise<void> {
		const { signal } = this.#opening;
		try {
			await this.#prepare(signal);
		} catch (error) {
			if (signal.aborted || isAbort(error)) return;
			this.#patch({ phase: "failed", problem: whyOf(error) });
		}
	}

	/** Opens samples as the model takes them. */
	async #prepare(signal: AbortSignal): Promise<void> {
		const model = this.#model;
		const { dataset } = this.#store.state;
		if (!dataset) return; // prepared with the next one
		const { map } = await until(this.#store, isMapKnown, signal);
		// The readers beside a data set are known some time after it.
		const source = this.#controller.opened?.rasters;
		if (!model || !source) return;
		const needs = this.#needs(model);
		const found = needs.config ? undefined : await this.#found(needs, signal);
		const { json, from } = configFor(needs, found, map !== undefined);
		const { image, vectorized } = needs;
		this.#history = historyIn(json);
		const { mapPlace } = this.#store.state;
		const options = { signal, map: mapPlace, image, vectorized };
		const maker = await source.open(json, options);
		if (signal.aborted || dataset !== this.#store.state.dataset) {
			maker.close();
			return;
		}
		this.#maker = maker;
		this.#patch({ phase: "ready", config: from, problem: undefined });
		await this.#keepUp();
	}

	/** Returns the config beside the data as JSON. */
	async #found(
		{ image, vectorized }: SampleNeeds,
		signal: AbortSignal,
	): Promise<string | undefined> {
		if (image === "none" && !vectorized) return undefined;
		const { rasters, opened } = this.#controller;
		const found = await opened?.rasters?.findConfig({ signal });
		return found && JSON.stringify(await rasters.readConfig(found.text));
	}

	/** Predicts one frame at a time until the displayed one is predicted. */
	async #keepUp(): Promise<void> {
		while (this.#busy === undefined) {
			const at = this.#due();
			if (!at) return;
			this.#busy = at;
			this.#patch({ busy: at.frame });
			await this.#predict(at);
			this.#busy = undefined;
			this.#patch({ busy: undefined });
		}
	}

	/** Returns the displayed frame if it is not predicted. */
	#due(): At | undefined {
		const { shown } = this.#store.state;
		if (!this.#model || !this.#maker || !shown) return undefined;
		const { scene, frame } = shown;
		if (isAt(this.#failed, shown) || this.#kept.isWhole(scene, frame)) return undefined;
		return { scene, frame };
	}

	/** Whose futures the model predicts. */
	get #subject(): ModelContract["subject"] {
		return this.#model?.contract?.subject ?? "ego";
	}

	async #predict(at: At): Promise<void> {
		const [model, maker] = [this.#model, this.#maker];
		const { signal } = this.#opening;
		if (!model || !maker) return;
		try {
			await this.#subjects({ model, maker }, at, signal);
		} catch (error) {
			if (signal.aborted || maker !== this.#maker) return;
			this.#failed = at;
			this.#patch({ problem: isAbort(error) ? "cancelled" : whyOf(error) });
		}
	}

	/** Predicts the ego vehicle, then agents as long as the frame is displayed. */
	async #subjects(
		by: { readonly model: Model; readonly maker: RasterMaker },
		at: At,
		signal: AbortSignal,
	): Promise<void> {
		const subject = this.#subject;
		let all: FrameLines[] = [];
		let times: LiveTimes = { sample: 0, copy: 0, inference: 0, draw: 0 };
		const show = (one: AgentLines, isWhole: boolean): void => {
			const before = performance.now();
			all = [joinLines(at.frame, [...all, one.lines])];
			this.#kept.put(at.scene, all[0] as FrameLines, isWhole);
			this.#draw();
			const { sample, copy, inference, decode } = one.times;
			times = {
				sample: times.sample + sample,
				copy: times.copy + copy,
				inference: times.inference + inference,
				draw: times.draw + decode + performance.now() - before,
			};
			const { contract, used } = by.model;
			const kept = this.#kept.size;
			this.#patch({ contract, used, times, kept, problem: undefined });
		};
		if (subject !== "agents") {
			const ego = await this.#ego(by, at, signal);
			if (by.maker !== this.#maker) return;
			show(ego, this.#subject === "ego");
		}
		if (this.#subject === "ego") return;
		const { selection } = this.#store.state;
		const first = typeof selection === "bigint" ? selection : undefined;
		for await (const one of agentsOf(by, at, { first, signal })) {
			if (by.maker !== this.#maker) return;
			show(one, false);
			if (!isAt(this.#store.state.shown, at)) return; // the rest when it is back
		}
		this.#kept.put(at.scene, joinLines(at.frame, all));
		this.#draw();
	}

	async #ego(
		{ model, maker }: { readonly model: Model; readonly maker: RasterMaker },
		at: At,
		signal: AbortSignal,
	): Promise<AgentLines> {
		const begin = performance.now();
		const made = await maker.sample({ ...at, track: undefined }, { signal });
		const sample = performance.now() - begin;
		try {
			const [x = 0, y = 0] = [...(made.centroid as SampleArray).data].map(Number);
			const futures = await model.predict(made, { signal });
			const lines = linesOf({ frame: at.frame }, futures, [x, y]);
			return { lines, times: { ...futures.times, sample } };
		} finally {
			made.release();
		}
	}

	/** Puts the lines of the displayed frame, or the previous ones, into the picture. */
	#draw(): void {
		const { shown, review } = this.#store.state;
		const found = shown && this.#kept.get(shown.scene, shown.frame);
		if (shown && found) this.#lines = { scene: shown.scene, lines: found };
		const held = this.#lines?.scene === shown?.scene ? this.#lines : undefined;
		const others = review.drawn.filter(({ model }) => model !== LIVE);
		const drawn: readonly ModelLines[] = held
			? [...others, { model: LIVE, slot: SLOT, lines: held.lines }]
			: others;
		this.#patch({ frame: held?.lines.frame });
		if (isSameLines(drawn, review.drawn)) return;
		const painters = review.painters ?? this.#painters;
		this.#store.patch({ review: { ...review, drawn, painters } });
	}

	#patch(change: Partial<LiveState>): void {
		const { live } = this.#store.state;
		if (live) this.#store.patch({ live: { ...live, ...change } });
	}
}
