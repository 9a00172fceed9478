/** What happens with the outcome of a task. Exactly one of them is called. */
export interface Outcomes<T> {
	/** The task is still the newest. */
	readonly done: (value: T) => void;
	/** The task is still the newest and failed. Without this, `run` rejects. */
	readonly failed?: (error: unknown) => void;
	/** A newer task began, or this one was cancelled: the place to release `value`. */
	readonly discard?: (value: T) => void;
}

/**
 * "Latest wins": a slot of which only the newest task may deliver. Beginning a task aborts the
 * one before it; whatever an older task still returns goes to its `discard`, and its failure
 * is ignored.
 */
export class Latest {
	#current: AbortController | undefined;

	/** Whether the newest task is still under way. */
	get isBusy(): boolean {
		return this.#current !== undefined;
	}

	/** Resolves when the task has ended and its outcome was handled. */
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

	/** Aborts the task under way; its outcome no longer counts. */
	cancel(reason: unknown = new DOMException("superseded", "AbortError")): void {
		const control = this.#current;
		this.#current = undefined;
		control?.abort(reason);
	}

	/** Whether `control` is still the newest; then the slot is free again. */
	#finish(control: AbortController): boolean {
		if (this.#current !== control) return false;
		this.#current = undefined;
		return true;
	}
}
