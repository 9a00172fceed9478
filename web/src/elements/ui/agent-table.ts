import { css, html, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { type AgentRow, agentRows, type Sort, type SortKey } from "../agent-rows.js";
import { formatNumber, formatSpeed } from "../describe.js";
import type { Selection } from "../pure/link.js";
import { waitingWords } from "../showing.js";
import type { ViewerState } from "../state.js";
import { baseStyles } from "./base-styles.js";
import { BevElement } from "./bev-element.js";
import { chipStyles } from "./chip-styles.js";
import { chip } from "./chips.js";
import { icon } from "./icons.js";

const COLUMNS: readonly (readonly [SortKey, string, string])[] = [
	["name", "Agent", ""],
	["track", "Track", "number"],
	["speed", "m/s", "number"],
	["distance", "Metres", "number"],
	["probability", "Prob.", "number"],
];

const tableStyles = css`
:host { display: flex; flex-direction: column; min-height: 0; }
.head { padding: 16px 16px 8px; display: grid; gap: 8px; }
.head div { display: flex; justify-content: space-between; color: var(--_ink3); }
input { width: 100%; }
.scroll { overflow: auto; flex: 1; min-height: 0; padding: 0 12px 12px; }
table { width: 100%; border-collapse: collapse; table-layout: fixed; }
th.number { width: 40px; }
th:nth-child(4) { width: 60px; }
th:nth-child(5) { width: 42px; }
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
	th:nth-child(4) { width: 64px; }
	th:nth-child(5) { width: 48px; }
}
/* In the viewer a tab has the name. */
@container bev-viewer (min-width: 0px) {
	.head { grid-template-columns: minmax(0, 1fr) auto; align-items: center; padding-top: 8px; }
	.head div { grid-row: 1; grid-column: 2; }
	.head h2 { display: none; }
}
.none { padding: 8px; color: var(--_ink2); }
`;

/** The agents kept in this frame as a table: the picture for those who do not see it. */
export class AgentTable extends BevElement {
	static override styles = [baseStyles, chipStyles, tableStyles];
	static override properties = {
		...BevElement.properties,
		query: { state: true },
		sort: { state: true },
	};

	declare query: string;
	declare sort: Sort;

	constructor() {
		super();
		this.query = "";
		this.sort = { key: "distance", descending: false };
	}

	/** Puts the cursor into the search field. */
	find(): void {
		this.renderRoot.querySelector("input")?.focus();
	}

	/** Puts the focus on the row of `track`, if it is there; tells whether it is. */
	focusRow(track: Selection): boolean {
		const row = this.renderRoot.querySelector<HTMLElement>(
			`button[data-track="${track}"]`,
		);
		row?.focus();
		return row !== null;
	}

	protected watched(state: ViewerState): readonly unknown[] {
		const { shown, distance, selection, hover, playing } = state;
		return [shown, distance, selection, hover, playing, waitingWords(state)];
	}

	protected override get pace(): number {
		return 250;
	}

	protected override render(): TemplateResult {
		const rows = agentRows(this.state, this.query, this.sort);
		const waiting = waitingWords(this.state);
		const empty =
			this.query === "" ? "No agents kept in this frame." : "Nothing matches.";
		const none = waiting ?? empty;
		return html`<div class="head">
				<div><h2 class="section" id="agents">Agents</h2><span class="mono">${waiting ? "–" : rows.length}</span></div>
				<input type="search" placeholder="Find a track or class" aria-label="Find a track or class"
					.value=${this.query} @input=${this.#onQuery}>
			</div>
			<div class="scroll ${waiting && this.state.shown ? "stale" : ""}">
				<table aria-labelledby="agents">
					<thead><tr>${COLUMNS.map((column) => this.#heading(column))}</tr></thead>
					<tbody>${repeat(
						rows,
						({ track }) => track,
						(row) => this.#row(row),
					)}</tbody>
				</table>
				${rows.length === 0 ? html`<p class="none">${none}</p>` : ""}
			</div>`;
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
		const { track, name, class: of, speed, distance, probability } = row;
		const chosen = selection === track;
		const marks = `${chosen ? "chosen" : ""} ${hover === track ? "hover" : ""}`;
		return html`<tr class=${marks} @click=${() => this.controller?.select(track)}
			@pointerenter=${() => this.controller?.hover(track)}
			@pointerleave=${() => this.controller?.hover(undefined)}>
			<td><button data-track=${track} aria-pressed=${chosen}>${chip(of)}<span class="name">${name}</span></button></td>
			<td class="number mono">${track}</td>
			<td class="number mono">${formatSpeed(speed, 1).replace(" m/s", "")}</td>
			<td class="number mono">${formatNumber(distance, 1)}</td>
			<td class="number mono">${formatNumber(probability)}</td>
		</tr>`;
	}

	#onQuery(event: Event): void {
		this.query = (event.currentTarget as HTMLInputElement).value;
	}
}
