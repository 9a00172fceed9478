/** Handlers of a task's outcome. At most one is called. */
export interface Outcomes<T> {
	/** The task is still the newest and succeeded. */
	readonly done: (value: T) => void;
	/** The task is still the newest and failed. Without this handler, `run` rejects. */
	readonly failed?: (error: unknown) => void;
	/** The task was superseded or cancelled but succeeded; release `value` here. */
	readonly discard?: (value: T) => void;
}

/**
 * Runs tasks of which only the newest may deliver its result. Starting a task aborts
 * the previous one. A superseded task's result goes to its `discard` handler; its
 * failure is ignored.
 */
export class Latest {
	#current: AbortController | undefined;

	/** Whether the newest task is still running. */
	get isBusy(): boolean {
		return this.#current !== undefined;
	}

	/** Runs a task. Resolves when it has ended and its outcome was handled. */
	async run<T>(
		work: (signal: AbortSignal) => Promise<T>,
		outcomes: Outcomes<T>,
	): Promise<void> {
		this.cancel();
		const control = new AbortController();
		this.#current = control;
		let value: T;
		try {
			value = await work(control.signal);
		} catch (error) {
			if (!this.#finish(control)) return;
			if (!outcomes.failed) throw error;
			outcomes.failed(error);
			return;
		}
		if (this.#finish(control)) outcomes.done(value);
		else outcomes.discard?.(value);
	}

	/** Aborts the running task and ignores its outcome. */
	cancel(reason: unknown = new DOMException("superseded", "AbortError")): void {
		const control = this.#current;
		this.#current = undefined;
		control?.abort(reason);
	}

	/** Returns whether `control` is still the newest; if so, clears it. */
	#finish(control: AbortController): boolean {
		if (this.#current !== control) return false;
		this.#current = undefined;
		return true;
	}
}
