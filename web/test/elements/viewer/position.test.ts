import { describe, expect, it } from "vitest";
import { Position } from "../../../src/elements/viewer/position.js";
import { fakeViewer } from "../../support/fake-viewer.js";

const PLACE = { kind: "address", address: "https://host/x.zarr" } as const;

function made() {
	const { host, controller, updates } = fakeViewer({}, { scenes: 3, frames: 20 });
	return { position: new Position(host), controller, updates };
}

async function opened() {
	const all = made();
	await all.controller.open(PLACE, {});
	await all.controller.displayed;
	return all;
}

const shown = (position: Position) => [position.get("scene"), position.get("frame")];

describe("Position", () => {
	it("is what was set, until a data set is open", () => {
		const { position, updates } = made();
		expect(shown(position)).toEqual([null, null]);
		position.set("scene", "2");
		position.set("frame", 7);
		expect(shown(position)).toEqual([2, 7]);
		expect(updates).toEqual(["scene", "frame"]);
		expect(position.start()).toEqual({ scene: 2, frame: 7 });
		position.set("scene", null);
		expect(position.start()).toEqual({ scene: undefined, frame: 7 });
	});

	it("reports invalid values, and stays", () => {
		const { position, controller, updates } = made();
		position.set("frame", 3);
		for (const value of [-1, 1.5, "x"]) position.set("frame", value);
		expect(position.get("frame")).toBe(3);
		expect(updates).toEqual(["frame"]);
		expect(controller.state.notices[0]).toBe(
			"frame: invalid index (found -1, expected a whole number from 0)",
		);
	});

	it("moves the open data set once per change", async () => {
		const { position, controller } = await opened();
		position.set("frame", 5);
		position.steer();
		await controller.displayed;
		expect(shown(position)).toEqual([0, 5]);
		controller.seek(9);
		position.steer();
		await controller.displayed;
		expect(shown(position)).toEqual([0, 9]);
		position.set("scene", 1);
		position.steer();
		await controller.displayed;
		expect(shown(position)).toEqual([1, 5]);
	});

	it("goes to a frame, and resolves when it is displayed", async () => {
		const { position } = await opened();
		await position.goTo(2, 4);
		expect(shown(position)).toEqual([2, 4]);
		await expect(position.goTo(3, 0)).rejects.toThrow("goTo: scene 3 is out of range");
		await expect(position.goTo(0, -1)).rejects.toThrow(
			"goTo: frame -1 is out of range",
		);
		await expect(made().position.goTo(0, 0)).rejects.toThrow("goTo: no data set");
	});
});
