import type { CoreModule } from "../core.js";

/** What a module's factory takes from us; see Emscripten's `Module`. */
export interface CoreFactoryOptions {
	/** Instantiates the module with `imports` and hands the instance over. */
	instantiateWasm(
		imports: WebAssembly.Imports,
		receive: (instance: WebAssembly.Instance) => void,
	): Record<string, never>;
	locateFile(path: string): string;
	print?(text: string): void;
	printErr?(text: string): void;
}

/** Makes an instance, with memory of its own. */
export type CoreFactory<T> = (options: CoreFactoryOptions) => Promise<T>;

/** Emscripten's output, copied here by `npm run core`. */
export default function createCore(options: CoreFactoryOptions): Promise<CoreModule>;
