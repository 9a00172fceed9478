import type { SceneTimeline, TimelineOptions } from "../../dataset/timeline.js";
import type { Part, Readable } from "./parts.js";

const UNREAD: readonly (readonly Part[])[] = [
	["agents"],
	["lights"],
	["agents", "lights"],
];

/**
 * Reads what is readable after a read of all parts failed: all but one part, or all but
 * both. Undefined if that fails too, or after an abort.
 */
export async function readRest<T>(
	read: (parts: { agents: boolean; lights: boolean }) => Promise<T>,
	signal: AbortSignal,
): Promise<Readable<T> | undefined> {
	for (const unread of UNREAD) {
		if (signal.aborted) return undefined;
		const [agents, lights] = [!unread.includes("agents"), !unread.includes("lights")];
		try {
			return { made: await read({ agents, lights }), unread };
		} catch {
			// The first failure is reported.
		}
	}
	return undefined;
}

/** The timeline of what is readable of a scene, and what is unknown without the rest. */
export interface TimelineRest extends Readable<SceneTimeline> {
	readonly lost: string;
}

/** Does so for the timeline of a scene; the track is one of the agents. */
export async function readTimelineRest(
	read: (options: TimelineOptions) => Promise<SceneTimeline>,
	track: bigint | undefined,
	signal: AbortSignal,
): Promise<TimelineRest | undefined> {
	const rest = await readRest(
		(parts) => read({ ...parts, track: parts.agents ? track : undefined }),
		signal,
	);
	const words = { agents: "Quality and plots of agents", lights: "Light states" };
	const lost = rest?.unread.map((part) => words[part]).join(", ") ?? "";
	return rest && { ...rest, lost };
}
