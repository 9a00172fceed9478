import type { FrameView } from "../../dataset/frame-view.js";
import { frameCount, type ViewerState } from "../session/state.js";

/** Seconds of real time between frames below which motion needs no frames between them. */
const SHORTEST = 0.025;
/** Limits of a plausible movement between frames: metres, and radians of heading. */
const FARTHEST = 8;
const LARGEST_TURN = Math.PI / 4;

/** Returns an angle's equivalent from -pi to pi. */
function wrapped(angle: number): number {
	return Math.atan2(Math.sin(angle), Math.cos(angle));
}

/** Returns whether a box can have moved from one pose to the other between two frames. */
function isPlausible(
	from: ArrayLike<number>,
	to: ArrayLike<number>,
	[i, j]: readonly [number, number],
	turn: number,
): boolean {
	const dx = (to[2 * j] ?? Number.NaN) - (from[2 * i] ?? Number.NaN);
	const dy = (to[2 * j + 1] ?? Number.NaN) - (from[2 * i + 1] ?? Number.NaN);
	return Math.hypot(dx, dy) <= FARTHEST && Math.abs(turn) <= LARGEST_TURN;
}

/** Writes `count` numbers between those of `from` and `to`, starting at their rows. */
function mix(
	out: Float64Array,
	from: ArrayLike<number>,
	to: ArrayLike<number>,
	{ i, j, count, share }: { i: number; j: number; count: number; share: number },
): void {
	for (let k = 0; k < count; k += 1) {
		const at = from[i * count + k] ?? 0;
		out[i * count + k] = at + share * ((to[j * count + k] ?? at) - at);
	}
}

/** Two consecutive frames, and a frame between them whose arrays are reused. */
class Pair {
	readonly from: FrameView;
	readonly to: FrameView;
	readonly #blended: FrameView;
	/** Per agent its row in `to`; -1 for agents that stay where they are. */
	readonly #rows: Int32Array;
	readonly #egoMoves: boolean;
	readonly #corners: Float64Array;
	readonly #centroid: Float64Array;
	readonly #yaw: Float32Array;
	readonly #ego: { corners: Float64Array; centroid: Float64Array; yaw: number };

	constructor(from: FrameView, to: FrameView) {
		this.from = from;
		this.to = to;
		this.#corners = from.agents.corners.slice();
		this.#centroid = from.agents.centroid.slice();
		this.#yaw = from.agents.yaw.slice();
		const { ego } = from;
		this.#ego = {
			...ego,
			corners: ego.corners.slice(),
			centroid: ego.centroid.slice(),
		};
		const agents = {
			...from.agents,
			corners: this.#corners,
			centroid: this.#centroid,
			yaw: this.#yaw,
		};
		this.#blended = { ...from, agents, ego: this.#ego as FrameView["ego"] };
		const turn = wrapped(to.ego.yaw - ego.yaw);
		this.#egoMoves = isPlausible(ego.centroid, to.ego.centroid, [0, 0], turn);
		const rows = new Map([...to.agents.track_id].map((track, row) => [track, row]));
		this.#rows = Int32Array.from(from.agents.track_id, (track, i) => {
			const row = rows.get(track) ?? -1;
			if (row < 0) return -1;
			const turned = wrapped((to.agents.yaw[row] ?? 0) - (from.agents.yaw[i] ?? 0));
			const moves = isPlausible(
				from.agents.centroid,
				to.agents.centroid,
				[i, row],
				turned,
			);
			return moves ? row : -1;
		});
	}

	/** Whether both frames still have their data, which `release` empties. */
	get isHeld(): boolean {
		const { from, to } = this;
		return from.ego.centroid.length > 0 && to.ego.centroid.length > 0;
	}

	at(share: number): FrameView {
		const { from, to } = this;
		const [a, b] = [from.agents, to.agents];
		for (let i = 0; i < this.#rows.length; i += 1) {
			const j = this.#rows[i] ?? -1;
			if (j < 0) continue;
			mix(this.#corners, a.corners, b.corners, { i, j, count: 8, share });
			mix(this.#centroid, a.centroid, b.centroid, { i, j, count: 2, share });
			const yaw = a.yaw[i] ?? 0;
			this.#yaw[i] = yaw + share * wrapped((b.yaw[j] ?? yaw) - yaw);
		}
		if (this.#egoMoves) {
			const of = { i: 0, j: 0, share };
			mix(this.#ego.corners, from.ego.corners, to.ego.corners, { ...of, count: 8 });
			mix(this.#ego.centroid, from.ego.centroid, to.ego.centroid, { ...of, count: 2 });
			this.#ego.yaw = from.ego.yaw + share * wrapped(to.ego.yaw - from.ego.yaw);
		}
		return this.#blended;
	}
}

/** What a blend is computed from. */
export interface Playback {
	readonly state: ViewerState;
	/** The playhead in seconds; undefined while it rests. */
	readonly playhead: number | undefined;
	/** The loaded frames of the scene. */
	readonly heldFrames: ReadonlyMap<number, FrameView>;
}

/**
 * Moves boxes and camera between two recorded frames during playback. Only positions and
 * headings are interpolated, and only for the picture: other values remain the recorded
 * ones.
 */
export class FrameBlend {
	#pair: Pair | undefined;
	#state: ViewerState | undefined;
	#of: ViewerState | undefined;
	#time: number | undefined;

	/** Returns the state to draw: with a frame between two frames, or unchanged. */
	of({ state, playhead, heldFrames }: Playback): ViewerState {
		if (state === this.#of && playhead === this.#time && this.#state)
			return this.#state;
		this.#of = state;
		this.#time = playhead;
		this.#state = this.#blended(state, playhead, heldFrames);
		return this.#state;
	}

	#blended(
		state: ViewerState,
		playhead: number | undefined,
		heldFrames: ReadonlyMap<number, FrameView>,
	): ViewerState {
		const { shown, playing, stalled, smooth, speed, frame, sceneInfo } = state;
		const isMoving = playing && !stalled && smooth && playhead !== undefined;
		if (!isMoving || !shown || shown.frame !== frame || frame + 1 >= frameCount(state))
			return state;
		const begin = sceneInfo?.seconds[frame] ?? 0;
		const duration = (sceneInfo?.seconds[frame + 1] ?? begin) - begin;
		if (!(duration / speed >= SHORTEST)) return state;
		const next = heldFrames.get(frame + 1);
		if (!next || next.scene !== shown.scene) return state;
		if (this.#pair?.from !== shown || this.#pair.to !== next)
			this.#pair = new Pair(shown, next);
		if (!this.#pair.isHeld) return state;
		const share = Math.min(1, Math.max(0, (playhead - begin) / duration));
		return { ...state, shown: this.#pair.at(share) };
	}
}
