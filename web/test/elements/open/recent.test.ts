import { describe, expect, it } from "vitest";
import {
	forgetAddress,
	forgetAddresses,
	recentAddresses,
	rememberAddress,
} from "../../../src/elements/open/recent.js";

function storage(start?: string): () => Storage {
	let kept = start ?? null;
	const fake = {
		getItem: () => kept,
		setItem: (_: string, value: string) => {
			kept = value;
		},
	};
	return () => fake as unknown as Storage;
}

describe("recent URLs", () => {
	it("are few, unique, newest first", () => {
		const of = storage();
		for (const name of ["a", "b", "c", "d", "e", "f", "g", "b"])
			rememberAddress(name, of);
		expect(recentAddresses(of)).toEqual(["b", "g", "f", "e", "d", "c"]);
	});

	it.each([
		"https://h/a.zarr?X-Amz-Signature=abc",
		"https://h/a.zarr?private_token=abc",
		"https://h/a.zarr?anything=abc",
	])("are neither stored nor displayed with a query: %s", (signed) => {
		const of = storage(JSON.stringify([signed, "b"]));
		rememberAddress(signed, of);
		expect(recentAddresses(of)).toEqual(["b"]);
		rememberAddress("c", of);
		expect(of().getItem("bevscope.recent")).not.toContain("abc");
	});

	it("are removed one by one, or all at once", () => {
		const of = storage('["a","b","c"]');
		forgetAddress("b", of);
		expect(recentAddresses(of)).toEqual(["a", "c"]);
		forgetAddresses(of);
		expect(recentAddresses(of)).toEqual([]);
	});

	it("tolerate invalid stored values", () => {
		for (const odd of ["{", "null", '{"a":1}', '[1,null,"kept"]']) {
			const list = recentAddresses(storage(odd));
			expect(list).toEqual(odd.includes("kept") ? ["kept"] : []);
		}
	});

	it("are empty if storage is forbidden", () => {
		const forbidden = () => {
			throw new DOMException("no", "SecurityError");
		};
		expect(recentAddresses(forbidden)).toEqual([]);
		expect(() => rememberAddress("a", forbidden)).not.toThrow();
	});
});
