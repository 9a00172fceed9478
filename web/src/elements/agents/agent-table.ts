import { css, html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Selection } from "../scene-view/picking.js";
import { waitingWords } from "../session/showing.js";
import { frameWith, type ViewerState } from "../session/state.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { chip, chipStyles } from "../ui/chips.js";
import { icon } from "../ui/icons.js";
import { type AgentRow, agentRows, type Sort, type SortKey } from "./agent-rows.js";
import { formatNumber, formatSpeed } from "./describe.js";
import { agentIndex, limitsOf } from "./summary.js";
import {
	type SearchResult,
	type SearchState,
	TrackSearch,
	trackOf,
} from "./track-search.js";

const COLUMNS: readonly (readonly [SortKey, string, string])[] = [
	["name", "Agent", ""],
	["track", "Track", "number"],
	["speed", "m/s", "number"],
	["distance", "Metres", "number"],
	["known", "Known", "number"],
];

const tableStyles = css`
:host { display: flex; flex-direction: column; min-height: 0; }
.head { padding: 16px 16px 8px; display: grid; gap: 8px; }
.head div { display: flex; justify-content: space-between; color: var(--_ink3); }
input { width: 100%; }
.scroll { overflow: auto; flex: 1; min-height: 0; padding: 0 12px 12px; }
table { width: 100%; border-collapse: collapse; table-layout: fixed; }
th.number { width: 40px; }
th:nth-child(4) { width: 66px; }
th:nth-child(5) { width: 44px; }
th.number button { padding: 0 2px; }
th { position: sticky; top: 0; background: var(--_panel); padding: 0; text-align: left; z-index: 1; }
th button { width: 100%; justify-content: flex-start; padding: 0 4px; font-size: 11px; color: var(--_ink3); gap: 2px; }
th.number button { justify-content: flex-end; }
th .icon { width: 12px; height: 12px; }
td { padding: 0; }
td.number { text-align: right; padding: 0 2px; white-space: nowrap; }
td button { width: 100%; justify-content: flex-start; padding: 0 4px; text-align: left; overflow: hidden; white-space: nowrap; }
.name { overflow: hidden; text-overflow: ellipsis; }
tr { cursor: pointer; }
tbody tr:hover, tbody tr.hover { background: var(--_raise); }
tbody tr.chosen { box-shadow: inset 2px 0 var(--_accent); background: var(--_raise); }
td button:hover, td button:active, td button[aria-pressed="true"] { background: none; color: inherit; }
@media (pointer: coarse) {
	.head div { min-height: 32px; }
	th.number { width: 46px; }
	th:nth-child(4) { width: 68px; }
	th:nth-child(5) { width: 48px; }
}
/* In the viewer the tab shows the heading. */
@container bev-viewer (min-width: 0px) {
	.head { grid-template-columns: minmax(0, 1fr) auto; align-items: center; padding-top: 8px; }
	.head div { grid-row: 1; grid-column: 2; }
	.head h2 { display: none; }
}
/* Rows that are not read yet. */
.unread { height: 336px; margin: 8px 4px; background: linear-gradient(transparent, var(--_panel)), repeating-linear-gradient(var(--_raise) 0 12px, transparent 12px 28px); }
.none { padding: 8px; color: var(--_ink2); display: grid; gap: 8px; justify-items: start; }
`;

/**
 * A table of the kept agents in this frame: the accessible alternative to the picture.
 */
export class AgentTable extends BevElement {
	static override styles = [baseStyles, chipStyles, tableStyles];
	static override properties = {
		...BevElement.properties,
		sort: { state: true },
		active: { state: true },
		searched: { state: true },
	};

	/** Column and direction of the order. */
	declare sort: Sort;
	/** The track whose row is the table's only tab stop. */
	declare active: bigint | undefined;
	/** Result of a search in the whole scene. */
	declare searched: SearchState;
	#rows: readonly AgentRow[] = [];
	readonly #search = new TrackSearch((state) => {
		this.searched = state;
	});

	constructor() {
		super();
		this.sort = { key: "distance", descending: false };
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#search.clear();
	}

	/** Focuses the search field after the next render. */
	find(): void {
		void this.updateComplete.then(() => {
			const field = this.renderRoot.querySelector("input");
			field?.focus();
			field?.select();
		});
	}

	/** Focuses the row of `track`; returns whether it exists. */
	focusRow(track: Selection): boolean {
		const row = this.renderRoot.querySelector<HTMLElement>(
			`button[data-track="${track}"]`,
		);
		row?.focus();
		return row !== null;
	}

	/** If the focused row was removed, focuses the row in its place. */
	override regainFocus(from: Element, visible: boolean): void {
		const stop = this.renderRoot.querySelector<HTMLElement>("tbody [tabindex='0']");
		if (stop) stop.focus();
		else super.regainFocus(from, visible);
	}

	protected watched(state: ViewerState): readonly unknown[] {
		const { selection, hover, playing, query, scene } = state;
		const shown = frameWith(state, "agents");
		const seen = [shown, ...limitsOf(state), selection, hover, playing, query, scene];
		return [...seen, waitingWords(state, "agents")];
	}

	protected override get pace(): number {
		return 250;
	}

	protected override render(): TemplateResult {
		const { query } = this.state;
		const rows = agentRows(this.state, this.sort);
		const waiting = waitingWords(this.state, "agents");
		const before = this.#rows.findIndex(({ track }) => track === this.active);
		this.#rows = rows;
		// If the active row was removed, the row in its place becomes the tab stop.
		if (!rows.some(({ track }) => track === this.active))
			this.active = rows[Math.min(rows.length - 1, Math.max(0, before))]?.track;
		return html`<div class="head">
				<div><h2 class="section" id="agents">Agents</h2><span class=${waiting ? "mono" : ""}>${waiting ? "–" : html`<span class="mono">${rows.length}</span> in this frame`}</span></div>
				<input type="search" placeholder="Find a track or class" aria-label="Find a track or class"
					.value=${query} @input=${this.#onQuery} @keydown=${this.#onFieldKey}>
			</div>
			<div class="scroll ${waiting && this.state.shown ? "stale" : ""}">
				<table role="grid" aria-labelledby="agents">
					<thead><tr>${COLUMNS.map((column) => this.#heading(column))}</tr></thead>
					<tbody @keydown=${this.#onRowKey}>${repeat(
						rows,
						({ track }) => track,
						(row) => this.#row(row),
					)}</tbody>
				</table>
				${rows.length === 0 ? this.#none() : nothing}
			</div>`;
	}

	/** Renders why the table is empty, and where else to search. */
	#none(): TemplateResult {
		const { query, scene } = this.state;
		const shown = frameWith(this.state, "agents");
		const waiting = waitingWords(this.state, "agents");
		if (waiting || !shown)
			return html`<p class="none">${waiting ?? "No frame is displayed"}</p>
				${waiting && !this.state.frameProblem ? html`<div class="unread" aria-hidden="true"></div>` : nothing}`;
		if (query.trim() === "")
			return html`<p class="none">No agents pass the filters.</p>`;
		const track = trackOf(query);
		const found = this.searched;
		const isHere = track !== undefined && agentIndex(shown, track) !== undefined;
		return html`<div class="none" role="status">
			${isHere ? html`<p>Track ${track} is in this frame but filtered out.</p>` : html`<p>No matches in this frame.</p>`}
			${
				track === undefined || isHere
					? nothing
					: found === "reading"
						? html`<p>Searching scene ${scene}</p>`
						: typeof found === "string"
							? html`<p>Scene ${scene}: read failed: ${found}</p>`
							: found?.track === track && found.scene === scene
								? this.#foundIn(found)
								: html`<button class="raised" @click=${() => this.#searchScene()}>Search scene ${scene} for track ${track}</button>`
			}
		</div>`;
	}

	#foundIn({ scene, track, presence }: SearchResult): TemplateResult {
		if (!presence) return html`<p>Scene ${scene} has no track ${track}.</p>`;
		const { first, last } = presence;
		return html`<p>Track ${track} is visible in frames ${first} to ${last}.</p>
			<button class="raised" @click=${() => this.#go(track, first)}>Go to frame ${first}</button>`;
	}

	#searchScene(): void {
		const track = trackOf(this.state.query);
		const store = this.controller?.store;
		if (track !== undefined && store) void this.#search.search(store, track);
	}

	#go(track: bigint, frame: number): void {
		const { controller } = this;
		controller?.pause();
		controller?.seek(frame);
		controller?.select(track);
		controller?.setQuery("");
	}

	#heading([key, name, kind]: readonly [SortKey, string, string]): TemplateResult {
		const { sort } = this;
		const sorted = sort.key === key;
		const direction = sort.descending ? "descending" : "ascending";
		const mark = sorted ? icon(sort.descending ? "down" : "up") : "";
		return html`<th class=${kind} scope="col" aria-sort=${sorted ? direction : "none"}>
			<button @click=${() => {
				this.sort = { key, descending: sorted && !sort.descending };
			}}>${name}${mark}</button>
		</th>`;
	}

	#row(row: AgentRow): TemplateResult {
		const { selection, hover } = this.state;
		const { track, name, role, class: of, speed, distance, known } = row;
		const star = role && (role === "focal" ? "★ " : "☆ ");
		const chosen = selection === track;
		const marks = `${chosen ? "chosen" : ""} ${hover === track ? "hover" : ""}`;
		return html`<tr class=${marks} aria-selected=${chosen} @click=${() => this.controller?.select(track)}
			@pointerenter=${() => this.controller?.hover(track)}
			@pointerleave=${() => this.controller?.hover(undefined)}>
			<td><button data-track=${track} tabindex=${track === this.active ? 0 : -1}
				aria-label=${`${name} ${track},${role ? ` ${role},` : ""} ${formatNumber(distance, 1)} metres`}
				@focus=${() => {
					this.active = track;
				}}>${chip(of)}<span class="name" title=${role ?? nothing}>${star}${name}</span></button></td>
			<td class="number mono">${track}</td>
			<td class="number mono">${formatSpeed(speed, 1).replace(" m/s", "")}</td>
			<td class="number mono">${formatNumber(distance, 1)}</td>
			<td class="number mono" title="Probability of a known class: the sum from car to animal">${formatNumber(known)}</td>
		</tr>`;
	}

	#onQuery(event: Event): void {
		this.controller?.setQuery((event.currentTarget as HTMLInputElement).value);
		this.#search.clear();
	}

	/**
	 * Escape clears, then leaves; Enter selects the only match and ends the search, or
	 * searches the scene.
	 */
	#onFieldKey(event: KeyboardEvent): void {
		const { query } = this.state;
		const rows = this.#rows;
		const [only] = rows;
		if (event.isComposing) return;
		if (event.key === "Escape" && query !== "") {
			this.controller?.setQuery("");
			this.#search.clear();
		} else if (event.key === "Escape") {
			super.regainFocus(event.currentTarget as Element, false);
		} else if (event.key === "Enter" && only && rows.length === 1) {
			this.controller?.select(only.track);
			// Found: the query would go on dimming all others.
			this.controller?.setQuery("");
		} else if (event.key === "Enter" && !only) this.#enterNone();
		else if (only && (event.key === "Enter" || event.key === "ArrowDown")) {
			this.focusRow(only.track);
		} else return;
		event.preventDefault();
	}

	/** Without a match, searches the scene; goes to a track that was found. */
	#enterNone(): void {
		const found = this.searched;
		if (typeof found === "object" && found.presence)
			this.#go(found.track, found.presence.first);
		else this.#searchScene();
	}

	/** Moves by one row, by ten, or to an end. */
	#onRowKey(event: KeyboardEvent): void {
		if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
		const at = this.#rows.findIndex(({ track }) => track === this.active);
		const last = this.#rows.length - 1;
		const to = {
			ArrowDown: at + 1,
			ArrowUp: at - 1,
			PageDown: at + 10,
			PageUp: at - 10,
			Home: 0,
			End: last,
		}[event.key];
		if (to === undefined) return;
		event.preventDefault();
		const row = this.#rows[Math.min(last, Math.max(0, to))];
		if (!row) return;
		this.focusRow(row.track);
		this.controller?.hover(row.track);
	}
}
