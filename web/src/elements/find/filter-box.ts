import { html, nothing, type ReactiveControllerHost, type TemplateResult } from "lit";
import { createRef, ref } from "lit/directives/ref.js";
import { type Completion, complete, type Suggestion } from "./completion.js";
import type { Vocabulary } from "./find-loader.js";

const NONE: Completion = { begin: 0, suggestions: [] };

/** Options of a filter box. */
export interface FilterBoxOptions {
	readonly host: ReactiveControllerHost;
	/** Names for suggestions; undefined until they are read. */
	readonly vocabulary: () => Vocabulary | undefined;
	readonly submit: () => void;
	/** Returns an example, displayed while there is no text. */
	readonly example: () => string;
}

/** A text box for a filter, with suggestions: an ARIA combobox with a listbox. */
export class FilterBox {
	text = "";
	readonly #options: FilterBoxOptions;
	readonly #input = createRef<HTMLInputElement>();
	#completion = NONE;
	/** Position of the active suggestion; -1 for none. */
	#active = -1;
	/** Whether suggestions are due once the names are read. */
	#due = false;

	constructor(options: FilterBoxOptions) {
		this.#options = options;
	}

	focus(): void {
		this.#input.value?.focus();
	}

	/** Suggests names, which were just read, for what was typed before. */
	named(): void {
		if (this.#due) this.#suggest(false);
	}

	/** Moves the caret, to what an error refers to. */
	select(begin: number): void {
		this.#input.value?.setSelectionRange(begin, this.text.length);
	}

	render(invalid: boolean): TemplateResult {
		const { suggestions } = this.#completion;
		const open = suggestions.length > 0;
		return html`<div class="box">
			<input type="text" role="combobox" ${ref(this.#input)} id="filter" class="mono" .value=${this.text}
				autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="4000"
				aria-label="Filter" aria-autocomplete="list" aria-controls="options" aria-expanded=${open}
				aria-invalid=${invalid} aria-describedby=${invalid ? "trouble" : nothing}
				aria-activedescendant=${this.#active < 0 ? nothing : `option-${this.#active}`}
				placeholder=${this.#options.example()}
				@input=${this.#onInput} @keydown=${this.#onKey} @blur=${this.#close} />
			<ul role="listbox" id="options" aria-label="Suggestions" ?hidden=${!open}>
				${suggestions.map((suggestion, i) => this.#option(suggestion, i))}
			</ul>
		</div>`;
	}

	#option(suggestion: Suggestion, i: number): TemplateResult {
		const active = i === this.#active;
		// The input keeps the focus, and the list stays open, until the click.
		return html`<li role="option" id=${`option-${i}`} aria-selected=${active} class=${active ? "active" : ""}
			@pointerdown=${(event: Event) => event.preventDefault()} @mousedown=${(event: Event) => event.preventDefault()}
			@click=${() => this.#accept(suggestion)}>
			<span class="mono">${suggestion.text}</span> <span class="hint">${suggestion.what}</span>
		</li>`;
	}

	readonly #onInput = (): void => {
		this.text = this.#input.value?.value ?? "";
		this.#suggest(false);
	};

	/** @param always also where no word begins */
	#suggest(always: boolean): void {
		const vocabulary = this.#options.vocabulary();
		this.#due = vocabulary === undefined;
		const caret = this.#input.value?.selectionStart ?? this.text.length;
		const found = vocabulary ? complete(this.text, caret, vocabulary) : NONE;
		const quoted = /["']/.test(this.text[found.begin - 1] ?? "");
		const shown = always || quoted || found.begin < caret;
		this.#completion = shown ? found : NONE;
		this.#active = -1;
		this.#options.host.requestUpdate();
	}

	readonly #close = (): void => {
		this.#due = false;
		this.#completion = NONE;
		this.#active = -1;
		this.#options.host.requestUpdate();
	};

	readonly #onKey = (event: KeyboardEvent): void => {
		if (event.isComposing) return;
		const { suggestions } = this.#completion;
		const active = suggestions[this.#active];
		if (event.key === "ArrowDown" || event.key === "ArrowUp") {
			if (suggestions.length === 0) this.#suggest(true);
			this.#move(event.key === "ArrowDown" ? 1 : -1);
		} else if (event.key === "Enter") {
			if (active) this.#accept(active);
			else {
				this.#close();
				this.#options.submit();
			}
		} else if (event.key === "Escape" && suggestions.length > 0) this.#close();
		else if (event.key === "Tab" && active) this.#accept(active);
		else return;
		event.preventDefault();
		event.stopPropagation();
	};

	#move(step: 1 | -1): void {
		const { length } = this.#completion.suggestions;
		if (length === 0) return;
		const from = this.#active < 0 && step < 0 ? 0 : this.#active;
		this.#active = (from + step + length) % length;
		this.#options.host.requestUpdate();
		void this.#options.host.updateComplete.then(() => {
			const list = this.#input.value?.nextElementSibling;
			list?.querySelector(".active")?.scrollIntoView({ block: "nearest" });
		});
	}

	#accept({ text }: Suggestion): void {
		const input = this.#input.value;
		const caret = input?.selectionStart ?? this.text.length;
		const head = this.text.slice(0, this.#completion.begin) + text;
		this.text = head + this.text.slice(caret);
		this.#close();
		void this.#options.host.updateComplete.then(() =>
			input?.setSelectionRange(head.length, head.length),
		);
	}
}
