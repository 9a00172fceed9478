import type { PredictedFutures } from "../../model/types.js";
import type { FrameLines } from "../review/model-lines.js";

/** Track of the ego vehicle in predictions. */
const EGO = -1n;

/** Returns the predicted paths of one subject, from its present position on. */
export function linesOf(
	frame: number,
	{ modes, steps, positions, confidences }: PredictedFutures,
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
