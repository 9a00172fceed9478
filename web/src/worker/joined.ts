import type { Door } from "../core/door.js";
import type { JoinedQuery } from "./protocol.js";

/**
 * Answers a query about the order of several readers. Nothing is kept: the page has the
 * position.
 */
export function askJoined(
	door: Door,
	{ mixture, state, exhausted, readers, want }: JoinedQuery,
): string {
	if (want === "readers") {
		const given = { mixture, state: state ?? "", readers: readers.length };
		return JSON.stringify(door.run("reader_states", given));
	}
	const chooses = want === "choice";
	return door.run("reader_order", { mixture, state, exhausted, readers, chooses });
}
