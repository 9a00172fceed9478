import { LAYER_KEYS } from "../layers/layers.js";
import { jumpByRank } from "../review/review-rows.js";
import type { Camera, Follow } from "../scene-view/camera.js";
import { nextCoords, poseIn } from "../scene-view/frames.js";
import { toggleTilt } from "../scene-view/scene-chrome.js";
import type { SceneView } from "../scene-view/scene-view.js";
import type { ViewerController } from "../session/controller.js";
import { frameCount, type ViewerState } from "../session/state.js";
import { indexWords } from "../timeline/clock.js";
import { isInClosedDialog } from "./key-focus.js";
import type { KeyPress } from "./key-press.js";

const FOLLOWED: Readonly<Record<Follow, string>> = {
	position: "follows the ego",
	heading: "follows the ego, heading up",
	selected: "follows the selection",
	agent: "follows the selection, heading up",
	free: "is free",
};

function section({ section }: ViewerState): string {
	if (!section) return "Section cleared";
	return `Section: frames ${section.begin} to ${section.end - 1}`;
}

function tiltWords({ tilt = 0 }: Camera): string {
	return tilt > 0 ? `Tilted by ${Math.round((tilt * 180) / Math.PI)} degrees` : "Flat";
}

/** Returns the announcement of the layer that was switched. */
function layer(before: ViewerState, { layers }: ViewerState): string | undefined {
	const on = [...layers].find((name) => !before.layers.has(name));
	if (on) return `Layer ${on} on`;
	const off = [...before.layers].find((name) => !layers.has(name));
	return off && `Layer ${off} off`;
}

/**
 * Returns the announcement of a change by a key that did not move the focus; undefined
 * for changes that are announced elsewhere, or no change.
 */
export function changeWords(
	before: ViewerState,
	after: ViewerState,
): string | undefined {
	const { scene, sceneCount, speed, loop, follow, coords, measured, camera } = after;
	if (scene !== before.scene) return `Scene ${indexWords(scene, sceneCount)}`;
	if (speed !== before.speed) return `Speed ${speed}`;
	if (after.section !== before.section) return section(after);
	if (loop !== before.loop) return loop ? "Loop on" : "Loop off";
	if (follow !== before.follow) return `Camera ${FOLLOWED[follow]}`;
	if (camera.tilt !== before.camera.tilt) return tiltWords(camera);
	if (coords !== before.coords) return `Coordinates: ${coords}`;
	if (!measured !== !before.measured) return measured ? "Measuring" : "Not measuring";
	return after.layers === before.layers ? undefined : layer(before, after);
}

/** Objects that key actions operate on. */
export interface KeyTargets {
	readonly controller: ViewerController;
	readonly view: SceneView | null;
	find(): void;
	/** Searches all scenes. */
	search(): void;
	help(): void;
	save(): void;
	/** Closes or opens the side panels. */
	sides(): void;
	/** Collapses or expands plots and lights. */
	timeline(): void;
	fullScreen(): void;
	/** Steps back: closes what is open, or clears the selection. */
	back(): void;
	/** Lets gestures and keys edit the scene, or not. */
	edit(): void;
	/** Undoes the last change of view, selection, filters or edits. */
	undo(): void;
	redo(): void;
	/** Selects what was selected before (-1) or after (1). */
	reselect(direction: -1 | 1): void;
}

type Action = (targets: KeyTargets) => void;

/** Angle by which a key rotates or tilts: 10 degrees. */
const STEP = Math.PI / 18;

function tiltBy(view: SceneView | null, radians: number): void {
	view?.tiltTo((view.state.camera.tilt ?? 0) + radians);
}

const ACTIONS: Readonly<Record<string, Action>> = {
	" ": ({ controller }) => controller.togglePlay(),
	ArrowLeft: ({ controller }) => controller.step(-1),
	ArrowRight: ({ controller }) => controller.step(1),
	"Shift+ArrowLeft": ({ controller }) => controller.step(-10),
	"Shift+ArrowRight": ({ controller }) => controller.step(10),
	Home: ({ controller }) => controller.seek(0),
	End: ({ controller }) => controller.seek(frameCount(controller.state) - 1),
	"[": ({ controller }) => controller.setScene(controller.state.scene - 1),
	"]": ({ controller }) => controller.setScene(controller.state.scene + 1),
	",": ({ controller }) => controller.changeSpeed(-1),
	".": ({ controller }) => controller.changeSpeed(1),
	l: ({ controller }) => controller.toggleLoop(),
	i: ({ controller }) => controller.markSection("begin"),
	o: ({ controller }) => controller.markSection("end"),
	"Shift+Escape": ({ controller }) => controller.setSection(undefined),
	f: ({ view }) => view?.cycleFollow(),
	c: ({ controller }) => {
		const { state } = controller;
		controller.setCoords(nextCoords(state.coords, state));
	},
	m: ({ controller }) => controller.toggleMeasure(),
	Backspace: ({ controller }) => controller.unmeasure(),
	"0": ({ view }) => view?.reset(),
	a: ({ view }) => view?.fitAll(),
	"+": ({ view }) => view?.zoomBy(1.5),
	"=": ({ view }) => view?.zoomBy(1.5),
	"-": ({ view }) => view?.zoomBy(1 / 1.5),
	"Alt+ArrowLeft": ({ view }) => view?.panBy(-0.15, 0),
	"Alt+ArrowRight": ({ view }) => view?.panBy(0.15, 0),
	"Alt+ArrowUp": ({ view }) => view?.panBy(0, 0.15),
	"Alt+ArrowDown": ({ view }) => view?.panBy(0, -0.15),
	"Alt+Shift+ArrowLeft": ({ view }) => view?.rotateBy(STEP),
	"Alt+Shift+ArrowRight": ({ view }) => view?.rotateBy(-STEP),
	"Alt+Shift+ArrowUp": ({ view }) => tiltBy(view, STEP),
	"Alt+Shift+ArrowDown": ({ view }) => tiltBy(view, -STEP),
	v: ({ view }) => view && toggleTilt(view),
	j: ({ controller }) => jumpByRank(controller, 1),
	k: ({ controller }) => jumpByRank(controller, -1),
	n: ({ view }) => view?.walk(1),
	p: ({ view }) => view?.walk(-1),
	Enter: ({ controller }) => {
		const { hover, measured, shown } = controller.state;
		if (hover === undefined) return;
		const coords = hover === "ego" ? "ego" : "agent";
		const place = measured && poseIn(coords, shown, hover);
		if (place) controller.measureAt(place);
		else controller.select(hover);
	},
	Escape: (targets) => targets.back(),
	e: (targets) => targets.save(),
	b: (targets) => targets.sides(),
	t: (targets) => targets.timeline(),
	z: (targets) => targets.fullScreen(),
	"<": (targets) => targets.reselect(-1),
	">": (targets) => targets.reselect(1),
	"/": (targets) => targets.find(),
	g: (targets) => targets.search(),
	w: (targets) => targets.edit(),
	"?": (targets) => targets.help(),
};

/** Keys handled by the focused control itself. */
const OWN_KEYS: readonly (readonly [selector: string, keys: RegExp])[] = [
	["input:not([type=range], [type=checkbox]), textarea, select", /^(?!Escape$)/],
	["input[type=range]", /^(Arrow|Home|End|Page)/],
	["input[type=checkbox]", /^ $/],
	["button, summary, a", /^( |Enter)$/],
];

/** Actions that repeat while a key is held; all others run once per press. */
const REPEATED = /^(Alt\+)?(Shift\+)?(Arrow\w+|[-+=,.np[\]jk])$/;

/** Returns whether a key is an element's own, as letters are a field's. */
export function belongsTo(target: EventTarget | undefined, key: string): boolean {
	if (!(target instanceof Element)) return false;
	if (target instanceof HTMLElement && target.isContentEditable)
		return key !== "Escape";
	return OWN_KEYS.some(
		([selector, keys]) => target.matches(selector) && keys.test(key),
	);
}

/** With AltGr, browsers report Ctrl and Alt as well. */
function isTyped(event: KeyPress): boolean {
	return event.getModifierState("AltGraph");
}

function actionOf(event: KeyPress): Action | undefined {
	const letter = event.key.length === 1;
	// A character already includes Shift, for example `?`.
	const shift = event.shiftKey && !letter ? "Shift+" : "";
	const alt = event.altKey && !isTyped(event) ? "Alt+" : "";
	const name = `${alt}${shift}${letter ? event.key.toLowerCase() : event.key}`;
	if (event.repeat && !REPEATED.test(name)) return undefined;
	if (/^[1-9]$/.test(name)) {
		const layer = LAYER_KEYS[Number(name) - 1];
		return layer && (({ controller }) => controller.toggleLayer(layer));
	}
	return Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
}

/** Returns the letter pressed with Ctrl or Command, with `Shift+` before it. */
function controlLetter(event: KeyPress): string | undefined {
	if (event.defaultPrevented || event.isComposing) return undefined;
	if (event.altKey || event.ctrlKey === event.metaKey) return undefined;
	const path = event.composedPath();
	if (path.some((node) => node instanceof HTMLDialogElement && node.open))
		return undefined;
	return `${event.shiftKey ? "Shift+" : ""}${event.key.toLowerCase()}`;
}

/** Returns whether the key opens the list of commands: Ctrl or Command with K. */
export function isCommandKey(event: KeyPress): boolean {
	return !event.repeat && controlLetter(event) === "k";
}

/**
 * Returns what Ctrl or Command with Z, Shift and Z, or Y does; undefined for other keys,
 * and in fields, which have an undo of their own.
 */
export function stepOf(event: KeyPress): "undo" | "redo" | undefined {
	const [target] = event.composedPath();
	if (!isInClosedDialog(event) && belongsTo(target, "z")) return undefined;
	const letter = controlLetter(event);
	if (letter === "z") return "undo";
	return letter === "Shift+z" || letter === "y" ? "redo" : undefined;
}

/**
 * Runs the key's action, unless the focused control handles the key. Returns whether it
 * did.
 */
export function handleKey(event: KeyPress, targets: KeyTargets): boolean {
	if (event.defaultPrevented || event.isComposing || event.metaKey) return false;
	if (event.ctrlKey && !isTyped(event)) return false;
	const path = event.composedPath();
	if (path.some((node) => node instanceof HTMLDialogElement && node.open)) return false;
	const isOwn = !isInClosedDialog(event) && belongsTo(path[0], event.key);
	const action = isOwn ? undefined : actionOf(event);
	if (!action) return false;
	event.preventDefault();
	const { controller } = targets;
	const before = controller.state;
	action(targets);
	const words = changeWords(before, controller.state);
	if (words) controller.announce(words);
	return true;
}
