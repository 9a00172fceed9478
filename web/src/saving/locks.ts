/** Held by any number of savers at once, or by one task alone. */
export type LockMode = "shared" | "exclusive";

interface LockOptions {
	readonly mode: LockMode;
	/** Whether to call `work` with null, instead of waiting. */
	readonly ifAvailable: boolean;
}

/** The used part of the Web Locks API. */
interface Locks {
	request<T>(
		name: string,
		options: LockOptions,
		work: (lock: object | null) => Promise<T> | T,
	): Promise<T>;
}

/** Locks within this process, for environments without Web Locks: Node before 24. */
export class ProcessLocks implements Locks {
	readonly #held = new Map<string, { mode: LockMode; count: number }>();
	#waiting: (() => void)[] = [];

	/** Calls `work` while the lock is held. */
	async request<T>(
		name: string,
		{ mode, ifAvailable }: LockOptions,
		work: (lock: object | null) => Promise<T> | T,
	): Promise<T> {
		while (!this.#take(name, mode)) {
			if (ifAvailable) return work(null);
			await new Promise<void>((wake) => this.#waiting.push(wake));
		}
		try {
			return await work({});
		} finally {
			this.#drop(name);
		}
	}

	#take(name: string, mode: LockMode): boolean {
		const held = this.#held.get(name);
		if (!held) this.#held.set(name, { mode, count: 1 });
		else if (held.mode === "shared" && mode === "shared") held.count += 1;
		else return false;
		return true;
	}

	#drop(name: string): void {
		const held = this.#held.get(name);
		if (held) held.count -= 1;
		if (held?.count === 0) this.#held.delete(name);
		const woken = this.#waiting;
		this.#waiting = [];
		for (const wake of woken) wake();
	}
}

const processLocks = new ProcessLocks();

/** Returns those of all pages of the origin, where they exist. */
function locks(): Locks {
	const { navigator } = globalThis as { navigator?: { locks?: Locks } };
	return navigator?.locks ?? processLocks;
}

/** Locks that were released here and may still be held for a moment. */
const releasing = new Set<Promise<void>>();

/**
 * Takes a lock, which the browser also releases when the page ends. Returns the function
 * that releases it; undefined if others hold it.
 */
export async function tryLock(
	name: string,
	mode: LockMode,
): Promise<(() => void) | undefined> {
	await Promise.all(releasing);
	return new Promise((resolve, reject) => {
		const options = { mode, ifAvailable: true };
		const held = locks().request(name, options, (lock) => {
			if (!lock) return resolve(undefined);
			return new Promise<void>((release) =>
				resolve(() => {
					releasing.add(held);
					release();
				}),
			);
		});
		held.then(() => releasing.delete(held), reject);
	});
}

/** Waits for a lock; else as `tryLock`. */
export function holdLock(name: string, mode: LockMode): Promise<() => void> {
	return new Promise((resolve, reject) => {
		const options = { mode, ifAvailable: false };
		locks()
			.request(name, options, () => new Promise<void>((release) => resolve(release)))
			.catch(reject);
	});
}

/** Runs `work` while no other task that has this lock's name runs. */
export function alone<T>(name: string, work: () => Promise<T>): Promise<T> {
	return locks().request(name, { mode: "exclusive", ifAvailable: false }, work);
}
