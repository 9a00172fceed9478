import { BevError } from "../base/errors.js";
import { type NodeThread, nodeFs, nodeModule } from "../source/node-files.js";

/**
 * Gives a thread of Node the globals of a browser's worker, then runs the script: the
 * same file serves both. Runs as CommonJS or as a module, as the process's options say.
 */
const START = `
	const { parentPort, workerData } = process.getBuiltinModule("node:worker_threads");
	globalThis.self = globalThis;
	globalThis.location = new URL(workerData);
	globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
	parentPort.on("message", (data) => globalThis.onmessage?.({ data }));
	import(workerData);
`;

/** The used part of a worker's events. */
interface Message {
	readonly data: unknown;
}
interface Failure {
	readonly message: string;
	preventDefault(): void;
}

/** A thread of Node with the interface of a browser's worker, as far as it is used. */
class NodeWorker {
	onmessage: ((event: Message) => void) | null = null;
	onmessageerror: ((event: Message) => void) | null = null;
	onerror: ((event: Failure) => void) | null = null;
	readonly #thread: NodeThread;

	constructor(thread: NodeThread) {
		this.#thread = thread;
		thread.on("message", (data) => this.onmessage?.({ data }));
		thread.on("messageerror", (data) => this.onmessageerror?.({ data }));
		thread.on("error", ({ message }: Error) =>
			this.onerror?.({ message, preventDefault: () => {} }),
		);
	}

	postMessage(message: unknown, transfer: Transferable[] = []): void {
		this.#thread.postMessage(message, transfer);
	}

	terminate(): void {
		void this.#thread.terminate();
	}

	/** Keeps the process running. */
	ref(): void {
		this.#thread.ref();
	}

	/** Lets the process end while the thread is idle. */
	unref(): void {
		this.#thread.unref();
	}
}

/**
 * Starts `script` in a thread of Node. Throws if there are no threads or no such file,
 * for example in sources that have not been built.
 */
export async function nodeWorker(script: URL): Promise<Worker> {
	const threads = nodeModule("node:worker_threads");
	if (!threads) {
		throw new BevError("unsupported", "no Worker in this environment");
	}
	if (script.protocol !== "file:" || !(await nodeFs().stat(script)).isFile()) {
		throw new BevError("unsupported", `${script.href}: not a local script`);
	}
	const options = { eval: true, workerData: script.href } as const;
	const thread = new threads.Worker(START, options);
	return new NodeWorker(thread) as unknown as Worker;
}
