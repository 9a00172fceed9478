import { BevError } from "../../base/errors.js";
import type { PatchEdit } from "../../dataset/patch.js";
import type { ViewerController } from "../session/controller.js";
import type { Opened } from "../session/dataset.js";
import { whyOf } from "../session/problem.js";
import type { ViewerState } from "../session/state.js";
import type { Store } from "../session/store.js";
import { editsBy } from "./edit-keys.js";
import { EditLayer } from "./edit-layer.js";
import {
	type Edits,
	editsOf,
	patchOf,
	scenesOf,
	textOf,
	withEdit,
	withoutEdit,
} from "./edit-list.js";
import type { Scope } from "./edit-scope.js";
import { EditedDataset } from "./edited-dataset.js";
import type { EditingState, Editor } from "./edits-state.js";

/** Codes of errors that a patch itself causes; applying it again does not help. */
const FAULTS: readonly string[] = [
	...["invalid_argument", "out_of_range", "not_found", "limit_exceeded"],
	"unsupported",
];

/** What is said of objects that a failure of the worker has freed. */
const LOST = /released|lost in a failure/;

function isFault(error: unknown): boolean {
	const isKnown = error instanceof BevError && FAULTS.includes(error.code);
	return isKnown && !LOST.test(error.message);
}

/** Losses in a row after which edits are not applied again by themselves. */
const MAX_LOSSES = 2;

/**
 * Edits the open data set: the text of the edits in the state, which links and undo
 * restore, is applied to the recorded data set, whose place the edited one takes. One
 * application at a time; of several texts that come meanwhile, the last one counts.
 */
export class EditsController implements Editor {
	readonly #controller: ViewerController;
	readonly #store: Store<ViewerState>;
	readonly #layer: EditLayer;
	/** The data set as it was opened. */
	#recorded: Opened | undefined;
	#edited: EditedDataset | undefined;
	/** The text that the displayed data set has. */
	#applied = "";
	/** The last text that could be applied. */
	#good = "";
	/** The text that failed, which is not tried again by itself. */
	#failed: string | undefined;
	#losses = 0;
	#busy = false;
	/** Ends with the last application. */
	#last = Promise.resolve();
	#applying = new AbortController();

	constructor(controller: ViewerController) {
		this.#controller = controller;
		this.#store = controller.store;
		this.#layer = new EditLayer(controller, this);
		const editing: EditingState = {
			...{ on: false, list: [], busy: false, recorded: false, scope: "auto" },
			...{ problem: undefined, canRetry: false },
			onKey: (event) => editsBy(this, controller.state, event),
		};
		this.#store.patch({ editing });
		this.#store.subscribe((state, before) => this.#follow(state, before));
		this.#follow(this.#store.state);
	}

	/** The present edits. */
	get list(): Edits {
		return this.#editing?.list ?? [];
	}

	/** Resolves when the edits are applied, or have failed. */
	async settled(): Promise<void> {
		while (this.#busy) await this.#last;
	}

	/** Replaces all edits; rejects with the reason if they cannot be applied. */
	async replace(edits: Edits): Promise<void> {
		this.set(edits);
		await this.settled();
		const problem = this.#editing?.problem;
		if (problem !== undefined) throw new BevError("invalid_argument", problem);
	}

	/** Replaces all edits. */
	set(edits: Edits): void {
		this.#losses = 0;
		this.#failed = undefined;
		this.#store.patch({ edits: textOf(edits) });
	}

	/** Adds an edit. */
	add(edit: PatchEdit): void {
		this.set(withEdit(this.list, edit));
	}

	/** Removes an edit. */
	remove(index: number): void {
		this.set(withoutEdit(this.list, index));
	}

	/** Lets gestures and keys edit, or not. */
	turn(on: boolean): void {
		this.#tell({ on });
		this.#layer.redraw();
		this.#controller.announce(on ? "Editing" : "Not editing");
	}

	/** Shows the recording, or the edited scenes again. */
	showRecorded(recorded: boolean): void {
		this.#tell({ recorded });
		this.#keepUp();
		this.#controller.announce(recorded ? "The recording" : "The edited scene");
	}

	/** Sets the frames that edits concern. */
	setScope(scope: Scope): void {
		this.#tell({ scope });
	}

	/** Applies the edits again after a failure. */
	retry(): void {
		this.#failed = undefined;
		this.#losses = 0;
		this.#keepUp();
	}

	get #editing(): EditingState | undefined {
		return this.#store.state.editing;
	}

	#tell(change: Partial<EditingState>): void {
		const editing = this.#editing;
		if (editing) this.#store.patch({ editing: { ...editing, ...change } });
	}

	#follow(state: ViewerState, before?: ViewerState): void {
		const { opened } = this.#controller;
		const isOwn = opened === this.#recorded || opened?.dataset === this.#edited;
		if (!isOwn) this.#begin(opened);
		if (state.edits !== before?.edits) this.#decode(state.edits);
		if (!isOwn || state.edits !== before?.edits) this.#keepUp();
		this.#layer.update(state, this.#recorded?.dataset);
	}

	/** Takes another data set, or none. */
	#begin(opened: Opened | undefined): void {
		this.#applying.abort();
		this.#applying = new AbortController();
		this.#recorded = opened;
		this.#edited = undefined; // closed with the data set before
		this.#applied = "";
		this.#good = "";
		this.#failed = undefined;
		this.#tell({ recorded: false, problem: undefined, canRetry: false });
	}

	#decode(text: string): void {
		try {
			this.#tell({ list: editsOf(text) });
		} catch (error) {
			this.#tell({ list: [], problem: whyOf(error) });
		}
	}

	/** The text that the displayed data set should have. */
	get #wanted(): string {
		return this.#editing?.recorded ? "" : this.#store.state.edits;
	}

	#keepUp(): void {
		if (!this.#busy) this.#last = this.#work();
	}

	async #work(): Promise<void> {
		this.#busy = true;
		await undefined; // changes of this task are applied together
		for (;;) {
			const [recorded, text] = [this.#recorded, this.#wanted];
			if (!recorded || text === this.#applied || text === this.#failed) break;
			this.#tell({ busy: true });
			try {
				await this.#apply(recorded, text);
			} catch (error) {
				this.#fail(recorded, text, error);
			}
		}
		this.#busy = false;
		this.#tell({ busy: false });
	}

	async #apply(recorded: Opened, text: string): Promise<void> {
		const { signal } = this.#applying;
		const before = this.#edited;
		const next = text === "" ? undefined : await this.#made(recorded, text, signal);
		if (recorded !== this.#recorded) {
			next?.dataset.drop();
			return;
		}
		this.#edited = next?.dataset;
		this.#applied = text;
		if (!this.#editing?.recorded) this.#good = text;
		this.#serve(next?.opened ?? recorded);
		before?.drop();
		this.#tell({ problem: undefined, canRetry: false });
	}

	/** Shows the scene of another data set; what is computed of it is computed again. */
	#serve(opened: Opened): void {
		this.#controller.serve(opened);
		this.#controller.rasters.serve(opened.rasters);
		const { sceneInfo } = this.#store.state;
		const { dataset } = opened;
		this.#store.patch({ dataset, sceneInfo: sceneInfo && { ...sceneInfo } });
	}

	/** Returns the data set with edits, in place of the recorded one. */
	async #made(recorded: Opened, text: string, signal: AbortSignal) {
		const { dataset, edited: openedWith } = recorded;
		if (!dataset.patched || !openedWith)
			throw new BevError("unsupported", "this data set cannot be edited");
		const edits = editsOf(text);
		const patched = await dataset.patched(patchOf(edits), { signal });
		const lost = () => this.#lost(text);
		const edited = new EditedDataset(dataset, patched, scenesOf(edits), lost);
		// Histories and futures are counted of stored rows.
		const opened = { ...openedWith(patched), dataset: edited, selectScene: undefined };
		return { dataset: edited, opened };
	}

	/** Says why a text was not applied; one with a fault gives way to the last good one. */
	#fail(recorded: Opened, text: string, error: unknown): void {
		if (recorded !== this.#recorded) return;
		const faulty = isFault(error);
		const problem = whyOf(error);
		if (!faulty) this.#failed = text;
		else if (this.#store.state.edits === text) this.#store.patch({ edits: this.#good });
		this.#tell({ problem, canRetry: !faulty });
		this.#controller.notify(`What if: ${problem}`);
	}

	/** The worker has failed with the edited scenes: makes them again. */
	#lost(text: string): void {
		if (text !== this.#applied) return;
		this.#losses += 1;
		this.#applied = "lost";
		if (this.#losses > MAX_LOSSES) {
			this.#failed = text;
			const problem = "the edited scenes are lost: their worker has failed";
			this.#tell({ problem, canRetry: true });
		}
		this.#keepUp();
	}
}
