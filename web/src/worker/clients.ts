import type { Source } from "../source/source.js";
import type { Client } from "./client.js";

/** What a data set reads with. */
interface Shared {
	readonly client: Client;
	readonly source: Source;
}

const clients = new WeakMap<object, Shared>();

/** Lets the rest of the package, and nobody else, ask what `owner` asks. */
export function shareClient(owner: object, client: Client, source: Source): void {
	clients.set(owner, { client, source });
}

export function clientOf(owner: object): Shared {
	const shared = clients.get(owner);
	if (shared) return shared;
	throw new TypeError("expected a ChunkedDataset of this package");
}
