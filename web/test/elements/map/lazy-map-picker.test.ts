import { describe, expect, it, vi } from "vitest";
import type { FrameView } from "../../../src/dataset/frame-view.js";
import type { MapView } from "../../../src/dataset/map-view.js";
import { LazyMapPicker } from "../../../src/elements/map/lazy-map-picker.js";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import { Store } from "../../../src/elements/session/store.js";

function made() {
	const laneColours = vi.fn(async (_: readonly string[]) => Uint8Array.of(0, 3));
	const lights = { face_id: ["a1", "b1"], traffic_light_id: ["a", "b"] };
	const shown = { scene: 0, frame: 0, lights } as unknown as FrameView;
	const map = { laneColours } as unknown as MapView;
	const store = new Store<ViewerState>({ ...EMPTY_STATE, map, shown });
	const picker = new LazyMapPicker(store, () => {});
	const asked = (): readonly string[] =>
		laneColours.mock.calls.flatMap(([faces]) => faces);
	return { store, picker, asked };
}

const light = (id: string) => ({ kind: "light", id }) as const;
const chosen = ({ state }: Store<ViewerState>) => state.mapChoice?.object;

describe("map/lazy-map-picker", () => {
	it("executes only the newest call that waits for the code", async () => {
		const { store, picker, asked } = made();
		picker.select(light("a"));
		picker.select(light("b"));
		// On a busy machine, loading the code takes longer than the default of one second.
		await vi.waitFor(() => expect(chosen(store)).toEqual(light("b")), 30_000);
		expect(asked()).toEqual(["b1"]);
	});

	it("selects nothing that was cleared, or is of another scene, meanwhile", async () => {
		const { store, picker, asked } = made();
		picker.select(light("a"));
		picker.clear();
		picker.hover("a");
		picker.hover(undefined);
		store.patch({ scene: 1 });
		picker.select(light("a"));
		store.patch({ scene: 2 });
		picker.select(light("b"));
		// On a busy machine, loading the code takes longer than the default of one second.
		await vi.waitFor(() => expect(chosen(store)).toEqual(light("b")), 30_000);
		expect(asked()).toEqual(["b1"]);
		expect(store.state.mapHover).toBeUndefined();
	});
});
