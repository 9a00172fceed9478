import type { ViewerController } from "./controller.js";
import { nextCoords, poseIn } from "./pure/frames.js";
import { jumpByRank } from "./review-rows.js";
import { frameCount } from "./state.js";
import { LAYER_KEYS } from "./ui/layers.js";
import type { SceneView } from "./ui/scene-view.js";

/** What keys act on. */
export interface KeyTargets {
	readonly controller: ViewerController;
	readonly view: SceneView | null;
	find(): void;
	help(): void;
	save(): void;
	/** One step back: closes what is open, clears what is selected. */
	back(): void;
}

type Action = (targets: KeyTargets) => void;

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
	"0": ({ view }) => view?.reset(),
	"+": ({ view }) => view?.zoomBy(1.5),
	"=": ({ view }) => view?.zoomBy(1.5),
	"-": ({ view }) => view?.zoomBy(1 / 1.5),
	"Alt+ArrowLeft": ({ view }) => view?.panBy(-0.15, 0),
	"Alt+ArrowRight": ({ view }) => view?.panBy(0.15, 0),
	"Alt+ArrowUp": ({ view }) => view?.panBy(0, 0.15),
	"Alt+ArrowDown": ({ view }) => view?.panBy(0, -0.15),
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
	"/": (targets) => targets.find(),
	"?": (targets) => targets.help(),
};

/** Keys that a control in focus means for itself. */
const OWN_KEYS: readonly (readonly [selector: string, keys: RegExp])[] = [
	["input:not([type=range]), textarea, select", /^(?!Escape$)/],
	["input[type=range]", /^(Arrow|Home|End|Page)/],
	["button, summary, a", /^( |Enter)$/],
];

function belongsTo(target: EventTarget | undefined, key: string): boolean {
	if (!(target instanceof Element)) return false;
	return OWN_KEYS.some(
		([selector, keys]) => target.matches(selector) && keys.test(key),
	);
}

function actionOf(event: KeyboardEvent): Action | undefined {
	const letter = event.key.length === 1;
	// A character already says whether Shift was down: `?` is one.
	const shift = event.shiftKey && !letter ? "Shift+" : "";
	const name = `${event.altKey ? "Alt+" : ""}${shift}${letter ? event.key.toLowerCase() : event.key}`;
	if (/^[1-9]$/.test(name)) {
		const layer = LAYER_KEYS[Number(name) - 1];
		return layer && (({ controller }) => controller.toggleLayer(layer));
	}
	return Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
}

/** Does what the key asks for, unless it is meant for the control in focus. True when it did. */
export function handleKey(event: KeyboardEvent, targets: KeyTargets): boolean {
	if (event.defaultPrevented || event.ctrlKey || event.metaKey) return false;
	const path = event.composedPath();
	if (path.some((node) => node instanceof HTMLDialogElement)) return false;
	const action = belongsTo(path[0], event.key) ? undefined : actionOf(event);
	if (!action) return false;
	event.preventDefault();
	action(targets);
	return true;
}
