import { describe, expect, it } from "vitest";
import { MemorySource } from "../../src/source/source.js";
import { Host } from "../../src/worker/host.js";
import { keeping, type Query, valueBy } from "../../src/worker/protocol.js";
import { fakeCore } from "../support/fake-core.js";

const META = Uint8Array.of(7);

/** Two data sets that share a module, and the number of its live objects. */
function page() {
	const { module, engines, alive } = fakeCore({
		aerial: (_, made) => made({ kind: "images" }),
		put_aerial_rows: () => undefined,
		selection: (_, made) => made({ kind: "selections" }),
		items_of_mask: (_, made) => made({ kind: "items" }),
		item_rows: () => [],
	});
	const host = (): Host =>
		new Host({
			createCore: async () => module,
			source: new MemorySource(new Map([["meta", META]])),
			byteBudget: 1000,
		});
	return { host, engines, alive };
}

const pixels = { width: 1, height: 1, data: new Uint8Array(4) };

/** Makes the host keep one object of each kind. */
const KEPT: readonly Query[] = [
	keeping(1, "map", { pb: META, meta: META }),
	{ kind: "aerial", id: 2, image: pixels, meta: META },
	keeping(3, "items_of_mask", { mask: new Uint8Array(3) }),
	keeping(4, "selection", {}),
	{
		kind: "sampler",
		id: 5,
		options: { config: "c", perturbation: {} },
		objects: { map: 1, aerial: 2 },
	},
];

describe("worker/two-hosts", () => {
	it.each([
		["first", [0, 1]],
		["last", [1, 0]],
	])("free everything when the one opened %s is closed first", async (_, order) => {
		const { host, engines, alive } = page();
		for (let cycle = 1; cycle <= 3; cycle += 1) {
			const hosts = [host(), host()];
			for (const one of hosts) {
				await one.run({ kind: "open" });
				for (const query of KEPT) await one.run(query);
			}
			const two = { images: 2, samplers: 2, selections: 2, items: 2, maps: 2 };
			expect(alive).toEqual(two);
			const [gone, stays] = order.map((at) => hosts[at] as Host);
			gone?.close();
			expect(alive.maps).toBe(1);
			const geodetic = valueBy("geodetic", { x: 1, y: 2, z: 3 }, { map: 1 });
			await expect(stays?.run(geodetic)).resolves.toBeDefined();
			await expect(gone?.run(geodetic)).rejects.toThrow("closed");
			stays?.close();
			const none = { images: 0, samplers: 0, selections: 0, items: 0, maps: 0 };
			expect(alive).toEqual(none);
			expect(engines.map(({ deleted }) => deleted)).toEqual(
				new Array(2 * cycle).fill(1),
			);
		}
	});
});
