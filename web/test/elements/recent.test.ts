import { describe, expect, it } from "vitest";
import { recentAddresses, rememberAddress } from "../../src/elements/recent.js";

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

describe("recent addresses", () => {
	it("come newest first, each once, a handful", () => {
		const of = storage();
		for (const name of ["a", "b", "c", "d", "e", "f", "g", "b"])
			rememberAddress(name, of);
		expect(recentAddresses(of)).toEqual(["b", "g", "f", "e", "d", "c"]);
	});

	it("survive whatever lies in the storage", () => {
		for (const odd of ["{", "null", '{"a":1}', '[1,null,"kept"]']) {
			const list = recentAddresses(storage(odd));
			expect(list).toEqual(odd.includes("kept") ? ["kept"] : []);
		}
	});

	it("are none where storage is forbidden", () => {
		const forbidden = () => {
			throw new DOMException("no", "SecurityError");
		};
		expect(recentAddresses(forbidden)).toEqual([]);
		expect(() => rememberAddress("a", forbidden)).not.toThrow();
	});
});
