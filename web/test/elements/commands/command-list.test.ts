import { describe, expect, it, vi } from "vitest";
import {
	type CommandTargets,
	commandsOf,
	matching,
	numberCommands,
} from "../../../src/elements/commands/command-list.js";
import { EMPTY_STATE } from "../../../src/elements/session/state.js";

const RECENT = [
	{ scene: 0, frame: 4, selection: 3n },
	{ scene: 2, frame: 9, selection: "ego" },
] as const;

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
	const steps = {
		undoes: "filters",
		redoes: undefined,
		recent: RECENT,
		select: vi.fn(),
	};
	const { arrangement } = EMPTY_STATE;
	const tabs = ["agents", "selected", "plots"];
	const panels = { tabs, tab: "agents", lower: "plots", arrangement, arrange: vi.fn() };
	const page = { view: null, copyLink: undefined };
	const targets = { ...page, controller, steps, panels };
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

describe("steps", () => {
	it("name what they undo, and the selections before", () => {
		const all = names(commandsOf(targetsOf({ selection: 3n }).targets));
		expect(all).toContain("Undo: filters");
		expect(all.filter((name) => name.startsWith("Redo"))).toEqual([]);
		expect(all.filter((name) => name.startsWith("Select again"))).toEqual([
			"Select again: the ego in scene 2",
		]);
	});

	it("select again", () => {
		const { targets } = targetsOf();
		matching(commandsOf(targets), "select again track")[0]?.run();
		expect(targets.steps.select).toHaveBeenCalledWith(RECENT[0]);
	});
});

describe("layouts", () => {
	it("are presets, and a tab below the active one", () => {
		const { targets } = targetsOf();
		const all = names(commandsOf(targets));
		expect(all.filter((name) => /^(Layout|Panel below|One)/.test(name))).toEqual([
			"Layout: Look, the picture alone",
			"Layout: Review, predictions above the selection",
			"Layout: Debug, agents above the selection",
			"Panel below: Selected",
			"One panel",
		]);
		matching(commandsOf(targets), "below selected")[0]?.run();
		const change = { tab: "agents", lower: "selected", chosen: true };
		expect(targets.panels.arrange).toHaveBeenCalledWith(change);
	});
});

describe("a number", () => {
	it("is an existing frame, scene or track", () => {
		const of = (query: string) => names(numberCommands(targetsOf().targets, query));
		expect(of("3")).toEqual([
			...["Go to frame 3", "Go to scene 3"],
			...["Show scene 3 beside", "Select track 3"],
		]);
		expect(of("beside 0")).toEqual([]);
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
