import { Latest } from "../../base/latest.js";
import type { ViewerDataset } from "../session/dataset.js";
import {
	allScenes,
	type ListedScene,
	listedScenes,
	withTags,
} from "./listed-scenes.js";
import {
	DATASET_ORDER,
	isDatasetOrder,
	listScenes,
	type SceneQuery,
} from "./scene-list.js";
import type { Scenes } from "./scene-rows.js";

/** Scenes per page of the list. */
export const PAGE = 100;

/** The list's content for the latest query and page. */
export type ScenePage =
	/**
	 * `read` is the number of scenes read so far; undefined while a single page is read.
	 */
	| { readonly kind: "reading"; readonly read?: number | undefined }
	| { readonly kind: "failed"; readonly error: unknown }
	| {
			readonly kind: "ready";
			readonly rows: readonly ListedScene[];
			/** Number of matching scenes. */
			readonly total: number;
	  };

interface Failure {
	readonly error: unknown;
}

type Tables = Scenes & Pick<ViewerDataset, "forgetFailures">;

/**
 * Reads the list of scenes: one page in the data set's order, or every scene, once, for a
 * filter or another order. `onChange` is called when `page` has changed.
 */
export class SceneReader {
	readonly #pages = new Latest();
	readonly #scan = new Latest();
	readonly #tagging = new Latest();
	/** Tags that the rows of a page lack. */
	#tags: readonly (readonly string[])[] | undefined;
	#query = DATASET_ORDER;
	#begin = 0;
	#page: { readonly begin: number; readonly rows: readonly ListedScene[] } | undefined;
	#pageFailure: Failure | undefined;
	#all: readonly ListedScene[] | undefined;
	#scanFailure: Failure | undefined;
	#read = 0;
	/** The scenes of `#all` that match `#query`. */
	#listed: readonly ListedScene[] | undefined;

	constructor(
		readonly dataset: Tables,
		private readonly onChange: () => void,
	) {}

	/** Requests the page at position `begin` of the scenes that match `query`. */
	ask(query: SceneQuery, begin: number): void {
		if (query !== this.#query) this.#listed = undefined;
		if (begin !== this.#begin) this.#pageFailure = undefined;
		this.#query = query;
		this.#begin = begin;
		if (this.#all) return;
		if (isDatasetOrder(query)) this.#readPage(begin);
		else this.#readAll();
	}

	/** The result of the latest `ask`. */
	get page(): ScenePage {
		const begin = this.#begin;
		if (this.#all) {
			this.#listed ??= listScenes(this.#all, this.#query);
			const rows = this.#listed.slice(begin, begin + PAGE);
			return { kind: "ready", rows, total: this.#listed.length };
		}
		const one = isDatasetOrder(this.#query);
		const failure = one ? this.#pageFailure : this.#scanFailure;
		if (failure) return { kind: "failed", error: failure.error };
		if (!one) return { kind: "reading", read: this.#read };
		if (this.#page?.begin !== begin) return { kind: "reading" };
		const total = this.dataset.scenes.length;
		const { rows } = this.#page;
		return {
			kind: "ready",
			rows: this.#tags ? withTags(rows, this.#tags) : rows,
			total,
		};
	}

	/** Retries failed reads. */
	retry(): void {
		this.dataset.forgetFailures?.();
		this.#pageFailure = undefined;
		this.#scanFailure = undefined;
		this.ask(this.#query, this.#begin);
		this.onChange();
	}

	/** Cancels reading; keeps what was read and clears failures. */
	cancel(): void {
		this.#pages.cancel();
		this.#scan.cancel();
		this.#tagging.cancel();
		this.#pageFailure = undefined;
		this.#scanFailure = undefined;
	}

	#readPage(begin: number): void {
		this.#pages.cancel();
		if (this.#page?.begin === begin || this.#pageFailure) return;
		const { dataset } = this;
		void this.#pages.run((signal) => listedScenes(dataset, begin, PAGE, signal), {
			done: (rows) => {
				this.#page = { begin, rows };
				this.onChange();
				this.#readTags();
			},
			failed: (error) => {
				this.#pageFailure = { error };
				this.onChange();
			},
		});
	}

	/** Reads tags after the rows; a search reads them first, and reports failures. */
	#readTags(): void {
		const read = this.dataset.sceneTags;
		if (!read || this.#tags || this.#tagging.isBusy) return;
		void this.#tagging.run((signal) => read({ signal }), {
			done: (tags) => {
				this.#tags = tags;
				this.onChange();
			},
			failed: () => {},
		});
	}

	#readAll(): void {
		this.#pages.cancel();
		if (this.#scan.isBusy || this.#scanFailure) return;
		this.#read = 0;
		const read = (signal: AbortSignal) =>
			allScenes(this.dataset, signal, (count) => {
				this.#read = count;
				this.onChange();
			});
		void this.#scan.run(read, {
			done: (all) => {
				this.#all = all;
				this.#pages.cancel();
				this.onChange();
			},
			failed: (error) => {
				this.#scanFailure = { error };
				this.onChange();
			},
		});
	}
}
