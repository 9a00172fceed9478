import type { SceneTracks } from "../../review.js";
import type { HeldRanking } from "../../reviewing/held-review.js";
import type { ViewerDataset } from "../session/dataset.js";
import { isAbort, problemOf } from "../session/problem.js";
import type { RankingState } from "./review-state.js";
import { tracksIf } from "./scene-tracks.js";

/** Scenes read ahead of the one being ranked. */
const AHEAD = 3;
/** Minimum interval between reports during ranking; they are long lists. */
const PACE_MS = 200;

interface RunOptions {
	readonly dataset: ViewerDataset;
	readonly ranking: HeldRanking;
	/** Ids of the models, in the ranking's order. */
	readonly ids: readonly number[];
	readonly signal: AbortSignal;
	readonly onChange: (state: RankingState) => void;
}

function named<T>(id: number | undefined, value: T): [number, T][] {
	return id === undefined ? [] : [[id, value]];
}

/** Reads scenes in order, several ahead. */
async function* scenesInTurn({
	dataset,
	ranking,
	signal,
}: RunOptions): AsyncGenerator<SceneTracks | undefined> {
	const { length } = dataset.scenes;
	const wanted = async (times: BigInt64Array): Promise<boolean> =>
		!signal.aborted && ranking.wants(times);
	const read = (scene: number) => {
		const tracks = tracksIf(dataset, scene, signal, wanted);
		tracks.catch(() => {}); // handled when awaited
		return tracks;
	};
	const ahead: ReturnType<typeof read>[] = [];
	for (let scene = 0; scene < length; scene += 1) {
		while (ahead.length <= AHEAD && scene + ahead.length < length) {
			ahead.push(read(scene + ahead.length));
		}
		yield await ahead.shift();
	}
}

/**
 * Ranks the predictions of all scenes; stops if aborted, or if a scene cannot be read.
 */
export async function rankScenes(options: RunOptions): Promise<void> {
	const { dataset, ranking, ids, signal, onChange } = options;
	const all = dataset.scenes.length;
	let state: RankingState = {
		running: true,
		done: 0,
		all,
		reports: new Map(),
		comparison: undefined,
		problem: undefined,
	};
	const results = async (): Promise<Pick<RankingState, "reports" | "comparison">> => {
		const { models, comparison } = await ranking.report();
		const reports = new Map(models.flatMap((one, i) => named(ids[i], one)));
		return { reports, comparison };
	};
	const tell = (change: Partial<RankingState>): void => {
		state = { ...state, ...change };
		onChange(state);
	};
	tell({});
	let told = performance.now();
	try {
		for await (const tracks of scenesInTurn(options)) {
			signal.throwIfAborted();
			if (tracks) await ranking.add(state.done, tracks);
			const due = performance.now() - told > PACE_MS;
			if (due) told = performance.now();
			tell({
				done: state.done + 1,
				...(due ? await results() : {}),
			});
		}
		tell({ running: false, ...(await results()) });
	} catch (error) {
		const problem = signal.aborted || isAbort(error) ? undefined : problemOf(error).why;
		const { reports, comparison } = await results().catch(() => state);
		tell({ running: false, reports, comparison, problem });
	}
}
