import type { LoadOptions } from "../api.js";
import { type Arrays, Core } from "../core/core.js";
import { compile } from "../loading/compile.js";
import { moduleFile } from "../loading/files.js";
import { saveModule } from "../loading/save-module.js";
import { instantiate } from "../worker/core-module.js";

/** Loads the module. Each saver and loader has a memory of its own. */
export async function loadCore(wasm: LoadOptions["wasm"]): Promise<Core> {
	const { module } = await compile(wasm ?? moduleFile("saveWasm") ?? saveModule());
	return new Core(await instantiate(module));
}

/** An object to be written. */
export interface NewObject {
	readonly key: string;
	readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Returns the object of an outcome: an array named by its key. */
export function objectOf(arrays: Arrays | undefined): NewObject | undefined {
	const [first] = Object.entries(arrays ?? {});
	return first && { key: first[0], bytes: first[1] as Uint8Array<ArrayBuffer> };
}

/** Runs asynchronous tasks one at a time, in the order of the calls. */
export class SerialQueue {
	#last: Promise<unknown> = Promise.resolve();

	run<T>(work: () => Promise<T>): Promise<T> {
		const done = this.#last.then(work);
		this.#last = done.catch(() => {});
		return done;
	}
}
