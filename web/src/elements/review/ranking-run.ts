import type { RemoteRanking } from "../../reviewing/remote-review.js";
import type { SceneTracks } from "../../tools/review.js";
import type { ViewerDataset } from "../session/dataset.js";
import { isAbort, problemOf, whyOf } from "../session/problem.js";
import type { RankingState } from "./review-state.js";
import { tracksIf } from "./scene-tracks.js";

/** Scenes read ahead of the one being ranked. */
const AHEAD = 3;
/** Minimum interval between reports during ranking; they are long lists. */
const PACE_MS = 200;

interface RunOptions {
	readonly dataset: ViewerDataset;
	readonly ranking: RemoteRanking;
	/** Ids of the models, in the ranking's order. */
	readonly ids: readonly number[];
	readonly signal: AbortSignal;
	readonly onChange: (state: RankingState) => void;
}

function named<T>(id: number | undefined, value: T): [number, T][] {
	return id === undefined ? [] : [[id, value]];
}

/** A scene, with `tracks` if it has predictions, or why it cannot be read. */
interface ReadScene {
	readonly tracks?: SceneTracks | undefined;
	readonly damage?: string;
}

/** Codes of errors that concern a scene's own data; others end the ranking. */
const DAMAGE: readonly unknown[] = ["corrupt_chunk", "not_found"];

async function unlessDamaged(
	tracks: Promise<SceneTracks | undefined>,
): Promise<ReadScene> {
	try {
		return { tracks: await tracks };
	} catch (error) {
		const { error: cause, why } = problemOf(error);
		if (isAbort(error) || !DAMAGE.includes(cause.code)) throw error;
		return { damage: why };
	}
}

/** Reads scenes in order, several ahead. */
async function* scenesInTurn({
	dataset,
	ranking,
	signal,
}: RunOptions): AsyncGenerator<ReadScene> {
	const { length } = dataset.scenes;
	const wanted = async (times: BigInt64Array): Promise<boolean> =>
		!signal.aborted && ranking.wants(times);
	const read = (scene: number) => {
		const found = unlessDamaged(tracksIf(dataset, scene, signal, wanted));
		found.catch(() => {}); // handled when awaited
		return found;
	};
	const ahead: Promise<ReadScene>[] = [];
	for (let scene = 0; scene < length; scene += 1) {
		while (ahead.length <= AHEAD && scene + ahead.length < length) {
			ahead.push(read(scene + ahead.length));
		}
		yield (await ahead.shift()) ?? {};
	}
}

/**
 * Ranks the predictions of all scenes, and lists those whose data is damaged or absent.
 * Stops if aborted, and if reading fails otherwise.
 */
export async function rankScenes(options: RunOptions): Promise<void> {
	const { dataset, ranking, ids, signal, onChange } = options;
	const all = dataset.scenes.length;
	let state: RankingState = {
		running: true,
		done: 0,
		all,
		leftOut: [],
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
		for await (const { tracks, damage: why } of scenesInTurn(options)) {
			signal.throwIfAborted();
			const scene = state.done;
			if (tracks) await ranking.add(scene, tracks);
			if (why !== undefined) tell({ leftOut: [...state.leftOut, { scene, why }] });
			const due = performance.now() - told > PACE_MS;
			if (due) told = performance.now();
			tell({
				done: state.done + 1,
				...(due ? await results() : {}),
			});
		}
		tell({ running: false, ...(await results()) });
	} catch (error) {
		const problem = signal.aborted || isAbort(error) ? undefined : whyOf(error);
		const { reports, comparison } = await results().catch(() => state);
		tell({ running: false, reports, comparison, problem });
	}
}
