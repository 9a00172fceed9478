import type { ViewerController } from "./controller.js";
import type { RowTable } from "./dataset.js";
import { History } from "./history.js";
import type { ViewerState } from "./state.js";

/** Parts of the view that are undone together, with their members of the state. */
const PARTS = {
	scene: ["scene"],
	edits: ["edits"],
	selection: ["selection"],
	filters: ["threshold", "distance", "minHistory", "minFuture"],
	distributions: ["distributions"],
	layers: ["layers"],
	paths: ["past", "future"],
	section: ["section", "loop"],
	rows: ["rows"],
	plots: ["charts", "plotted", "plotSpan"],
	view: ["follow", "camera", "coords"],
} as const satisfies Readonly<Record<string, readonly (keyof ViewerState)[]>>;

/** What a change concerned. */
export type ChangedPart = keyof typeof PARTS;

/** A part of the view that is merged while a gesture lasts. */
const MERGED: ReadonlySet<ChangedPart> = new Set([
	"edits",
	"filters",
	"distributions",
	"paths",
	"section",
	"plots",
	"view",
]);

/** Maximum pause within a gesture without a pressed pointer, such as turns of a wheel. */
const PAUSE_MS = 600;

const MEMBERS = Object.values(PARTS).flat();
type Member = (typeof MEMBERS)[number];

/** What undo restores: view, selection and filters, as in links. */
type Projection = Pick<ViewerState, Member | "frame">;

function projectionOf(state: ViewerState): Projection {
	const pairs = MEMBERS.map((name) => [name, state[name]]);
	return { ...Object.fromEntries(pairs), frame: state.frame } as Projection;
}

/** Returns whether two values of the state are equal, if needed member by member. */
function isSameValue(a: unknown, b: unknown): boolean {
	if (Object.is(a, b)) return true;
	if (!(a instanceof Object && b instanceof Object)) return false;
	if (a instanceof Set && b instanceof Set)
		return a.size === b.size && [...a].every((one) => b.has(one));
	const [own, others] = [Object.entries(a), Object.entries(b)];
	const isSame = ([key, value]: [string, unknown]): boolean =>
		Object.is(value, Reflect.get(b, key));
	return own.length === others.length && own.every(isSame);
}

/** Returns what differs; undefined if nothing that is undone does. */
function changedPart(a: Projection, b: Projection): ChangedPart | undefined {
	const parts = Object.keys(PARTS) as ChangedPart[];
	return parts.find((part) =>
		PARTS[part].some((name: Member) => !isSameValue(a[name], b[name])),
	);
}

/** The part of a viewer's controller that undo acts on. */
type Host = Pick<
	ViewerController,
	"store" | "goTo" | "setCharts" | "setPlotted" | "setPlotSpan"
>;

/**
 * Undoes and redoes changes of view, selection and filters. Changes in one task are one
 * step; so is a gesture. What is open and what is read (data set, map, predictions) and the
 * frame stay; a step to another scene returns to the frame that was displayed there.
 */
export class Undo {
	readonly #host: Host;
	readonly #now: () => number;
	readonly #history: History<Projection>;
	readonly #unsubscribe: () => void;
	readonly #onChange: () => void;
	/** The scenes, which stay those of the data set when it is edited. */
	#scenes: RowTable | undefined;
	/** Whether the scene was being opened when the state was last looked at. */
	#opening: boolean;
	#due = false;
	/** The frame displayed last in the scene that was just left. */
	#left: number | undefined;
	/** What the last change concerned, and when it was. */
	#last: { readonly part: ChangedPart; readonly time: number } | undefined;
	/** Whether a pointer is pressed. */
	#pressed = false;

	/** @param onChange called after steps were added or taken */
	constructor(
		host: Host,
		onChange: () => void = () => {},
		now = () => performance.now(),
	) {
		this.#host = host;
		this.#onChange = onChange;
		this.#now = now;
		const { state } = host.store;
		this.#scenes = state.dataset?.scenes;
		this.#opening = !state.sceneInfo;
		this.#history = new History(projectionOf(state));
		this.#unsubscribe = host.store.subscribe((state, before) => {
			if (state.scene !== before.scene) this.#left ??= before.frame;
			if (this.#due) return;
			this.#due = true;
			queueMicrotask(() => this.#look());
		});
	}

	dispose(): void {
		this.#unsubscribe();
	}

	/** What `undo` changes; undefined if there is nothing to undo. */
	get undoes(): ChangedPart | undefined {
		this.#look();
		const { before, present } = this.#history;
		return before && (changedPart(before, present) ?? "view");
	}

	/** What `redo` changes; undefined if there is nothing to redo. */
	get redoes(): ChangedPart | undefined {
		this.#look();
		const { after, present } = this.#history;
		return after && (changedPart(after, present) ?? "view");
	}

	/** Undoes the last change; returns what it concerned. */
	undo(): ChangedPart | undefined {
		return this.#step(this.undoes, () => this.#history.undo());
	}

	/** Redoes the last undone change; returns what it concerned. */
	redo(): ChangedPart | undefined {
		return this.#step(this.redoes, () => this.#history.redo());
	}

	/** Changes are one step while a pointer is pressed. */
	press(pressed: boolean): void {
		this.#look();
		this.#pressed = pressed;
		if (pressed) this.#last = undefined;
	}

	#step(part: ChangedPart | undefined, step: () => void): ChangedPart | undefined {
		if (!part) return undefined;
		const { frame } = this.#host.store.state;
		this.#history.amend({ ...this.#history.present, frame });
		step();
		this.#apply(this.#history.present);
		// What cannot be restored is not tried again.
		this.#history.amend(projectionOf(this.#host.store.state));
		this.#opening = !this.#host.store.state.sceneInfo;
		this.#left = undefined;
		this.#last = undefined;
		this.#onChange();
		return part;
	}

	#apply(wanted: Projection): void {
		const { charts, plotted, plotSpan, frame, ...others } = wanted;
		const { scene } = this.#host.store.state;
		this.#host.goTo({ ...others, ...(scene === wanted.scene ? {} : { frame }) });
		// A link with plots would open their panel.
		this.#host.setCharts(charts);
		this.#host.setPlotted(plotted);
		this.#host.setPlotSpan(plotSpan);
	}

	/** Adds what has changed as a step, or to the last one. */
	#look(): void {
		if (!this.#due) return;
		this.#due = false;
		const { state } = this.#host.store;
		const { present } = this.#history;
		const wasOpening = this.#opening;
		this.#opening = !state.sceneInfo;
		const left = this.#left;
		this.#left = undefined;
		if (state.dataset?.scenes !== this.#scenes) {
			this.#scenes = state.dataset?.scenes;
			this.#last = undefined;
			this.#history.reset(projectionOf(state));
			this.#onChange();
			return;
		}
		if (MEMBERS.every((name) => Object.is(state[name], present[name]))) return;
		const next = projectionOf(state);
		const part = changedPart(present, next);
		if (!part) return;
		// The length of a scene being opened clamps what the link or the step had set.
		if (part !== "scene" && wasOpening) this.#history.amend(next);
		else this.#add(next, part, left);
		this.#onChange();
	}

	#add(next: Projection, part: ChangedPart, left: number | undefined): void {
		const last = this.#last;
		const time = this.#now();
		const isGesture =
			last?.part === part &&
			MERGED.has(part) &&
			(this.#pressed || (part !== "edits" && time - last.time < PAUSE_MS));
		this.#last = { part, time };
		if (isGesture) this.#history.amend(next);
		else {
			if (left !== undefined)
				this.#history.amend({ ...this.#history.present, frame: left });
			this.#history.change(next);
		}
	}
}
