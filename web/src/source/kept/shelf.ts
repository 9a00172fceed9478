/** A file of a shelf. */
export interface Shelved {
	readonly name: string;
	readonly size: number;
	/** When it last grew, in milliseconds since 1970. */
	readonly modified: number;
}

/**
 * Files that outlive the page, shared by all pages of an origin: whoever reads one must
 * expect that another page has appended to it, or removed it.
 */
export interface Shelf {
	/** The file as it is now, or undefined where there is none. */
	read(name: string): Promise<Blob | undefined>;
	/**
	 * Appends, and says at which byte. Undefined where another page writes at this moment.
	 * Rejects with a QuotaExceededError where there is no room; nothing is appended then.
	 */
	append(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<number | undefined>;
	remove(name: string): Promise<void>;
	list(): Promise<Shelved[]>;
}

/** What all of the package's files lie below, in whichever storage. */
export const SHELF_NAME = "bevscope-1";

/** Whether storage has no more room, or not as much as asked for. */
export function isFull(error: unknown): boolean {
	return isNamed(error, "QuotaExceededError");
}

/**
 * Runs `work` under a lock that all pages of the origin share, where there are locks. Writers
 * hold it `shared`; whoever removes everything holds it `exclusive`, so that no file is open.
 */
export async function locked<T>(mode: LockMode, work: () => Promise<T>): Promise<T> {
	const locks = globalThis.navigator?.locks;
	return locks ? await locks.request(SHELF_NAME, { mode }, work) : work();
}

/** Whether `error` is a DOMException of this name. */
export function isNamed(error: unknown, name: string): boolean {
	return (error as { name?: unknown } | null)?.name === name;
}
