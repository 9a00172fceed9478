import { describe, expect, it } from "vitest";
import { type Values, ValuesModel } from "../../src/notebook/values-model.js";

function made(given: Values) {
	const reported: Values[] = [];
	const changed: string[] = [];
	const model = new ValuesModel(given, (values) => reported.push(values));
	for (const name of ["scene", "frame", "selection"])
		model.on(`change:${name}`, () => changed.push(name));
	/** Sets a value as the viewer does. */
	const show = (values: Values): void => {
		for (const [name, value] of Object.entries(values)) model.set(name, value);
		model.save_changes();
	};
	return { model, reported, changed, show };
}

describe("notebook/values-model", () => {
	it("has what the host gives, and defaults", () => {
		const { model } = made({ scene: 2, _url: "https://h/a.zarr" });
		expect(["scene", "height", "_folders"].map((name) => model.get(name))).toEqual([
			2, 480, 0,
		]);
		expect(model.get("frame")).toBeUndefined();
	});

	it("takes only values that the host has changed", () => {
		const { model, changed, show } = made({ scene: 1, frame: 3 });
		show({ frame: 40 });
		model.update({ scene: 1, frame: 3 });
		expect([changed, model.get("frame")]).toEqual([[], 40]);
		model.update({ scene: 2, frame: 3 });
		expect([changed, model.get("scene"), model.get("frame")]).toEqual([
			["scene"],
			2,
			40,
		]);
	});

	it("reports all values when a watched one changes", () => {
		const { reported, show } = made({ scene: 0, _watch: ["scene", "selection"] });
		show({ frame: 1 });
		expect(reported).toEqual([]);
		show({ selection: "ego" });
		expect(reported).toMatchObject([{ scene: 0, frame: 1, selection: "ego" }]);
		show({ frame: 2 });
		expect(reported).toHaveLength(1);
	});

	it("reports every change if nothing is chosen", () => {
		const { reported, show } = made({ scene: 0 });
		show({ frame: 1 });
		show({ frame: 1 });
		show({ frame: 2 });
		expect(reported.map(({ frame }) => frame)).toEqual([1, 2]);
	});

	it("does not call listeners that were removed", () => {
		const { model, changed } = made({ scene: 0 });
		const listener = (): void => void changed.push("removed");
		model.on("change:scene", listener);
		model.off("change:scene", listener);
		model.update({ scene: 1 });
		expect(changed).toEqual(["scene"]);
	});
});
