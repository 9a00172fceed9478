import { Gate, type Ticket } from "../source/gate.js";
import { remember } from "../source/remember.js";
import type { ByteRange, ReadOptions, Source } from "../source/source.js";
import { unlessAborted } from "../source/unless-aborted.js";
import { isTrap } from "./wasm-module.js";

/** Maximum number of remembered failures; the oldest is dropped first. */
const MAX_FAILURES = 4096;

/** Lifetime of a remembered failure; networks recover. */
const MEMORY_MS = 30_000;

interface Failure {
	readonly error: unknown;
	readonly until: number;
}

/**
 * Remembers keys whose read failed, with the error. For 30 seconds, reads of such a key
 * fail with the same error and without a request. Aborts are not failures.
 */
export class FailedReads {
	readonly #now: () => number;
	/** In order of failure. */
	readonly #failures = new Map<string, Failure>();

	constructor(now: () => number = () => performance.now()) {
		this.#now = now;
	}

	note(key: string, error: unknown): void {
		const until = this.#now() + MEMORY_MS;
		remember(this.#failures, key, { error, until }, MAX_FAILURES);
	}

	/** Throws the error remembered for `key`, if any. */
	check(key: string): void {
		const failure = this.#failures.get(key);
		if (!failure) return;
		if (this.#now() < failure.until) throw failure.error;
		this.#failures.delete(key);
	}

	/** Forgets the failure of `key`, or all failures. */
	forget(key?: string): void {
		if (key === undefined) this.#failures.clear();
		else this.#failures.delete(key);
	}
}

export interface ReadRequest {
	readonly key: string;
	readonly range: ByteRange | undefined;
	readonly required: boolean;
	/** If not 0: the number of bytes at the object's end to read. */
	readonly tail?: number;
}

export interface SharedReadOptions {
	signal?: AbortSignal | undefined;
	/** Reads when no foreground read is waiting. */
	background?: boolean | undefined;
}

/**
 * Maximum concurrent reads of the source: more than browsers send to a host over
 * HTTP/1, so that the next is sent while this thread is busy.
 */
const MAX_CONCURRENT_READS = 16;

interface PendingRead {
	readonly id: string;
	readonly done: Promise<void>;
	readonly ticket: Ticket;
	readonly control: AbortController;
	callers: number;
	/** Number of foreground callers among `callers`. */
	foreground: number;
	/** Whether it has ended, successfully or not. */
	settled: boolean;
}

/**
 * Reads from a source. Each read is shared by all callers that want it, and aborted
 * when the last of them leaves. Its bytes are passed to `deliver` once, before any
 * caller continues; their memory is then recycled by the source. A key whose read
 * failed is not requested again until its failure is forgotten, see `FailedReads`.
 */
export class SharedReads {
	readonly #source: Source;
	readonly #deliver: (request: ReadRequest, bytes: Uint8Array | undefined) => void;
	readonly #reads = new Map<string, PendingRead>();
	readonly #gate = new Gate(MAX_CONCURRENT_READS);
	readonly #failed: FailedReads;

	constructor(
		source: Source,
		deliver: (request: ReadRequest, bytes: Uint8Array | undefined) => void,
		failed = new FailedReads(),
	) {
		this.#source = source;
		this.#deliver = deliver;
		this.#failed = failed;
	}

	/**
	 * Resolves when all `requests` were delivered. Rejects with the first failure and
	 * then leaves the other reads, the last first: a browser has queued those beyond its
	 * number of connections, and would send them as soon as one is free.
	 */
	async read(
		requests: readonly ReadRequest[],
		options: SharedReadOptions = {},
	): Promise<void> {
		const { signal, background = false } = options;
		signal?.throwIfAborted();
		for (const { key } of requests) this.#failed.check(key);
		const reads = requests.map((request) => this.#join(request, background));
		try {
			await unlessAborted(Promise.all(reads.map(({ done }) => done)), signal);
		} finally {
			for (const read of [...reads].reverse()) this.#leave(read, background);
		}
	}

	/** Forgets the failed read of `key`, or all; objects in `damaged` are read anew. */
	forgetFailures(key?: string, damaged: Iterable<string> = []): void {
		this.#failed.forget(key);
		for (const each of damaged) this.#source.forget?.(each);
	}

	/** Aborts all reads with `reason`. */
	abort(reason: unknown): void {
		for (const read of [...this.#reads.values()].reverse()) read.control.abort(reason);
		this.#reads.clear();
	}

	#join(request: ReadRequest, background: boolean): PendingRead {
		const read = this.#reads.get(readId(request)) ?? this.#start(request, background);
		read.callers += 1;
		if (background) return read;
		read.foreground += 1;
		read.ticket.promote();
		return read;
	}

	#start(request: ReadRequest, background: boolean): PendingRead {
		const id = readId(request);
		const control = new AbortController();
		const ticket = this.#gate.enter(background);
		const done = this.#run(request, ticket, control.signal);
		const counts = { callers: 0, foreground: 0, settled: false };
		const read: PendingRead = { id, done, ticket, control, ...counts };
		this.#reads.set(id, read);
		const settle = (): void => {
			read.settled = true;
		};
		done.then(settle, settle); // the last caller may have left when it fails
		return read;
	}

	async #run(request: ReadRequest, ticket: Ticket, signal: AbortSignal): Promise<void> {
		const { key, range, required, tail } = request;
		try {
			if (!ticket.inside) await unlessAborted(ticket.turn, signal);
			const options = { range, required, signal };
			if (tail) return await this.#readEnd(request, tail, options);
			const bytes = await this.#bytesOf(key, options);
			this.#supply(request, bytes);
		} finally {
			ticket.leave();
		}
	}

	/** Reads from the source. Remembers a failure, unless it is an abort or a trap. */
	async #bytesOf(
		key: string,
		options: ReadOptions & { signal: AbortSignal },
	): Promise<Uint8Array | undefined> {
		const { signal } = options;
		try {
			return await unlessAborted(this.#source.read(key, options), signal);
		} catch (error) {
			if (!signal.aborted && !isTrap(error)) this.#failed.note(key, error);
			throw error;
		}
	}

	/**
	 * Returns undefined on failure: a server that does not report sizes may still serve
	 * the object.
	 */
	async #sizeOf(key: string, signal: AbortSignal): Promise<number | undefined> {
		try {
			return await this.#source.size?.(key, signal);
		} catch {
			return undefined;
		}
	}

	/**
	 * Reads the end by a range that reaches past it; reads the whole object if the size
	 * is unknown.
	 */
	async #readEnd(
		request: ReadRequest,
		tail: number,
		options: ReadOptions & { signal: AbortSignal },
	): Promise<void> {
		const { key } = request;
		const { signal } = options;
		const size = await unlessAborted(this.#sizeOf(key, signal), signal);
		if (size !== undefined) {
			const range = { begin: Math.max(0, size - tail), end: size + 1 };
			const bytes = await this.#bytesOf(key, { ...options, range });
			// A full range means that the object is longer than reported: compressed in
			// transit, or changed.
			const ends = bytes === undefined || bytes.length < range.end - range.begin;
			if (ends) return this.#supply({ ...request, range }, bytes);
		}
		const whole = await this.#bytesOf(key, options);
		this.#supply(request, whole);
	}

	/** Delivers the bytes; `deliver` must copy them. */
	#supply(request: ReadRequest, bytes: Uint8Array | undefined): void {
		this.#deliver(request, bytes);
		if (bytes) this.#source.recycle?.(bytes);
	}

	/**
	 * Demotes a read that only background callers still want, so that it does not delay
	 * new foreground reads.
	 */
	#leave(read: PendingRead, background: boolean): void {
		read.callers -= 1;
		if (!background) read.foreground -= 1;
		if (read.callers > 0) {
			if (read.foreground === 0) read.ticket.demote();
			return;
		}
		if (this.#reads.get(read.id) === read) this.#reads.delete(read.id);
		if (read.settled) return;
		read.control.abort(new DOMException("no caller is waiting", "AbortError"));
	}
}

function readId({ key, range, tail }: ReadRequest): string {
	if (tail) return `-${tail} ${key}`;
	return range ? `${range.begin}-${range.end} ${key}` : key;
}
