import { toWire } from "../worker/protocol.js";
import { Core, type CoreModule } from "./core.js";
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
	/** Makes an instance of the module; absent in a worker of tasks only. */
	readonly create?: (module: WebAssembly.Module) => Promise<CoreModule>;
	readonly task: DoTask;
}

/** Answers the calls of a page's `WorkerPort`, in the worker that calls it. */
export function serve({ create, task }: Work): void {
	const scope = globalThis as unknown as Scope;
	let made: Promise<Core> | undefined;
	scope.onmessage = async ({ data }) => {
		if (data.type === "init") {
			made = create?.(data.module).then((module) => new Core(module));
			made?.catch(() => {}); // every answer reports it
			return;
		}
		const { id, call } = data;
		try {
			const core = await made;
			if (create && !core) throw new Error("message before init");
			const value = await answer(core as Core, call, task);
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
