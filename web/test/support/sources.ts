import type { ReadOptions, Source } from "../../src/source/source.js";

interface Held {
	readonly key: string;
	readonly options: ReadOptions;
	answer(bytes?: Uint8Array): void;
	fail(error: unknown): void;
}

/** A source whose reads are pending until the test answers them. */
export class HeldSource implements Source {
	readonly reads: Held[] = [];

	read(key: string, options: ReadOptions = {}): Promise<Uint8Array | undefined> {
		return new Promise((answer, fail) => {
			options.signal?.addEventListener("abort", () => fail(options.signal?.reason));
			this.reads.push({ key, options, answer, fail });
		});
	}

	get keys(): string[] {
		return this.reads.map(({ key }) => key);
	}

	/** Returns the latest read of `key`. */
	of(key: string): Held {
		const found = this.reads.filter((read) => read.key === key).at(-1);
		if (!found) throw new Error(`${key} was not read`);
		return found;
	}
}

/** Resolves after all tasks that are ready have run. */
export function settled(): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve));
}
