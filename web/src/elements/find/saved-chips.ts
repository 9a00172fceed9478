import { html, nothing, type ReactiveControllerHost, type TemplateResult } from "lit";
import { icon } from "../ui/icons.js";
import type { FindFilter } from "./find-state.js";
import {
	isSameFilter,
	MAX_NAME,
	MAX_SEARCHES,
	nameFrom,
	type SavedSearch,
	SavedSearches,
} from "./saved-searches.js";

/** Options of the chips of saved searches. */
export interface SavedChipsOptions {
	readonly host: ReactiveControllerHost & { readonly renderRoot: ParentNode };
	/** The filter in the box. */
	readonly current: () => FindFilter;
	/** The filter of the link, or of the last search. */
	readonly linked: () => FindFilter;
	readonly choose: (search: SavedSearch) => void;
	/** Called when the filter has got a name. */
	readonly named: (filter: FindFilter) => void;
}

/** Chips of named searches: those of this browser, and that of the link. */
export class SavedChips {
	readonly #options: SavedChipsOptions;
	readonly #searches = new SavedSearches();
	/** The named search of the link, which stays when another one is run. */
	#linked: SavedSearch | undefined;
	/** Whether the field for a name is shown. */
	#asks = false;
	/** What became of the last name. */
	#told = "";

	constructor(options: SavedChipsOptions) {
		this.#options = options;
	}

	/** Returns the filter with the name that it was saved with. */
	named({ table, where }: FindFilter): FindFilter {
		const known = this.#all.find((one) => isSameFilter(one, { table, where }));
		return known ?? { table, where };
	}

	render(): TemplateResult | typeof nothing {
		const current = this.#options.current();
		const all = this.#all;
		const isSaved = all.some((one) => isSameFilter(one, current) && this.#has(one));
		const canSave = current.where !== "" && !isSaved;
		if (all.length === 0 && !canSave && this.#told === "") return nothing;
		return html`<div class="chips saved" role="group" aria-label="Saved searches">
			${all.map((search) => this.#chip(search, isSameFilter(search, current)))}
			${canSave && !this.#asks ? html`<button type="button" class="chip add" @click=${this.#ask}>${icon("plus")}Save search</button>` : nothing}
			${canSave && this.#asks ? this.#form() : nothing}
			<span class="hint" role="status">${this.#told}</span>
		</div>`;
	}

	/** The stored searches, and the one that only the link has. */
	get #all(): readonly SavedSearch[] {
		const stored = this.#searches.all;
		const { name, table, where } = this.#options.linked();
		if (name && where !== "") this.#linked = { name, table, where };
		const linked = this.#linked;
		if (!linked || stored.some((one) => one.name === linked.name)) return stored;
		return [...stored, linked];
	}

	#has({ name }: SavedSearch): boolean {
		return this.#searches.all.some((one) => one.name === name);
	}

	#chip(search: SavedSearch, pressed: boolean): TemplateResult {
		const { name, table, where } = search;
		const remove = html`<button type="button" class="icon-only" aria-label=${`Remove ${name}`} title="Remove"
			@click=${() => this.#remove(name)}>${icon("close")}</button>`;
		return html`<span class="pair"><button type="button" class="chip" aria-pressed=${pressed} title=${`${table}: ${where}`}
			@click=${() => this.#options.choose(search)}>${name}</button>${this.#has(search) ? remove : nothing}</span>`;
	}

	#form(): TemplateResult {
		const save = (event: Event): void => {
			event.preventDefault();
			event.stopPropagation();
			const form = event.currentTarget as HTMLFormElement;
			this.#save(form.querySelector("input")?.value ?? "");
		};
		const leave = (event: KeyboardEvent): void => {
			if (event.key !== "Escape") return;
			event.preventDefault();
			event.stopPropagation();
			this.#asks = false;
			this.#options.host.requestUpdate();
		};
		const { name = "" } = this.#options.linked();
		return html`<form class="name" @submit=${save} @keydown=${leave}>
			<input type="text" aria-label="Name of the search" placeholder="Name" maxlength=${MAX_NAME} autocomplete="off" .value=${name}>
			<button>Save</button></form>`;
	}

	readonly #ask = (): void => {
		this.#asks = true;
		this.#told = "";
		const { host } = this.#options;
		host.requestUpdate();
		void host.updateComplete.then(() =>
			host.renderRoot.querySelector<HTMLInputElement>(".name input")?.focus(),
		);
	};

	#save(text: string): void {
		const name = nameFrom(text);
		if (name === "") return;
		const search = { ...this.#options.current(), name };
		if (!this.#searches.hasSpace(name)) {
			this.#tell(`Not saved: ${MAX_SEARCHES} searches are saved; remove one first`);
			return;
		}
		const isStored = this.#searches.put(search);
		this.#asks = false;
		this.#options.named(search);
		this.#tell(isStored ? "" : "Kept until the page is closed: no storage");
	}

	#remove(name: string): void {
		this.#searches.remove(name);
		const linked = this.#options.linked();
		if (this.#linked?.name === name) this.#linked = undefined;
		if (linked.name === name) this.#options.named({ ...linked, name: undefined });
		this.#tell("");
	}

	#tell(told: string): void {
		this.#told = told;
		this.#options.host.requestUpdate();
	}
}
