import { describe, expect, it } from "vitest";
import { ViewerController } from "../../../src/elements/session/controller.js";
import { Selections } from "../../../src/elements/session/selections.js";
import { fakeDataset } from "../../support/fake-dataset.js";
import { FakeTicker } from "../../support/fake-ticker.js";

async function open() {
	const opened = fakeDataset({ frames: 30, agents: 12 });
	const controller = new ViewerController({
		opener: async () => opened,
		ticker: new FakeTicker(),
	});
	await controller.open({ kind: "given", name: "town", opened });
	await controller.settled;
	return { controller, selections: new Selections(controller) };
}

describe("Selections", () => {
	it("go back and forth", async () => {
		const { controller, selections } = await open();
		for (const track of [1n, 2n, 3n]) controller.select(track);
		selections.move(-1);
		expect(controller.state.selection).toBe(2n);
		selections.move(-1);
		expect(controller.state.selection).toBe(1n);
		expect(selections.move(-1)).toBeUndefined();
		expect(controller.state.selection).toBe(1n);
		selections.move(1);
		expect(controller.state.selection).toBe(2n);
	});

	it("return to the one that was cleared", async () => {
		const { controller, selections } = await open();
		controller.select(1n);
		controller.select(undefined);
		expect(selections.move(1)).toBeUndefined();
		expect(selections.move(-1)?.selection).toBe(1n);
		expect(controller.state.selection).toBe(1n);
	});

	it("drop what follows when something else is selected", async () => {
		const { controller, selections } = await open();
		for (const track of [1n, 2n]) controller.select(track);
		selections.move(-1);
		controller.select(5n);
		expect(selections.move(1)).toBeUndefined();
		expect(selections.recent.map(({ selection }) => selection)).toEqual([5n, 1n]);
	});

	it("stay in the frame within a scene, and return to that of another", async () => {
		const { controller, selections } = await open();
		controller.seek(7);
		controller.select(1n);
		controller.seek(20);
		controller.select(2n);
		selections.move(-1);
		expect(controller.state).toMatchObject({ scene: 0, frame: 20, selection: 1n });
		controller.setScene(1);
		await controller.settled;
		selections.move(-1);
		await controller.settled;
		expect(controller.state).toMatchObject({ scene: 0, frame: 7, selection: 1n });
	});

	it("belong to a data set", async () => {
		const { controller, selections } = await open();
		controller.select(1n);
		const opened = fakeDataset({ frames: 30, agents: 12 });
		await controller.open({ kind: "given", name: "other", opened });
		expect(selections.recent).toEqual([]);
		expect(selections.move(-1)).toBeUndefined();
	});
});
