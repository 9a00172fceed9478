import { toWire } from "../worker/protocol.js";
import { type CoreDoor, Door } from "./door.js";
import { answer, type DoTask, type FromPortWorker, type ToPortWorker } from "./port.js";

/**
 * The used part of DedicatedWorkerGlobalScope, whose type library conflicts with the
 * page's.
 */
interface Scope {
	postMessage(message: FromPortWorker, transfer?: Transferable[]): void;
	onmessage: ((event: MessageEvent<ToPortWorker>) => void) | null;
}

/** What a worker does for its page. */
export interface Work {
	/** Makes an instance of the module. */
	readonly create: (module: WebAssembly.Module) => Promise<CoreDoor>;
	readonly task: DoTask;
}

/** Answers the calls of a page's `WorkerPort`, in the worker that calls it. */
export function serve({ create, task }: Work): void {
	const scope = globalThis as unknown as Scope;
	let made: Promise<Door> | undefined;
	scope.onmessage = async ({ data }) => {
		if (data.type === "init") {
			made = create(data.module).then((core) => new Door(core));
			made.catch(() => {}); // every answer reports it
			return;
		}
		const { id, call } = data;
		try {
			const door = await made;
			if (!door) throw new Error("message before init");
			const value = await answer(door, call, task);
			scope.postMessage({ type: "answer", id, value }, transferred(value));
		} catch (error) {
			scope.postMessage({ type: "failure", id, error: toWire(error) });
		}
	};
	scope.postMessage({ type: "ready" });
}

/** Returns what an answer owns: arrays, or pixels. */
function transferred(value: unknown): Transferable[] {
	if (typeof ImageBitmap !== "undefined" && value instanceof ImageBitmap)
		return [value];
	if (ArrayBuffer.isView(value)) return [value.buffer as ArrayBuffer];
	if (typeof value !== "object" || value === null) return [];
	return Object.values(value).flatMap(transferred);
}
