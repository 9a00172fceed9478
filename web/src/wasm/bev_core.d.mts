import type { CoreModule } from "../core/core.js";

/** Options of a module's factory; see Emscripten's `Module`. */
export interface CoreFactoryOptions {
	/** Instantiates the module with `imports` and passes the instance to `receive`. */
	instantiateWasm(
		imports: WebAssembly.Imports,
		receive: (instance: WebAssembly.Instance) => void,
	): Record<string, never>;
	print?(text: string): void;
	printErr?(text: string): void;
}

/** Creates an instance with its own memory. */
export type CoreFactory<T> = (options: CoreFactoryOptions) => Promise<T>;

/** Emscripten's output, copied here by `npm run core`. */
export default function createCore(options: CoreFactoryOptions): Promise<CoreModule>;
