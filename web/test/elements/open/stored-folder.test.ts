import { afterEach, expect, it, vi } from "vitest";
import { storeFolder } from "../../../src/elements/open/stored-folder.js";
import type { ViewerController } from "../../../src/elements/session/controller.js";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import { Store } from "../../../src/elements/session/store.js";
import { fakeDataset } from "../../support/fake-dataset.js";

/** Returns a request that succeeds in the next turn. */
function request<T>(result: T) {
	const it = { result, onsuccess: () => {} };
	setTimeout(() => it.onsuccess());
	return it;
}

afterEach(() => void vi.unstubAllGlobals());

it("the state of local files is stored without the queries of other addresses", async () => {
	const stored: string[] = [];
	const objectStore = () => ({ put: () => request(undefined) });
	const database = { transaction: () => ({ objectStore }), close: () => {} };
	vi.stubGlobal("indexedDB", { open: () => request(database) });
	vi.stubGlobal("localStorage", {
		setItem: (_: string, text: string) => stored.push(text),
	});
	const handles = Promise.resolve([{ name: "d.zarr" } as FileSystemHandle]);
	const place = { kind: "files", name: "d.zarr", files: [], handles } as const;
	const mapAddress = "https://h/map.pb?private_token=secret&v=2";
	const state = { ...EMPTY_STATE, place, mapAddress, scene: 3 };
	const { dataset } = fakeDataset({ frames: 2 });
	const store = new Store<ViewerState>({ ...state, dataset, phase: "ready" });
	const controller = { store, state: store.state } as unknown as ViewerController;
	await storeFolder(controller, place);
	expect(stored.join()).toContain("s=3");
	expect(stored.join()).toContain("map.pb?v=2");
	expect(stored.join()).not.toContain("secret");
});
