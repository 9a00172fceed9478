import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { notesByScene } from "../notes/note-marks.js";
import { whyOf } from "../session/problem.js";
import type { ViewerState } from "../session/state.js";
import { baseStyles, dialogStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { icon } from "../ui/icons.js";
import { movedTo, sortBy, table, tableStyles } from "../ui/table.js";
import { counted } from "../ui/words.js";
import { scenarioOf } from "./benchmark.js";
import { type SceneColumns, sceneColumns } from "./scene-columns.js";
import {
	DATASET_ORDER,
	isDatasetOrder,
	isFiltered,
	type SceneQuery,
	sceneNumberOf,
	whenOf,
} from "./scene-list.js";
import { PAGE, type ScenePage, SceneReader } from "./scene-reader.js";

export const scenesStyles = css`
:host { display: flex; align-items: center; gap: 12px; min-width: 0; }
.switch { display: flex; background: var(--_raise); border-radius: 6px; flex: none; }
.switch .name { padding: 0 4px; white-space: nowrap; }
.when { color: var(--_ink2); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
@container bev-viewer (max-width: 640px) { .when { display: none; } }
/* The range of a large data set does not fit a phone's bar; the list shows it. */
@container bev-viewer (max-width: 400px) {
	.long .of { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
}
dialog { width: min(560px, calc(100vw - 24px)); }
dialog.many { height: min(640px, calc(100vh - 24px)); }
.tools { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; padding: 0 16px 4px; }
.tools input[type="search"] { flex: 1; min-width: 180px; }
.tools form, .tools label { display: flex; align-items: center; gap: 4px; white-space: nowrap; }
.tools input[type="text"] { width: 72px; }
.tools [aria-invalid="true"] { border-color: var(--_warn-ink); }
.tools .wrong { color: var(--_warn-ink); width: 100%; }
.far { display: flex; align-items: center; gap: 12px; min-height: 24px; padding: 0 16px; color: var(--_ink2); }
.far progress { flex: 1; height: 4px; appearance: none; border: 0; border-radius: 2px; background: var(--_edge); overflow: hidden; }
.far progress::-webkit-progress-bar { background: var(--_edge); }
.far progress::-webkit-progress-value { background: var(--_accent); }
.far progress::-moz-progress-bar { background: var(--_accent); }
dialog .scroll { padding: 0 8px 8px; flex: 1; scroll-padding-top: 32px; }
table:focus-visible { outline: none; }
th button { padding: 0 8px; font-weight: 600; white-space: nowrap; }
td { padding: 0 8px; height: 28px; color: var(--_ink2); }
tbody tr[aria-current] td:first-child { color: var(--_ink); font-weight: 600; }
table:focus-visible tr.active { outline: 2px solid var(--_accent); outline-offset: -2px; }
.tagged { padding: 0 16px 4px; font-size: 12px; color: var(--_ink2); overflow-wrap: anywhere; max-height: 5em; overflow: auto; }
td.tags { max-width: 180px; overflow: hidden; text-overflow: ellipsis; }
@media (max-width: 480px) { .tags { display: none; } }
footer { display: flex; justify-content: space-between; align-items: center; gap: 4px; padding: 8px; border-top: 1px solid var(--_line); }
footer > span { text-align: center; min-width: 0; }
footer span span { white-space: nowrap; }
footer button { white-space: nowrap; }
.wait { padding: 8px 16px; color: var(--_ink2); overflow-wrap: anywhere; }
.failed .wait { color: var(--_warn-ink); }
.failed button { margin: 0 16px; }
@media (pointer: coarse) { td { height: 44px; } dialog .scroll { scroll-padding-top: 48px; } }
@media (max-width: 480px) {
	dialog .scroll { padding: 0 4px 8px; }
	th button, td { padding: 0 3px; }
	td .word { display: none; }
	td.start span { display: block; }
}
@media (max-width: 340px) {
	th button { padding: 0 1px; font-size: 10px; }
	td, td .mono { padding: 0 1px; font-size: 11px; }
}
@media (max-height: 480px) { dialog > header { padding-top: 4px; padding-bottom: 0; } footer { padding: 2px 8px; } }
`;

/** Labels of the list's search. */
const FIND: Readonly<Record<SceneColumns, string>> = {
	dates: "Find a host or start time",
	scenarios: "Find a host, scenario or tag",
	names: "Find a scenario or tag",
};

/** Number of scenes from which the list has its full height initially. */
const MANY = 8;

/** Number of scenes from which a phone's bar omits the range. */
const LONG = 1000;

/** The scene switcher: number, previous, next, and a list of all scenes. */
export class Scenes extends BevElement {
	static override styles = [baseStyles, dialogStyles, tableStyles, scenesStyles];
	static override properties = {
		...BevElement.properties,
		open: { state: true },
		query: { state: true },
		active: { state: true },
		wrong: { state: true },
	};

	/** Whether the list is open. */
	declare open: boolean;
	/** Conditions and order of the list. */
	declare query: SceneQuery;
	/** Position of the active row among the listed scenes. */
	declare active: number;
	/** Why the entered scene number is invalid. */
	declare wrong: string;
	#reader: SceneReader | undefined;
	/** Id of the active row last scrolled into view; null if none. */
	#seen: string | null = null;

	constructor() {
		super();
		this.open = false;
		this.query = DATASET_ORDER;
		this.active = 0;
		this.wrong = "";
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#onClose();
	}

	protected watched(state: ViewerState): readonly unknown[] {
		return [state.dataset, state.scene, state.sceneCount, state.sceneInfo, state.notes];
	}

	protected override willUpdate(changed: PropertyValues<this>): void {
		super.willUpdate(changed);
		const { dataset } = this.state;
		if (this.#reader && this.#reader.dataset.scenes !== dataset?.scenes) {
			this.#reader.cancel();
			this.#reader = undefined;
			this.#reset();
		}
		if (!dataset) this.open = false;
		else if (this.open && !this.#reader) {
			this.#reader = new SceneReader(dataset, () => this.requestUpdate());
			this.#ask();
		}
	}

	protected override updated(): void {
		const table = this.#table;
		const row = table?.getAttribute("aria-activedescendant") ?? null;
		if (row === this.#seen) return;
		const block = this.#seen === null ? "center" : "nearest";
		this.#seen = row;
		table?.querySelector("tr.active")?.scrollIntoView({ block });
	}

	protected override render(): TemplateResult | typeof nothing {
		const { scene, sceneCount, sceneInfo, dataset } = this.state;
		if (!dataset) return nothing;
		const go = (to: number) => this.controller?.setScene(to);
		return html`<div class="switch ${sceneCount >= LONG ? "long" : ""}" role="group" aria-label="Scene">
				<button class="icon-only" aria-label="Previous scene" title="Previous scene ([)"
					?disabled=${scene <= 0} @click=${() => go(scene - 1)}>${icon("previous")}</button>
				<button class="name" title="Show all scenes, numbered from 0" aria-haspopup="dialog" @click=${() => void this.#show()}>
					<span>Scene <span class="mono">${scene}</span><span class="of">${
						sceneCount > 1
							? html` of <span class="mono">0–${sceneCount - 1}</span>`
							: ", the only one"
					}</span></span>
				</button>
				<button class="icon-only" aria-label="Next scene" title="Next scene (])"
					?disabled=${scene >= sceneCount - 1} @click=${() => go(scene + 1)}>${icon("next")}</button>
			</div>
			<span class="when mono">${whenOf(dataset, sceneInfo)}</span>
			<dialog class=${sceneCount >= MANY ? "many" : ""} aria-labelledby="title" @close=${this.#onClose}>
				${this.open && this.#reader ? this.#list(this.#reader.page) : nothing}
			</dialog>`;
	}

	override regainFocus(): void {
		if (this.open) this.#table?.focus();
		else this.focus();
	}

	#list(page: ScenePage): TemplateResult {
		return html`<header role="presentation">
				<h2 id="title">Scenes</h2>
				<form method="dialog"><button class="icon-only" aria-label="Close">${icon("close")}</button></form>
			</header>
			${this.#tools()}
			<div class="far">${this.#far(page)}</div>
			${this.#tags(page)}
			<div class="scroll">
				${this.#grid(page)}
				${page.kind === "failed" ? this.#failure(page.error) : nothing}
			</div>
			${this.#footer(page)}`;
	}

	/** Renders a grid that has the focus and references its active row. */
	#grid(page: ScenePage): TemplateResult {
		const { sort } = this.query;
		const rows = page.kind === "ready" ? page.rows : [];
		const active = rows[this.active - this.#begin];
		const order = (to: typeof sort) => this.#change({ ...this.query, sort: to });
		const hasTags = rows.some(({ tags }) => tags.length > 0);
		const notes = notesByScene(this.state.notes);
		const columns = sceneColumns(this.#columns, notes, hasTags);
		return table({
			...{ label: "List of scenes", rows },
			columns: columns.map((one) => ({ ...one, ...sortBy(one.key, sort, order) })),
			begin: this.#begin,
			count: this.#total(page) ?? -1,
			key: ({ index }) => index,
			active: active && `scene-${active.index}`,
			state: (scene) => ({
				id: `scene-${scene.index}`,
				className: scene === active ? "active" : "",
				current: scene.index === this.state.scene,
			}),
			press: ({ index }) => this.#choose(index),
			onKey: (event) => this.#onKey(event, page),
		});
	}

	/** Renders the tags of the active row. */
	#tags(page: ScenePage): TemplateResult | typeof nothing {
		const rows = page.kind === "ready" ? page.rows : [];
		const { index, tags = [] } = rows[this.active - this.#begin] ?? {};
		if (tags.length === 0) return nothing;
		return html`<p class="tagged"><span>Tags of scene ${index}:</span> ${tags.join(", ")}</p>`;
	}

	#tools(): TemplateResult {
		const find = FIND[this.#columns];
		return html`<div class="tools">
			<input type="search" placeholder=${find} aria-label=${find}
				.value=${this.query.text} @input=${this.#onText} @keydown=${this.#onSearchKey}>
			<form @submit=${this.#onGo}>
				<label>Go to scene <input type="text" inputmode="numeric" autocomplete="off" class="mono"
					@input=${() => {
						this.wrong = "";
					}}
					aria-invalid=${this.wrong === "" ? "false" : "true"} aria-describedby="wrong"></label>
				<button class="outlined">Go</button>
			</form>
			<p class="wrong" id="wrong" role="alert" ?hidden=${this.wrong === ""}>${this.wrong}</p>
		</div>`;
	}

	/** Renders the progress of reading, or the number of matching scenes. */
	#far(page: ScenePage): TemplateResult {
		const { sceneCount } = this.state;
		const read = page.kind === "reading" ? page.read : undefined;
		const words = () => {
			if (page.kind === "failed") return "";
			if (page.kind === "reading") return "Reading";
			if (!isFiltered(this.query)) return counted(sceneCount, "scene");
			if (page.total === 0) return "No scene matches";
			return `${page.total} of ${counted(sceneCount, "scene")} match`;
		};
		return html`<span role="status">${words()}</span>${
			read === undefined
				? nothing
				: html`<progress max=${sceneCount} .value=${read} aria-label="Scenes read"></progress>
					<span class="mono">${read} of ${sceneCount} read</span>`
		}`;
	}

	#failure(error: unknown): TemplateResult {
		return html`<div class="failed">
			<p class="wait" role="alert">Scenes: read failed: ${whyOf(error)}</p>
			<button class="outlined" @click=${() => this.#reader?.retry()}>Try again</button>
		</div>`;
	}

	#footer(page: ScenePage): TemplateResult {
		const total = this.#total(page);
		const first = this.#begin;
		const end = Math.min(total ?? 0, first + PAGE);
		const range = isDatasetOrder(this.query)
			? [`${first}–${end - 1}`, `of 0–${(total ?? 0) - 1}`]
			: [`${first + 1}–${end}`, `of ${total} listed`];
		const turn = (to: number) => () => this.#move(to);
		return html`<footer role="presentation" ?hidden=${this.state.sceneCount <= PAGE}>
			<button ?disabled=${first === 0} @click=${turn(first - PAGE)}>Previous page</button>
			<span class="mono hint">${total ? html`<span>${range[0]}</span> <span>${range[1]}</span>` : ""}</span>
			<button ?disabled=${end >= (total ?? 0)} @click=${turn(first + PAGE)}>Next page</button>
		</footer>`;
	}

	get #columns(): SceneColumns {
		const { names, attrs } = this.state.dataset ?? {};
		if (names) return "names";
		return scenarioOf(attrs, 0) === undefined ? "dates" : "scenarios";
	}

	get #table(): HTMLElement | null {
		return this.renderRoot.querySelector("table");
	}

	/** Position of the page's first row. */
	get #begin(): number {
		return this.active - (this.active % PAGE);
	}

	/** Returns the number of listed scenes; undefined if unknown. */
	#total(page: ScenePage): number | undefined {
		if (page.kind === "ready") return page.total;
		return isDatasetOrder(this.query) ? this.state.sceneCount : undefined;
	}

	#reset(): void {
		this.query = DATASET_ORDER;
		this.active = this.state.scene;
		this.wrong = "";
		this.#seen = null;
	}

	#ask(): void {
		this.#reader?.ask(this.query, this.#begin);
	}

	async #show(): Promise<void> {
		const dialog = this.renderRoot.querySelector("dialog");
		if (!dialog || dialog.open) return;
		this.#reset();
		dialog.showModal();
		this.open = true;
		this.#ask();
		await this.updateComplete;
		this.#table?.focus();
	}

	#onClose(): void {
		this.open = false;
		this.#reader?.cancel();
	}

	#choose(scene: number): void {
		this.renderRoot.querySelector("dialog")?.close();
		this.controller?.setScene(scene);
	}

	#move(position: number): void {
		this.active = position;
		this.#ask();
	}

	#change(query: SceneQuery): void {
		this.query = query;
		this.#move(isDatasetOrder(query) ? this.state.scene : 0);
	}

	#openActive(page: ScenePage | undefined): void {
		if (page?.kind !== "ready") return;
		const scene = page.rows[this.active - this.#begin];
		if (scene) this.#choose(scene.index);
	}

	#onText(event: Event): void {
		this.#change({
			...this.query,
			text: (event.currentTarget as HTMLInputElement).value,
		});
	}

	#onSearchKey(event: KeyboardEvent): void {
		if (event.isComposing) return;
		if (event.key === "Escape" && this.query.text !== "") {
			this.#change({ ...this.query, text: "" });
		} else if (event.key === "ArrowDown") this.#table?.focus();
		else if (event.key === "Enter") this.#openActive(this.#reader?.page);
		else return;
		event.preventDefault();
	}

	#onKey(event: KeyboardEvent, page: ScenePage): void {
		if (event.target !== event.currentTarget) return;
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const total = this.#total(page);
		const to = movedTo(event.key, this.active, {
			total: total ?? 0,
			screen: this.#rowsInView(),
		});
		if (event.key === "Enter") this.#openActive(page);
		else if (to === undefined) return;
		else if (total) this.#move(to);
		event.preventDefault();
	}

	/** Returns the number of rows that Page Down moves by. */
	#rowsInView(): number {
		const scroll = this.renderRoot.querySelector(".scroll");
		const row = this.renderRoot.querySelector("tbody tr");
		if (!scroll || !row) return 1;
		const head = this.renderRoot.querySelector("thead");
		const room = scroll.clientHeight - (head?.clientHeight ?? 0);
		return Math.max(1, Math.floor(room / row.getBoundingClientRect().height));
	}

	#onGo(event: Event): void {
		event.preventDefault();
		const form = event.currentTarget as HTMLFormElement;
		const text = form.querySelector("input")?.value ?? "";
		const scene = sceneNumberOf(text, this.state.sceneCount);
		this.wrong = typeof scene === "string" ? scene : "";
		if (typeof scene === "number") this.#choose(scene);
	}
}
