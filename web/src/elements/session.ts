import { BevError } from "../errors.js";
import { AerialDesk } from "./aerial-desk.js";
import type { Opened, ViewerDataset } from "./dataset.js";
import { FrameLoader } from "./frame-loader.js";
import { MapDesk } from "./map-desk.js";
import { clampedRange, secondsOf } from "./pure/clock.js";
import { isAbort, problemOf } from "./pure/problem.js";
import { sceneRows } from "./scene-rows.js";
import { frameCount, type SceneInfo, type ViewerState } from "./state.js";
import type { Store } from "./store.js";
import { TimelineDesk } from "./timeline-desk.js";

const PAST = 25;
const FUTURE = 50;
async function readSceneInfo(
	dataset: ViewerDataset,
	scene: number,
	signal: AbortSignal,
): Promise<SceneInfo> {
	const [row] = await sceneRows(dataset, scene, 1, signal);
	if (!row) throw new BevError("out_of_range", `scene ${scene}: there is none`);
	const { host, startTime, frameBegin, frameEnd } = row;
	const fields = ["timestamp"];
	const rows = await dataset.frames.rows(frameBegin, frameEnd, { fields, signal });
	const timestamps = Array.from(rows.column("timestamp").data, BigInt);
	return { index: scene, host, startTime, seconds: secondsOf(timestamps) };
}

/** One open data set: reads scenes, frames and the map into the store. */
export class Session {
	readonly #store: Store<ViewerState>;
	readonly #opened: Opened;
	readonly #unsubscribe: () => void;
	/** The aerial image beside the data. */
	readonly aerial: AerialDesk;
	/** The map beside it, or another. */
	readonly map: MapDesk;
	#sceneAbort = new AbortController();
	#loader: FrameLoader | undefined;
	readonly #timeline: TimelineDesk;

	constructor(store: Store<ViewerState>, opened: Opened) {
		this.#store = store;
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
		this.#timeline = new TimelineDesk(store);
		this.#readStats();
		const none = async () => undefined;
		this.aerial = new AerialDesk(store, opened.findAerial ?? none);
		this.map = new MapDesk(store);
	}

	get loader(): FrameLoader | undefined {
		return this.#loader;
	}

	/** Opens a scene at a frame; beyond the end means the last frame. */
	async openScene(scene: number, frame: number): Promise<void> {
		this.#sceneAbort.abort();
		this.#sceneAbort = new AbortController();
		const { signal } = this.#sceneAbort;
		this.#dropLoader();
		const fresh = {
			sceneInfo: undefined,
			timeline: undefined,
			frameProblem: undefined,
			shownDue: true,
			buffered: [],
		};
		this.#store.patch({ scene, frame, ...fresh });
		const { dataset } = this.#opened;
		// Starts the picture's own reads beside the scene's, which saves two rounds. Whatever
		// comes of it comes again below.
		void dataset.frame(scene, frame, { ...this.#frameOptions(), signal }).then(
			(view) => view.release(),
			() => {},
		);
		try {
			const sceneInfo = await readSceneInfo(dataset, scene, signal);
			if (signal.aborted) return;
			const count = sceneInfo.seconds.length;
			const { section } = this.#store.state;
			this.#store.patch({
				sceneInfo,
				frame: Math.min(frame, Math.max(0, count - 1)),
				section: section && clampedRange(section, count),
			});
			this.reload();
		} catch (error) {
			if (!signal.aborted && !isAbort(error)) {
				this.#store.patch({ frameProblem: problemOf(error), playing: false });
			}
		}
	}

	/** Reads the frames of the scene anew, since what they are read with changed. */
	reload(): void {
		const { state } = this.#store;
		if (!state.sceneInfo) return;
		this.#dropLoader();
		this.#store.patch({ shownDue: true });
		this.#loader = new FrameLoader({
			dataset: this.#opened.dataset,
			scene: state.scene,
			count: frameCount(state),
			...this.#frameOptions(),
			onChange: (frame, error) => this.#onFrame(frame, error),
		});
		this.focus();
	}

	/** Wants the frame in the state; shows it, or the nearest one held, at once. */
	focus(): void {
		const { state } = this.#store;
		const loader = this.#loader;
		if (!loader) return;
		const held = loader.get(state.frame) ?? loader.nearest(state.frame);
		const shown = held ?? state.shown;
		const shownDue = !held;
		const found = shown?.frame === state.frame;
		const fine = found ? { frameProblem: undefined } : {};
		this.#store.patch({ shown, shownDue, ...fine });
		loader.focus(state.frame);
	}

	/** Looks for the map beside the data. */
	findMap(): Promise<void> {
		return this.map.open(async (options) => {
			const view = await this.#opened.findMap(options);
			return view && { view };
		});
	}

	dispose(): void {
		this.#sceneAbort.abort();
		this.#unsubscribe();
		this.#loader?.dispose();
		this.map.dispose();
		this.aerial.dispose();
		this.#timeline.dispose();
		this.#opened.dataset.close();
	}

	#frameOptions(): { past: number; future: number; threshold: number } {
		const { layers, threshold } = this.#store.state;
		return { past: PAST, future: layers.has("future") ? FUTURE : 0, threshold };
	}

	#dropLoader(): void {
		this.#loader?.dispose(this.#store.state.shown);
		this.#loader = undefined;
	}

	#onFrame(frame: number, error: unknown): void {
		const { state } = this.#store;
		if (error !== undefined) {
			this.#store.patch({ frameProblem: problemOf(error), playing: false });
			return;
		}
		const loader = this.#loader;
		if (!loader) return;
		const nearer = loader.get(state.frame) ?? loader.nearest(state.frame);
		const exact = frame === state.frame;
		this.#store.patch({
			buffered: loader.ranges,
			shown: nearer ?? state.shown,
			shownDue: !nearer,
			frameProblem: exact ? undefined : state.frameProblem,
		});
	}

	#readStats(): void {
		const { bytes, requests, absentChunks } = this.#opened.dataset.stats;
		const { absentChunks: before, notices } = this.#store.state;
		const grew = absentChunks.length !== before.length;
		this.#store.patch({ bytes, requests, absentChunks: grew ? absentChunks : before });
		if (before.length > 0 || absentChunks.length === 0) return;
		const notice = `Chunk ${absentChunks[0]} is not stored; its rows read as the fill value`;
		this.#store.patch({ notices: [...notices, notice] });
	}
}
