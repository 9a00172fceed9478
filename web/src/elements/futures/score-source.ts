import type { RolloutTruth } from "../../reviewing/protocol.js";
import type { FuturesScene, SceneFutures } from "../../reviewing/remote-futures.js";

/** What a scenario is scored with. */
export interface ScoredScene {
	readonly rows: FuturesScene;
	readonly lanes: RolloutTruth["lanes"];
	readonly signal: AbortSignal;
}

/** Scores of scenarios: of an open submission, or read from a file. */
export interface ScoreSource {
	/** Unique among the sources. */
	readonly key: string;
	readonly name: string;
	/** Its name, and how far ahead it is measured; files do not tell. */
	readonly words: string;
	readonly scenarios: {
		readonly size: number;
		has(id: string): boolean;
		keys(): Iterable<string>;
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
	/** Returns a scenario's futures, measured or not; absent for files. */
	readonly read?: (
		id: string,
		scene: () => Promise<ScoredScene>,
		isMeasured: boolean,
	) => Promise<SceneFutures>;
	/** Returns the values of each of its futures. */
	futures(
		id: string,
		scene: () => Promise<ScoredScene>,
	): Promise<readonly ArrayLike<number>[]>;
}
