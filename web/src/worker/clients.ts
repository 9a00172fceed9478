import type { Source } from "../source/source.js";
import type { Client } from "./client.js";

/** The client and source of a data set. */
interface Shared {
	readonly client: Client;
	readonly source: Source;
}

const clients = new WeakMap<object, Shared>();

/** Makes the client of `owner` accessible within the package, but not to users. */
export function shareClient(owner: object, client: Client, source: Source): void {
	clients.set(owner, { client, source });
}

export function clientOf(owner: object): Shared {
	const shared = clients.get(owner);
	if (shared) return shared;
	throw new TypeError(
		"dataset: invalid argument (expected a ChunkedDataset of this package)",
	);
}
