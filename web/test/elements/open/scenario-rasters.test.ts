import { describe, expect, it } from "vitest";
import { rastersOfSet } from "../../../src/elements/open/scenario-rasters.js";
import type {
	RasterMaker,
	UnrollOptions,
} from "../../../src/elements/raster/rasters.js";
import type { SimulatedScene } from "../../../src/model/simulated-scene.js";

type Set = Parameters<typeof rastersOfSet>[0];

const ego = {
	x: new Float64Array(1),
	y: new Float64Array(1),
	yaw: new Float64Array(1),
};

/** Scenarios whose makers simulate as given. */
function setOf(simulate: RasterMaker["simulate"]): Set {
	const maker = { channels: [], close: () => {}, simulate };
	const opened = { rasters: { open: async () => maker } };
	const use = (_scene: number, _signal: unknown, act: (of: typeof opened) => unknown) =>
		act(opened);
	return { recent: 0, use } as unknown as Set;
}

describe("elements/open/scenario-rasters", () => {
	it("simulates in a scenario, whose only scene has the number of the set", async () => {
		const asked: number[] = [];
		const set = setOf(async ({ scene, onProgress }) => {
			asked.push(scene);
			const found: readonly SimulatedScene[] = [{ scene, ego }];
			await onProgress?.({ done: 1, of: 1, scenes: async () => found });
			return found;
		});
		const maker = await rastersOfSet(set).open("{}", {});
		const told: number[] = [];
		const found = await maker.simulate?.({
			scene: 5,
			onProgress: async ({ scenes }) => {
				told.push(...(await scenes()).map(({ scene }) => scene));
			},
		} as UnrollOptions);
		expect(asked).toEqual([0]);
		expect(told).toEqual([5]);
		expect(found).toEqual([{ scene: 5, ego }]);
	});

	it("refuses scenarios that cannot be simulated", async () => {
		const maker = await rastersOfSet(setOf(undefined)).open("{}", {});
		await expect(maker.simulate?.({ scene: 5 } as UnrollOptions)).rejects.toThrow(
			"simulation: not available",
		);
	});
});
