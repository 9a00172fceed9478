import { BevError } from "../base/errors.js";

/** A client's objects of one kind by id. The client chooses ids and frees objects. */
export class Handles<T extends { delete(): void }> {
	readonly #all = new Map<number, T>();
	readonly #lost: string;

	/** @param lost message of the error for an unknown id */
	constructor(lost: string) {
		this.#lost = lost;
	}

	get ids(): readonly number[] {
		return [...this.#all.keys()];
	}

	add(id: number, object: T): void {
		this.#all.set(id, object);
	}

	get(id: number): T | undefined {
		return this.#all.get(id);
	}

	/** As `get`. Throws `invalid_argument` if the id is unknown. */
	find(id: number): T {
		const object = this.#all.get(id);
		if (object) return object;
		throw new BevError("invalid_argument", this.#lost);
	}

	/** Frees an object; unknown ids are ignored. */
	free(id: number): void {
		const object = this.#all.get(id);
		this.#all.delete(id);
		object?.delete();
	}

	/** Frees all objects. */
	close(): void {
		for (const id of this.ids) this.free(id);
	}

	/** Drops all objects without freeing them: their memory must not be used any more. */
	forget(): void {
		this.#all.clear();
	}
}
