import type { Handle } from "../core/core.js";
import type { Run } from "./run.js";

/**
 * Reads up to `steps` blocks. Answers `{ progress }` as JSON, and the description after
 * the last one.
 */
export async function describe(
	description: Handle<"ReaderDescription">,
	steps: number,
	run: Run,
): Promise<{ readonly text: string }> {
	const { core } = run;
	const missing = () => core.run("description_missing", { description });
	for (let step = 0; step < steps; step += 1) {
		run.options.signal?.throwIfAborted();
		await run.gather({ missing }, () => {});
		run.assertAlive();
		if (core.run("description_step", { description })) continue;
		return {
			text: `{ "described": ${core.run("description_json", { description })} }`,
		};
	}
	const [done = 0, of = 0] = core.run("description_progress", { description });
	return { text: JSON.stringify({ progress: { done, of } }) };
}
