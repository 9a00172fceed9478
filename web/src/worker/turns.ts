/** Runs `task` in a later turn of the event loop; timers would wait milliseconds. */
type Post = (task: () => void) => void;

/** The part of the Prioritized Task Scheduling API that is used where it exists. */
interface TaskScheduler {
	postTask(task: () => void): Promise<void>;
}

export function laterTask(): Post {
	const { scheduler } = globalThis as { scheduler?: TaskScheduler };
	if (scheduler?.postTask) return (task) => void scheduler.postTask(task);
	const { port1, port2 } = new MessageChannel();
	const tasks: (() => void)[] = [];
	port1.onmessage = () => tasks.shift()?.();
	return (task) => {
		tasks.push(task);
		port2.postMessage(undefined);
	};
}

/**
 * Starts queued work in order, one item per turn of the event loop. Messages that arrive
 * while one runs are received before the next one starts: an aborted query is then never
 * started, and a returned buffer is reused while it is in the processor's cache. Work
 * that waits for reads does not delay what follows.
 */
export class Turns<T> {
	readonly #waiting: T[] = [];
	readonly #start: (item: T) => void;
	readonly #later = laterTask();
	#busy = false;

	constructor(start: (item: T) => void) {
		this.#start = start;
	}

	push(item: T): void {
		this.#waiting.push(item);
		if (!this.#busy) this.#next();
	}

	#next(): void {
		const item = this.#waiting.shift();
		this.#busy = item !== undefined;
		if (item === undefined) return;
		this.#start(item);
		// The first turn comes when the item has run or waits; the second one is behind
		// the messages that arrived until then.
		this.#later(() => this.#later(() => this.#next()));
	}
}
