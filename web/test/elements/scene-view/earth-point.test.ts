import { describe, expect, it, vi } from "vitest";
import type { Geodetic, MapView } from "../../../src/dataset/map-view.js";
import {
	EarthPoint,
	earthWords,
} from "../../../src/elements/scene-view/earth-point.js";
import { fakeMap } from "../../support/fake-dataset.js";

/** A map whose conversions are answered by the test. */
function slowMap() {
	const waiting: (() => void)[] = [];
	const geodetic = vi.fn(
		(x: number, y: number) =>
			new Promise<Geodetic>((resolve) =>
				waiting.push(() => resolve({ latitude: x, longitude: y, altitude: 0 })),
			),
	);
	const map: MapView = { ...fakeMap(), geodetic };
	return { map, geodetic, waiting };
}

describe("earth point", () => {
	it("queries only the latest pending point", async () => {
		const { map, geodetic, waiting } = slowMap();
		const told = vi.fn();
		const earth = new EarthPoint(told);
		for (const x of [1, 2, 3]) earth.ask(map, { x, y: 0 });
		waiting.shift()?.();
		await vi.waitFor(() => expect(geodetic).toHaveBeenCalledTimes(2));
		waiting.shift()?.();
		await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(2));
		expect(told.mock.lastCall?.[0]).toMatchObject({ latitude: 3 });
	});

	it("queries a resting point once and returns it with the answer", async () => {
		const { map, geodetic, waiting } = slowMap();
		const told = vi.fn();
		const earth = new EarthPoint(told);
		const point = { x: 1, y: 2 };
		earth.ask(map, point);
		waiting.shift()?.();
		await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(1));
		earth.ask(map, { ...point });
		expect(geodetic).toHaveBeenCalledTimes(1);
		expect(told.mock.lastCall?.[1]).toEqual(point);
	});

	it("ignores the answer if the pointer left", async () => {
		const { map, waiting } = slowMap();
		const told = vi.fn();
		const earth = new EarthPoint(told);
		earth.ask(map, { x: 1, y: 0 });
		earth.ask(map, undefined);
		waiting.shift()?.();
		await Promise.resolve();
		expect(told.mock.calls).toEqual([[undefined]]);
	});

	it.each([
		["before", [0, 1]],
		["after", [1, 0]],
	])("uses only the new map's answer; the old one arrives %s", async (_, order) => {
		const maps = [slowMap(), slowMap()];
		const told = vi.fn();
		const earth = new EarthPoint(told);
		for (const { map } of maps) earth.ask(map, { x: 1, y: 2 });
		await vi.waitFor(() => expect(maps[1]?.geodetic).toHaveBeenCalledOnce());
		for (const at of order) {
			maps[at]?.waiting.shift()?.();
			await new Promise((resolve) => setTimeout(resolve));
		}
		expect(told).toHaveBeenCalledOnce();
		expect(told.mock.lastCall?.[1]).toEqual({ x: 1, y: 2 });
		expect(maps[0]?.geodetic).toHaveBeenCalledOnce();
	});

	it("formats degrees with N or S, E or W", () => {
		const place = { latitude: 37.4271234, longitude: -122.0811, altitude: 3 };
		expect(earthWords(place)).toBe("37.427123° N 122.081100° W");
	});
});
