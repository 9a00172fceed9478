import type { CoreReaderDescription } from "../core.js";
import { lacking } from "./joined.js";
import type { DescriptionQuery } from "./protocol.js";
import type { Run } from "./run.js";

/** Makes a description, which has read nothing yet. */
export function startDescription(
	{ core, engine }: Run,
	{ plan, by }: Extract<DescriptionQuery, { kind: "description" }>,
): CoreReaderDescription {
	if (!core.readerDescription) throw lacking();
	return core.readerDescription(engine, plan, by === undefined ? [] : [by]);
}

/**
 * Reads up to `steps` blocks. Answers `{ progress }` as JSON, and the description after
 * the last one.
 */
export async function describe(
	core: CoreReaderDescription,
	steps: number,
	run: Run,
): Promise<{ readonly text: string }> {
	for (let step = 0; step < steps; step += 1) {
		run.options.signal?.throwIfAborted();
		await run.gather({ missing: () => core.missing() }, () => {});
		run.assertAlive();
		if (core.step()) continue;
		return { text: `{ "described": ${core.json()} }` };
	}
	return { text: JSON.stringify({ progress: core.progress() }) };
}
