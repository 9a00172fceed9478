import type { Buffers } from "../arrays/buffers.js";
import { BevError } from "../base/errors.js";
import type { Core, CoreRequest, Handle } from "../core/core.js";
import type { Source } from "../source/source.js";
import type { Progress } from "./protocol.js";
import type { ReadRequest, SharedReads } from "./shared-reads.js";

/**
 * Maximum rounds per query. Bytes refer to further bytes two or three times; more
 * rounds mean that queries evict each other's chunks.
 */
const MAX_ROUNDS = 64;

export interface RunOptions {
	signal?: AbortSignal | undefined;
	prefetch?: boolean | undefined;
	onProgress?: ((progress: Progress) => void) | undefined;
}

/** A module and its engine, until they trap or the host is closed. */
export interface Instance {
	readonly core: Core;
	readonly engine: Handle<"Engine">;
	/** Whether the metadata has been read. */
	opened: boolean;
	/** The reason why the module's memory must not be used any more. */
	ended: BevError | undefined;
}

/** What all runs of a host share. */
export interface RunHost {
	readonly reads: Pick<SharedReads, "read">;
	readonly source: Source;
	readonly buffers: Buffers;
	readonly byteBudget: number;
	/** Converts `thrown` to a BevError; a trap ends the instance. */
	explained(instance: Instance, thrown: unknown): BevError;
}

/** One query on one instance. */
export class Run {
	readonly instance: Instance;
	readonly options: RunOptions;
	/** The instance's engine, or one of a data set with edited scenes. */
	readonly engine: Handle<"Engine">;
	readonly #host: RunHost;

	constructor(
		host: RunHost,
		instance: Instance,
		options: RunOptions,
		engine: Handle<"Engine"> = instance.engine,
	) {
		this.#host = host;
		this.instance = instance;
		this.options = options;
		this.engine = engine;
	}

	get core(): Core {
		return this.instance.core;
	}

	/** The source that is read. */
	get source(): Source {
		return this.#host.source;
	}

	get buffers(): Buffers {
		return this.#host.buffers;
	}

	/** Whether the core's memory may still be used. */
	get isAlive(): boolean {
		return !this.instance.ended;
	}

	/** Throws the reason if it may not. Call it after every `await`. */
	assertAlive(): void {
		if (this.instance.ended) throw this.instance.ended;
	}

	/** Converts `thrown` to a BevError. After a trap, `isAlive` is false. */
	explained(thrown: unknown): BevError {
		return this.#host.explained(this.instance, thrown);
	}

	/**
	 * Reads rounds until `asked` is complete. Throws once the instance has ended.
	 *
	 * @param asked a query's number, or what says what is missing
	 * @param onRound called before each round, whose number is then unlimited
	 */
	async gather(
		asked: number | { missing(): readonly CoreRequest[] },
		onRound?: () => void,
	): Promise<void> {
		const { signal, prefetch } = this.options;
		const most = onRound ? Number.POSITIVE_INFINITY : MAX_ROUNDS;
		for (let round = 0; round < most; round += 1) {
			const missing =
				typeof asked === "number" ? this.core.missing(asked) : asked.missing();
			const lacking = missing.map(requestOf);
			if (lacking.length === 0) return;
			onRound?.();
			await this.#host.reads.read(lacking, { signal, background: prefetch });
			this.assertAlive();
		}
		throw new BevError(
			"out_of_memory",
			`query: incomplete after ${MAX_ROUNDS} rounds; increase the byte budget (found ${this.#host.byteBudget})`,
		);
	}
}

/** Converts a request of the core. */
export function requestOf(request: CoreRequest): ReadRequest {
	const { key, begin, end, required, tail } = request;
	return { key, required, tail, range: begin < 0 ? undefined : { begin, end } };
}
