import { describe, expect, it, vi } from "vitest";
import { egoChoice, placeWith } from "../../../src/elements/agents/ego-choice.js";
import type { Place } from "../../../src/elements/session/dataset.js";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import { fakeDataset, fakeFrame } from "../../support/fake-dataset.js";
import { withoutEgo } from "../../support/virtual-ego.js";

const FILE: Place = { kind: "files", name: "a.xml", files: new Map() };
const URL_PLACE: Place = { kind: "address", address: "/data/tracks.csv" };

/** Returns the state of scenarios whose ego vehicle is `ego`; "none" if it is virtual. */
function stateOf(place: Place, ego: string | undefined): ViewerState {
	const { dataset } = fakeDataset({ frames: 3 });
	const bevscope = { scenes: [{ ego, track_names: { 7: "P7" } }] };
	const frame = fakeFrame(0, 1, 3);
	const shown = ego === "none" ? withoutEgo(frame) : frame;
	return {
		...EMPTY_STATE,
		...{ place, shown },
		dataset: Object.assign(dataset, { attrs: { bevscope } }),
	};
}

describe("choosing the ego vehicle", () => {
	it("names it in the place that is opened again", () => {
		const address = (from: string, ego: string | undefined) =>
			placeWith({ kind: "address", address: from }, ego);
		expect(address("/a.xml", "42")).toMatchObject({ address: "/a.xml#ego=42" });
		expect(address("/a.csv#ego=1", "P 7")).toMatchObject({
			address: "/a.csv#ego=P%207",
		});
		expect(address("/a.csv#ego=1", undefined)).toMatchObject({ address: "/a.csv" });
		expect(placeWith(FILE, "3")).toEqual({ ...FILE, ego: "3" });
	});

	it("is offered for data without an ego vehicle, and can be taken back", () => {
		const isOffered = (place: Place, ego: string | undefined, track: bigint | "ego") =>
			egoChoice(undefined, stateOf(place, ego), track) !== undefined;
		for (const place of [FILE, URL_PLACE]) {
			expect(isOffered(place, "none", 1n)).toBe(true);
			expect(isOffered(place, "none", "ego")).toBe(false);
			expect(isOffered(place, "track 2", 1n)).toBe(false);
			expect(isOffered(place, "track 2", "ego")).toBe(true);
			expect(isOffered(place, undefined, 1n)).toBe(false);
		}
		expect(isOffered({ ...FILE, name: "out.zarr" }, "none", 1n)).toBe(false);
		expect(isOffered({ ...URL_PLACE, address: "/out.zarr" }, "none", 1n)).toBe(false);
	});

	it("opens the same place with the track's name in the file", () => {
		const controller = { open: vi.fn(), linkState: () => ({ scene: 0, frame: 5 }) };
		const choice = egoChoice(controller as never, stateOf(FILE, "none"), 7n);
		const press = choice?.values.find((value) => typeof value === "function");
		(press as () => void)();
		expect(controller.open).toHaveBeenCalledWith(
			{ ...FILE, ego: "P7" },
			{ scene: 0, frame: 5, selection: "ego" },
		);
	});
});
