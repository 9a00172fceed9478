import { describe, expect, it, vi } from "vitest";
import {
	type CommandTargets,
	commandsOf,
	matching,
	numberCommands,
} from "../../../src/elements/commands/command-list.js";
import { EMPTY_STATE } from "../../../src/elements/session/state.js";

function targetsOf(changes = {}) {
	const sceneInfo = { seconds: new Float64Array(50) };
	const controller = {
		state: { ...EMPTY_STATE, sceneInfo, sceneCount: 4, ...changes },
		seek: vi.fn(),
		setScene: vi.fn(),
		select: vi.fn(),
		togglePlay: vi.fn(),
		toggleLayer: vi.fn(),
	};
	const targets = { controller, view: null, copyLink: undefined, tabs: ["agents"] };
	return { controller, targets: targets as unknown as CommandTargets };
}

const names = (all: readonly { readonly name: string }[]) =>
	all.map(({ name }) => name);

describe("commands", () => {
	it("are found by any of their words, in any order", () => {
		const all = commandsOf(targetsOf().targets);
		expect(names(matching(all, "frame first"))).toEqual(["First frame"]);
		expect(matching(all, "")).toHaveLength(all.length);
		expect(matching(all, "no such command")).toEqual([]);
	});

	it("have distinct names", () => {
		const all = names(commandsOf(targetsOf({ selection: 1n }).targets));
		expect(new Set(all).size).toBe(all.length);
	});

	it("follow the state", () => {
		const has = (changes: object, name: string) =>
			names(commandsOf(targetsOf(changes).targets)).includes(name);
		expect(has({}, "Play")).toBe(true);
		expect(has({ playing: true }, "Pause")).toBe(true);
		expect(has({}, "Camera: Selected")).toBe(false);
		expect(has({ selection: 3n }, "Camera: Selected")).toBe(true);
		expect(has({}, "Hide layer: Vehicles")).toBe(true);
		expect(has({ layers: new Set() }, "Show layer: Vehicles")).toBe(true);
		expect(has({}, "Copy a link to this view")).toBe(false);
	});

	it("act on the viewer", () => {
		const { controller, targets } = targetsOf();
		matching(commandsOf(targets), "layer vehicles")[0]?.run();
		expect(controller.toggleLayer).toHaveBeenCalledWith("vehicle");
	});
});

describe("a number", () => {
	it("is an existing frame, scene or track", () => {
		const of = (query: string) => names(numberCommands(targetsOf().targets, query));
		expect(of("3")).toEqual(["Go to frame 3", "Go to scene 3", "Select track 3"]);
		expect(of("30")).toEqual(["Go to frame 30", "Select track 30"]);
		expect(of("scene 2")).toEqual(["Go to scene 2"]);
		expect(of("scene 9")).toEqual([]);
		expect(of("t 8")).toEqual(["Select track 8"]);
		expect(of("play")).toEqual([]);
	});

	it("is an exact track id", () => {
		const { controller, targets } = targetsOf();
		const [command] = numberCommands(targets, "track 18014398509481985");
		command?.run();
		expect(controller.select).toHaveBeenCalledWith(18014398509481985n);
	});
});
