import { describe, expect, it, vi } from "vitest";
import { BevError } from "../../../src/base/errors.js";
import type { MapView } from "../../../src/dataset/map-view.js";
import { MapLoader } from "../../../src/elements/map/map-loader.js";
import { mapAt, mapOf } from "../../../src/elements/map/open-map.js";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import { Store } from "../../../src/elements/session/store.js";
import { fakeMap } from "../../support/fake-dataset.js";

function made() {
	const store = new Store<ViewerState>(EMPTY_STATE);
	return { store, loader: new MapLoader(store) };
}

function watched(): MapView {
	return { ...fakeMap(), release: vi.fn<() => void>() };
}

describe("MapLoader", () => {
	it("reports a found map, or none", async () => {
		const { store, loader } = made();
		await loader.open(async () => undefined);
		expect(store.state).toMatchObject({ mapState: "absent", mapPlace: undefined });
		const map = watched();
		const place = { map: "/m.pb", meta: "/meta.json" };
		await loader.open(async () => ({ view: map, place }), { address: "/m.pb" });
		expect(store.state.map).toBe(map);
		expect(store.state).toMatchObject({
			mapState: "present",
			mapPlace: place,
			mapAddress: "/m.pb",
		});
	});

	it("keeps the current map if another cannot be read, with a notice", async () => {
		const { store, loader } = made();
		const map = watched();
		await loader.open(async () => ({ view: map }));
		await loader.open(() => Promise.reject(new Error("no lanes")), {
			address: undefined,
		});
		expect(store.state.map).toBe(map);
		expect(store.state.mapState).toBe("present");
		expect(store.state.notices).toEqual(["Chosen map: read failed: no lanes"]);
	});

	it("removes the map, and does not show one that comes late", async () => {
		const { store, loader } = made();
		const [first, late] = [watched(), watched()];
		await loader.open(async () => ({ view: first }));
		expect(loader.isBeside).toBe(true);
		let answer: (found: { view: MapView }) => void = () => {};
		const coming = loader.open(() => new Promise((resolve) => (answer = resolve)));
		loader.clear();
		expect(store.state).toMatchObject({ map: undefined, mapState: "unknown" });
		expect(first.release).toHaveBeenCalled();
		answer({ view: late });
		await coming;
		expect(store.state.map).toBeUndefined();
		expect(late.release).toHaveBeenCalled();
		await loader.open(async () => ({ view: watched() }), { address: "/m.pb" });
		expect(loader.isBeside).toBe(false);
	});

	it("frees replaced, late and closed maps", async () => {
		const { loader } = made();
		const [first, late, last] = [watched(), watched(), watched()];
		await loader.open(async () => ({ view: first }));
		let answer: (found: { view: MapView }) => void = () => {};
		const coming = loader.open(() => new Promise((resolve) => (answer = resolve)));
		await loader.open(async () => ({ view: last }));
		expect(first.release).toHaveBeenCalled();
		answer({ view: late });
		await coming;
		expect(late.release).toHaveBeenCalled();
		expect(last.release).not.toHaveBeenCalled();
		loader.dispose();
		expect(last.release).toHaveBeenCalled();
	});
});

describe("a chosen map", () => {
	it("has its meta.json beside it or in the parent folder, with the same query", async () => {
		const asked: string[] = [];
		const map = watched();
		const read = async (_: unknown, meta: unknown) => {
			asked.push(String(meta));
			return asked.length > 1 ? map : undefined;
		};
		const url = new URL("https://host/l5/maps/a.pb?sig=1");
		expect((await mapAt(url, read, {})).view).toBe(map);
		expect(asked).toEqual([
			"https://host/l5/meta.json?sig=1",
			"https://host/l5/maps/meta.json?sig=1",
		]);
	});

	it("is rejected with the answer for the map, or the last one for its meta.json", async () => {
		const url = new URL("https://host/a.pb?sig=1");
		const absent = (key: string) =>
			new BevError("not_found", `map: ${key} not found`, {
				key,
				url: `https://host/${key}`,
				status: 404,
			});
		let requests = 0;
		const without = (key: string) => async () => {
			requests += 1;
			throw absent(key);
		};
		const answer = (key: string) => ({ key, url: `https://host/${key}`, status: 404 });
		await expect(mapAt(url, without("a.pb"), {})).rejects.toMatchObject({
			...answer("a.pb"),
			message: expect.stringMatching(/^https:\/\/host\/a\.pb: no map/),
		});
		expect(requests).toBe(1);
		await expect(mapAt(url, without("meta.json"), {})).rejects.toMatchObject({
			...answer("meta.json"),
			message: expect.stringMatching(/^https:\/\/host\/a\.pb: no meta\.json/),
		});
		expect(requests).toBe(3);
	});

	it("is rejected with its URL if the reader does not say what is absent", async () => {
		const reading = mapAt(new URL("https://host/a.pb"), async () => undefined, {});
		await expect(reading).rejects.toMatchObject({
			url: "https://host/a.pb",
			message: expect.stringMatching(/a\.pb: no map, or no meta\.json/),
		});
	});

	it("is rejected at once with other errors", async () => {
		const denied = new BevError("network", "denied", { status: 403 });
		const read = async () => Promise.reject(denied);
		await expect(mapAt(new URL("https://host/a.pb"), read, {})).rejects.toBe(denied);
	});

	it("is rejected if it is chosen without its meta.json", async () => {
		const alone = [new File(["x"], "a.pb")];
		const read = async () => undefined;
		await expect(mapOf(alone, read, {})).rejects.toThrow(/two files together/);
	});
});
