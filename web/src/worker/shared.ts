import type { Run } from "./run.js";

/** An object of the core that is deleted once no query uses it. */
export class Shared<T extends { delete(): void }> {
	readonly #core: T;
	#users = 0;
	#deleted = false;

	constructor(core: T) {
		this.#core = core;
	}

	delete(): void {
		this.#deleted = true;
		this.#free();
	}

	/** Runs `work`, for whose duration the object stays. */
	async use<R>(run: Run, work: (core: T) => Promise<R>): Promise<R> {
		this.#users += 1;
		try {
			return await work(this.#core);
		} catch (thrown) {
			throw run.explained(thrown);
		} finally {
			this.#users -= 1;
			if (run.isAlive) this.#free();
		}
	}

	#free(): void {
		if (this.#deleted && this.#users === 0) this.#core.delete();
	}
}
