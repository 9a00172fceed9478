import { BevError } from "../../base/errors.js";
import { Latest } from "../../base/latest.js";
import type { FrameView } from "../../dataset/frame-view.js";
import { sceneRows } from "../scenes/scene-rows.js";
import { clampedRange, secondsOf } from "../timeline/clock.js";
import type { AfterFrame } from "./after-frame.js";
import type { Opened, ViewerDataset } from "./dataset.js";
import { FrameLoader } from "./frame-loader.js";
import { Lazy } from "./lazy-object.js";
import { isRetried, withFault, withOutcomes, without } from "./outcomes.js";
import type { Part } from "./parts.js";
import type { ReadProblem } from "./problem.js";
import { problemOf, whyOf } from "./problem.js";
import { SourceState } from "./source-state.js";
import { frameCount, type SceneInfo, type ViewerState } from "./state.js";
import { type Store, until } from "./store.js";

/** State changes that clear the frame and everything derived from it. */
const NOTHING_SHOWN = {
	shown: undefined,
	partial: undefined,
	shownDue: false,
	laneColours: undefined,
	laneColoursDue: false,
};

/** Returns whether a frame is displayed, or none will follow by itself. */
function hasAnswer({ shown, frameProblem, sceneCount }: ViewerState): boolean {
	return shown !== undefined || frameProblem !== undefined || sceneCount === 0;
}

async function readSceneInfo(
	dataset: ViewerDataset,
	scene: number,
	signal: AbortSignal,
): Promise<SceneInfo> {
	const [row] = await sceneRows(dataset, scene, 1, signal);
	if (!row) throw new BevError("out_of_range", `scene ${scene}: not found`);
	const { host, startTime, frameBegin, frameEnd } = row;
	const fields = ["timestamp"];
	const rows = await dataset.frames.rows(frameBegin, frameEnd, { fields, signal });
	const timestamps = Array.from(rows.column("timestamp").data, BigInt);
	return { index: scene, host, startTime, seconds: secondsOf(timestamps) };
}

export interface SessionHooks {
	/**
	 * Called when the requested frame, or its scene, cannot be read; the state contains
	 * the reason.
	 */
	readonly onUnreadable: (problem: ReadProblem) => void;
}

/** One open data set: reads scenes, frames and the map into the store. */
export class Session {
	readonly #store: Store<ViewerState>;
	#opened: Opened;
	readonly #unsubscribe: () => void;
	readonly #scene = new Latest();
	/** The read of the first frame, parallel to the scene's record. */
	readonly #headStart = new Latest();
	readonly #hooks: SessionHooks;
	#loader: FrameLoader | undefined;
	/** What is read after the first frame; its code is loaded then, too. */
	readonly #after: Lazy<AfterFrame>;
	readonly #ended = new AbortController();
	readonly #source: SourceState;

	constructor(store: Store<ViewerState>, opened: Opened, hooks: SessionHooks) {
		this.#store = store;
		this.#hooks = hooks;
		this.#opened = opened;
		const { dataset } = opened;
		this.#unsubscribe = dataset.onStats(() => this.#readStats());
		store.patch({
			phase: "ready",
			dataset,
			sceneCount: dataset.scenes.length,
			progress: undefined,
			problem: undefined,
		});
		const load = async (): Promise<AfterFrame> => {
			const { AfterFrame } = await import("./after-frame.js");
			this.#ended.signal.throwIfAborted();
			return new AfterFrame(store, opened);
		};
		this.#after = new Lazy(load, (error) => this.#withoutRest(error));
		this.#source = new SourceState(store);
		this.#readStats();
		void this.afterFrame(() => {});
	}

	/**
	 * Acts on what is read after the first frame, which is displayed or failed before; not
	 * after the session has ended.
	 */
	async afterFrame(act: (it: AfterFrame) => void | Promise<void>): Promise<void> {
		const { signal } = this.#ended;
		const loaded = this.#after.value;
		if (loaded) return act(loaded);
		await until(this.#store, hasAnswer, signal)
			.then(() => this.#after.use((it) => (signal.aborted ? undefined : act(it))))
			.catch((error: unknown) => {
				if (!signal.aborted) throw error;
			});
	}

	/** Tells that nothing but frames is read, because its code is not loaded. */
	#withoutRest(error: unknown): void {
		if (this.#ended.signal.aborted) return;
		const notice = `Viewer: loading maps and plots failed: ${whyOf(error)}`;
		this.#store.patch({
			...{ mapState: "failed", timelineFailed: true, trackLengthsDue: false },
			...withOutcomes(this.#store.state, notice),
		});
	}

	/** Whether agents can be filtered by history and future. */
	get canSelect(): boolean {
		return this.#opened.selectScene !== undefined;
	}

	get loader(): FrameLoader | undefined {
		return this.#loader;
	}

	/** Opens a scene at a frame; clamps to the last frame. */
	async openScene(scene: number, frame: number): Promise<void> {
		this.#dropLoader();
		// Clears the previous scene's content, so that it is not shown under the new
		// number.
		this.#store.patch({
			scene,
			frame,
			...NOTHING_SHOWN,
			sceneInfo: undefined,
			timeline: undefined,
			timelineFailed: false,
			timelineUnread: [],
			frameProblem: undefined,
			buffered: [],
			unreadable: [],
		});
		const { dataset, mapsByScene } = this.#opened;
		const map = this.#after.value?.map;
		if (mapsByScene && map?.isBeside) {
			map.clear();
			void this.findMap();
		}
		const read = (signal: AbortSignal): Promise<SceneInfo> => {
			// Reads the first frame in parallel with the scene's record, which saves two rounds.
			// Its result or error is reported again by the loader.
			const options = this.#frameOptions();
			const ahead = (signal: AbortSignal) =>
				dataset.frame(scene, frame, { ...options, signal });
			const release = (view: FrameView) => view.release();
			void this.#headStart.run(ahead, {
				done: release,
				failed: () => {},
				discard: release,
			});
			return readSceneInfo(dataset, scene, signal);
		};
		await this.#scene.run(read, {
			done: (sceneInfo) => this.#begin(sceneInfo),
			failed: (error) => this.#fail(error, undefined),
		});
	}

	/** Reads the scene's frames again, from the data set with other edits. */
	serve(opened: Opened): void {
		this.#opened = opened;
		this.reload();
	}

	/** Reads the scene's frames again after their options changed. */
	reload(): void {
		const { state } = this.#store;
		if (!state.sceneInfo) return;
		this.#loader?.dispose(state.shown);
		this.#loader = new FrameLoader({
			dataset: this.#opened.dataset,
			scene: state.scene,
			count: frameCount(state),
			...this.#frameOptions(),
			onChange: (frame) => this.#onFrame(frame),
		});
		this.#store.patch({ buffered: [], unreadable: [] });
		this.goTo(state.frame);
	}

	/**
	 * Seeks to `frame`: shows it if loaded, otherwise the nearest loaded one until it is
	 * read.
	 */
	goTo(frame: number): void {
		const loader = this.#loader;
		if (!loader) {
			this.#store.patch({ frame });
			return;
		}
		this.#store.patch({ frame, ...this.#shownAt(frame, loader) });
		loader.focus(frame);
		const { frameProblem } = this.#store.state;
		if (frameProblem) this.#hooks.onUnreadable(frameProblem);
	}

	/** Retries all failed reads. */
	retry(): void {
		this.#opened.dataset.forgetFailures?.();
		const { state } = this.#store;
		const { scene, frame, sceneInfo, frameProblem } = state;
		if (!sceneInfo) {
			if (frameProblem) void this.openScene(scene, frame);
			return;
		}
		// What fails again is told again.
		const isRead = (notice: string): boolean => {
			const fault = state.faults.get(notice);
			return fault !== undefined && isRetried(fault);
		};
		this.#store.patch(without(state, isRead));
		this.#loader?.retry();
		void this.afterFrame((it) => it.retry());
		const { mapState, map } = this.#store.state;
		if (mapState === "failed" && !map) void this.findMap();
		this.#store.patch({ unreadable: [] });
		this.goTo(frame);
	}

	/** Sends requests now that wait because of `Retry-After`. */
	askNow(): void {
		this.#opened.dataset.forgetFailures?.();
		const { scene, frame, sceneInfo } = this.#store.state;
		this.#headStart.cancel();
		if (sceneInfo) {
			this.#loader?.restart();
			this.#after.value?.timeline.restart();
		} else void this.openScene(scene, frame);
	}

	/**
	 * Loads the map beside the data after the first frame: the map is large and would
	 * slow down the frame.
	 */
	findMap(): Promise<void> {
		const find = async (options: { readonly signal: AbortSignal }) => {
			await until(this.#store, hasAnswer, options.signal);
			const view = await this.#opened.findMap(options, this.#store.state.scene);
			return view && { view };
		};
		return this.afterFrame(({ map }) => map.open(find));
	}

	dispose(): void {
		this.#ended.abort();
		this.#scene.cancel();
		this.#headStart.cancel();
		this.#unsubscribe();
		this.#loader?.dispose();
		this.#after.value?.dispose();
		this.#source.dispose();
		this.#opened.dataset.close();
	}

	#frameOptions(): { past: number; future: number; threshold: number } {
		const { layers, threshold, past, future } = this.#store.state;
		return { past, future: layers.has("future") ? future : 0, threshold };
	}

	#dropLoader(): void {
		this.#loader?.dispose();
		this.#loader = undefined;
	}

	#begin(sceneInfo: SceneInfo): void {
		const { frame, section, minHistory, minFuture } = this.#store.state;
		const count = sceneInfo.seconds.length;
		this.#store.patch({
			sceneInfo,
			trackLengthsDue: this.canSelect && minHistory + minFuture > 0,
			frame: Math.min(frame, Math.max(0, count - 1)),
			section: section && clampedRange(section, count),
		});
		this.reload();
	}

	/** Returns what to show for `frame`: itself, its error, or the nearest loaded one. */
	#shownAt(frame: number, loader: FrameLoader): Partial<ViewerState> {
		const failure = loader.failure(frame);
		if (failure !== undefined) {
			const { error, rest } = failure;
			const frameProblem = this.#problem(error, frame, rest?.unread);
			return { ...NOTHING_SHOWN, frameProblem, partial: rest?.made };
		}
		const held = loader.get(frame) ?? loader.nearest(frame);
		const shown = held ?? this.#store.state.shown;
		const shownDue = shown !== undefined && !held;
		return { shown, shownDue, frameProblem: undefined, partial: undefined };
	}

	#onFrame(frame: number): void {
		const loader = this.#loader;
		if (!loader) return;
		const { state } = this.#store;
		const unread = loader.failure(frame) !== undefined;
		// What is readable of a frame follows its failure.
		const isDue = !state.frameProblem || frame === state.frame;
		this.#store.patch({
			...(unread ? { unreadable: loader.failedRanges } : { buffered: loader.ranges }),
			...(isDue ? this.#shownAt(state.frame, loader) : {}),
		});
		const { frameProblem } = this.#store.state;
		if (frameProblem && !state.frameProblem) this.#hooks.onUnreadable(frameProblem);
	}

	#problem(
		error: unknown,
		frame: number | undefined,
		unread: readonly Part[] = [],
	): ReadProblem {
		return { ...problemOf(error), scene: this.#store.state.scene, frame, unread };
	}

	/** Clears the display of an unreadable frame or scene, and stores the error. */
	#fail(error: unknown, frame: number | undefined): void {
		const frameProblem = this.#problem(error, frame);
		this.#store.patch({ ...NOTHING_SHOWN, frameProblem });
		this.#hooks.onUnreadable(frameProblem);
	}

	#readStats(): void {
		const { stats } = this.#opened.dataset;
		const { absentChunks: before } = this.#store.state;
		this.#source.read(stats);
		if (before === 0 && stats.absentChunks > 0) void this.#noteAbsentChunk();
	}

	async #noteAbsentChunk(): Promise<void> {
		const { dataset } = this.#opened;
		const keys = await dataset.absentChunks?.().catch(() => []);
		const key = keys?.[0];
		const chunk = key === undefined ? "A chunk" : key;
		const what = `${chunk} is missing from the data set; its rows are not displayed`;
		const { state } = this.#store;
		if (state.dataset === dataset)
			this.#store.patch(withFault(state, { code: "chunk", what, key }));
	}
}
