import type { CoreModule } from "../core.js";
import type { MixtureChoice, MixtureQuery } from "./protocol.js";
import { lacking } from "./readers.js";

/**
 * Answers a query about the order of a mixture of readers. Nothing is kept: the page has
 * the position.
 */
export function askMixture(
	core: CoreModule,
	{ options, state, exhausted, readers, want }: MixtureQuery,
): string {
	if (!core.mixture) throw lacking();
	const mixture = core.mixture(options);
	try {
		if (want === "readers") return JSON.stringify(mixture.readerStates(state ?? ""));
		if (state !== undefined) mixture.restore(state);
		for (let i = 0; i < exhausted; i += 1) mixture.exhausted();
		if (want === "state") return mixture.state(readers);
		const reader = mixture.choice();
		if (reader >= 0) mixture.took();
		const choice: MixtureChoice = { reader, state: mixture.state(readers) };
		return JSON.stringify(choice);
	} finally {
		mixture.delete();
	}
}
