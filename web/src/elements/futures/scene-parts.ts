import type {
	FuturesScene,
	RemoteSubmission,
	ScenePart,
} from "../../reviewing/remote-futures.js";

/** Returns what a submission has of the scene of a scenario. */
export async function partsOf(
	submission: Pick<RemoteSubmission, "hasParts" | "parts">,
	scenario: string | undefined,
	rows: FuturesScene,
): Promise<readonly ScenePart[]> {
	if (submission.hasParts) return submission.parts(rows);
	return scenario === undefined ? [] : [{ id: scenario, frame: 0 }];
}

/** Returns the frame of the latest predictions until a frame, else of the first ones. */
export function partFrame(
	parts: readonly ScenePart[],
	frame: number,
): number | undefined {
	const latest = parts.filter((one) => one.frame <= frame).at(-1);
	return (latest ?? parts[0])?.frame;
}

/** Returns the ids of the parts that are shown at a frame. */
export function idsAt(parts: readonly ScenePart[], frame: number): readonly string[] {
	const shown = partFrame(parts, frame);
	return parts.filter((one) => one.frame === shown).map(({ id }) => id);
}
