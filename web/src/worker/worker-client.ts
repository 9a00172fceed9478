import type { Stats } from "../api.js";
import { BevError, toBevError } from "../base/errors.js";
import { FetchSource } from "../source/fetch-source.js";
import type { Source } from "../source/source.js";
import type { AskOptions, Client, EngineSettings } from "./client.js";
import {
	type Answer,
	type FromWorker,
	fromWire,
	type Query,
	type SourceLocation,
	type ToWorker,
	toWire,
} from "./protocol.js";
import { Watchdog } from "./watchdog.js";

/** Maximum number of buffers that wait for the next query. */
const MAX_SPARE = 8;

/** Workers of Node and Bun keep the process running, unless they are unreferenced. */
interface Referenced {
	ref(): void;
	unref(): void;
}

interface Pending {
	readonly onProgress: AskOptions["onProgress"];
	resolve(answer: Answer): void;
	reject(reason: unknown): void;
}

/** The engine in a worker that has reported `ready`. */
export class WorkerClient implements Client {
	onStats: ((stats: Stats) => void) | undefined;
	readonly #worker: Worker & Partial<Referenced>;
	readonly #source: Source;
	readonly #pending = new Map<number, Pending>();
	/** Reads requested by the worker from the page. */
	readonly #reads = new Map<number, AbortController>();
	readonly #spare: ArrayBuffer[] = [];
	readonly #watchdog = new Watchdog({
		ping: () => this.#post({ type: "ping" }),
		onDead: () => this.#end(dead("no response")),
	});
	#nextId = 0;
	/** The worker's last statistics. */
	#stats: Stats | undefined;
	readonly #unwatch: (() => void) | undefined;
	#closed: BevError | undefined;

	constructor(worker: Worker, source: Source, settings: EngineSettings) {
		const { cacheLimit, ...engine } = settings;
		const place = locate(source, cacheLimit);
		this.#worker = worker;
		this.#source = source;
		this.#unwatch = this.#source.onWaiting?.(() => {
			if (this.#stats) this.#report(this.#stats);
		});
		worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#receive(data);
		worker.onmessageerror = () => this.#end(dead("unreadable message"));
		worker.onerror = (event) => {
			event.preventDefault();
			this.#end(dead(event.message));
		};
		this.#worker.unref?.();
		this.#post({ type: "init", ...engine, source: place });
	}

	ask(query: Query, options: AskOptions = {}): Promise<Answer> {
		const { signal, prefetch = false, onProgress } = options;
		return new Promise((resolve, reject) => {
			if (this.#closed) return reject(this.#closed);
			if (signal?.aborted) return reject(signal.reason);
			const id = this.#nextId++;
			const spare = this.#spare.splice(0);
			// First: throws if the query cannot be cloned.
			this.#post({ type: "ask", id, query, prefetch, spare }, spare);
			const abort = (): void => {
				this.#forget(id);
				this.#post({ type: "abort", id });
				reject(signal?.reason);
			};
			signal?.addEventListener("abort", abort, { once: true });
			const settled = (): void => signal?.removeEventListener("abort", abort);
			this.#pending.set(id, {
				onProgress,
				resolve: (answer) => {
					settled();
					resolve(answer);
				},
				reject: (reason) => {
					settled();
					reject(reason);
				},
			});
			this.#watchdog.start();
			this.#worker.ref?.();
		});
	}

	/** Takes effect before every later query. */
	forgetFailures(key?: string): void {
		if (!this.#closed) this.#post({ type: "forget-failures", key });
	}

	/** Transfers the buffer immediately; it is sent to the worker with the next query. */
	recycle(buffer: ArrayBuffer): void {
		if (this.#closed) return;
		this.#spare.push(structuredClone(buffer, { transfer: [buffer] }));
		if (this.#spare.length > MAX_SPARE) this.#spare.shift();
	}

	close(): void {
		this.#end(new BevError("closed", "data set: closed"));
	}

	#end(reason: BevError): void {
		if (this.#closed) return;
		this.#closed = reason;
		this.#unwatch?.();
		this.#watchdog.stop();
		this.#worker.terminate();
		for (const { reject } of this.#pending.values()) reject(reason);
		for (const control of this.#reads.values()) control.abort(reason);
		this.#pending.clear();
		this.#reads.clear();
		this.#spare.length = 0;
	}

	#forget(id: number): void {
		this.#pending.delete(id);
		if (this.#pending.size > 0) return;
		this.#watchdog.stop();
		this.#worker.unref?.();
	}

	#receive(message: FromWorker): void {
		this.#watchdog.alive();
		switch (message.type) {
			case "answer":
				this.#report(message.answer.stats);
				this.#settle(message.id, (one) => one.resolve(message.answer));
				break;
			case "failure":
				this.#settle(message.id, (one) => one.reject(fromWire(message.error)));
				break;
			case "stats":
				this.#report(message.stats);
				break;
			case "progress":
				this.#pending.get(message.id)?.onProgress?.(message.progress);
				break;
			case "read":
				void this.#read(message);
				break;
			case "measure":
				void this.#measure(message);
				break;
			case "forget":
				this.#source.forget?.(message.key);
				break;
			case "unwanted":
				this.#reads.get(message.id)?.abort();
				break;
			case "pong": // any message is a sign of life
			case "ready": // sent once, to the code that started the worker
		}
	}

	#settle(id: number, settle: (pending: Pending) => void): void {
		const pending = this.#pending.get(id);
		this.#forget(id);
		if (pending) settle(pending); // otherwise it was aborted
	}

	/** Adds the statistics of the page's source and reports. */
	#report(stats: Stats): void {
		this.#stats = stats;
		const waiting = stats.waiting ?? this.#source.waiting;
		const presumedAbsent = this.#source.presumedAbsent ?? [];
		const known = [...stats.presumedAbsent, ...presumedAbsent];
		const cachedBytes = stats.cachedBytes + (this.#source.cachedBytes ?? 0);
		this.onStats?.({ ...stats, cachedBytes, presumedAbsent: known, waiting });
	}

	#read(asked: Extract<FromWorker, { type: "read" }>): Promise<void> {
		const { id, key, range, required } = asked;
		return this.#fromSource(id, async (signal) => {
			const bytes = await this.#source.read(key, { range, required, signal });
			// Copied: the source may keep the buffer, or have cut it from a larger one.
			const copy = bytes?.slice();
			const absence = copy ? undefined : this.#source.absence?.(key);
			this.#post(
				{ type: "bytes", id, bytes: copy, absence },
				copy ? [copy.buffer] : [],
			);
		});
	}

	#measure({ id, key }: Extract<FromWorker, { type: "measure" }>): Promise<void> {
		return this.#fromSource(id, async (signal) => {
			const size = await this.#source.size?.(key, signal);
			this.#post({ type: "size", id, size });
		});
	}

	/**
	 * Answers a read of the worker from the page's source; a failure is an answer as
	 * well.
	 */
	async #fromSource(
		id: number,
		answer: (signal: AbortSignal) => Promise<void>,
	): Promise<void> {
		const control = new AbortController();
		this.#reads.set(id, control);
		try {
			await answer(control.signal);
		} catch (error) {
			this.#post({ type: "unread", id, error: toWire(error) });
		} finally {
			this.#reads.delete(id);
		}
	}

	#post(message: ToWorker, transfer: Transferable[] = []): void {
		try {
			this.#worker.postMessage(message, transfer);
		} catch (error) {
			throw toBevError(error, "invalid_argument");
		}
	}
}

function dead(why: string): BevError {
	const advice = "open the data set again";
	return new BevError("internal", `worker: failed: ${why}; ${advice}`);
}

/** Sources that are defined by a URL alone are read in the worker itself. */
export function locate(source: Source, cacheLimit: number | undefined): SourceLocation {
	const portable = source instanceof FetchSource ? source.portable : undefined;
	return portable ? { kind: "url", ...portable, cacheLimit } : { kind: "page" };
}
