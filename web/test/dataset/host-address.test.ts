import { afterEach, describe, expect, it } from "vitest";
import { urlOfAddress } from "../../src/dataset/host-address.js";
import {
	isHostAddress,
	resolveSource,
	withoutHost,
} from "../../src/dataset/resolve.js";
import { configure } from "../../src/loading/files.js";
import { FetchSource } from "../../src/source/fetch-source.js";

afterEach(() => {
	configure({ hosts: undefined });
});

describe("dataset/host-address", () => {
	it("is converted by the core", async () => {
		const hub = "https://huggingface.co/datasets/me/town/resolve";
		expect(await urlOfAddress("hf://datasets/me/town@v1/a b.zarr")).toBe(
			`${hub}/v1/a%20b.zarr`,
		);
		expect(await urlOfAddress("s3://bucket/a.zarr")).toBe(
			"https://bucket.s3.amazonaws.com/a.zarr",
		);
		await expect(urlOfAddress("hf://datasets/me")).rejects.toMatchObject({
			code: "invalid_argument",
		});
	});

	it("leads to the configured servers", async () => {
		configure({ hosts: { hf: new URL("https://hub.test/"), s3Region: "eu-west-1" } });
		expect(await urlOfAddress("hf://me/town/a")).toBe(
			"https://hub.test/me/town/resolve/main/a",
		);
		expect(await urlOfAddress("s3://bucket/a")).toBe(
			"https://bucket.s3.eu-west-1.amazonaws.com/a",
		);
		configure({ hosts: { s3: "https://store.test" } });
		expect(await urlOfAddress("s3://bucket/a")).toBe("https://store.test/bucket/a");
		configure({ hosts: { hub: "https://hub.test" } as object });
		await expect(urlOfAddress("s3://bucket/a")).rejects.toMatchObject({
			message: expect.stringContaining("hub"),
		});
	});

	it("is recognized by its scheme; others are unchanged", async () => {
		expect(["hf://a", "s3://b", "gs://c"].every(isHostAddress)).toBe(true);
		const url = new URL("https://h.test/s3://a");
		const source = { read: async () => undefined };
		for (const other of [url, "/hf://a", "C:\\data", source]) {
			expect(await withoutHost(other)).toBe(other);
		}
	});

	it("opens as a data set", async () => {
		const { source } = await resolveSource("gs://bucket/town.zarr");
		expect(source).toBeInstanceOf(FetchSource);
		expect((source as FetchSource).url.href).toBe(
			"https://storage.googleapis.com/bucket/town.zarr",
		);
	});
});
