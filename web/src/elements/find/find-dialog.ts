import { html, nothing, type TemplateResult } from "lit";
import type { ViewerState } from "../session/state.js";
import { baseStyles, dialogStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { icon } from "../ui/icons.js";
import { FilterBox } from "./filter-box.js";
import {
	FindLoader,
	type Found,
	type Hit,
	MAX_HITS,
	type Vocabulary,
} from "./find-loader.js";
import type { FindTable } from "./find-state.js";
import { findStyles } from "./find-styles.js";

const TABLES: readonly FindTable[] = ["agents", "frames"];

/** Rows that PageUp and PageDown move by. */
const SCREEN = 12;

/** Minimum interval between renders of a running search. */
const PACE_MS = 100;

/** Searches all scenes of the data set with a filter, and goes to a hit. */
export class FindDialog extends BevElement {
	static override styles = [baseStyles, dialogStyles, findStyles];
	static override properties = {
		...BevElement.properties,
		found: { state: true },
		table: { state: true },
		active: { state: true },
	};

	/** The newest search. */
	declare found: Found | undefined;
	declare table: FindTable;
	/** Position of the active hit. */
	declare active: number;
	readonly #loader = new FindLoader((found) => this.#tell(found));
	/** Set while a change is waiting to be displayed. */
	#late: ReturnType<typeof setTimeout> | undefined;
	#told: Found | undefined;
	readonly #box = new FilterBox({
		host: this,
		vocabulary: () => this.#vocabulary,
		submit: () => this.#run(),
	});
	#vocabulary: Vocabulary | undefined;
	#dataset: ViewerState["dataset"];

	constructor() {
		super();
		this.table = "agents";
		this.active = 0;
	}

	/** Opens the dialog with the filter of the link, or of the last search. */
	show(): void {
		const { dataset, find } = this.state;
		if (dataset !== this.#dataset) this.#forget();
		this.#dataset = dataset;
		const { table, where } = find;
		if (where !== "" && !(this.found?.filter === find)) {
			this.table = table;
			this.#box.text = where;
		}
		void this.#readVocabulary();
		this.renderRoot.querySelector("dialog")?.showModal();
		this.#box.focus();
		this.requestUpdate();
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#loader.stop();
	}

	protected watched({ dataset }: ViewerState): readonly unknown[] {
		return [dataset];
	}

	protected override stateChanged(): void {
		if (this.state.dataset !== this.#dataset) {
			this.#forget();
			this.renderRoot.querySelector("dialog")?.close();
		}
		super.stateChanged();
	}

	protected override render(): TemplateResult {
		const { found } = this;
		return html`<dialog aria-labelledby="title">
			<header role="presentation">
				<h2 id="title">Search all scenes</h2>
				<form method="dialog"><button class="icon-only" aria-label="Close">${icon("close")}</button></form>
			</header>
			<div class="body">
				${this.#form(found)}
				${found?.problem ? this.#trouble(found) : nothing}
				${found ? this.#work(found) : this.#help()}
				${this.#hits(found?.hits ?? [])}
				<p class="sr" role="status">${found ? statusOf(found) : ""}</p>
			</div>
		</dialog>`;
	}

	#form(found: Found | undefined): TemplateResult {
		const running = found?.phase === "running";
		const submit = (event: Event): void => {
			event.preventDefault();
			this.#run();
		};
		return html`<form @submit=${submit}>
			<select aria-label="Table" .value=${this.table} @change=${this.#onTable}>
				${TABLES.map((name) => html`<option value=${name} ?selected=${name === this.table}>${name}</option>`)}
			</select>
			${this.#box.render(found?.problem !== undefined)}
			<button class="primary">Search</button>
			<button type="button" class="outlined" ?disabled=${!running} @click=${() => this.#loader.stop()}>Stop</button>
		</form>`;
	}

	#help(): TemplateResult {
		return html`<p class="hint">For example <span class="mono">speed &gt; 10 and distance_to_ego &lt; 30</span>. The
			search reads the parts of the data set that the filter needs.</p>`;
	}

	#trouble({ problem, filter }: Found): TemplateResult {
		const why = problem?.why ?? "";
		const column = columnOf(why);
		return html`<div class="trouble" id="trouble" role="alert">${why}${
			column === undefined
				? nothing
				: html`<pre class="mono" aria-hidden="true">${filter.where}
${" ".repeat(column)}^</pre>`
		}</div>`;
	}

	#work(found: Found): TemplateResult {
		const { phase, done, of } = found;
		const bar =
			phase === "running"
				? html`<progress aria-label="Scenes searched" max=${of || nothing} value=${of ? done : nothing}></progress>`
				: nothing;
		return html`<div class="work"><span>${wordsOf(found)}</span>${bar}</div>`;
	}

	#hits(hits: readonly Hit[]): TemplateResult {
		const active = hits[this.active] ? `hit-${this.active}` : nothing;
		return html`<ul class="hits" role="listbox" aria-label="Hits" tabindex="0" ?hidden=${hits.length === 0}
			aria-activedescendant=${active} @keydown=${this.#onHitKey}>
			${hits.map((hit, i) => this.#hit(hit, i))}
		</ul>`;
	}

	#hit(hit: Hit, i: number): TemplateResult {
		const { scene, frame, track, values } = hit;
		const active = i === this.active;
		const who = track === undefined ? "" : ` \u00b7 track ${track}`;
		return html`<li role="option" id=${`hit-${i}`} class=${active ? "active" : ""} aria-selected=${active}
			@click=${() => this.#choose(hit, i)}>
			<span class="where mono">scene ${scene} \u00b7 frame ${frame}${who}</span>
			${values.map((value) => html`<span class="hint">${value}</span>`)}
		</li>`;
	}

	readonly #onHitKey = (event: KeyboardEvent): void => {
		const hits = this.found?.hits ?? [];
		const hit = hits[this.active];
		const to = movedTo(event.key, this.active, hits.length);
		if (to !== undefined) {
			this.active = to;
			void this.updateComplete.then(() =>
				this.renderRoot
					.querySelector(`#hit-${to}`)
					?.scrollIntoView({ block: "nearest" }),
			);
		} else if (event.key === "Enter" && hit) this.#choose(hit, this.active);
		else return;
		event.preventDefault();
		event.stopPropagation();
	};

	#choose({ scene, frame, track }: Hit, i: number): void {
		this.active = i;
		this.renderRoot.querySelector("dialog")?.close();
		this.controller?.goTo({ scene, frame, selection: track });
	}

	readonly #onTable = (event: Event): void => {
		const { value } = event.target as HTMLSelectElement;
		this.table = value === "frames" ? value : "agents";
		void this.#readVocabulary();
	};

	#run(): void {
		const { dataset } = this.state;
		const where = this.#box.text.trim();
		if (!dataset || where === "") return;
		const filter = { table: this.table, where };
		this.#box.text = where;
		this.active = 0;
		this.controller?.store.patch({ find: filter });
		void this.#loader.run(dataset, filter);
	}

	/** Displays a change: of a running search at most every 100 ms. */
	#tell(found: Found): void {
		const isNew = found.filter !== this.#told?.filter;
		this.#told = found;
		if (found.phase === "running" && !isNew) {
			this.#late ??= setTimeout(() => this.#display(), PACE_MS);
			return;
		}
		this.#display();
		if (found.phase === "failed") void this.#markTrouble();
	}

	#display(): void {
		clearTimeout(this.#late);
		this.#late = undefined;
		this.found = this.#told;
	}

	/** Selects the text from the column on that the error names. */
	async #markTrouble(): Promise<void> {
		await this.updateComplete;
		const column = columnOf(this.found?.problem?.why ?? "");
		if (column === undefined || this.#box.text !== this.found?.filter.where) return;
		this.#box.select(column);
	}

	async #readVocabulary(): Promise<void> {
		const { table } = this;
		const { dataset } = this.state;
		this.#vocabulary = undefined;
		if (!dataset) return;
		try {
			const vocabulary = await this.#loader.vocabulary(dataset, table);
			if (table === this.table && dataset === this.state.dataset)
				this.#vocabulary = vocabulary;
		} catch {
			// The search reports it.
		}
	}

	#forget(): void {
		this.#loader.stop();
		this.#dataset = this.state.dataset;
		this.#vocabulary = undefined;
		this.#box.text = "";
		this.#told = undefined;
		this.#display();
	}
}

/** Returns the hit that `key` moves to; undefined for other keys. */
function movedTo(key: string, active: number, total: number): number | undefined {
	const to: Readonly<Record<string, number>> = {
		ArrowUp: active - 1,
		ArrowDown: active + 1,
		PageUp: active - SCREEN,
		PageDown: active + SCREEN,
		Home: 0,
		End: total - 1,
	};
	const position = Object.hasOwn(to, key) ? to[key] : undefined;
	if (position === undefined) return undefined;
	return Math.max(0, Math.min(total - 1, position));
}

/** Returns the column in an error of the filter, from 0. */
function columnOf(why: string): number | undefined {
	const [, column] = /filter, column (\d+):/.exec(why) ?? [];
	return column === undefined ? undefined : Number(column) - 1;
}

/** Returns the count and the progress, for the eye. */
function wordsOf(found: Found): string {
	const { phase, done, of, count, hits } = found;
	const more =
		count > hits.length
			? `, the first ${MAX_HITS.toLocaleString("en")} are listed`
			: "";
	const hitsFound = `${count.toLocaleString("en")} ${count === 1 ? "hit" : "hits"}${more}`;
	if (phase === "done") return hitsFound;
	const part = of === 0 ? "" : ` in ${done} of ${of} scenes`;
	if (phase === "running") return of === 0 ? "Searching" : `${hitsFound}${part}`;
	return phase === "stopped" ? `Stopped: ${hitsFound}${part}` : "";
}

/** Returns what screen readers hear: the begin and the end, not each step. */
function statusOf(found: Found): string {
	if (found.phase === "running") return "Searching";
	return found.phase === "failed" ? "" : wordsOf(found);
}
