import { css, html, nothing, type TemplateResult } from "lit";
import type { Selection } from "../scene-view/picking.js";
import { emptyNote } from "../scene-view/scene-notes.js";
import { waitingWords } from "../session/showing.js";
import { frameWith, type ViewerState } from "../session/state.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { chip, chipStyles } from "../ui/chips.js";
import { empty, emptyStyles } from "../ui/empty.js";
import {
	type Column,
	type Sort,
	sortBy,
	TabStop,
	table,
	tableStyles,
} from "../ui/table.js";
import { type AgentRow, agentRows } from "./agent-rows.js";
import type { SortKey } from "./agents-state.js";
import { CERTAINTY } from "./certainty.js";
import { formatNumber, formatSpeed } from "./describe.js";
import { agentIndex, limitsOf } from "./summary.js";
import {
	type SearchResult,
	type SearchState,
	TrackSearch,
	trackOf,
} from "./track-search.js";

type AgentColumn = Column<AgentRow> & { readonly key: SortKey };

const COLUMNS: readonly AgentColumn[] = [
	{
		...{ key: "name", name: "Agent", cells: "" },
		cell: ({ name, role, class: of }) => {
			const star = role && (role === "focal" ? "★ " : "☆ ");
			return html`${chip(of)}<span class="name" title=${role ?? nothing}>${star}${name}</span>`;
		},
	},
	{
		...{ key: "track", name: "Track", kind: "number" },
		// Of a long id the end is shown: those of a log begin alike.
		cell: ({ track }) => html`<span title=${track}>${track}</span>`,
	},
	{
		...{ key: "speed", name: "m/s", kind: "number" },
		cell: ({ speed }) => formatSpeed(speed, 1).replace(" m/s", ""),
	},
	{
		...{ key: "distance", name: "Metres", kind: "number" },
		cell: ({ distance }) => formatNumber(distance, 1),
	},
	{
		...{ key: "known", name: "Certain", kind: "number" },
		cell: ({ known }) => html`<span title=${CERTAINTY}>${formatNumber(known)}</span>`,
	},
];

const agentStyles = css`
:host { display: flex; flex-direction: column; min-height: 0; }
.head { padding: 16px 16px 8px; display: grid; gap: 8px; }
.head div { display: flex; justify-content: space-between; color: var(--_ink3); }
input { width: 100%; }
.scroll { overflow: auto; flex: 1; min-height: 0; padding: 0 12px 12px; }
table { table-layout: fixed; }
th.number { width: 40px; }
th:nth-child(4) { width: 66px; }
th:nth-child(5) { width: 48px; }
th button { padding: 0 4px; }
th.number button, td.number { padding: 0 2px; }
td { padding: 0; }
td button { overflow: hidden; white-space: nowrap; }
.name { overflow: hidden; text-overflow: ellipsis; }
td:nth-child(2) { direction: rtl; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
tbody tr.hover { background: var(--_raise); }
@media (pointer: coarse) {
	.head div { min-height: 32px; }
	th.number { width: 46px; }
	th:nth-child(4) { width: 68px; }
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
	static override styles = [
		baseStyles,
		emptyStyles,
		chipStyles,
		tableStyles,
		agentStyles,
	];
	static override properties = {
		...BevElement.properties,
		searched: { state: true },
	};

	/** Result of a search in the whole scene. */
	declare searched: SearchState;
	#rows: readonly AgentRow[] = [];
	readonly #stop = new TabStop<bigint>(this, (track) => this.controller?.hover(track));
	readonly #search = new TrackSearch((state) => {
		this.searched = state;
	});

	/** Column and direction of the order. */
	get #sort(): Sort<SortKey> {
		const { sort } = this.state;
		const descending = sort.startsWith("-");
		return { key: (descending ? sort.slice(1) : sort) as SortKey, descending };
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
		const row = this.#rows.findIndex((one) => one.track === track);
		const buttons = this.renderRoot.querySelectorAll<HTMLElement>("tbody button");
		buttons[row]?.focus();
		return row >= 0;
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
		const asked = [query, state.sort];
		const seen = [
			shown,
			...limitsOf(state),
			selection,
			hover,
			playing,
			...asked,
			scene,
		];
		return [...seen, waitingWords(state, "agents")];
	}

	protected override get pace(): number {
		return 250;
	}

	protected override render(): TemplateResult {
		const { query } = this.state;
		const rows = agentRows(this.state, this.#sort);
		const waiting = waitingWords(this.state, "agents");
		this.#rows = rows;
		return html`<div class="head">
				<div><h2 class="section">Agents</h2><span class=${waiting ? "mono" : ""}>${waiting ? "–" : html`<span class="mono">${rows.length}</span> in this frame`}</span></div>
				<input type="search" placeholder="Find a track or class" aria-label="Find a track or class"
					.value=${query} @input=${this.#onQuery} @keydown=${this.#onFieldKey}>
			</div>
			<div class="scroll ${waiting && this.state.shown ? "stale" : ""}">
				${this.#table(rows)}
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
			return shown.agents.length === 0
				? empty({
						...{ icon: "list", what: "No agents in this frame" },
						next: "The table lists the road users of the frame. Go to another one.",
					})
				: empty({
						...{ icon: "list", what: "No agents pass the filters" },
						next: `${emptyNote(this.state) ?? ""}. The filters are in the panel Layers.`,
					});
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

	#table(rows: readonly AgentRow[]): TemplateResult {
		const { selection, hover } = this.state;
		const { controller } = this;
		const sort = this.#sort;
		const change = ({ key, descending }: Sort<SortKey>): void =>
			controller?.store.patch({ sort: descending ? `-${key}` : key });
		return table({
			label: "Agents",
			columns: COLUMNS.map((one) => ({ ...one, ...sortBy(one.key, sort, change) })),
			rows,
			key: ({ track }) => track,
			state: ({ track, name, role, distance }) => ({
				label: `${name} ${track},${role ? ` ${role},` : ""} ${formatNumber(distance, 1)} metres`,
				chosen: selection === track,
				className: hover === track ? "hover" : "",
			}),
			press: ({ track }) => controller?.select(track),
			hover: (row) => controller?.hover(row?.track),
			stop: this.#stop,
		});
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
}
