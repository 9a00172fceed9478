import { css, html, nothing, type TemplateResult } from "lit";
import { baseStyles, dialogStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { empty, emptyStyles } from "../ui/empty.js";
import {
	type Command,
	type CommandTargets,
	commandsOf,
	matching,
	numberCommands,
} from "./command-list.js";

const commandStyles = css`
dialog { width: min(520px, calc(100vw - 24px)); margin-top: min(12vh, 96px); }
.field { padding: 12px 12px 8px; }
.field input { width: 100%; min-height: 36px; }
ul { overflow: auto; min-height: 0; max-height: min(420px, 60vh); padding: 0 8px 8px; }
li { display: flex; align-items: center; justify-content: space-between; gap: 16px; min-height: 32px; padding: 2px 8px; border-radius: 6px; cursor: pointer; }
li[aria-selected="true"] { background: var(--_raise); box-shadow: inset 2px 0 var(--_accent); }
kbd { font: 12px var(--_mono); color: var(--_ink2); white-space: nowrap; }
@media (pointer: coarse) { li { min-height: 44px; } }
@media (forced-colors: active) { li[aria-selected="true"] { outline: 2px solid Highlight; } }
`;

/** Rows that PageUp and PageDown move by. */
const SCREEN = 10;

/** A dialog that finds and runs commands by name. */
export class CommandDialog extends BevElement {
	static override styles = [baseStyles, emptyStyles, dialogStyles, commandStyles];
	static override properties = {
		...BevElement.properties,
		targets: { attribute: false },
		query: { state: true },
		active: { state: true },
	};

	/** What the commands act on. */
	declare targets: CommandTargets | undefined;
	declare query: string;
	/** Position of the active command. */
	declare active: number;
	#commands: readonly Command[] = [];

	constructor() {
		super();
		this.query = "";
		this.active = 0;
	}

	/** Opens the dialog with an empty query. */
	show(): void {
		const dialog = this.renderRoot.querySelector("dialog");
		if (!dialog || dialog.open) return;
		this.query = "";
		this.active = 0;
		this.#commands = this.targets ? commandsOf(this.targets) : [];
		this.requestUpdate();
		dialog.showModal();
	}

	protected watched(): readonly unknown[] {
		return [];
	}

	protected override render(): TemplateResult {
		const found = this.#found;
		const active = found[this.active] ? `command-${this.active}` : nothing;
		return html`<dialog aria-label="Commands" @click=${this.#onBackdrop}>
			<div class="field"><input type="text" role="combobox" aria-label="Command" aria-expanded="true" aria-autocomplete="list"
				aria-controls="commands" aria-activedescendant=${active} autocomplete="off" spellcheck="false" autofocus
				placeholder="Command, frame, scene or track" .value=${this.query} @input=${this.#onInput} @keydown=${this.#onKey}></div>
			<ul role="listbox" id="commands" aria-label="Commands" ?hidden=${found.length === 0}>${found.map(
				(
					{ name, key },
					i,
				) => html`<li role="option" id="command-${i}" aria-selected=${i === this.active}
					@click=${() => this.#run(i)}><span>${name}</span>${key ? html`<kbd>${key}</kbd>` : nothing}</li>`,
			)}</ul>
			${found.length > 0 ? nothing : empty({ icon: "list", what: "No command matches", next: "Type a part of a command's name, or the number of a frame, scene or track." })}
			<p class="sr" role="status">${this.query ? `${found.length} found` : ""}</p>
		</dialog>`;
	}

	get #found(): readonly Command[] {
		const numbers = this.targets ? numberCommands(this.targets, this.query) : [];
		return [...numbers, ...matching(this.#commands, this.query)];
	}

	readonly #onInput = (event: Event): void => {
		this.query = (event.currentTarget as HTMLInputElement).value;
		this.active = 0;
	};

	readonly #onKey = (event: KeyboardEvent): void => {
		const last = this.#found.length - 1;
		const to = {
			ArrowDown: this.active >= last ? 0 : this.active + 1,
			ArrowUp: this.active <= 0 ? last : this.active - 1,
			PageDown: Math.min(last, this.active + SCREEN),
			PageUp: Math.max(0, this.active - SCREEN),
		}[event.key];
		if (to !== undefined) this.#activate(to);
		else if (event.key === "Enter") this.#run(this.active);
		else return;
		event.preventDefault();
	};

	#activate(to: number): void {
		this.active = Math.max(0, to);
		void this.updateComplete.then(() =>
			this.renderRoot
				.querySelector(`#command-${this.active}`)
				?.scrollIntoView({ block: "nearest" }),
		);
	}

	/**
	 * Closes the dialog and runs a command. Keys then act on the picture, not on what had
	 * the focus before, unless the command moves the focus itself.
	 */
	#run(at: number): void {
		const command = this.#found[at];
		if (!command) return;
		this.renderRoot.querySelector("dialog")?.close();
		this.targets?.view?.focus();
		command.run();
	}

	/** Closes the dialog after a press outside of it. */
	#onBackdrop(event: Event): void {
		const dialog = event.currentTarget as HTMLDialogElement;
		if (event.composedPath()[0] === dialog) dialog.close();
	}
}
