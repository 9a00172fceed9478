import type { Client } from "./client.js";

const clients = new WeakMap<object, Client>();

/** Lets the rest of the package, and nobody else, ask what `owner` asks. */
export function shareClient(owner: object, client: Client): void {
	clients.set(owner, client);
}

export function clientOf(owner: object): Client {
	const client = clients.get(owner);
	if (client) return client;
	throw new TypeError("expected a ChunkedDataset of this package");
}
