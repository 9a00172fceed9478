import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FaultyServer } from "../../../tests/support/http-server.js";
import { tinyDataset } from "../../../tests/support/tiny-dataset.js";
import { ChunkedDataset, FetchSource } from "../../src/index.js";

describe("api/absence", () => {
	let server: FaultyServer;

	beforeEach(async () => {
		const objects = new Map<string, Uint8Array>();
		for (const [key, bytes] of tinyDataset()) objects.set(`/tiny.zarr/${key}`, bytes);
		objects.delete("/tiny.zarr/agents/0");
		server = await FaultyServer.start({ objects });
	});
	afterEach(() => server.close());

	it("names URL and status where there is no data set, without the query", async () => {
		const opened = ChunkedDataset.open(`${server.origin}/none.zarr?token=secret`);
		await expect(opened).rejects.toMatchObject({
			name: "BevError",
			code: "missing_key",
			key: ".zgroup",
			url: `${server.origin}/none.zarr/.zgroup`,
			status: 404,
		});
	});

	it("names key, URL and status of a missing chunk", async () => {
		using dataset = await ChunkedDataset.open(
			`${server.origin}/tiny.zarr?token=secret`,
		);
		await expect(dataset.frame(0, 0)).rejects.toMatchObject({
			code: "missing_key",
			message: "agents/0: missing from the store (expected every chunk of agents)",
			key: "agents/0",
			url: `${server.origin}/tiny.zarr/agents/0`,
			status: 404,
		});
	});

	it("names the status that was treated as absence", async () => {
		server.fault({ match: /agents\/0$/, status: 403 });
		const source = new FetchSource(`${server.origin}/tiny.zarr`, {
			forbiddenIsAbsent: true,
		});
		using dataset = await ChunkedDataset.open(source);
		await expect(dataset.agents.rows(0, 1)).rejects.toMatchObject({
			key: "agents/0",
			status: 403,
		});
	});

	it("names URL and status of an absent archive", async () => {
		await expect(
			ChunkedDataset.open(`${server.origin}/none.zip`),
		).rejects.toMatchObject({
			code: "not_found",
			url: `${server.origin}/none.zip`,
			status: 404,
		});
	});

	it("names no answer of a source without a server", async () => {
		const opened = ChunkedDataset.open({ read: async () => undefined });
		const error = await opened.catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({ code: "missing_key" });
		for (const name of ["url", "key", "status"]) expect(error).not.toHaveProperty(name);
	});

	it("names key, URL and status of an absent map, if it is required", async () => {
		using dataset = await ChunkedDataset.open(`${server.origin}/tiny.zarr`);
		const { origin } = server;
		const [map, meta] = [`${origin}/none.pb?token=secret`, `${origin}/meta.json`];
		expect(await dataset.map(map, meta)).toBeUndefined();
		await expect(dataset.map(map, meta, { required: true })).rejects.toMatchObject({
			code: "not_found",
			message: "map: none.pb not found",
			key: "none.pb",
			url: `${origin}/none.pb`,
			status: 404,
		});
	});
});
