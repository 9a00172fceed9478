// Runs before a test program under Node. The program has its own environment, so the
// variable is copied from Node's. If `fetch` were defined, Emscripten's loader would
// try to fetch the .wasm from a file path.
globalThis.fetch = undefined;
Module.preRun = [
	() => {
		// Undefined in a program that does not use the environment.
		if (typeof ENV !== "undefined" && process.env.BEV_GOLDENS) {
			ENV.BEV_GOLDENS = process.env.BEV_GOLDENS;
		}
	},
];
