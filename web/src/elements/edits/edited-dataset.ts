import type { AbortOptions, FrameOptions, RowsOptions } from "../../api.js";
import { messageOf } from "../../base/errors.js";
import type { ChunkedDataset } from "../../dataset/dataset.js";
import type { FrameView } from "../../dataset/frame-view.js";
import type { SceneTimeline, TimelineOptions } from "../../dataset/timeline.js";
import { clientOf } from "../../worker/client.js";
import { sceneRows } from "../scenes/scene-rows.js";
import type { RowColumns, RowTable, ViewerDataset } from "../session/dataset.js";
import { EDITED_FIELDS, SceneColumns } from "./scene-columns.js";
import { type ComparedMeasures, sceneMeasures } from "./scene-measures.js";

/** Number of the first row of edited agents, above those of all arrays. */
const FIRST_ROW = 2 ** 50;
/** Rows between those of two scenes. */
const SCENE_ROWS = 2 ** 32;

/** A range of frames of an edited scene. */
interface Within {
	readonly scene: number;
	readonly begin: number;
	readonly end: number;
}

/**
 * A data set with edited scenes: their frames, time lines and rows are those of the
 * edits, everything else, also what is searched, is the recorded data set's.
 */
export class EditedDataset implements ViewerDataset {
	readonly labels: ViewerDataset["labels"];
	readonly attrs: ViewerDataset["attrs"];
	readonly names: ViewerDataset["names"];
	readonly sceneTags: ViewerDataset["sceneTags"];
	readonly sceneTimes: ViewerDataset["sceneTimes"];
	readonly sceneMap?: NonNullable<ViewerDataset["sceneMap"]>;
	readonly reader?: NonNullable<ViewerDataset["reader"]>;
	readonly facts?: NonNullable<ViewerDataset["facts"]>;
	/** The recorded ones; they tell which data set it is. */
	readonly scenes: RowTable;
	readonly frames: RowTable;
	readonly agents: RowTable;
	readonly #recorded: ViewerDataset;
	readonly #edited: ChunkedDataset;
	readonly #numbers: ReadonlySet<number>;
	readonly #onLost: () => void;
	readonly #columns = new Map<number, Promise<SceneColumns>>();

	/**
	 * @param scenes numbers of the edited scenes
	 * @param onLost called if the edited scenes were lost in a failure of the worker
	 */
	constructor(
		recorded: ViewerDataset,
		edited: ChunkedDataset,
		scenes: ReadonlySet<number>,
		onLost: () => void,
	) {
		this.#recorded = recorded;
		this.#edited = edited;
		this.#numbers = scenes;
		this.#onLost = onLost;
		this.labels = recorded.labels;
		this.attrs = recorded.attrs;
		this.names = recorded.names;
		this.sceneTags = recorded.sceneTags;
		this.sceneTimes = recorded.sceneTimes;
		if (recorded.sceneMap) this.sceneMap = recorded.sceneMap.bind(recorded);
		if (recorded.reader) this.reader = recorded.reader.bind(recorded);
		if (recorded.facts) this.facts = recorded.facts.bind(recorded);
		this.scenes = recorded.scenes;
		const { length } = recorded.frames;
		this.frames = {
			length,
			rows: (begin, end, options) => this.#frameRows(begin, end, options),
		};
		this.agents = {
			length: recorded.agents.length,
			rows: (begin, end, options) => this.#agentRows(begin, end, options),
		};
	}

	get stats(): ViewerDataset["stats"] {
		return this.#recorded.stats;
	}

	async absentChunks(): Promise<readonly string[]> {
		return (await this.#recorded.absentChunks?.()) ?? [];
	}

	frame(scene: number, frame: number, options?: FrameOptions): Promise<FrameView> {
		const of = this.#of(scene);
		return this.#told(of.frame(scene, frame, options));
	}

	timeline(scene: number, options?: TimelineOptions): Promise<SceneTimeline> {
		return this.#told(this.#of(scene).timeline(scene, options));
	}

	onStats(callback: (stats: ViewerDataset["stats"]) => void): () => void {
		return this.#recorded.onStats(callback);
	}

	/** Computes the facts of an edited scene, and of the recorded one. */
	async measures(scene: number, { signal }: AbortOptions): Promise<ComparedMeasures> {
		const client = await clientOf(this.#recorded).forReaders(signal);
		const recorded = await sceneMeasures(client, scene, { signal });
		const own = clientOf(this.#edited).client;
		return { recorded, edited: await sceneMeasures(own, scene, { signal }) };
	}

	/** Whether a scene is edited. */
	has(scene: number): boolean {
		return this.#numbers.has(scene);
	}

	forgetFailures(): void {
		this.#recorded.forgetFailures?.();
		this.#edited.forgetFailures();
	}

	/** Frees the edited scenes; the recorded data set stays open. */
	drop(): void {
		this.#edited.close();
	}

	close(): void {
		this.#edited.close();
		this.#recorded.close();
	}

	#of(scene: number): Pick<ViewerDataset, "frame" | "timeline"> {
		return this.#numbers.has(scene) ? this.#edited : this.#recorded;
	}

	/** Tells of a failure that has lost the edited scenes. */
	async #told<T>(work: Promise<T>): Promise<T> {
		try {
			return await work;
		} catch (error) {
			if (isLoss(error)) this.#onLost();
			throw error;
		}
	}

	#columnsOf(scene: number, { signal }: AbortOptions): Promise<SceneColumns> {
		const held = this.#columns.get(scene);
		if (held) return held;
		const first = FIRST_ROW + SCENE_ROWS * scene;
		const reading = this.#told(
			SceneColumns.read(this.#edited, scene, { first, signal }),
		);
		this.#columns.set(scene, reading);
		reading.catch(() => this.#columns.delete(scene)); // read again
		return reading;
	}

	async #frameRows(
		begin: number,
		end: number,
		options: RowsOptions = {},
	): Promise<RowColumns> {
		const { fields } = options;
		const isEdited = !fields || EDITED_FIELDS.some((name) => fields.includes(name));
		const within = isEdited ? await this.#within(begin, end, options) : undefined;
		if (!within) return this.#recorded.frames.rows(begin, end, options);
		const columns = await this.#columnsOf(within.scene, options);
		return columns.frames(within.begin, within.end, fields);
	}

	async #agentRows(
		begin: number,
		end: number,
		options: RowsOptions = {},
	): Promise<RowColumns> {
		if (begin < FIRST_ROW) return this.#recorded.agents.rows(begin, end, options);
		const scene = Math.floor((begin - FIRST_ROW) / SCENE_ROWS);
		const first = FIRST_ROW + SCENE_ROWS * scene;
		const columns = await this.#columnsOf(scene, options);
		return columns.agents(begin - first, end - first, options.fields);
	}

	/** Returns the edited scene that has these frames. */
	async #within(
		begin: number,
		end: number,
		{ signal }: AbortOptions,
	): Promise<Within | undefined> {
		for (const scene of this.#numbers) {
			const until = signal ?? new AbortController().signal;
			const [row] = await sceneRows(this.#recorded, scene, 1, until);
			if (!row || begin < row.frameBegin || end > row.frameEnd) continue;
			return { scene, begin: begin - row.frameBegin, end: end - row.frameBegin };
		}
		return undefined;
	}
}

/** Whether the worker that had the edited scenes has failed. */
function isLoss(error: unknown): boolean {
	return messageOf(error).includes("edited scenes lost in a failure");
}
