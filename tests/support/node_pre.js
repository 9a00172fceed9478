// Runs before a test program under Node. The program has an environment of its own, so
// what it may read of Node's is copied; and with `fetch` defined the glue would try to
// fetch its .wasm from a file path.
globalThis.fetch = undefined;
Module.preRun = [
	() => {
		// Not there in a program that asks for nothing of it.
		if (typeof ENV !== "undefined" && process.env.BEV_GOLDENS) {
			ENV.BEV_GOLDENS = process.env.BEV_GOLDENS;
		}
	},
];
