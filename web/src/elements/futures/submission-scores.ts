import {
	type JoinedFutures,
	type RemoteSubmission,
	SCORES,
} from "../../reviewing/remote-futures.js";
import type { FuturesHorizon } from "./futures-state.js";
import { untilWords } from "./futures-view.js";
import type { ScoredScene, ScoreSource } from "./score-source.js";

/** Values of a future; the first is its number. */
export const FUTURE_COLUMNS = ["rollout", "ade", "fde", "colliding", "leaving_lanes"];

/** Returns the scores of a submission, of so many seconds. */
export function submissionScores(
	key: string,
	name: string,
	{
		submission,
		seconds,
	}: {
		readonly submission: RemoteSubmission;
		readonly seconds: FuturesHorizon | undefined;
	},
): ScoreSource {
	const joined = async <T>(
		id: string,
		scene: () => Promise<ScoredScene>,
		work: (joined: JoinedFutures) => Promise<T>,
	): Promise<T> => {
		const { rows, ...rest } = await scene();
		const one = await submission.join([id], rows, rest);
		try {
			return await work(one);
		} finally {
			one.release();
		}
	};
	return {
		...{ key, name, words: `${name}${untilWords(seconds)}` },
		scenarios: submission.scenarios,
		...{ columns: SCORES, ofFutures: FUTURE_COLUMNS },
		read: (id, scene, isMeasured) =>
			joined(id, scene, async (one) => {
				const here = await one.read();
				return isMeasured ? { ...here, measures: await one.measures(seconds) } : here;
			}),
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
