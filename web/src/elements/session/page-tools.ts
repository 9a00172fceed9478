import { Core } from "../../core/core.js";
import { compileTools } from "../../tools.js";
import { instantiate } from "../../worker/core-module.js";

let tools: Promise<Core> | undefined;

/** Loads the tools module of the page's thread once; the next call retries a failure. */
export function pageTools(): Promise<Core> {
	tools ??= compileTools()
		.then(async (module) => new Core(await instantiate(module)))
		.catch((error: unknown) => {
			tools = undefined;
			throw error;
		});
	return tools;
}
