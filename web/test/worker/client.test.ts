import { describe, expect, it } from "vitest";
import { MemorySource } from "../../src/source/source.js";
import { type Client, clientOf, shareClient } from "../../src/worker/client.js";

describe("worker/client", () => {
	it("finds a data set's client while it lives", () => {
		const [owner, other] = [{}, {}];
		const client = {} as Client;
		const source = new MemorySource(new Map());
		const forReaders = async () => client;
		shareClient(owner, { client, source, forReaders });
		expect(clientOf(owner)).toEqual({ client, source, forReaders });
		expect(() => clientOf(other)).toThrow(
			"dataset: invalid argument (expected a ChunkedDataset of this package)",
		);
	});
});
