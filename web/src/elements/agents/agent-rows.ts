import type { FrameView } from "../../dataset/frame-view.js";
import type { AgentClass } from "../layers/layer-set.js";
import { frameWith, type ViewerState } from "../session/state.js";
import { compared, type Sort } from "../ui/table.js";
import type { SortKey } from "./agents-state.js";
import { agentName, rolesIn } from "./describe.js";
import { classOf, isFound, isKept } from "./summary.js";

/** One agent as a table row. */
export interface AgentRow {
	readonly track: bigint;
	readonly name: string;
	/** Role in a benchmark: "focal" or "scored". */
	readonly role: string | undefined;
	readonly class: AgentClass;
	readonly speed: number;
	readonly distance: number;
	/**
	 * Sum of the probabilities of the known classes, which is compared with the
	 * threshold.
	 */
	readonly known: number;
}

function row(state: ViewerState, frame: FrameView, i: number): AgentRow {
	const { track_id, speed, distance, known_probability } = frame.agents;
	const track = track_id[i] ?? 0n;
	return {
		track,
		name: agentName(state, frame, i),
		role: rolesIn(state).get(track),
		class: classOf(frame, i),
		speed: speed[i] ?? Number.NaN,
		distance: distance[i] ?? Number.NaN,
		known: known_probability[i] ?? Number.NaN,
	};
}

/**
 * Returns the rows of the kept agents that match the search query, sorted by `sort`,
 * then by track id.
 */
export function agentRows(state: ViewerState, sort: Sort<SortKey>): AgentRow[] {
	const frame = frameWith(state, "agents");
	if (!frame) return [];
	const kept = Array.from(frame.agents.track_id.keys())
		.filter((i) => isKept(frame, i, state) && isFound(frame, i, state))
		.map((i) => row(state, frame, i));
	const { key, descending } = sort;
	return kept.sort(
		(a, b) => compared(a[key], b[key], descending) || compared(a.track, b.track),
	);
}
