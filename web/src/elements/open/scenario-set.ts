import type { AbortOptions, FrameOptions, RowsOptions } from "../../api.js";
import { BevError } from "../../base/errors.js";
import type { LogScene } from "../../converting/log.js";
import type { ConvertRequest } from "../../converting/protocol.js";
import type { FrameView } from "../../dataset/frame-view.js";
import type { MapView } from "../../dataset/map-view.js";
import type { SceneTimeline, TimelineOptions } from "../../dataset/timeline.js";
import { unlessAborted } from "../../source/unless-aborted.js";
import type {
	Opened,
	RowColumns,
	RowTable,
	SceneTags,
	TransferStats,
	ViewerDataset,
} from "../session/dataset.js";
import { movedFrame, movedRows } from "./scenario-rows.js";

/** A scenario that is converted when it is opened. */
export interface ScenarioSource {
	/** Name in the list of scenes. */
	readonly name: string;
	request(): Promise<ConvertRequest | LogScene>;
}

/** Converts a scenario and opens it, as a data set of one scene. */
export type LoadScenario = (
	source: ScenarioSource,
	options: { readonly signal: AbortSignal },
) => Promise<Opened>;

/** What is known of the scenarios of a set. */
export interface ScenarioSetOptions {
	/** Called by close(). */
	readonly closed?: (() => void) | undefined;
	/** Reads the tags of each scenario. */
	readonly tags?: SceneTags | undefined;
	/** Begin and end of each scenario, in nanoseconds. */
	readonly times?: BigInt64Array | undefined;
}

/** Scenarios kept converted; each has a worker. */
const MAX_KEPT = 4;

/**
 * Numbers of rows per scenario: those of scenario k are k * ROWS and up. Above the
 * number of frames (100,000) and of agents in any scenario.
 */
const ROWS = 2 ** 31;

/** A scenario that is open or opening. */
class Child {
	/** Reads in progress, and maps on display. */
	uses = 0;
	opened: Opened | undefined;
	readonly opening: Promise<Opened>;
	readonly #control = new AbortController();

	constructor(load: (options: { readonly signal: AbortSignal }) => Promise<Opened>) {
		const { signal } = this.#control;
		this.opening = load({ signal }).then((opened) => {
			if (signal.aborted) {
				opened.dataset.close();
				throw signal.reason;
			}
			this.opened = opened;
			return opened;
		});
		this.opening.catch(() => {}); // reported by each read
	}

	close(): void {
		this.#control.abort(new DOMException("closed", "AbortError"));
		this.opened?.dataset.close();
	}
}

const NO_TRANSFER = { bytes: 0, requests: 0, absentChunks: 0 };

function sum(a: TransferStats, b: TransferStats): TransferStats {
	return {
		bytes: a.bytes + b.bytes,
		requests: a.requests + b.requests,
		absentChunks: a.absentChunks + b.absentChunks,
	};
}

/**
 * Many scenarios as one data set, a scene each. A scenario is converted when it is read;
 * the last four are kept. Each has its own frame and map.
 */
export class ScenarioSet implements ViewerDataset {
	readonly names: readonly string[];
	readonly scenes: RowTable;
	readonly frames: RowTable;
	readonly agents: RowTable;
	readonly sceneTags: SceneTags | undefined;
	readonly sceneTimes: BigInt64Array | undefined;
	/** Attributes of the open scenarios, by scene. */
	readonly attrs: { readonly bevscope: { readonly scenes: unknown[] } };
	readonly #sources: readonly ScenarioSource[];
	readonly #load: LoadScenario;
	readonly #closed: (() => void) | undefined;
	/** By scene, the least recently used first. */
	readonly #children = new Map<number, Child>();
	readonly #listeners = new Set<(stats: TransferStats) => void>();
	#labels: readonly string[] = [];
	/** Of the closed scenarios. */
	#past: TransferStats = NO_TRANSFER;

	constructor(
		sources: readonly ScenarioSource[],
		load: LoadScenario,
		{ closed, tags, times }: ScenarioSetOptions = {},
	) {
		this.sceneTags = tags;
		this.sceneTimes = times;
		this.#sources = sources;
		this.#load = load;
		this.#closed = closed;
		this.names = sources.map(({ name }) => name);
		this.attrs = { bevscope: { scenes: new Array(sources.length) } };
		const { length } = sources;
		this.scenes = { length, rows: (...span) => this.#sceneRows(...span) };
		this.frames = this.#table("frames");
		this.agents = this.#table("agents");
	}

	/** Empty until a scenario was read; equal in all. */
	get labels(): readonly string[] {
		return this.#labels;
	}

	/** Of all scenarios read so far. */
	get stats(): TransferStats {
		const open = [...this.#children.values()].flatMap(({ opened }) =>
			opened ? [opened.dataset.stats] : [],
		);
		return open.reduce(sum, this.#past);
	}

	onStats(callback: (stats: TransferStats) => void): () => void {
		this.#listeners.add(callback);
		return () => this.#listeners.delete(callback);
	}

	/** The scene read last. */
	get recent(): number {
		return [...this.#children.keys()].at(-1) ?? 0;
	}

	/** Runs `work` with a scene's scenario, which stays open meanwhile. */
	async use<T>(
		scene: number,
		signal: AbortSignal | undefined,
		work: (opened: Opened) => T | Promise<T>,
	): Promise<T> {
		signal?.throwIfAborted();
		const child = this.#enter(scene);
		try {
			return await work(await unlessAborted(child.opening, signal));
		} finally {
			this.#leave(scene, child);
		}
	}

	async frame(
		scene: number,
		frame: number,
		options: FrameOptions = {},
	): Promise<FrameView> {
		const view = await this.use(scene, options.signal, ({ dataset }) =>
			dataset.frame(0, frame, options),
		);
		return movedFrame(view, scene, scene * ROWS);
	}

	async timeline(scene: number, options: TimelineOptions = {}): Promise<SceneTimeline> {
		const timeline = await this.use(scene, options.signal, ({ dataset }) =>
			dataset.timeline(0, options),
		);
		return { ...timeline, scene };
	}

	/** Reads a scenario's map; the scenario stays open until the map is released. */
	async sceneMap(scene: number, options: AbortOptions): Promise<MapView | undefined> {
		const child = this.#enter(scene);
		let view: MapView | undefined;
		try {
			const opened = await unlessAborted(child.opening, options.signal);
			view = await opened.findMap(options, 0);
		} finally {
			if (!view) this.#leave(scene, child);
		}
		if (!view) return undefined;
		const map = view;
		let held = true;
		const release = (): void => {
			map.release();
			if (held) this.#leave(scene, child);
			held = false;
		};
		return { ...map, release, [Symbol.dispose]: release };
	}

	/** See `Opened.selectScene`. */
	readonly selectScene: NonNullable<Opened["selectScene"]> = async (
		scene,
		rules,
		options,
	) => {
		const selected = await this.use(scene, options.signal, ({ selectScene }) =>
			selectScene?.(0, rules, options),
		);
		if (!selected) throw new BevError("unsupported", "track lengths: not available");
		return { ...selected, scene, first: selected.first + scene * ROWS };
	};

	forgetFailures(): void {
		for (const { opened } of this.#children.values())
			opened?.dataset.forgetFailures?.();
	}

	close(): void {
		this.#listeners.clear();
		for (const child of this.#children.values()) child.close();
		this.#children.clear();
		this.#closed?.();
	}

	/** The rows of all scenarios, numbered with gaps; `length` is an upper limit. */
	#table(name: "frames" | "agents"): RowTable {
		const rows = async (begin: number, end: number, options: RowsOptions = {}) => {
			const scene = Math.floor(begin / ROWS);
			const first = scene * ROWS;
			if (!(end >= begin) || end > first + ROWS) {
				const span = `(found ${begin} to ${end}, expected rows of one scene)`;
				throw new BevError("out_of_range", `${name}: rows out of range ${span}`);
			}
			const found = await this.use(scene, options.signal, ({ dataset }) =>
				dataset[name].rows(begin - first, end - first, options),
			);
			return movedRows(found, first);
		};
		return { length: this.#sources.length * ROWS, rows };
	}

	async #sceneRows(
		begin: number,
		end: number,
		options: RowsOptions = {},
	): Promise<RowColumns> {
		if (end !== begin + 1) {
			const found = `(found ${begin} to ${end}, expected one)`;
			throw new BevError("unsupported", `scenes: several rows at once ${found}`);
		}
		const rows = await this.use(begin, options.signal, ({ dataset }) =>
			dataset.scenes.rows(0, 1, options),
		);
		return movedRows(rows, begin * ROWS);
	}

	/** Returns a scene's scenario, opening it if necessary; `#leave` ends its use. */
	#enter(scene: number): Child {
		const source = this.#sources[scene];
		if (!source) throw new BevError("out_of_range", `scene ${scene}: not found`);
		const child = this.#children.get(scene) ?? this.#open(scene, source);
		this.#children.delete(scene);
		this.#children.set(scene, child);
		child.uses += 1;
		return child;
	}

	#open(scene: number, source: ScenarioSource): Child {
		return new Child(async (options) => {
			const opened = await this.#load(source, options);
			if (!options.signal.aborted) this.#take(scene, opened.dataset);
			return opened;
		});
	}

	#take(scene: number, dataset: ViewerDataset): void {
		this.#labels = dataset.labels;
		const { bevscope } = (dataset.attrs ?? {}) as {
			bevscope?: { scenes?: readonly unknown[] };
		};
		this.attrs.bevscope.scenes[scene] = bevscope?.scenes?.[0];
		dataset.onStats(() => this.#tell());
	}

	#leave(scene: number, child: Child): void {
		child.uses -= 1;
		if (child.uses === 0 && !child.opened) this.#drop(scene, child);
		for (const [other, idle] of this.#children) {
			if (this.#children.size <= MAX_KEPT) break;
			if (idle.uses === 0) this.#drop(other, idle);
		}
	}

	#drop(scene: number, child: Child): void {
		if (this.#children.get(scene) === child) {
			this.#children.delete(scene);
			delete this.attrs.bevscope.scenes[scene];
			if (child.opened) this.#past = sum(this.#past, child.opened.dataset.stats);
		}
		child.close();
	}

	#tell(): void {
		const { stats } = this;
		for (const listener of this.#listeners) listener(stats);
	}
}
