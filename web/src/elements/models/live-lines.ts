import type { PredictedRecords, SampleArraysByKey } from "../../model/binding.js";
import type { FrameAt } from "../../model/predict-scenes.js";
import type { PredictedFutures } from "../../model/types.js";
import type { FrameLines } from "../review/model-lines.js";

/** Track of the ego vehicle in predictions. */
const EGO = -1n;

type Paths = Pick<PredictedFutures, "modes" | "steps" | "positions" | "confidences">;

/** Returns the predicted paths of one subject, from its present position on. */
export function linesOf(
	frame: number,
	{ modes, steps, positions, confidences }: Paths,
	[x, y]: readonly [x: number, y: number],
): FrameLines {
	const points = new Float64Array(2 * modes * (steps + 1));
	const offsets = new Uint32Array(modes + 1);
	for (let k = 0; k < modes; k += 1) {
		const at = 2 * k * (steps + 1);
		points[at] = x;
		points[at + 1] = y;
		points.set(positions.subarray(2 * k * steps, 2 * (k + 1) * steps), at + 2);
		offsets[k + 1] = (k + 1) * (steps + 1);
	}
	return {
		frame,
		modes: { points, offsets },
		confidences: confidences.slice(0, modes),
		tracks: new BigInt64Array(modes).fill(EGO),
		truth: { points: new Float64Array(0), offsets: new Uint32Array(1) },
		truthTracks: new BigInt64Array(0),
		truthSteps: new Uint32Array(0),
	};
}

/**
 * Returns the predicted paths of the ego vehicles of a batch: predictions as offsets from
 * their positions.
 */
export function linesOfRecords(
	frames: readonly FrameAt[],
	{ centroid, track_id }: SampleArraysByKey,
	{ modes, steps, coords, confidences }: PredictedRecords,
): { readonly scene: number; readonly lines: FrameLines }[] {
	const size = 2 * modes * steps;
	return frames.flatMap(({ scene, frame }, row) => {
		if (track_id?.data[row] !== EGO) return [];
		const [x, y] = [0, 1].map((i) => Number(centroid?.data[2 * row + i]));
		const at = [x ?? 0, y ?? 0] as const;
		const positions = coords
			.subarray(row * size, (row + 1) * size)
			.map((offset, i) => offset + at[(i % 2) as 0 | 1]);
		const sure = confidences.subarray(row * modes, (row + 1) * modes);
		const paths = { modes, steps, positions, confidences: sure };
		return [{ scene, lines: linesOf(frame, paths, at) }];
	});
}

/** Results by frame; the least recently used ones are dropped. */
export class KeptLines {
	readonly #most: number;
	readonly #all = new Map<string, FrameLines>();

	constructor(most: number) {
		this.#most = most;
	}

	get size(): number {
		return this.#all.size;
	}

	get(scene: number, frame: number): FrameLines | undefined {
		const key = `${scene}/${frame}`;
		const found = this.#all.get(key);
		if (found) {
			this.#all.delete(key);
			this.#all.set(key, found);
		}
		return found;
	}

	put(scene: number, lines: FrameLines): void {
		this.#all.set(`${scene}/${lines.frame}`, lines);
		const [oldest] = this.#all.keys();
		if (this.#all.size > this.#most && oldest !== undefined) this.#all.delete(oldest);
	}

	clear(): void {
		this.#all.clear();
	}
}
