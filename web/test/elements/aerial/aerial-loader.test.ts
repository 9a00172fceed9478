import { describe, expect, it, type Mock, vi } from "vitest";
import type { AerialView } from "../../../src/elements/aerial/aerial.js";
import { AerialLoader } from "../../../src/elements/aerial/aerial-loader.js";
import { findAerialIn } from "../../../src/elements/aerial/open-aerial.js";
import { toggled } from "../../../src/elements/layers/layer-set.js";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import { Store } from "../../../src/elements/session/store.js";
import { MemorySource } from "../../../src/source/source.js";

function view(): AerialView & { release: Mock<() => void> } {
	const image = { width: 2, height: 2 } as ImageBitmap;
	return { image, fromWorld: () => new Float64Array(9), release: vi.fn<() => void>() };
}

function made(find: () => Promise<AerialView | undefined>) {
	const store = new Store<ViewerState>(EMPTY_STATE);
	const asked = vi.fn(find);
	const loader = new AerialLoader(store, asked);
	const layers = toggled(EMPTY_STATE.layers, "aerial");
	return { store, loader, asked, on: () => store.patch({ layers }) };
}

describe("AerialLoader", () => {
	it("searches once, when the layer is switched on", async () => {
		const image = view();
		const { store, asked, on } = made(async () => image);
		expect(asked).not.toHaveBeenCalled();
		on();
		await vi.waitFor(() => expect(store.state.aerial).toBe(image));
		store.patch({ layers: EMPTY_STATE.layers });
		on();
		expect(asked).toHaveBeenCalledTimes(1);
		expect(store.state.aerialState).toBe("present");
	});

	it("reports a missing image, or why reading failed", async () => {
		const absent = made(async () => undefined);
		absent.on();
		await vi.waitFor(() => expect(absent.store.state.aerialState).toBe("absent"));
		const failed = made(() => Promise.reject(new Error("bad pixels")));
		failed.on();
		await vi.waitFor(() => expect(failed.store.state.aerialState).toBe("failed"));
		expect(failed.store.state.notices).toEqual([
			"Aerial image: read failed: bad pixels",
		]);
	});

	it.each([
		["the automatic one comes last", true],
		["the chosen one comes last", false],
	])("shows the last chosen image: %s", async (_, late) => {
		const [automatic, chosen] = [view(), view()];
		const answers: ((image: AerialView) => void)[] = [];
		const later = () => new Promise<AerialView>((resolve) => answers.push(resolve));
		const { loader, store, on } = made(later);
		on();
		const opening = loader.open(later());
		const order = late ? [1, 0] : [0, 1];
		for (const k of order) answers[k]?.(k === 0 ? automatic : chosen);
		await opening;
		await vi.waitFor(() => expect(automatic.release).toHaveBeenCalledTimes(1));
		expect(store.state.aerial).toBe(chosen);
		expect(store.state.aerialState).toBe("present");
		expect(chosen.release).not.toHaveBeenCalled();
	});

	it("frees replaced, late and closed images", async () => {
		const [first, second, late] = [view(), view(), view()];
		const { loader, store, on } = made(async () => first);
		on();
		await vi.waitFor(() => expect(store.state.aerial).toBe(first));
		await loader.open(Promise.resolve(second));
		expect(first.release).toHaveBeenCalled();
		expect(store.state.aerial).toBe(second);
		const coming = loader.open(Promise.resolve(late));
		loader.dispose();
		await coming;
		expect(second.release).toHaveBeenCalled();
		expect(late.release).toHaveBeenCalled();
	});
});

describe("the aerial image beside the data", () => {
	it("is none if no folder has both files", async () => {
		const bytes = Uint8Array.of(1);
		const folders = [
			new MemorySource(new Map([["meta.json", bytes]])),
			new MemorySource(new Map([["aerial_map/aerial_map.png", bytes]])),
		];
		expect(await findAerialIn(folders, {})).toBeUndefined();
	});
});
