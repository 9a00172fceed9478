import type { KeyTargets } from "../keys/keys.js";
import { LAYER_NAMES } from "../layers/layers.js";
import type { LiveController } from "../models/live-controller.js";
import { loadLive } from "../models/load-live.js";
import { canFollow } from "../scene-view/anchor.js";
import { followNames, toggleTilt } from "../scene-view/scene-chrome.js";
import type { PastSelection } from "../session/selections.js";
import { frameCount } from "../session/state.js";
import {
	lowered,
	PRESET_WORDS,
	PRESETS,
	type Preset,
	presetChange,
	single,
} from "../viewer/arrangements.js";
import { MAX_BESIDES, type Tab } from "../viewer/layout-state.js";
import type { Panels } from "../viewer/panels.js";
import { STEP_WORDS, type Steps, selectionWords } from "../viewer/steps.js";

/** What commands act on: the targets of keys, and parts of the top bar. */
export interface CommandTargets extends KeyTargets {
	/** Shows the start page. */
	choose(): void;
	/** Copies a link; undefined if the page has no address for it. */
	readonly copyLink: (() => void) | undefined;
	nextTheme(): void;
	readonly panels: Pick<
		Panels,
		"tabs" | "tab" | "lower" | "arrangement" | "narrow" | "show" | "arrange"
	>;
	readonly steps: Pick<Steps, "undoes" | "redoes" | "recent" | "select">;
}

/** Maximum number of selections among the commands. */
const MAX_RECENT = 8;

/** An action that can be found by its name. */
export interface Command {
	readonly name: string;
	/** The key that does the same. */
	readonly key?: string | undefined;
	run(): void;
}

const TAB_WORDS: Readonly<Record<Tab, string>> = {
	agents: "Agents",
	selected: "Selected",
	raster: "Raster",
	predictions: "Predictions",
	distributions: "Distributions",
	plots: "Plots",
	notes: "Notes",
	edits: "What if",
	own: "The page's panel",
};

function playback({ controller }: CommandTargets): Command[] {
	const { playing, loop, smooth, section } = controller.state;
	const last = frameCount(controller.state) - 1;
	return [
		{
			name: playing ? "Pause" : "Play",
			key: "Space",
			run: () => controller.togglePlay(),
		},
		{ name: "First frame", key: "Home", run: () => controller.seek(0) },
		{ name: "Last frame", key: "End", run: () => controller.seek(last) },
		{
			name: "Next scene",
			key: "]",
			run: () => controller.setScene(controller.state.scene + 1),
		},
		{
			name: "Previous scene",
			key: "[",
			run: () => controller.setScene(controller.state.scene - 1),
		},
		{ name: "Play faster", key: ".", run: () => controller.changeSpeed(1) },
		{ name: "Play slower", key: ",", run: () => controller.changeSpeed(-1) },
		{
			name: loop ? "Do not loop" : "Loop",
			key: "L",
			run: () => controller.toggleLoop(),
		},
		{
			name: smooth ? "Show recorded frames only" : "Move smoothly between frames",
			run: () => controller.toggleSmooth(),
		},
		{
			name: "Section starts here",
			key: "I",
			run: () => controller.markSection("begin"),
		},
		{ name: "Section ends here", key: "O", run: () => controller.markSection("end") },
		...(section
			? [
					{
						name: "Clear the section",
						key: "Shift Esc",
						run: () => controller.setSection(undefined),
					},
				]
			: []),
	];
}

function camera({ controller, view }: CommandTargets): Command[] {
	const { state } = controller;
	const modes = followNames(state).filter(([mode]) => canFollow(mode, state));
	return [
		...modes.map(([mode, name]) => ({
			name: `Camera: ${name}`,
			key: "F",
			run: () => view?.follow(mode),
		})),
		{ name: "Centre on the ego", key: "0", run: () => view?.reset() },
		{ name: "Show the whole map", key: "A", run: () => view?.fitAll() },
		{ name: "Zoom in", key: "+", run: () => view?.zoomBy(1.5) },
		{ name: "Zoom out", key: "−", run: () => view?.zoomBy(1 / 1.5) },
		{
			name: controller.state.camera.tilt ? "Look straight down" : "Tilt the picture",
			key: "V",
			run: () => view && toggleTilt(view),
		},
		{ name: "Measure", key: "M", run: () => controller.toggleMeasure() },
	];
}

function layers({ controller }: CommandTargets): Command[] {
	const { layers: on } = controller.state;
	return LAYER_NAMES.map(([layer, name]) => ({
		name: `${on.has(layer) ? "Hide" : "Show"} layer: ${name}`,
		run: () => controller.toggleLayer(layer),
	}));
}

/** Undo, redo and the selections before. */
function steps(targets: CommandTargets): Command[] {
	const { controller } = targets;
	const { undoes, redoes, recent } = targets.steps;
	const { scene, selection } = controller.state;
	const isNow = (one: PastSelection): boolean =>
		one.scene === scene && one.selection === selection;
	const before = recent.filter((one) => !isNow(one)).slice(0, MAX_RECENT);
	const step = (name: string, key: string, run: () => void): Command[] => [
		{ name, key, run },
	];
	return [
		...(undoes ? step(`Undo: ${STEP_WORDS[undoes]}`, "Ctrl Z", targets.undo) : []),
		...(redoes
			? step(`Redo: ${STEP_WORDS[redoes]}`, "Ctrl Shift Z", targets.redo)
			: []),
		...(recent.length > 0
			? [
					...step("Previous selection", "<", () => targets.reselect(-1)),
					...step("Next selection", ">", () => targets.reselect(1)),
				]
			: []),
		...before.map((past) => ({
			name: `Select again: ${selectionWords(past, scene)}`,
			run: () => targets.steps.select(past),
		})),
	];
}

function page(targets: CommandTargets): Command[] {
	const { controller, copyLink } = targets;
	const { dataset, selection, editing } = controller.state;
	return [
		{ name: "Find a track or class in the frame", key: "/", run: () => targets.find() },
		...(dataset?.reader
			? [{ name: "Search all scenes", key: "G", run: () => targets.search() }]
			: []),
		{ name: "Select the ego", run: () => controller.select("ego") },
		...(selection === undefined
			? []
			: [
					{
						name: "Clear the selection",
						key: "Esc",
						run: () => controller.select(undefined),
					},
				]),
		...targets.panels.tabs.map((tab) => ({
			name: `Panel: ${TAB_WORDS[tab]}`,
			run: () => targets.panels.show(tab),
		})),
		{
			name: editing?.on ? "Stop editing" : "What if: edit the scene",
			key: "W",
			run: () => targets.edit(),
		},
		{ name: "Open or close the side panels", key: "B", run: () => targets.sides() },
		{ name: "Hide or show plots and lights", key: "T", run: () => targets.timeline() },
		{ name: "Full screen", key: "Z", run: () => targets.fullScreen() },
		{ name: "Export image, video or table", key: "E", run: () => targets.save() },
		...(copyLink ? [{ name: "Copy a link to this view", run: copyLink }] : []),
		{ name: "Open other data", run: () => targets.choose() },
		{ name: "Next theme", run: () => targets.nextTheme() },
		{ name: "Keyboard and gestures", key: "?", run: () => targets.help() },
	];
}

/** The simulation by the open model. */
function model({ controller }: CommandTargets): Command[] {
	const { live } = controller.state;
	if (live?.phase !== "ready") return [];
	const act = (work: (of: LiveController) => unknown): void => {
		loadLive().then(({ liveOf }) => work(liveOf(controller)));
	};
	if (live.unroll?.isRunning)
		return [{ name: "Stop unrolling", run: () => act((of) => of.stopUnroll()) }];
	const choice = { steps: 50, drives: "ego", history: true } as const;
	const name = "Unroll the model from this frame";
	return [{ name, run: () => act((of) => of.unroll(choice)) }];
}

/** Presets and the second panel, which wide layouts have. */
function layout({ panels }: CommandTargets): Command[] {
	if (panels.narrow) return [];
	const { tabs, tab, lower, arrangement } = panels;
	const others = tabs.filter((one) => one !== tab && one !== lower);
	return [
		...(Object.keys(PRESETS) as Preset[]).map((name) => ({
			name: `Layout: ${PRESET_WORDS[name].join(", ")}`,
			run: () => panels.arrange(presetChange(name)),
		})),
		...others.map((one) => ({
			name: `Panel below: ${TAB_WORDS[one]}`,
			run: () => panels.arrange(lowered(arrangement, one, tabs) ?? {}),
		})),
		...(lower ? [{ name: "One panel", run: () => panels.arrange(single(tab)) }] : []),
	];
}

/** Returns every command that is available now. */
export function commandsOf(targets: CommandTargets): Command[] {
	return [playback, camera, steps, model, page, layout, layers].flatMap((of) =>
		of(targets),
	);
}

/** Returns commands for a number in the query: a frame, a scene or a track. */
export function numberCommands(
	{ controller }: CommandTargets,
	query: string,
): Command[] {
	const [, word = "", digits] = /^\s*([a-z]*)\s*(\d{1,18})\s*$/i.exec(query) ?? [];
	if (digits === undefined) return [];
	const { sceneCount } = controller.state;
	const number = Number(digits);
	const all: Command[] = [];
	const offer = (name: string, isPossible: boolean, run: () => void): void => {
		if (isPossible && name.startsWith(word.toLowerCase()))
			all.push({ name: `Go to ${name} ${digits}`, run });
	};
	offer("frame", number < frameCount(controller.state), () => controller.seek(number));
	offer("scene", number < sceneCount, () => controller.setScene(number));
	const { scene, besides } = controller.state;
	const isBeside = number === scene || besides.includes(number);
	if (number < sceneCount && !isBeside && "beside".startsWith(word.toLowerCase()))
		all.push({
			name: `Show scene ${digits} beside`,
			run: () =>
				controller.store.patch({ besides: [...besides, number].slice(-MAX_BESIDES) }),
		});
	if ("track".startsWith(word.toLowerCase()))
		all.push({
			name: `Select track ${digits}`,
			run: () => controller.select(BigInt(digits)),
		});
	return all;
}

/** Returns the commands whose names contain all words of the query. */
export function matching(commands: readonly Command[], query: string): Command[] {
	const words = query.toLowerCase().split(/\s+/).filter(Boolean);
	return commands.filter(({ name }) => {
		const text = name.toLowerCase();
		return words.every((word) => text.includes(word));
	});
}
