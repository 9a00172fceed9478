import { Latest } from "../../base/latest.js";
import type { MapView } from "../../dataset/map-view.js";
import type { Selection } from "../scene-view/picking.js";
import { isAbort, whyOf } from "../session/problem.js";
import type { SceneInfo, ViewerState } from "../session/state.js";
import { fieldOf } from "./quantities.js";
import { type NumericField, readSceneData, type SceneData } from "./scene-data.js";

/** Reads a scene's columns, and keeps the plotted values. */
export class SeriesLoader {
	readonly #onChange: () => void;
	readonly #reading = new Latest();
	readonly #read: typeof readSceneData;
	#state: ViewerState | undefined;
	#scene: SceneInfo | undefined;
	#map: MapView | undefined;
	#threshold = Number.NaN;
	#data: SceneData | undefined;
	#problem: string | undefined;
	readonly #problems = new Map<string, string>();
	/** Values by chart and track; undefined while being read. */
	readonly #values = new Map<string, Float64Array | undefined>();
	#fields = new AbortController();

	/** @param read replaces `readSceneData` in tests */
	constructor(onChange: () => void, read = readSceneData) {
		this.#onChange = onChange;
		this.#read = read;
	}

	/** Why the scene cannot be plotted; undefined if it can or is being read. */
	get problem(): string | undefined {
		if (this.#problem) return this.#problem;
		return this.#state?.timelineFailed ? "The scene's timeline is unread" : undefined;
	}

	/** Returns why a chart cannot be plotted; undefined if it can or is being read. */
	problemOf(chart: string): string | undefined {
		return this.#problems.get(chart);
	}

	/** The numeric fields of the data set; empty until read. */
	get fields(): readonly NumericField[] {
		return this.#data?.fields ?? [];
	}

	/** Applies the scene, the map and the threshold of a state. */
	update(state: ViewerState): void {
		this.#state = state;
		const { sceneInfo, timeline, map, threshold } = state;
		if (sceneInfo !== this.#scene) this.#reset();
		this.#scene = sceneInfo;
		const isRead = sceneInfo && timeline?.scene === sceneInfo.index;
		if (isRead && !this.#data && !this.#problem && !this.#reading.isBusy)
			void this.#begin(state);
		if (this.#data && (map !== this.#map || threshold !== this.#threshold))
			this.#configure(this.#data, state);
	}

	/** Returns the values of a chart; undefined while being read. */
	values(chart: string, who: Selection): Float64Array | undefined {
		const key = `${chart} ${who}`;
		if (!this.#data || this.#values.has(key)) return this.#values.get(key);
		try {
			const computed = this.#data.computed(chart, who);
			this.#values.set(key, computed);
			if (!computed) void this.#readField(this.#data, { chart, who, key });
			return computed;
		} catch (error) {
			this.#values.set(key, undefined);
			this.#problems.set(chart, whyOf(error));
			return undefined;
		}
	}

	/** Retries after a failure. */
	retry(): void {
		this.#reset();
		if (this.#state) this.update(this.#state);
		this.#onChange();
	}

	dispose(): void {
		this.#reset();
		this.#scene = undefined;
	}

	#reset(): void {
		this.#reading.cancel();
		this.#fields.abort();
		this.#fields = new AbortController();
		this.#data?.release();
		this.#data = undefined;
		this.#problem = undefined;
		this.#problems.clear();
		this.#values.clear();
	}

	#configure(data: SceneData, { map, threshold }: ViewerState): void {
		if (map !== this.#map) data.setMap(map);
		data.setThreshold(threshold);
		this.#map = map;
		this.#threshold = threshold;
		for (const key of this.#values.keys()) {
			if (!fieldOf(key.split(" ")[0] ?? "")) this.#values.delete(key);
		}
	}

	async #begin({ dataset, timeline }: ViewerState): Promise<void> {
		if (!dataset || !timeline) return;
		await this.#reading.run((signal) => this.#read(dataset, timeline, signal), {
			done: (data) => {
				this.#data = data;
				this.#map = undefined;
				this.#threshold = Number.NaN;
				if (this.#state) this.#configure(data, this.#state);
				this.#onChange();
			},
			failed: (error) => {
				this.#problem = whyOf(error);
				this.#onChange();
			},
			discard: (data) => data.release(),
		});
	}

	async #readField(
		data: SceneData,
		{ chart, who, key }: { chart: string; who: Selection; key: string },
	): Promise<void> {
		const field = fieldOf(chart);
		const { signal } = this.#fields;
		if (!field) return;
		try {
			const values = await data.read(field, who, signal);
			if (signal.aborted) return;
			this.#values.set(key, values);
		} catch (error) {
			if (signal.aborted || isAbort(error)) return;
			this.#problems.set(chart, whyOf(error));
		}
		this.#onChange();
	}
}
