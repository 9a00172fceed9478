import type { PredictedRecords, SampleArraysByKey } from "../../model/binding.js";
import type { FrameAt } from "../../model/predict-scenes.js";
import type { PredictedFutures } from "../../model/types.js";
import type { FrameLines } from "../review/model-lines.js";

/** Track of the ego vehicle in predictions. */
const EGO = -1n;

/** What live predictions are not compared with. */
const NO_TRUTH = {
	truth: { points: new Float64Array(0), offsets: new Uint32Array(1) },
	truthTracks: new BigInt64Array(0),
	truthSteps: new Uint32Array(0),
} as const;

type Paths = Pick<PredictedFutures, "modes" | "steps" | "positions" | "confidences">;

/** A subject: its track, and its row in a batch. */
interface Subject {
	readonly frame: number;
	/** Default: the ego vehicle. */
	readonly track?: bigint;
	/** Default 0. */
	readonly row?: number;
}

/** Returns the predicted paths of one subject, from its present position on. */
export function linesOf(
	{ frame, track = EGO, row = 0 }: Subject,
	{ modes, steps, positions, confidences }: Paths,
	[x, y]: readonly [x: number, y: number],
): FrameLines {
	const points = new Float64Array(2 * modes * (steps + 1));
	const offsets = new Uint32Array(modes + 1);
	for (let k = 0; k < modes; k += 1) {
		const at = 2 * k * (steps + 1);
		const from = 2 * (row * modes + k) * steps;
		points[at] = x;
		points[at + 1] = y;
		points.set(positions.subarray(from, from + 2 * steps), at + 2);
		offsets[k + 1] = (k + 1) * (steps + 1);
	}
	return {
		...NO_TRUTH,
		frame,
		modes: { points, offsets },
		confidences: confidences.slice(row * modes, (row + 1) * modes),
		tracks: new BigInt64Array(modes).fill(track),
	};
}

/** Returns the paths of several subjects as those of one frame. */
export function joinLines(frame: number, all: readonly FrameLines[]): FrameLines {
	const count = (of: (one: FrameLines) => number): number =>
		all.reduce((sum, one) => sum + of(one), 0);
	const lines = count(({ tracks }) => tracks.length);
	const points = new Float64Array(count(({ modes }) => modes.points.length));
	const offsets = new Uint32Array(lines + 1);
	const confidences = new Float64Array(lines);
	const tracks = new BigInt64Array(lines);
	let [at, line] = [0, 0];
	for (const one of all) {
		points.set(one.modes.points, at);
		confidences.set(one.confidences, line);
		tracks.set(one.tracks, line);
		for (const end of one.modes.offsets.subarray(1)) {
			line += 1;
			offsets[line] = at / 2 + end;
		}
		at += one.modes.points.length;
	}
	return { ...NO_TRUTH, frame, modes: { points, offsets }, confidences, tracks };
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
		return [{ scene, lines: linesOf({ frame }, paths, at) }];
	});
}

/** Results by frame; the least recently used ones are dropped. */
export class KeptLines {
	readonly #most: number;
	readonly #all = new Map<string, FrameLines>();
	/** Frames of which subjects are missing. */
	readonly #parts = new Set<string>();

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

	/** Whether all subjects of a frame are there. */
	isWhole(scene: number, frame: number): boolean {
		const key = `${scene}/${frame}`;
		return this.#all.has(key) && !this.#parts.has(key);
	}

	put(scene: number, lines: FrameLines, isWhole = true): void {
		const key = `${scene}/${lines.frame}`;
		this.#all.set(key, lines);
		if (isWhole) this.#parts.delete(key);
		else this.#parts.add(key);
		const [oldest] = this.#all.keys();
		if (this.#all.size <= this.#most || oldest === undefined) return;
		this.#all.delete(oldest);
		this.#parts.delete(oldest);
	}

	clear(): void {
		this.#all.clear();
		this.#parts.clear();
	}
}
