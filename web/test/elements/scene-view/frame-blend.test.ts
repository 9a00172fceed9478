import { describe, expect, it } from "vitest";
import type { FrameView } from "../../../src/dataset/frame-view.js";
import {
	FrameBlend,
	type Playback,
} from "../../../src/elements/scene-view/frame-blend.js";
import { EMPTY_STATE } from "../../../src/elements/session/state.js";

const SECONDS = Float64Array.of(0, 0.1, 0.2);

interface Box {
	readonly track: bigint;
	readonly x: number;
	readonly yaw?: number;
}

/** A frame whose ego is at (x, 0) and whose agents are at (x, 5). */
function frameOf(index: number, egoX: number, agents: readonly Box[]): FrameView {
	const square = (x: number, y: number) => [
		x + 1,
		y,
		x - 1,
		y,
		x - 1,
		y - 1,
		x + 1,
		y - 1,
	];
	return {
		scene: 0,
		frame: index,
		ego: {
			centroid: Float64Array.of(egoX, 0),
			corners: Float64Array.from(square(egoX, 0)),
			yaw: 0,
			speed: 10,
		},
		agents: {
			length: agents.length,
			track_id: BigUint64Array.from(agents, ({ track }) => track),
			centroid: Float64Array.from(agents.flatMap(({ x }) => [x, 5])),
			corners: Float64Array.from(agents.flatMap(({ x }) => square(x, 5))),
			yaw: Float32Array.from(agents, ({ yaw = 0 }) => yaw),
			speed: Float32Array.from(agents, () => 3),
		},
	} as unknown as FrameView;
}

const FIRST = frameOf(0, 0, [
	{ track: 1n, x: 10 },
	{ track: 2n, x: 20 },
	{ track: 3n, x: 30 },
	{ track: 4n, x: 40, yaw: 3.1 },
]);
const SECOND = frameOf(1, 1, [
	{ track: 4n, x: 42, yaw: -3.1 },
	{ track: 1n, x: 12 },
	{ track: 3n, x: 60 },
]);

function playback(playhead: number | undefined, changes = {}): Playback {
	const sceneInfo = { seconds: SECONDS } as unknown as typeof EMPTY_STATE.sceneInfo;
	const state = { ...EMPTY_STATE, sceneInfo, shown: FIRST, frame: 0, playing: true };
	return {
		state: { ...state, ...changes },
		playhead,
		heldFrames: new Map([
			[0, FIRST],
			[1, SECOND],
		]),
	};
}

/** Returns the x of the ego and of the agents. */
function places({ ego, agents }: FrameView): number[] {
	return [ego.centroid, agents.centroid].flatMap((of) =>
		[...of].filter((_, k) => k % 2 === 0),
	);
}

describe("a frame between two frames", () => {
	it("moves boxes; vanishing and jumping tracks stay", () => {
		const { shown } = new FrameBlend().of(playback(0.05));
		if (!shown) throw new Error("no frame");
		expect(places(shown)).toEqual([0.5, 11, 20, 30, 41]);
		expect(shown.agents.corners[0]).toBe(12);
		// The shorter way around.
		expect(Math.abs(shown.agents.yaw[3] ?? 0)).toBeCloseTo(Math.PI, 2);
		expect(places(FIRST)).toEqual([0, 10, 20, 30, 40]);
	});

	it("keeps the recorded values", () => {
		const { shown } = new FrameBlend().of(playback(0.05));
		expect(shown?.frame).toBe(0);
		expect(shown?.agents.speed).toBe(FIRST.agents.speed);
		expect(shown?.ego.speed).toBe(10);
	});

	it("reuses its arrays", () => {
		const blend = new FrameBlend();
		const first = blend.of(playback(0.02)).shown;
		const second = blend.of(playback(0.08)).shown;
		expect(second).toBe(first);
		expect(second && places(second)[0]).toBeCloseTo(0.8);
	});

	it.each([
		["while paused", playback(0.05, { playing: false })],
		["while waiting", playback(0.05, { stalled: true })],
		["if switched off", playback(0.05, { smooth: false })],
		["at a speed at which each picture is a frame", playback(0.05, { speed: 8 })],
		["before the first tick", playback(undefined)],
		["while another frame is displayed", playback(0.15, { frame: 1 })],
		["without the next frame", { ...playback(0.05), heldFrames: new Map() }],
	])("does not exist %s", (_, of) => {
		expect(new FrameBlend().of(of)).toBe(of.state);
	});
});
