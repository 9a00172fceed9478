import { describe, expect, it } from "vitest";
import type { CoreSelect } from "../../src/core.js";
import { MemorySource } from "../../src/source/source.js";
import { Host } from "../../src/worker/host.js";
import type { Query } from "../../src/worker/protocol.js";
import { fakeCore } from "../support/fake-core.js";

const META = Uint8Array.of(7);

/** Two data sets that share a module, and the number of its live objects. */
function page() {
	const { core, engines, maps } = fakeCore();
	const alive = { images: 0, samplers: 0, selections: 0, items: 0 };
	const counted = <T extends object>(what: keyof typeof alive, one: T): T => {
		alive[what] += 1;
		let deleted = false;
		const free = (): void => {
			if (deleted) throw new Error(`${what}: deleted twice`);
			deleted = true;
			alive[what] -= 1;
		};
		return { ...one, delete: free };
	};
	const selection = {
		missing: () => [],
		ahead: () => [],
		build: () => [],
		next: () => false,
	} as unknown as CoreSelect;
	const module = {
		...core,
		makeAerial: () => counted("images", { putRows: () => {} }) as never,
		samples: (...given: Parameters<typeof core.samples>) =>
			counted("samplers", core.samples(...given)),
		select: () => counted("selections", selection),
		itemsOfMask: () => counted("items", { rows: () => [] }) as never,
	};
	const host = (): Host =>
		new Host({
			createCore: async () => module,
			source: new MemorySource(new Map([["meta", META]])),
			byteBudget: 1000,
		});
	return { host, engines, alive, maps };
}

const pixels = { width: 1, height: 1, data: new Uint8Array(4) };

/** Makes the host keep one object of each kind. */
const KEPT: readonly Query[] = [
	{ kind: "map", id: 1, pb: META, meta: META, answered: true },
	{ kind: "aerial", id: 2, image: pixels, meta: META },
	{ kind: "masked-items", id: 3, mask: new Uint8Array(3), minima: {} } as Query,
	{ kind: "selection", id: 4, rules: {} },
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
		const { host, engines, alive, maps } = page();
		for (let cycle = 1; cycle <= 3; cycle += 1) {
			const hosts = [host(), host()];
			for (const one of hosts) {
				await one.run({ kind: "open" });
				for (const query of KEPT) await one.run(query);
			}
			const two = { images: 2, samplers: 2, selections: 2, items: 2 };
			expect({ ...alive, maps: maps.alive }).toEqual({ ...two, maps: 2 });
			const [gone, stays] = order.map((at) => hosts[at] as Host);
			gone?.close();
			expect(maps.alive).toBe(1);
			const geodetic = { kind: "geodetic", map: 1, at: [1, 2, 3] } as const;
			await expect(stays?.run(geodetic)).resolves.toBeDefined();
			await expect(gone?.run(geodetic)).rejects.toThrow("closed");
			stays?.close();
			const none = { images: 0, samplers: 0, selections: 0, items: 0, maps: 0 };
			expect({ ...alive, maps: maps.alive }).toEqual(none);
			expect(engines.map(({ deleted }) => deleted)).toEqual(
				new Array(2 * cycle).fill(1),
			);
		}
	});
});
