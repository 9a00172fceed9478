import type { RemoteDistribution } from "../../reviewing/remote-distribution.js";
import type { Reviewer } from "../../reviewing/reviewer.js";

/** The predictions of the last ranking as rows, if they are wanted. */
export class CollectedRows {
	wanted = false;
	#table: RemoteDistribution | undefined;

	/** Makes a table for a ranking in place of the last one. */
	async begin(
		reviewer: Reviewer,
		superseded: AbortSignal,
	): Promise<RemoteDistribution | undefined> {
		const table = this.wanted ? await reviewer.distribution() : undefined;
		if (superseded.aborted) {
			table?.release();
			return undefined;
		}
		this.#table?.release();
		this.#table = table;
		return table;
	}

	/** Called when the worker, which holds the table, was closed. */
	forget(): void {
		this.#table = undefined;
	}
}
