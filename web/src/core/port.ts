import { BevError, toBevError } from "../base/errors.js";
import { fromWire, type WireError } from "../worker/protocol.js";
import { laterTask } from "../worker/turns.js";
import type { Core, Given, OperationName, Result } from "./core.js";

/** Runs operations of a module in order, without blocking the page. */
export interface Port {
	/** Rejects with a BevError. */
	run<Name extends OperationName>(
		name: Name,
		given: Given<Name>,
	): Promise<Result<Name>>;
	/** Runs a task that is not an operation. */
	task(task: unknown): Promise<unknown>;
	/** Frees an object. */
	release(id: number): void;
	/** Closes the port; pending calls reject, with `reason` if it is given. */
	close(reason?: unknown): void;
}

/** What a page asks a worker: an operation, a task, or to free an object. */
export type Call =
	| { readonly name: OperationName; readonly given: object }
	| { readonly task: unknown }
	| { readonly release: number };

export type ToPortWorker =
	| { readonly type: "init"; readonly module: WebAssembly.Module }
	| { readonly type: "call"; readonly id: number; readonly call: Call };

export type FromPortWorker =
	| { readonly type: "ready" }
	| { readonly type: "answer"; readonly id: number; readonly value: unknown }
	| { readonly type: "failure"; readonly id: number; readonly error: WireError };

/** Answers a task that is not an operation. */
export type DoTask = (core: Core, task: unknown) => unknown;

/** Answers a call. */
export function answer(core: Core, call: Call, doTask: DoTask): unknown {
	if ("release" in call) return core.release(call.release);
	if ("task" in call) return doTask(core, call.task);
	return core.run(call.name, call.given);
}

interface Pending {
	resolve(value: unknown): void;
	reject(reason: unknown): void;
}

abstract class AnyPort implements Port {
	abstract call(call: Call): Promise<unknown>;
	abstract close(reason?: unknown): void;

	run<Name extends OperationName>(
		name: Name,
		given: Given<Name>,
	): Promise<Result<Name>> {
		return this.call({ name, given }) as Promise<Result<Name>>;
	}

	task(task: unknown): Promise<unknown> {
		return this.call({ task });
	}

	release(id: number): void {
		this.call({ release: id }).catch(() => {}); // the port itself failed, or is closed
	}
}

/** A module in a worker that has reported `ready`. */
export class WorkerPort extends AnyPort {
	readonly #worker: Worker;
	/** Begins messages of errors: "predictions". */
	readonly #what: string;
	readonly #pending = new Map<number, Pending>();
	#nextId = 0;
	#closed: unknown;

	/** @param module  of the core; undefined for a worker of tasks only */
	constructor(worker: Worker, module: WebAssembly.Module | undefined, what: string) {
		super();
		this.#worker = worker;
		this.#what = what;
		worker.onmessage = ({ data }: MessageEvent<FromPortWorker>) => this.#receive(data);
		worker.onerror = (event) => {
			event.preventDefault();
			const said = `${what}: worker failed: ${event.message}`;
			this.#end(new BevError("internal", said));
		};
		if (module) this.#post({ type: "init", module });
	}

	call(call: Call): Promise<unknown> {
		return new Promise((resolve, reject) => {
			if (this.#closed) return reject(this.#closed);
			const id = this.#nextId++;
			this.#post({ type: "call", id, call }); // throws if it cannot be cloned
			this.#pending.set(id, { resolve, reject });
		});
	}

	close(reason?: unknown): void {
		const said = `${this.#what}: released`;
		this.#end(reason ?? new BevError("invalid_argument", said));
	}

	#end(reason: unknown): void {
		if (this.#closed) return;
		this.#closed = reason;
		this.#worker.terminate();
		for (const { reject } of this.#pending.values()) reject(reason);
		this.#pending.clear();
	}

	#receive(message: FromPortWorker): void {
		if (message.type === "ready") return;
		const pending = this.#pending.get(message.id);
		this.#pending.delete(message.id);
		if (message.type === "answer") pending?.resolve(message.value);
		else pending?.reject(fromWire(message.error));
	}

	#post(message: ToPortWorker): void {
		try {
			this.#worker.postMessage(message);
		} catch (error) {
			throw toBevError(error, "invalid_argument");
		}
	}
}

/** A module on this thread. Each call runs in its own task. */
export class LocalPort extends AnyPort {
	readonly #core: Core;
	readonly #doTask: DoTask;
	readonly #what: string;
	readonly #later = laterTask();
	#closed: unknown;

	constructor(core: Core, doTask: DoTask, what: string) {
		super();
		this.#core = core;
		this.#doTask = doTask;
		this.#what = what;
	}

	async call(call: Call): Promise<unknown> {
		await new Promise<void>((resolve) => this.#later(resolve)); // the page handles events
		if (this.#closed) throw this.#closed;
		try {
			return await answer(this.#core, call, this.#doTask);
		} catch (error) {
			throw toBevError(error);
		}
	}

	close(reason?: unknown): void {
		const said = `${this.#what}: released`;
		this.#closed ??= reason ?? new BevError("invalid_argument", said);
	}
}
