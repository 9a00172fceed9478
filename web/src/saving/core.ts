import type { LoadOptions } from "../api.js";
import type { CoreSave } from "../core-save.js";
import { toBevError } from "../errors.js";
import { compile } from "../loading/compile.js";
import { moduleFile } from "../loading/files.js";
import { saveModule } from "../loading/save-module.js";
import createSave from "../wasm/bev_save.mjs";
import { instantiateWith } from "../worker/wasm-module.js";

/** Loads the module. Each saver and loader has a memory of its own. */
export async function loadCore(wasm: LoadOptions["wasm"]): Promise<CoreSave> {
	const { module } = await compile(wasm ?? moduleFile("saveWasm") ?? saveModule());
	return instantiateWith(createSave, module);
}

/** Calls the module; converts what it throws to a BevError. */
export function called<T>(call: () => T): T {
	try {
		return call();
	} catch (error) {
		throw toBevError(error);
	}
}

/** Runs asynchronous tasks one at a time, in the order of the calls. */
export class Turns {
	#last: Promise<unknown> = Promise.resolve();

	run<T>(work: () => Promise<T>): Promise<T> {
		const done = this.#last.then(work);
		this.#last = done.catch(() => {});
		return done;
	}
}
