import { describe, expect, it } from "vitest";
import {
	Anchor,
	anchorMissing,
	canFollow,
	nextFollow,
	unfollowed,
} from "../../../src/elements/scene-view/anchor.js";
import {
	type Camera,
	DEFAULT_CAMERA,
	type Follow,
	screenFromWorld,
	viewOf,
} from "../../../src/elements/scene-view/camera.js";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import { fakeDataset, fakeFrame } from "../../support/fake-dataset.js";
import { withoutEgo } from "../../support/virtual-ego.js";

const { dataset } = fakeDataset({ frames: 9 });
const size = { width: 800, height: 400 };

function following(follow: Follow, more: Partial<ViewerState> = {}): ViewerState {
	const shown = fakeFrame(0, 4, 3);
	return { ...EMPTY_STATE, dataset, shown, selection: 2n, follow, ...more };
}

function poseIn({ shown }: ViewerState) {
	const i = shown?.agents.track_id.indexOf(2n) ?? -1;
	const [x = 0, y = 0] = shown?.agents.centroid.subarray(2 * i, 2 * i + 2) ?? [];
	return { x, y, yaw: shown?.agents.yaw[i] ?? 0 };
}

describe("following without an ego vehicle", () => {
	it("offers agents, and no heading of the pose", () => {
		const shown = withoutEgo(fakeFrame(0, 4, 3));
		const state = following("position", { shown });
		expect(canFollow("heading", state)).toBe(false);
		expect(canFollow("heading", following("position"))).toBe(true);
		expect(canFollow("agent", state)).toBe(true);
		expect(nextFollow(state)).toBe("selected");
		const nothing = following("position", { shown, selection: undefined });
		expect(nextFollow(nothing)).toBe("free");
	});
});

describe("following the selection", () => {
	it.each(["selected", "agent"] as const)("%s: is centred on it", (follow) => {
		const state = following(follow);
		const pose = poseIn(state);
		const view = viewOf(DEFAULT_CAMERA, follow, new Anchor().of(state), size);
		expect(screenFromWorld(view, pose.x, pose.y)).toEqual({ x: 400, y: 200 });
	});

	it("agent: its heading is up", () => {
		const state = following("agent");
		const { x, y, yaw } = poseIn(state);
		const view = viewOf(DEFAULT_CAMERA, "agent", new Anchor().of(state), size);
		const ahead = screenFromWorld(view, x + Math.cos(yaw), y + Math.sin(yaw));
		expect(ahead.x).toBeCloseTo(400, 9);
		expect(ahead.y).toBeCloseTo(200 - view.pixelsPerMetre, 9);
	});

	it("survives frames without the track, and says so", () => {
		const anchor = new Anchor();
		const before = anchor.of(following("agent"));
		const gone = following("agent", { shown: fakeFrame(0, 5, 1) });
		expect(gone.shown?.agents.track_id.includes(2n)).toBe(false);
		expect(anchor.of(gone)).toEqual(before);
		expect(anchorMissing(gone)).toBe(true);
		expect(anchorMissing(following("agent"))).toBe(false);
	});

	it.each(["selected", "agent"] as const)(
		"%s: deselecting keeps the view",
		(follow) => {
			const camera: Camera = { x: 4, y: -3, span: 60, rotation: 0.3 };
			const state = following(follow, { camera });
			const view = viewOf(camera, follow, new Anchor().of(state), size);
			const free = unfollowed(state);
			if (!free) throw new Error("the camera follows the selection");
			const after = viewOf(free.camera, free.follow, poseIn(state), size);
			for (const key of ["x", "y", "rotation", "pixelsPerMetre"] as const)
				expect(after[key]).toBeCloseTo(view[key], 9);
		},
	);
});
