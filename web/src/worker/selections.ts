import type { CoreSelect } from "../core.js";
import { BevError } from "../errors.js";
import { pack } from "./pack.js";
import type { SelectionQuery } from "./protocol.js";
import type { SamplingAnswer, SamplingHost } from "./sampling.js";

/** Running agent selections by id. */
export class Selections {
	readonly #all = new Map<number, CoreSelect>();

	async answer(query: SelectionQuery, host: SamplingHost): Promise<SamplingAnswer> {
		const id = query.selection;
		switch (query.kind) {
			case "selection":
				this.#all.set(id, host.core.select(host.engine, query.rules));
				return {};
			case "next-selected":
				return this.#next(id, host);
			case "free-selection":
				this.#all.get(id)?.delete();
				this.#all.delete(id);
				return {};
		}
	}

	close(): void {
		for (const selection of this.#all.values()) selection.delete();
		this.forget();
	}

	/**
	 * Drops all selections without freeing them: their memory must not be used any more.
	 */
	forget(): void {
		this.#all.clear();
	}

	async #next(id: number, host: SamplingHost): Promise<SamplingAnswer> {
		const selection = this.#all.get(id);
		if (!selection)
			throw new BevError("invalid_argument", "selection: lost in a failure");
		if (!selection.next()) return {};
		await host.gather(selection);
		host.assertAlive();
		const result = pack(selection.build(), host.buffers);
		const text = JSON.stringify({
			...selection.progress(),
			report: selection.report(),
		});
		return { result, text };
	}
}
