import type { AskOptions, Client } from "./client.js";
import type { Answer, Query } from "./protocol.js";

/** The query that frees what `query` makes the engine keep; undefined if it keeps nothing. */
export function freeing(query: Query): Query | undefined {
	switch (query.kind) {
		case "map":
			return { kind: "free-map", map: query.map };
		case "aerial":
			return { kind: "free-aerial", aerial: query.aerial };
		case "sampler":
			return { kind: "free-sampler", sampler: query.sampler };
		case "agent-index":
		case "masked-items":
			return { kind: "free-items", items: query.items };
		case "selection":
			return { kind: "free-selection", selection: query.selection };
		default:
			return undefined;
	}
}

/**
 * Asks a question whose answer the engine keeps. What it keeps is the caller's to free once
 * the promise has resolved; if it rejects, nothing stays behind.
 */
export async function askKept(
	client: Client,
	query: Query,
	options: AskOptions,
): Promise<Answer> {
	try {
		return await client.ask(query, options);
	} catch (error) {
		// An aborted question may have been answered meanwhile. The host frees what an aborted
		// question keeps later than this message arrives.
		const free = freeing(query);
		if (free) client.ask(free).catch(() => {});
		throw error;
	}
}
