import { BevError } from "../../base/errors.js";
import type { SceneTimeline } from "../../dataset/timeline.js";
import type { RowColumns, ViewerDataset } from "../session/dataset.js";

/** The part of a data set that tells which records are stored. */
export type Stored = Pick<ViewerDataset, "timeline" | "stats">;

/**
 * Returns a column as `View`.
 *
 * @param of what needs it, the prefix of the error
 * @throws TypeError for another type
 */
export function columnAs<T>(
	View: { new (): T; readonly name: string },
	rows: RowColumns,
	name: string,
	of: string,
): T {
	const { data } = rows.column(name);
	if (data instanceof View) return data;
	throw new TypeError(
		`${of}: ${name}: unexpected column type (found ${data.constructor.name}, expected ${View.name})`,
	);
}

/** Returns what is absent of each frame: 0 nothing, 1 its agents, 2 the frame. */
export function absentRows(timeline: SceneTimeline, count: number): Uint8Array {
	const absent = new Uint8Array(count);
	for (const { kind, frame, amount } of timeline.anomalies) {
		const level = kind === "absent-frames" ? 2 : kind === "absent-agents" ? 1 : 0;
		for (let k = frame; level > 0 && k < Math.min(count, frame + amount); k += 1) {
			absent[k] = Math.max(absent[k] ?? 0, level);
		}
	}
	return absent;
}

/**
 * Checks that records which were read are stored: those of absent chunks read as fill
 * values. Costs nothing until a chunk of the data set is absent.
 *
 * @param level 1: also the frames' agents; 2: the frames only
 * @throws BevError `not_found`, with the first frame whose records are not stored
 */
export async function assertStored(
	dataset: Stored,
	{ scene, count, level, of }: Records,
	signal: AbortSignal,
): Promise<void> {
	if (dataset.stats.absentChunks === 0) return;
	const timeline = await dataset.timeline(scene, { signal });
	const absent = absentRows(timeline, count).findIndex((one) => one >= level);
	if (absent < 0) return;
	const what = `${of}: scene ${scene}: records of frame ${absent} are not stored`;
	throw new BevError("not_found", `${what}; expected all to compare with`);
}

/** Records of a scene. */
interface Records {
	readonly scene: number;
	/** Number of its frames. */
	readonly count: number;
	readonly level: 1 | 2;
	/** What needs them, the prefix of the error. */
	readonly of: string;
}
