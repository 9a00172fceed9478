import { vi } from "vitest";
import { LocalClient } from "../../src/worker/local-client.js";
import { makesObject } from "../../src/worker/remote-object.js";

/** Counts the objects that the engines keep. */
export function keptObjects(): () => number {
	const kept = new Set<number>();
	const ask = LocalClient.prototype.ask;
	vi.spyOn(LocalClient.prototype, "ask").mockImplementation(async function (
		this: LocalClient,
		query,
		options,
	) {
		const answer = ask.call(this, query, options);
		if (query.kind === "free") kept.delete(query.id);
		else if (makesObject(query)) kept.add(query.id);
		return answer;
	});
	return () => kept.size;
}
