// Bundles workers.
import { rolldown } from "rolldown";
import { TARGET } from "./inline.mjs";

/** Options of rolldown's output. */
export const MINIFIED = {
	minify: true,
	comments: { legal: true, annotation: false, jsdoc: false },
};

/** Bundles a worker to one script; returns it and its source map. */
export async function workerScript(input, external = []) {
	const bundle = await rolldown({
		input,
		external,
		platform: "browser",
		transform: { target: TARGET, define: { "import.meta.url": "self.location.href" } },
	});
	const { output } = await bundle.generate({
		...MINIFIED,
		format: "iife",
		sourcemap: true,
		codeSplitting: false,
		globals: () => "external",
	});
	await bundle.close();
	return output;
}
