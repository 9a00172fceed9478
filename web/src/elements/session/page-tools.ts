import { Door } from "../../core/door.js";
import { compileTools } from "../../tools.js";
import { instantiate } from "../../worker/core-module.js";

let tools: Promise<Door> | undefined;

/** Loads the tools module of the page's thread once; the next call retries a failure. */
export function pageTools(): Promise<Door> {
	tools ??= compileTools()
		.then(async (module) => new Door(await instantiate(module)))
		.catch((error: unknown) => {
			tools = undefined;
			throw error;
		});
	return tools;
}
