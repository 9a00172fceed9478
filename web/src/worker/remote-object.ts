import type { AskOptions, Client } from "./client.js";
import type { Answer, Query } from "./protocol.js";

/** A query that makes the engine keep an object under the id. */
export type ObjectQuery = Extract<
	Exclude<Query, { kind: "free" }>,
	{ readonly id: number }
>;

const KEEPING: ReadonlySet<string> = new Set<ObjectQuery["kind"]>([
	"keep",
	"aerial",
	"sampler",
	"agent-index",
	"reader",
	"description",
	"facts",
]);

export function makesObject(query: Query): query is ObjectQuery {
	return KEEPING.has(query.kind);
}

let nextId = 0;

/** Returns a new id for an object kept by a client; unique across clients. */
export function newId(): number {
	return nextId++;
}

/** Frees a kept object. Errors are ignored: closing the data set frees it as well. */
export function free(client: Client, id: number): void {
	client.ask({ kind: "free", id }).catch(() => {});
}

/**
 * Runs a query that makes the engine keep an object. If it resolves, the caller must
 * free the object; if it rejects, nothing is kept.
 */
export async function askObject(
	client: Client,
	query: ObjectQuery,
	options: AskOptions,
): Promise<Answer> {
	try {
		return await client.ask(query, options);
	} catch (error) {
		// An aborted query may have been answered meanwhile. The host frees what an aborted
		// query keeps, but only after this message arrives.
		free(client, query.id);
		throw error;
	}
}
