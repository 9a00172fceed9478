import { describe, expect, it } from "vitest";
import { typed } from "../../../src/elements/open/address.js";
import {
	hasSecret,
	shownAddress,
	unknownQuery,
} from "../../../src/elements/open/secrets.js";

const BASE = "https://view.example.org/app/";
const kind = (text: string): string => typed(text, BASE).kind;

describe("entered URLs", () => {
	it("are accepted unchanged if URL or path", () => {
		expect(typed(" https://h/a.zarr ", BASE)).toEqual({
			kind: "address",
			address: "https://h/a.zarr",
		});
		expect(kind("/data/a.zarr")).toBe("address");
		expect(typed('"https://h/a.zarr"', BASE)).toMatchObject({
			address: "https://h/a.zarr",
		});
	});

	it("of hosts are accepted unchanged", () => {
		for (const address of [
			"hf://datasets/me/town@v1/a.zarr",
			"s3://bucket/l5/a.zarr",
			"gs://bucket/l5/a.zarr",
		]) {
			expect(typed(` ${address} `, BASE)).toEqual({ kind: "address", address });
		}
		expect(kind("hf://me:secret@datasets/a/b")).toBe("refused");
		expect(kind("az://bucket/a.zarr")).toBe("refused");
	});

	it("may be links of a viewer, relative to it", () => {
		const got = typed("https://other.org/v/#v=1&src=../d/a.zarr&s=3&x=1", BASE);
		expect(got.kind).toBe("link");
		const pairs = new URLSearchParams(got.kind === "link" ? got.fragment : "");
		expect(pairs.get("src")).toBe("https://other.org/d/a.zarr");
		expect(pairs.get("s")).toBe("3");
	});

	for (const path of ["C:\\data\\a.zarr", "file:///home/me/a.zarr", "~/a.zarr"]) {
		it(`are rejected for a local path: ${path}`, () => {
			expect(typed(path, BASE)).toMatchObject({
				kind: "refused",
				why: expect.stringContaining("Drop the folder"),
			});
		});
	}

	it("are rejected with their text if invalid", () => {
		expect(typed("ftp://host/a", BASE)).toMatchObject({
			why: expect.stringContaining("ftp://host/a"),
		});
		expect(kind("")).toBe("refused");
	});
});

describe("address: what may be secret", () => {
	const secret = [
		"https://b.s3.amazonaws.com/a.zarr?X-Amz-Signature=abc&X-Amz-Date=1",
		"https://h/a.zarr?sig=abc",
		"https://h/a.zarr?v=1&token=abc",
		"/a.zarr?api_key=abc",
		"a.zarr?abc",
		"https://me:secret@h/a.zarr",
		"HTTPS:me:secret@h/a.zarr",
		"//me:secret@h/a.zarr",
		"https:\\\\me:secret@h/a.zarr",
		// GitLab, Tencent COS, Akamai, and names that no list has
		"https://h/a.zarr?private_token=abc",
		"https://h/a.zarr?q-signature=abc",
		"https://h/a.zarr?hdnts=exp=1~acl=/*~hmac=abc",
		"https://h/a.zarr?access_key=abc",
		"https://h/a.zarr?download_token=abc",
		"https://h/a.zarr?bearer=abc",
		"https://h/a.zarr?v=1&q=abc",
		"https://h/a.zarr?v=abcdefghijklmnopqrstuvwxyz0123456789",
		"https://h/a.zarr?v=%61bc%2F",
		"https://h/a.zarr#access_token=abc",
	];
	it.each(secret)("is neither displayed, stored nor shared: %s", (address) => {
		expect(hasSecret(address)).toBe(true);
		expect(shownAddress(address)).not.toMatch(/abc|%61bc|secret|me:/);
		expect(hasSecret(shownAddress(address))).toBe(false);
	});

	it("is not in other URLs", () => {
		for (const plain of [
			"https://h/a.zarr",
			"/a.zarr?v=3&page=2",
			"https://h/@me/a",
			"me@h/a.zarr",
			"https://h/a.zip?versionId=3HL4kqtJlcpXroDTDmJ-rmSpXd3dIbrH#scenes/a%3D.zarr",
		]) {
			expect(hasSecret(plain)).toBe(false);
			expect(shownAddress(plain)).toBe(plain);
		}
	});

	it("may select the data, unless it is named as a credential", () => {
		expect(unknownQuery("https://h/a?v=1&set=town&sig=abc&x-amz%2Ddate=1")).toBe(
			"set=town",
		);
	});
});
