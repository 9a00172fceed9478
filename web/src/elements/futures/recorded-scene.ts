import type { FuturesScene } from "../../reviewing/remote-futures.js";
import type { ViewerDataset } from "../session/dataset.js";
import { sceneColumns } from "./scene-columns.js";

interface Read {
	readonly dataset: ViewerDataset;
	readonly scene: number;
	readonly reading: AbortController;
	readonly rows: Promise<FuturesScene>;
}

/** The recorded scene that submissions are joined with, which is read once for all. */
export class RecordedScene {
	#last: Read | undefined;

	/** Returns whether it was read, or is being read. */
	is(dataset: ViewerDataset, scene: number): boolean {
		return this.#last?.dataset === dataset && this.#last.scene === scene;
	}

	/** Reads another scene, in place of the one before. */
	rows(dataset: ViewerDataset, scene: number): Promise<FuturesScene> {
		if (this.#last && this.is(dataset, scene)) return this.#last.rows;
		this.#last?.reading.abort();
		const reading = new AbortController();
		const rows = sceneColumns(dataset, scene, reading.signal);
		this.#last = { dataset, scene, reading, rows };
		rows.catch(() => {
			// The next one to ask tries again.
			if (this.#last?.rows === rows) this.#last = undefined;
		});
		return rows;
	}

	/** Ends reading, and forgets the scene. */
	end(): void {
		this.#last?.reading.abort();
		this.#last = undefined;
	}
}
