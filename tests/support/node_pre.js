// Runs before a test program under Node. The program has its own environment, so the
// variables are copied from Node's. If `fetch` were defined, Emscripten's loader would
// try to fetch the .wasm from a file path.
globalThis.fetch = undefined;
Module.preRun = [
	() => {
		// Undefined in a program that does not use the environment.
		if (typeof ENV === "undefined") return;
		for (const name of ["BEV_GOLDENS", "BEV_WAYMO"]) {
			if (process.env[name]) ENV[name] = process.env[name];
		}
	},
];
