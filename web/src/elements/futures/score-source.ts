import type { RolloutTruth } from "../../reviewing/protocol.js";
import type {
	FuturesScene,
	JoinedFutures,
	RemoteSubmission,
} from "../../reviewing/remote-futures.js";
import { SCORES } from "../../reviewing/remote-futures.js";

/** What a scenario is scored with. */
export interface ScoredScene {
	readonly rows: FuturesScene;
	readonly lanes: RolloutTruth["lanes"];
	readonly signal: AbortSignal;
}

/** Scores of scenarios: of an open submission, or read from a file. */
export interface ScoreSource {
	readonly name: string;
	readonly scenarios: {
		readonly size: number;
		has(id: string): boolean;
	};
	/** Names of a scenario's values; empty if only futures have some. */
	readonly columns: readonly string[];
	/** Names of a future's values; empty if only scenarios have some. */
	readonly ofFutures: readonly string[];
	/** Returns a scenario's values; `scene` reads what a submission is joined with. */
	scenario(
		id: string,
		scene: () => Promise<ScoredScene>,
	): Promise<ArrayLike<number> | undefined>;
	/** Returns the values of each of its futures. */
	futures(
		id: string,
		scene: () => Promise<ScoredScene>,
	): Promise<readonly ArrayLike<number>[]>;
}

/** Values of a future; the first is its number. */
export const FUTURE_COLUMNS = ["rollout", "ade", "fde", "colliding", "leaving_lanes"];

/** Returns the scores of a submission, of so many seconds. */
export function submissionScores(
	name: string,
	submission: RemoteSubmission,
	seconds: number | undefined,
): ScoreSource {
	const joined = async <T>(
		id: string,
		scene: () => Promise<ScoredScene>,
		work: (joined: JoinedFutures) => Promise<T>,
	): Promise<T> => {
		const { rows, ...rest } = await scene();
		const one = await submission.join(id, rows, rest);
		try {
			return await work(one);
		} finally {
			one.release();
		}
	};
	return {
		...{ name, scenarios: submission.scenarios },
		...{ columns: SCORES, ofFutures: FUTURE_COLUMNS },
		scenario: (id, scene) => joined(id, scene, (one) => one.score(seconds)),
		futures: (id, scene) =>
			joined(id, scene, async (one) => {
				const { ade, fde, colliding, leaving } = await one.measures(seconds);
				return Array.from(ade, (value, i) =>
					[i, value, fde[i], colliding[i], leaving[i]].map((it) => it ?? Number.NaN),
				);
			}),
	};
}
