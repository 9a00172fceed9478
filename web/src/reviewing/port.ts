import { BevError, toBevError } from "../errors.js";
import { fromWire } from "../worker/protocol.js";
import type {
	FromReviewWorker,
	ReviewAnswer,
	ReviewCall,
	ToReviewWorker,
} from "./protocol.js";
import type { ReviewService } from "./service.js";

/** Answers calls in order. */
export interface ReviewPort {
	/** Rejects with a BevError. */
	call<C extends ReviewCall>(call: C): Promise<ReviewAnswer<C["kind"]>>;
	/** Closes the port; pending calls reject. */
	close(): void;
}

interface Pending {
	resolve(value: never): void;
	reject(reason: unknown): void;
}

/** A service in a worker that has reported `ready`. */
export class WorkerPort implements ReviewPort {
	readonly #worker: Worker;
	readonly #pending = new Map<number, Pending>();
	#nextId = 0;
	#closed: BevError | undefined;

	constructor(worker: Worker, module: WebAssembly.Module) {
		this.#worker = worker;
		worker.onmessage = ({ data }: MessageEvent<FromReviewWorker>) =>
			this.#receive(data);
		worker.onerror = (event) => {
			event.preventDefault();
			const what = `predictions: worker failed: ${event.message}`;
			this.#end(new BevError("internal", what));
		};
		this.#post({ type: "init", module });
	}

	call<C extends ReviewCall>(call: C): Promise<ReviewAnswer<C["kind"]>> {
		return new Promise((resolve, reject) => {
			if (this.#closed) return reject(this.#closed);
			const id = this.#nextId++;
			this.#post({ type: "call", id, call }); // throws if it cannot be cloned
			this.#pending.set(id, { resolve, reject });
		});
	}

	close(): void {
		this.#end(new BevError("invalid_argument", "predictions: released"));
	}

	#end(reason: BevError): void {
		if (this.#closed) return;
		this.#closed = reason;
		this.#worker.terminate();
		for (const { reject } of this.#pending.values()) reject(reason);
		this.#pending.clear();
	}

	#receive(message: FromReviewWorker): void {
		if (message.type === "ready") return;
		const pending = this.#pending.get(message.id);
		this.#pending.delete(message.id);
		if (message.type === "answer") pending?.resolve(message.value as never);
		else pending?.reject(fromWire(message.error));
	}

	#post(message: ToReviewWorker): void {
		try {
			this.#worker.postMessage(message);
		} catch (error) {
			throw toBevError(error, "invalid_argument");
		}
	}
}

/** A service on this thread. Each call runs in its own task. */
export class LocalPort implements ReviewPort {
	readonly #service: ReviewService;
	#closed = false;

	constructor(service: ReviewService) {
		this.#service = service;
	}

	async call<C extends ReviewCall>(call: C): Promise<ReviewAnswer<C["kind"]>> {
		await new Promise((resolve) => setTimeout(resolve)); // lets the page handle events
		if (this.#closed) {
			throw new BevError("invalid_argument", "predictions: released");
		}
		try {
			return this.#service.answer(call) as ReviewAnswer<C["kind"]>;
		} catch (error) {
			throw toBevError(error);
		}
	}

	close(): void {
		this.#closed = true;
	}
}
