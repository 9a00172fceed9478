import { unlessAborted } from "../source/unless-aborted.js";

interface Run<T> {
	readonly control: AbortController;
	readonly done: Promise<T>;
	callers: number;
	settled: boolean;
}

/**
 * An asynchronous task shared by all callers. The first `join` starts it. A result is
 * kept for later callers, a failure is not. A caller's abort rejects only that caller;
 * the task is aborted when its last caller has left.
 */
export class SharedTask<T> {
	readonly #work: (signal: AbortSignal) => Promise<T>;
	#run: Run<T> | undefined;

	constructor(work: (signal: AbortSignal) => Promise<T>) {
		this.#work = work;
	}

	/** Returns the task's result. Rejects with `signal.reason` when `signal` aborts. */
	async join(signal?: AbortSignal): Promise<T> {
		signal?.throwIfAborted();
		this.#run ??= this.#start();
		const run = this.#run;
		run.callers += 1;
		try {
			return await unlessAborted(run.done, signal);
		} finally {
			this.#leave(run);
		}
	}

	/**
	 * Forgets the result, so that the next `join` starts anew. Current callers are not
	 * affected.
	 */
	forget(): void {
		this.#run = undefined;
	}

	/** Rejects all current callers with `reason`; the next `join` starts anew. */
	abort(reason: unknown): void {
		this.#run?.control.abort(reason);
		this.#run = undefined;
	}

	#start(): Run<T> {
		const control = new AbortController();
		const working = this.#work(control.signal);
		const done = unlessAborted(working, control.signal);
		const run: Run<T> = { control, done, callers: 0, settled: false };
		done.then(
			() => {
				run.settled = true;
			},
			() => {
				run.settled = true;
				this.#drop(run);
			},
		);
		return run;
	}

	#leave(run: Run<T>): void {
		run.callers -= 1;
		if (run.callers > 0 || run.settled) return;
		this.#drop(run);
		run.control.abort(new DOMException("all callers have aborted", "AbortError"));
	}

	#drop(run: Run<T>): void {
		if (this.#run === run) this.#run = undefined;
	}
}
