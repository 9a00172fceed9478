import type { AskOptions, Client } from "./client.js";
import type { Answer, Query } from "./protocol.js";

/**
 * Returns the query that frees what `query` makes the engine keep; undefined if it
 * keeps nothing.
 */
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
 * Runs a query that makes the engine keep an object. If it resolves, the caller must
 * free the object; if it rejects, nothing is kept.
 */
export async function askKept(
	client: Client,
	query: Query,
	options: AskOptions,
): Promise<Answer> {
	try {
		return await client.ask(query, options);
	} catch (error) {
		// An aborted query may have been answered meanwhile. The host frees what an aborted
		// query keeps, but only after this message arrives.
		const free = freeing(query);
		if (free) client.ask(free).catch(() => {});
		throw error;
	}
}
