import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { corsHelp } from "../../../src/elements/open/open-diagnosis.js";

beforeEach(() => vi.stubGlobal("location", { origin: "https://view.test" }));
afterEach(() => vi.unstubAllGlobals());

describe("open/open-diagnosis: CORS", () => {
	it.each([
		"https://bucket.s3.amazonaws.com/a.zarr",
		"https://my.bucket.s3.eu-west-1.amazonaws.com/a.zarr",
		"https://s3.eu-west-1.amazonaws.com/my.bucket/a.zarr",
	])("of a bucket is a rule: %s", (address) => {
		const { advice, copy = "" } = corsHelp(new URL(address));
		expect(advice).toEqual([
			expect.stringContaining("the bucket must allow GET from this page, and expose"),
		]);
		expect(JSON.parse(copy)).toEqual([
			{
				AllowedOrigins: ["https://view.test"],
				AllowedMethods: ["GET", "HEAD"],
				AllowedHeaders: ["Range"],
				ExposeHeaders: ["Content-Range", "ETag"],
			},
		]);
	});

	it.each(["https://data.test/a.zarr", "https://amazonaws.com.test/s3.zarr"])(
		"of a server is a header: %s",
		(address) => {
			const { copy } = corsHelp(new URL(address));
			expect(copy).toBe("Access-Control-Allow-Origin: https://view.test");
		},
	);
});
