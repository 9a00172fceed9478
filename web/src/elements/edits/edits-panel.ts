import { css, html, nothing, type TemplateResult } from "lit";
import type { PatchEdit } from "../../dataset/patch.js";
import { labelOf } from "../agents/describe.js";
import { save } from "../export/save.js";
import { namesOfLights } from "../map/light-names.js";
import { whyOf } from "../session/problem.js";
import type { ViewerState } from "../session/state.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { empty, emptyStyles } from "../ui/empty.js";
import { icon } from "../ui/icons.js";
import { counted, formatNumber } from "../ui/words.js";
import type { Steps } from "../viewer/steps.js";
import {
	added,
	canName,
	removed,
	retimed,
	type Subject,
	stopped,
	subjectOf,
} from "./edit-actions.js";
import { FASTER, SLOWER } from "./edit-keys.js";
import { lightsIn, lit, type SetState, statesOf } from "./edit-lights.js";
import { withEdit } from "./edit-list.js";
import { SCOPE_WORDS, SCOPES, type Scope } from "./edit-scope.js";
import { editWords } from "./edit-words.js";
import { EditedDataset } from "./edited-dataset.js";
import { editorOf, openPatch, patchFile } from "./edits.js";
import type { EditingState } from "./edits-state.js";
import { type ComparedMeasures, LatestMeasures } from "./scene-measures.js";

const styles = css`
:host { padding: 12px 16px; }
.row { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; padding-bottom: 8px; }
.row label { display: flex; gap: 6px; align-items: center; color: var(--_ink2); min-width: 0; }
.row select { min-width: 0; max-width: 100%; }
p { margin: 0; padding: 0 0 8px; color: var(--_ink2); }
p.wrong { color: var(--_warn-ink); overflow-wrap: anywhere; }
button[aria-pressed="true"] { box-shadow: inset 0 0 0 1px var(--_accent); }
section { border-top: 1px solid var(--_line); padding-top: 4px; }
ol { list-style: none; margin: 0 0 8px; padding: 0; }
li { display: grid; grid-template-columns: 1fr auto; gap: 4px; align-items: center; border-bottom: 1px solid var(--_line); }
li.away { color: var(--_ink3); }
table { width: 100%; border-collapse: collapse; margin: 4px 0 8px; }
th { text-align: left; font-weight: 400; color: var(--_ink2); padding: 2px 0; }
td, th + th { text-align: right; }
li .go { justify-content: flex-start; text-align: left; padding: 4px 6px; overflow-wrap: anywhere; min-width: 0; }
p.name { color: var(--_ink); font-weight: 600; padding: 4px 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
`;

const STATE_WORDS: Readonly<Record<SetState, string>> = {
	...{ red: "Red", yellow: "Yellow", green: "Green", lit: "Lit" },
	...{ dark: "Dark", unknown: "Unknown" },
};

type MeasureRow = readonly [
	name: string,
	of: keyof ComparedMeasures["edited"],
	digits: number,
];

const MEASURES: readonly MeasureRow[] = [
	["Closest to the ego, m", "closest", 2],
	["Time to collision, s", "ttc", 2],
	["Hardest braking, m/s²", "brake", 2],
	["Cut-ins", "cutIns", 0],
];

/** What if: edits of the scene, and the buttons that make them. */
export class EditsPanel extends BevElement {
	static override styles = [baseStyles, emptyStyles, styles];
	static override properties = {
		...BevElement.properties,
		light: { state: true },
		steps: { attribute: false },
	};

	/** The chosen traffic light. */
	declare light: string | undefined;
	/** Undo and redo of the viewer. */
	declare steps: Steps | undefined;

	readonly #measures = new LatestMeasures(() => this.requestUpdate());

	override connectedCallback(): void {
		super.connectedCallback();
		if (this.controller) editorOf(this.controller);
	}

	protected watched(state: ViewerState): readonly unknown[] {
		const { editing, edits, selection, scene, shown, map, timeline, phase } = state;
		return [editing, edits, selection, scene, shown, map, timeline, phase];
	}

	protected override get pace(): number {
		return 100;
	}

	protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
		super.willUpdate(changed as never);
		if (changed.has("controller") && this.controller) editorOf(this.controller);
		const { dataset, scene } = this.state;
		const isEdited = dataset instanceof EditedDataset && dataset.has(scene);
		this.#measures.update(isEdited ? dataset : undefined, scene);
	}

	protected override render(): TemplateResult | typeof nothing {
		const { controller, state } = this;
		const { editing } = state;
		if (!controller || !editing) return nothing;
		const { on, busy, problem, canRetry, recorded, list } = editing;
		const editor = editorOf(controller);
		return html`
			<div class="row">
				<button class="outlined" aria-pressed=${on} title="Drag agents in the picture (W)"
					@click=${() => editor.turn(!on)}>Edit</button>
				<button class="outlined" aria-pressed=${recorded} ?disabled=${list.length === 0}
					title="Shows the scene as it was recorded" @click=${() => editor.showRecorded(!recorded)}>Recording</button>
				${this.#stepButtons()}
				<span role="status">${busy ? "Applying …" : list.length > 0 ? counted(list.length, "edit") : ""}</span>
			</div>
			${problem ? html`<p class="wrong" role="alert">${problem}</p>` : nothing}
			${canRetry ? html`<div class="row"><button class="outlined" @click=${() => editor.retry()}>Try again</button></div>` : nothing}
			${on && !recorded ? this.#tools(editing) : nothing}
			${list.length > 0 ? this.#list(editing) : on ? nothing : empty({ icon: "measure", what: "No edits", next: "What if an agent stood elsewhere, stopped, or was not there? Press Edit, and drag it in the picture." })}
			${this.#compared()} ${this.#files(editing)}`;
	}

	/** Renders measures of the scene as recorded, and edited. */
	#compared(): TemplateResult | typeof nothing {
		const { recorded, edited } = this.#measures.found ?? {};
		if (!recorded || !edited) return nothing;
		const row = ([name, of, digits]: MeasureRow): TemplateResult => {
			const cell = (value: number) =>
				html`<td class="mono">${formatNumber(value, digits)}</td>`;
			return html`<tr><th scope="row">${name}</th>${cell(recorded[of])}${cell(edited[of])}</tr>`;
		};
		return html`<section aria-label="Measures"><table>
			<thead><tr><th scope="col">Of the scene</th><th scope="col">Recorded</th><th scope="col">Edited</th></tr></thead>
			<tbody>${MEASURES.map(row)}</tbody></table></section>`;
	}

	#stepButtons(): TemplateResult | typeof nothing {
		const { steps } = this;
		if (!steps) return nothing;
		return html`<button class="icon-only" aria-label="Undo" title="Undo (Ctrl Z)" ?disabled=${!steps.undoes}
				@click=${() => steps.undo()}>${icon("undo")}</button>
			<button class="icon-only" aria-label="Redo" title="Redo (Ctrl Shift Z)" ?disabled=${!steps.redoes}
				@click=${() => steps.redo()}>${icon("redo")}</button>`;
	}

	#add(edit: PatchEdit | undefined): void {
		if (edit && this.controller) editorOf(this.controller).add(edit);
	}

	/** Renders what acts on the selection, and on lights. */
	#tools(editing: EditingState): TemplateResult {
		const { state } = this;
		const subject = subjectOf(state, state.selection);
		const scope = ({ target }: Event): void => {
			const { value } = target as HTMLSelectElement;
			if (this.controller) editorOf(this.controller).setScope(value as Scope);
		};
		return html`<section aria-label="Selection">
			${
				subject && canName(subject.of)
					? this.#subject(subject)
					: html`<p>Drag an agent to move it; the knob ahead of a selected one turns it.</p>`
			}
			<div class="row">
				<button class="outlined" title="Adds a standing agent: a copy of the selected one beside it, or a car beside the ego"
					@click=${() => this.#addAgent()}>${icon("plus")}Add agent</button>
				<label>Applies to <select @change=${scope}>${SCOPES.map(
					(one) =>
						html`<option value=${one} ?selected=${one === editing.scope}>${SCOPE_WORDS[one]}</option>`,
				)}</select></label>
			</div></section>
			${this.#lights()}`;
	}

	#subject(subject: Subject): TemplateResult {
		const { of } = subject;
		const act = (edit: () => PatchEdit | undefined) => () => this.#add(edit());
		return html`<p class="name">${labelOf(this.state, of)}</p>
			<div class="row">
				<button class="outlined" title="Brakes and stands (S)" @click=${act(() => stopped(subject))}>Stop</button>
				<button class="outlined" title="Drives its path at 0.8 of the speed ([)" @click=${act(() => retimed(subject, SLOWER))}>Slower</button>
				<button class="outlined" title="Drives its path at 1.25 of the speed (])" @click=${act(() => retimed(subject, FASTER))}>Faster</button>
				${of === "ego" ? nothing : html`<button class="outlined" title="Removes it (Delete)" @click=${act(() => removed(subject))}>Remove</button>`}
			</div>`;
	}

	#addAgent(): void {
		const { controller, state } = this;
		const edit = controller && added(state, editorOf(controller).list, undefined);
		if (!controller || !edit) return;
		controller.select(BigInt(edit.track));
		this.#add(edit);
	}

	#lights(): TemplateResult | typeof nothing {
		const { controller, state } = this;
		const lights = lightsIn(state);
		if (lights.length === 0 || !controller) return nothing;
		const names = namesOfLights(state);
		const light = lights.find((one) => one === this.light) ?? lights[0] ?? "";
		const choose = ({ target }: Event): void => {
			this.light = (target as HTMLSelectElement).value;
		};
		const set = (to: SetState): void => {
			const editor = editorOf(controller);
			editor.set(lit(state, light, to).reduce(withEdit, editor.list));
		};
		return html`<section aria-label="Traffic light">
			<div class="row"><label>Light <select @change=${choose}>${lights.map(
				(one) =>
					html`<option value=${one} ?selected=${one === light}>${names.get(one) ?? one}</option>`,
			)}</select></label></div>
			<div class="row">${statesOf(state, light).map(
				(to) =>
					html`<button class="outlined" @click=${() => set(to)}>${STATE_WORDS[to]}</button>`,
			)}</div></section>`;
	}

	#list({ list }: EditingState): TemplateResult {
		const { controller, state } = this;
		const go = (edit: PatchEdit): void => {
			if (edit.scene !== state.scene) controller?.setScene(edit.scene, edit.from);
			else if (edit.from !== undefined) controller?.seek(edit.from);
			if (edit.op !== "light")
				controller?.select(edit.track === "ego" ? "ego" : BigInt(edit.track));
		};
		return html`<section aria-label="Edits"><ol>${list.map((edit, i) => {
			const isHere = edit.scene === state.scene;
			const words = editWords(edit);
			return html`<li class=${isHere ? "" : "away"}>
				<button class="go" @click=${() => go(edit)}>${isHere ? words : `Scene ${edit.scene}: ${words}`}</button>
				<button class="icon-only" aria-label="Remove: ${words}" title="Remove this edit"
					@click=${() => controller && editorOf(controller).remove(i)}>${icon("close")}</button></li>`;
		})}</ol></section>`;
	}

	#files({ list }: EditingState): TemplateResult {
		const { controller } = this;
		const open = async ({ target }: Event): Promise<void> => {
			const input = target as HTMLInputElement;
			const [file] = input.files ?? [];
			input.value = "";
			if (!file || !controller) return;
			try {
				await openPatch(controller, file);
			} catch (error) {
				controller.notify(`${file.name}: ${whyOf(error)}`);
			}
		};
		const reset = (): void => {
			if (controller) editorOf(controller).set([]);
		};
		return html`<section aria-label="Patch"><div class="row">
			<button class="outlined" @click=${() => this.renderRoot.querySelector("input")?.click()}>Open patch</button>
			<input type="file" accept=".json" hidden aria-label="Patch file" @change=${open}>
			<button class="outlined" ?disabled=${list.length === 0}
				@click=${() => controller && save(patchFile(controller), "patch.json")}>Save patch</button>
			<button class="outlined" ?disabled=${list.length === 0} @click=${reset}>Reset</button>
		</div></section>`;
	}
}
