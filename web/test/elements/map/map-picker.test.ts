import { describe, expect, it } from "vitest";
import type { FrameView } from "../../../src/dataset/frame-view.js";
import type { MapView } from "../../../src/dataset/map-view.js";
import { MapPicker } from "../../../src/elements/map/map-picker.js";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import { Store } from "../../../src/elements/session/store.js";

interface Asked {
	readonly faces: readonly string[];
	readonly signal: AbortSignal;
	readonly answer: (colours: Uint8Array) => void;
}

function frameOf(frame: number, faces: readonly string[]): FrameView {
	const lights = {
		face_id: faces,
		traffic_light_id: faces.map((face) => face.slice(0, 1)),
	};
	return { scene: 0, frame, lights } as unknown as FrameView;
}

/** A picker whose map is answered by the test. */
function picking() {
	const asked: Asked[] = [];
	const map = {
		laneColours: (faces: readonly string[], { signal }: { signal: AbortSignal }) =>
			new Promise<Uint8Array>((answer) => asked.push({ faces, answer, signal })),
	} as unknown as MapView;
	const shown = frameOf(0, ["a1", "b1", "a2"]);
	const store = new Store<ViewerState>({ ...EMPTY_STATE, map, shown });
	return { asked, store, picker: new MapPicker(store) };
}

const answered = () => new Promise((resolve) => setTimeout(resolve));
const until = async (isDone: () => boolean) => {
	while (!isDone()) await answered();
};

describe("map-picker", () => {
	it("highlights a light's lanes; the latest request wins", async () => {
		const { asked, store, picker } = picking();
		picker.select({ kind: "light", id: "a" });
		await until(() => asked.length === 1);
		picker.select({ kind: "light", id: "b" });
		await until(() => asked.length === 2);
		expect(asked.map(({ faces }) => faces)).toEqual([["a1", "a2"], ["b1"]]);
		expect(asked[0]?.signal.aborted).toBe(true);
		asked[1]?.answer(Uint8Array.of(0, 3, 1));
		asked[0]?.answer(Uint8Array.of(1, 0, 0));
		await answered();
		expect(store.state.mapChoice).toEqual({
			object: { kind: "light", id: "b" },
			marks: { lanes: [1, 2], crosswalks: [] },
			faces: ["b1"],
		});
	});

	it("selects nothing after an agent, map or scene change", async () => {
		const changes: Partial<ViewerState>[] = [
			{ selection: 7n },
			{ map: undefined },
			{ scene: 1 },
		];
		for (const change of changes) {
			const { asked, store, picker } = picking();
			picker.select({ kind: "light", id: "a" });
			await until(() => asked.length === 1);
			store.patch(change);
			asked[0]?.answer(Uint8Array.of(1));
			await answered();
			expect(store.state.mapChoice).toBeUndefined();
			expect(store.state.selection).toBe(change.selection);
		}
	});

	it("replaces an agent's selection, and is cleared by one", async () => {
		const { store, picker } = picking();
		store.patch({ selection: 7n });
		picker.select({ kind: "lane", row: 3 });
		await until(() => store.state.mapChoice !== undefined);
		expect(store.state.selection).toBeUndefined();
		expect(store.state.mapChoice?.marks).toEqual({ lanes: [3], crosswalks: [] });
		store.patch({ selection: 8n });
		expect(store.state.mapChoice).toBeUndefined();
	});

	it("queries again for a frame with other faces", async () => {
		const { asked, store, picker } = picking();
		picker.select({ kind: "light", id: "a" });
		await until(() => asked.length === 1);
		asked[0]?.answer(Uint8Array.of(1, 0));
		await answered();
		store.patch({ shown: frameOf(1, ["a2", "b1", "a1"]) });
		await answered();
		expect(asked.length).toBe(1);
		store.patch({ shown: frameOf(2, ["a2"]) });
		await until(() => asked.length === 2);
		asked[1]?.answer(Uint8Array.of(0, 1));
		await answered();
		expect(store.state.mapChoice?.marks.lanes).toEqual([1]);
		expect(asked[1]?.faces).toEqual(["a2"]);
	});
});
