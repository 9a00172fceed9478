import { html, nothing, type TemplateResult } from "lit";
import { trackOf } from "../agents/track-search.js";
import { MAX_ITEMS } from "../gallery/gallery-item.js";
import { sortNames } from "../gallery/gallery-list.js";
import type { GalleryItem } from "../gallery/gallery-state.js";
import { goToItem } from "../gallery/go-to-item.js";
import { OwnThumbnails } from "../gallery/thumbnails.js";
import type { ViewerState } from "../session/state.js";
import { until } from "../session/store.js";
import { baseStyles, dialogStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { icon } from "../ui/icons.js";
import { FilterBox } from "./filter-box.js";
import { FindLoader, type Found, type MapOf, type Vocabulary } from "./find-loader.js";
import { FIND_TABLES, type FindTable, isOfFacts } from "./find-state.js";
import { findStyles } from "./find-styles.js";
import {
	columnOf,
	shortened,
	statusOf,
	uncheckedWords,
	unreadWords,
	wordsOf,
} from "./find-words.js";
import { HitList } from "./hit-list.js";
import { comparedIn, type HitOrder } from "./hit-order.js";
import { hasClause, PRESETS, type Preset, toggled } from "./presets.js";
import { SavedChips } from "./saved-chips.js";
import type { SavedSearch } from "./saved-searches.js";

/** Minimum interval between renders of a running search. */
const PACE_MS = 100;

const EXAMPLES: Readonly<Record<FindTable, string>> = {
	scenes: "turn == 'left' and min_ttc < 2",
	tracks: "class == 'PEDESTRIAN' and closest_ego < 3",
	agents: "speed > 10 and distance_to_ego < 30",
	frames: "agent_count > 50",
};

/** Tables with a track in each row. */
const HAS_TRACKS: ReadonlySet<FindTable> = new Set(["tracks", "agents"]);

/** Searches all scenes of the data set with a filter, and goes to a hit. */
export class FindDialog extends BevElement {
	static override styles = [baseStyles, dialogStyles, findStyles];
	static override properties = {
		...BevElement.properties,
		found: { state: true },
		imageNotice: { state: true },
		table: { state: true },
	};

	/** The newest search. */
	declare found: Found | undefined;
	declare table: FindTable;
	/** Why stored pictures are not used; empty if they are, or there are none. */
	declare imageNotice: string;
	readonly #onStoredNotice = (notice: string): void => {
		this.imageNotice = notice;
	};
	readonly #mapOf: MapOf = async (signal) => {
		const { controller } = this;
		if (!controller) return undefined;
		const known = ({ mapState }: ViewerState): boolean =>
			mapState !== "unknown" && mapState !== "loading";
		return (await until(controller.store, known, signal)).map;
	};
	readonly #loader = new FindLoader(
		(found) => this.#tell(found),
		this.#mapOf,
		() => {
			this.#images.drop();
			this.#list.redraw();
		},
	);
	/** Set while a change is waiting to be displayed. */
	#late: ReturnType<typeof setTimeout> | undefined;
	#told: Found | undefined;
	readonly #box = new FilterBox({
		host: this,
		vocabulary: () => this.#vocabulary,
		submit: () => this.#run(),
		example: () => EXAMPLES[this.table],
	});
	readonly #list = new HitList({
		host: this,
		images: () => this.#images.of(this, { onStoredNotice: this.#onStoredNotice }),
		choose: (hit) => this.#choose(hit),
	});
	readonly #images = new OwnThumbnails(() => this.#list.redraw());
	readonly #saved = new SavedChips({
		host: this,
		current: () => ({ table: this.table, where: this.#box.text.trim() }),
		linked: () => this.state.find,
		choose: (search) => this.#again(search),
		named: (filter) => this.controller?.store.patch({ find: filter }),
	});
	#vocabulary: Vocabulary | undefined;
	#dataset: ViewerState["dataset"];
	#map: ViewerState["map"];

	constructor() {
		super();
		this.table = "scenes";
		this.imageNotice = "";
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
		} else if (!this.#tables().includes(this.table)) this.table = "agents";
		void this.#readVocabulary();
		this.renderRoot.querySelector("dialog")?.showModal();
		this.#box.focus();
		this.requestUpdate();
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#loader.stop();
		this.#images.drop();
	}

	protected watched({ dataset, map }: ViewerState): readonly unknown[] {
		return [dataset, map];
	}

	protected override stateChanged(): void {
		const { dataset, map } = this.state;
		if (dataset !== this.#dataset) {
			this.#forget();
			this.renderRoot.querySelector("dialog")?.close();
		} else if (map !== this.#map) this.#images.drop();
		this.#map = map;
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
				${this.#chips()}
				${this.#saved.render()}
				${found?.problem ? this.#trouble(found) : nothing}
				${found ? this.#work(found) : this.#help()}
				${this.#list.render(found?.hits ?? [])}
				<p class="sr" role="status">${found ? statusOf(found) : ""}</p>
			</div>
		</dialog>`;
	}

	/** Tables that this data set has. */
	#tables(): readonly FindTable[] {
		const { facts } = this.state.dataset ?? {};
		return FIND_TABLES.filter((table) => facts || !isOfFacts(table));
	}

	#form(found: Found | undefined): TemplateResult {
		const running = found?.phase === "running";
		const submit = (event: Event): void => {
			event.preventDefault();
			this.#run();
		};
		return html`<form @submit=${submit}>
			<select aria-label="Table" .value=${this.table} @change=${this.#onTable}>
				${this.#tables().map((name) => html`<option value=${name} ?selected=${name === this.table}>${name}</option>`)}
			</select>
			${this.#box.render(found?.problem !== undefined)}
			<button class="primary">${found?.phase === "stopped" && isOfFacts(found.filter.table) ? "Continue" : "Search"}</button>
			<button type="button" class="outlined" ?disabled=${!running} @click=${() => this.#loader.stop()}>Stop</button>
		</form>`;
	}

	#chips(): TemplateResult {
		return html`<div class="chips" role="group" aria-label="Conditions">
			${PRESETS[this.table].map((preset) => this.#chip(preset))}
		</div>`;
	}

	#chip(preset: Preset): TemplateResult {
		const pressed = hasClause(this.#box.text, preset);
		return html`<button type="button" class="chip" aria-pressed=${pressed} title=${preset.clause}
			@click=${() => this.#toggle(preset)}>${preset.name}</button>`;
	}

	#help(): TemplateResult {
		const example = html`<span class="mono">${EXAMPLES[this.table]}</span>`;
		const what = isOfFacts(this.table)
			? html`Facts are computed once from all frames, and kept. For example ${example}, or a track's id.`
			: html`The search reads the parts of the data set that the filter needs. For example ${example}, or a track's id.`;
		return html`<p class="hint">${what}</p>`;
	}

	#trouble({ problem, filter }: Found): TemplateResult {
		const why = problem?.why ?? "";
		const column = columnOf(why);
		return html`<div class="trouble" id="trouble" role="alert">${shortened(why)}${
			column === undefined
				? nothing
				: html`<pre class="mono" aria-hidden="true">${filter.where}
${" ".repeat(column)}^</pre>`
		}</div>`;
	}

	#work(found: Found): TemplateResult {
		const { phase, done, of, hits } = found;
		const bar =
			phase === "running"
				? html`<progress aria-label="Scenes searched" max=${of || nothing} value=${of ? done : nothing}></progress>`
				: nothing;
		const gallery =
			phase !== "running" && hits.length > 0
				? html`<button type="button" class="outlined" @click=${this.#openGallery}>Gallery</button>`
				: nothing;
		const unread = unreadWords(found);
		const unchecked = uncheckedWords(found);
		return html`<div class="work"><span class="count">${wordsOf(found)}</span>${bar}${hits.length > 1 ? this.#sorting(found) : nothing}${gallery}</div>
			${unread === undefined ? nothing : html`<p class="trouble" role="alert">${unread}</p>`}
			${unchecked === undefined ? nothing : html`<p class="hint unchecked">${unchecked}</p>`}
			${[found.notice, this.imageNotice].map((notice) => (notice ? html`<p class="hint notice">${notice}</p>` : nothing))}`;
	}

	/** Renders the order of the hits. */
	#sorting({ filter, order, hits }: Found): TemplateResult {
		const { by, descending } = order;
		const names = sortNames(hits);
		const now = typeof by === "string" ? by : `=${by.name}`;
		const change = (event: Event): void => {
			const { value } = event.target as HTMLSelectElement;
			const fixed = (["worst", "found"] as const).find((one) => one === value);
			this.#sort({ by: fixed ?? { name: value.slice(1) }, descending: false });
		};
		const options = [
			...(comparedIn(filter.where).size > 0 ? [["worst", "worst first"]] : []),
			["found", "as found"],
			...names.map((name) => [`=${name}`, name]),
		];
		return html`<label class="sort">Sort <select @change=${change}>
				${options.map(([value, name]) => html`<option value=${value ?? ""} ?selected=${value === now}>${name}</option>`)}
			</select></label>
			<button type="button" class="icon-only" aria-label="Reverse" title="Reverse" aria-pressed=${descending} ?disabled=${by === "found"}
				@click=${() => this.#sort({ by, descending: !descending })}>${icon(descending ? "down" : "up")}</button>`;
	}

	#sort(order: HitOrder): void {
		const { dataset } = this.state;
		if (dataset) void this.#loader.sort(dataset, order);
	}

	readonly #openGallery = (): void => {
		const { hits = [], filter } = this.found ?? {};
		const part = hits.length > MAX_ITEMS ? ` (the first ${MAX_ITEMS})` : "";
		const title = filter ? `${filter.table}: ${filter.where}${part}` : "";
		this.renderRoot.querySelector("dialog")?.close();
		this.controller?.store.patch({
			gallery: { title, items: hits.slice(0, MAX_ITEMS) },
		});
	};

	#choose(hit: GalleryItem): void {
		this.renderRoot.querySelector("dialog")?.close();
		if (this.controller) goToItem(this.controller, hit);
	}

	/** Runs a saved search. */
	#again({ table, where }: SavedSearch): void {
		this.#change(table);
		this.#box.text = where;
		this.#run();
	}

	readonly #onTable = (event: Event): void => {
		const { value } = event.target as HTMLSelectElement;
		this.#change(FIND_TABLES.find((table) => table === value) ?? "agents");
	};

	#change(table: FindTable): void {
		this.table = table;
		void this.#readVocabulary();
	}

	/** The table with one row per track, or else per track and frame. */
	#tracksTable(): FindTable {
		return this.#tables().includes("tracks") ? "tracks" : "agents";
	}

	/** Adds or removes a chip's condition, and searches. */
	#toggle(preset: Preset): void {
		this.#box.text = toggled(this.#box.text, preset);
		this.requestUpdate();
		if (this.#box.text !== "") this.#run();
	}

	#run(): void {
		const { dataset } = this.state;
		const text = this.#box.text.trim();
		if (!dataset || text === "") return;
		// A number alone is a track's id.
		const isTrack = trackOf(text) !== undefined;
		const where = isTrack ? `track_id == ${text}` : text;
		if (isTrack && !HAS_TRACKS.has(this.table)) this.#change(this.#tracksTable());
		const filter = this.#saved.named({ table: this.table, where });
		this.#box.text = where;
		this.#list.reset();
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
			if (table !== this.table || dataset !== this.state.dataset) return;
			this.#vocabulary = vocabulary;
			this.#box.named();
		} catch {
			// The search reports it.
		}
	}

	#forget(): void {
		this.#loader.stop();
		this.#images.drop();
		this.#dataset = this.state.dataset;
		this.#vocabulary = undefined;
		this.imageNotice = "";
		this.#box.text = "";
		this.#told = undefined;
		this.#display();
	}
}
