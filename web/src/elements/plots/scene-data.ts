import type { Core, Handle } from "../../core/core.js";
import type { MapView } from "../../dataset/map-view.js";
import type { SceneTimeline } from "../../dataset/timeline.js";
import type { Selection } from "../scene-view/picking.js";
import { sceneRows } from "../scenes/scene-rows.js";
import { absentRows, columnAs } from "../scenes/stored-scene.js";
import type { RowColumns, ViewerDataset } from "../session/dataset.js";
import { pageTools } from "../session/page-tools.js";
import { type FieldChart, fieldOf } from "./quantities.js";

type Tables = Pick<ViewerDataset, "scenes" | "frames" | "agents">;
type Range = readonly [begin: number, end: number];

/** A numeric field of a table. */
export interface NumericField {
	readonly table: FieldChart["table"];
	readonly field: string;
	/** Number of values per row. */
	readonly width: number;
}

const OF = "plots";

/** Returns the rows of the stored frames' agents. */
function agentRange(intervals: BigInt64Array, absent: Uint8Array): Range {
	const stored = Array.from(absent.keys()).filter((k) => (absent[k] ?? 0) < 2);
	const [begin, end] = [stored[0], stored.at(-1)];
	if (begin === undefined || end === undefined) return [0, 0];
	return [Number(intervals[2 * begin] ?? 0), Number(intervals[2 * end + 1] ?? 0)];
}

/** Returns the numeric fields among the columns of one row. */
function numericFields(
	table: FieldChart["table"],
	row: RowColumns | undefined,
): NumericField[] {
	return (row?.names ?? []).flatMap((field) => {
		const { data, dtype } = row?.column(field) ?? { data: [] };
		const isNumber = dtype === undefined || /^[<>|]?[fiub]\d/.test(dtype);
		return isNumber ? [{ table, field, width: data.length }] : [];
	});
}

/** Columns of a scene, and the quantities that the core computes of them. */
export class SceneData {
	readonly fields: readonly NumericField[];
	readonly #core: Core;
	readonly #series: Handle<"SceneSeries">;
	readonly #tables: Tables;
	readonly #frames: Range;
	readonly #agents: Range;

	constructor(
		core: Core,
		series: Handle<"SceneSeries">,
		tables: Tables,
		rows: {
			readonly frames: Range;
			readonly agents: Range;
			readonly fields: readonly NumericField[];
		},
	) {
		this.#core = core;
		this.#series = series;
		this.#tables = tables;
		this.#frames = rows.frames;
		this.#agents = rows.agents;
		this.fields = rows.fields;
	}

	/** Sets the lanes of the map; undefined if there is no map. */
	setMap(map: MapView | undefined): void {
		const none = { points: new Float64Array(), offsets: new Uint32Array(1) };
		const { left = none, right = none } = map?.lanes ?? {};
		this.#core.run("set_series_lanes", {
			series: this.#series,
			left: left.points,
			left_offsets: left.offsets,
			right: right.points,
			right_offsets: right.offsets,
		});
	}

	/** Sets the threshold of agents that may be ahead. */
	setThreshold(threshold: number): void {
		this.#core.run("set_series_threshold", { series: this.#series, threshold });
	}

	/** Computes a quantity; undefined for a field, which must be read. */
	computed(chart: string, who: Selection): Float64Array | undefined {
		if (fieldOf(chart)) return undefined;
		return this.#core.run("series_values", {
			series: this.#series,
			track: trackOf(who),
			quantity: chart,
		});
	}

	/** Reads a field of the scene's agents or frames. */
	async read(
		{ table, field, component }: FieldChart,
		who: Selection,
		signal: AbortSignal,
	): Promise<Float64Array> {
		const rows = this.#core.run("series_rows", {
			series: this.#series,
			track: trackOf(who),
		});
		const out = new Float64Array(rows.length).fill(Number.NaN);
		const [begin, end] = table === "frames" ? this.#frames : this.#agents;
		// The ego vehicle's values are those of the frames, and of frames it has no others.
		if ((table === "frames") !== (who === "ego") || begin === end) return out;
		const columns = await this.#tables[table].rows(begin, end, {
			fields: [field],
			signal,
		});
		const { data } = columns.column(field);
		const width = data.length / (end - begin);
		if (component >= width) return out;
		rows.forEach((row, k) => {
			if (row >= 0) out[k] = Number(data[row * width + component] ?? Number.NaN);
		});
		return out;
	}

	release(): void {
		this.#core.release(this.#series);
	}
}

function trackOf(who: Selection): bigint | undefined {
	return who === "ego" ? undefined : who;
}

/** Reads the columns of a scene that the quantities need. */
export async function readSceneData(
	dataset: Tables,
	timeline: SceneTimeline,
	signal: AbortSignal,
): Promise<SceneData> {
	const [row] = await sceneRows(dataset, timeline.scene, 1, signal);
	const [first, last] = [row?.frameBegin ?? 0, row?.frameEnd ?? 0];
	const frames = await dataset.frames.rows(first, last, {
		fields: ["timestamp", "agent_index_interval", "ego_translation", "ego_rotation"],
		signal,
	});
	const intervals = columnAs(BigInt64Array, frames, "agent_index_interval", OF);
	const absent = absentRows(timeline, last - first);
	const [begin, end] = agentRange(intervals, absent);
	const agents = await dataset.agents.rows(begin, end, {
		fields: ["track_id", "centroid", "yaw", "extent", "label_probabilities"],
		signal,
	});
	const one = async (table: FieldChart["table"], at: number, to: number) =>
		numericFields(
			table,
			at < to ? await dataset[table].rows(at, at + 1, { signal }) : undefined,
		);
	const fields = [
		...(await one("agents", begin, end)),
		...(await one("frames", first, last)),
	];
	const core = await pageTools();
	signal.throwIfAborted();
	const series = core.run("scene_series", {
		timestamps: columnAs(BigInt64Array, frames, "timestamp", OF),
		ego_translation: columnAs(Float64Array, frames, "ego_translation", OF),
		ego_rotation: columnAs(Float64Array, frames, "ego_rotation", OF),
		agent_index_interval: intervals,
		track_ids: columnAs(BigUint64Array, agents, "track_id", OF),
		centroids: columnAs(Float64Array, agents, "centroid", OF),
		yaws: columnAs(Float32Array, agents, "yaw", OF),
		extents: columnAs(Float32Array, agents, "extent", OF),
		label_probabilities: columnAs(Float32Array, agents, "label_probabilities", OF),
		absent,
		ego_is_virtual: timeline.ego_is_virtual,
	});
	return new SceneData(core, series, dataset, {
		frames: [first, last],
		agents: [begin, end],
		fields,
	});
}
