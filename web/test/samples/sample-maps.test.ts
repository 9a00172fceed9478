import { describe, expect, it } from "vitest";
import { freeSampleMaps, loadSampleMaps } from "../../src/samples/sample-maps.js";
import { MemorySource } from "../../src/source/source.js";
import type { Client } from "../../src/worker/client.js";
import type { Answer, Query } from "../../src/worker/protocol.js";

const KEYS = { meta: "meta.json", semantic_map: "map.pb", aerial_image: "aerial.png" };
const BYTES = new Map(
	Object.values(KEYS).map((key, i) => [key, Uint8Array.of(i + 1)] as const),
);
const DATASET = new MemorySource(new Map());

/** Answers queries about a config's files, and lists the queries. */
function asked(keys: Partial<typeof KEYS>) {
	const queries: Query[] = [];
	const client = {
		ask: async (query: Query) => {
			queries.push(query);
			const { meta = "", semantic_map = "", aerial_image = "" } = keys;
			return { text: JSON.stringify([meta, semantic_map, aerial_image]) } as Answer;
		},
	} as unknown as Client;
	const load = (options: Parameters<typeof loadSampleMaps>[3]) =>
		loadSampleMaps(client, "{}", DATASET, options);
	const names = () =>
		queries.map((query) => ("name" in query ? query.name : query.kind));
	return { client, queries, load, names };
}

describe("samples/sample-maps", () => {
	it("reads nothing if the config draws no map", async () => {
		const { load, names } = asked({});
		expect(await load({})).toEqual({});
		expect(names()).toEqual(["data_keys"]);
	});

	it("reads files named by the config below the root, and frees them", async () => {
		const { client, queries, load, names } = asked(KEYS);
		const maps = await load({ root: new MemorySource(BYTES) });
		expect(names()).toEqual(["data_keys", "map", "aerial"]);
		expect(queries[1]).toMatchObject({
			id: maps.map,
			given: { meta: Uint8Array.of(1), pb: Uint8Array.of(2) },
		});
		expect(queries[2]).toMatchObject({
			id: maps.aerial,
			image: Uint8Array.of(3),
		});
		freeSampleMaps(client, maps);
		expect(queries.slice(3)).toEqual([
			{ kind: "free", id: maps.map },
			{ kind: "free", id: maps.aerial },
		]);
	});

	it("prefers given objects to the root's", async () => {
		const { queries, load } = asked({ meta: "meta.json", aerial_image: "aerial.png" });
		const pixels = { width: 1, height: 1, data: new Uint8Array(4) };
		const mine = new MemorySource(new Map([["m", Uint8Array.of(9)]]));
		await load({ meta: { source: mine, key: "m" }, aerial: pixels });
		expect(queries[1]).toMatchObject({ image: pixels, meta: Uint8Array.of(9) });
	});

	it("names a missing option and a missing file", async () => {
		const { load } = asked({ semantic_map: "map.pb" });
		await expect(load({})).rejects.toMatchObject({
			code: "invalid_argument",
			message: "semantic_map: required by the config (expected it, or a root)",
		});
		await expect(load({ root: DATASET })).rejects.toMatchObject({
			code: "not_found",
			key: "map.pb",
		});
	});
});
