import { describe, expect, it } from "vitest";
import { DIMMED, HIDDEN, SHOWN } from "../../../src/elements/agents/summary.js";
import type { Picture } from "../../../src/elements/draw/picture.js";
import {
	screenFromWorld,
	viewOf,
	worldFromScreen,
} from "../../../src/elements/scene-view/camera.js";
import { focusOn } from "../../../src/elements/scene-view/focus.js";
import { ViewEasing } from "../../../src/elements/scene-view/scene-painter.js";
import { Controls } from "../../../src/elements/session/controls.js";
import { fakeFrame } from "../../support/fake-dataset.js";

const VIEW = {
	...{ x: 0, y: 0, pixelsPerMetre: 1, rotation: 0 },
	...{ width: 100, height: 100 },
};

/** A picture of scene 0 with tracks 1, 2 and 3, of which the last is filtered out. */
function picture(selection: Picture["selection"], scene = 0): Picture {
	return {
		selection,
		frame: fakeFrame(scene, 4, 3),
		visibility: Uint8Array.of(SHOWN, SHOWN, HIDDEN),
		labelOf: (of) => `Agent ${of}`,
	} as Partial<Picture> as Picture;
}

describe("scene-view/focus", () => {
	it("dims all agents but the one that the picture is about, and names why", () => {
		const { store } = new Controls();
		focusOn(store, { scene: 0, of: 2n, words: "closest ego 1.83 m" });
		const drawn = store.state.focus?.applied(picture(2n));
		expect(drawn?.focus).toBe(2n);
		expect([...(drawn?.visibility ?? [])]).toEqual([DIMMED, SHOWN, HIDDEN]);
		expect(drawn?.labelOf(2n)).toBe("Agent 2 · closest ego 1.83 m");
		expect(drawn?.labelOf(1n)).toBe("Agent 1");
	});

	it("leaves the agents around the ego vehicle as they are", () => {
		const { store } = new Controls();
		focusOn(store, { scene: 0, of: "ego" });
		const drawn = store.state.focus?.applied(picture("ego"));
		expect([drawn?.focus, ...(drawn?.visibility ?? [])]).toEqual([
			...["ego", SHOWN, SHOWN, HIDDEN],
		]);
	});

	it("ends with the selection, and in another scene", () => {
		const controls = new Controls();
		focusOn(controls.store, { scene: 0, of: 2n });
		const { focus } = controls.state;
		for (const other of [picture(1n), picture(undefined), picture(2n, 1)])
			expect(focus?.applied(other)).toBe(other);
		controls.select(2n); // by the user
		expect(controls.state.focus).toBeUndefined();
	});

	it("comes into the picture's central half", () => {
		const { store } = new Controls();
		focusOn(store, { scene: 0, of: 2n });
		const { focus } = store.state;
		const size = { width: 800, height: 400 };
		const camera = { x: 3, y: -4, span: 80, rotation: 0.2 };
		const view = viewOf(camera, "free", { x: 0, y: 0, yaw: 0 }, size);
		const edge = worldFromScreen(view, 30, 390);
		const moved = focus?.reached(camera, "free", view, edge);
		const after = viewOf(moved ?? camera, "free", { x: 0, y: 0, yaw: 0 }, size);
		const at = screenFromWorld(after, edge.x, edge.y);
		expect([at.x, at.y]).toEqual([expect.closeTo(200, 6), expect.closeTo(300, 6)]);
		const central = worldFromScreen(view, 210, 290);
		expect(focus?.reached(camera, "free", view, central)).toBeUndefined();
	});

	it("is reached in 200 ms", () => {
		const easing = new ViewEasing();
		easing.at(VIEW, 0);
		const { store } = new Controls();
		focusOn(store, { scene: 0, of: 2n });
		easing.begin(1000, store.state.focus?.flightMs);
		const to = { ...VIEW, x: 50 };
		expect(easing.at(to, 1150).arrived).toBe(false);
		expect(easing.at(to, 1200).arrived).toBe(true);
		easing.begin(2000);
		expect(easing.at(VIEW, 2120).arrived).toBe(true);
	});
});
