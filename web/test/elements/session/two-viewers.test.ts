import { describe, expect, it } from "vitest";
import type { MapView } from "../../../src/dataset/map-view.js";
import type { AerialView } from "../../../src/elements/aerial/aerial.js";
import { ViewerController } from "../../../src/elements/session/controller.js";
import type { Opened, Place } from "../../../src/elements/session/dataset.js";
import { fakeDataset, fakeMap } from "../../support/fake-dataset.js";
import { FakeTicker } from "../../support/fake-ticker.js";

const PLACE: Place = { kind: "address", address: "https://host/town.zarr" };

/** Counts of live objects over all viewers of a page. */
function page() {
	const held = { datasets: 0, maps: 0, images: 0, onStats: 0, online: 0, frames: 0 };
	const kept = <T extends object>(what: keyof typeof held, one: T): T => {
		let released = false;
		held[what] += 1;
		const release = (): void => {
			if (released) throw new Error(`${what}: released twice`);
			released = true;
			held[what] -= 1;
		};
		return { ...one, release };
	};
	const opener = async (): Promise<Opened> => {
		const { dataset } = fakeDataset({ frames: 8, agents: 3 });
		held.datasets += 1;
		const counted = {
			...dataset,
			frame: async (...asked: Parameters<typeof dataset.frame>) =>
				kept("frames", await dataset.frame(...asked)),
			onStats: () => {
				held.onStats += 1;
				return () => {
					held.onStats -= 1;
				};
			},
			close: () => {
				held.datasets -= 1;
			},
		};
		return {
			dataset: counted,
			findMap: async (): Promise<MapView> => kept("maps", fakeMap()),
			findAerial: async () => kept("images", {}) as AerialView,
		};
	};
	const network = {
		addEventListener: () => {
			held.online += 1;
		},
		removeEventListener: () => {
			held.online -= 1;
		},
	};
	const viewer = async (): Promise<ViewerController> => {
		const controller = new ViewerController({
			opener,
			ticker: new FakeTicker(),
			network,
		});
		controller.toggleLayer("aerial");
		await controller.open(PLACE);
		await controller.settled;
		return controller;
	};
	return { held, viewer };
}

const NOTHING = { datasets: 0, maps: 0, images: 0, onStats: 0, online: 0 };

describe("two viewers on a page", () => {
	it.each([
		["first", [0, 1]],
		["last", [1, 0]],
	])(
		"leave nothing behind when the one opened %s is closed first",
		async (_, order) => {
			const { held, viewer } = page();
			for (let cycle = 0; cycle < 4; cycle += 1) {
				const both = [await viewer(), await viewer()];
				expect(held).toMatchObject({ datasets: 2, maps: 2, images: 2, online: 2 });
				const [gone, stays] = order.map((at) => both[at] as ViewerController);
				gone?.close();
				expect(held).toMatchObject({ datasets: 1, maps: 1, images: 1, online: 1 });
				stays?.seek(5);
				await stays?.settled;
				expect(stays?.state.shown?.frame).toBe(5);
				expect(gone?.state.shown).toBeUndefined();
				stays?.close();
				expect(held).toMatchObject(NOTHING);
			}
		},
	);

	it("are independent if one is closed while both are opening", async () => {
		const { held, viewer } = page();
		for (const at of [0, 1]) {
			const opening = [viewer(), viewer()];
			const both = await Promise.all(opening);
			const again = both.map((controller) => controller.open(PLACE));
			both[at]?.close();
			await Promise.all(again);
			await both[1 - at]?.settled;
			expect(both[1 - at]?.state.phase).toBe("ready");
			expect(held).toMatchObject({ datasets: 1, maps: 1, online: 1 });
			both[1 - at]?.close();
			expect(held).toMatchObject(NOTHING);
		}
	});
});
