import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { formatDateSeconds, formatTime } from "../timeline/clock.js";
import { icon } from "../ui/icons.js";
import type { ListedScene } from "./listed-scenes.js";
import type { SceneKey, SceneSort } from "./scene-list.js";

const COLUMNS: readonly (readonly [SceneKey, string, string])[] = [
	["index", "Scene", ""],
	["host", "Host", ""],
	["startTime", "Start (UTC)", "start"],
	["frames", "Frames", "number"],
	["duration", "Duration", "number"],
];

/** Columns of converted scenes, whose clocks are relative. */
const SCENARIOS: typeof COLUMNS = COLUMNS.map((column) =>
	column[0] === "startTime" ? ["scenario", "Scenario", ""] : column,
);

/** Columns of scenes of which only names are known. */
const NAMES: typeof COLUMNS = [
	["index", "Scene", ""],
	["host", "Scenario", ""],
];

/** What is known of the listed scenes. */
export type SceneColumns = "dates" | "scenarios" | "names";

const COLUMNS_OF = { dates: COLUMNS, scenarios: SCENARIOS, names: NAMES } as const;

/** The displayed page of scenes and its active row. */
export interface SceneTable {
	readonly rows: readonly ListedScene[];
	readonly columns: SceneColumns;
	/** Position of the first row among the listed scenes. */
	readonly begin: number;
	/** Undefined if unknown. */
	readonly total: number | undefined;
	/** Position of the active row. */
	readonly active: number;
	readonly sort: SceneSort;
	/** The open scene. */
	readonly current: number;
	/** Number of notes by scene. */
	readonly notes: ReadonlyMap<number, number>;
	readonly choose: (scene: number) => void;
	readonly order: (sort: SceneSort) => void;
	readonly onKey: (event: KeyboardEvent) => void;
}

function heading(table: SceneTable, [key, name, kind]: (typeof COLUMNS)[number]) {
	const { sort } = table;
	const sorted = sort.key === key;
	const direction = sort.descending ? "descending" : "ascending";
	const order = () => table.order({ key, descending: sorted && !sort.descending });
	return html`<th class=${kind} scope="col" aria-sort=${sorted ? direction : "none"}>
		<button @click=${order}>${name}${sorted ? icon(sort.descending ? "down" : "up") : ""}</button>
	</th>`;
}

function times({ startTime, scenario, frames, duration }: ListedScene): TemplateResult {
	const [date, time] =
		startTime === undefined ? [scenario] : formatDateSeconds(startTime).split(" ");
	return html`<td class="mono start"><span>${date}</span>${time ? html` <span>${time}</span>` : nothing}</td>
		<td class="mono number">${frames}</td>
		<td class="mono number">${Number.isNaN(duration) ? "–" : formatTime(duration)}</td>`;
}

/** Renders the number of a scene's notes. */
function noted(count = 0): TemplateResult | typeof nothing {
	if (count === 0) return nothing;
	return html` <span class="notes">${count} ${count === 1 ? "note" : "notes"}</span>`;
}

function sceneRow(table: SceneTable, scene: ListedScene, position: number) {
	const { index, host } = scene;
	return html`<tr id="scene-${index}" class=${position === table.active ? "active" : ""}
		aria-rowindex=${position + 2} aria-current=${index === table.current ? "true" : nothing}
		@click=${() => table.choose(index)}>
		<td><span class="word">Scene </span>${index}${noted(table.notes.get(index))}</td>
		<td class="mono">${host}</td>
		${table.columns === "names" ? nothing : times(scene)}
	</tr>`;
}

/**
 * Renders a grid with one tab stop: the table has the focus and references its active
 * row.
 */
export function sceneTable(table: SceneTable): TemplateResult {
	const { rows, begin, total, active } = table;
	const scene = rows[active - begin]?.index;
	return html`<table role="grid" tabindex="0" aria-label="List of scenes"
		aria-rowcount=${total === undefined ? -1 : total + 1}
		aria-activedescendant=${scene === undefined ? nothing : `scene-${scene}`}
		@keydown=${table.onKey}>
		<thead><tr aria-rowindex="1">${COLUMNS_OF[table.columns].map((column) => heading(table, column))}</tr></thead>
		<tbody>${repeat(
			rows,
			({ index }) => index,
			(row, i) => sceneRow(table, row, begin + i),
		)}</tbody>
	</table>`;
}

/** Returns the position that `key` moves to from `active`; undefined for other keys. */
export function movedTo(
	key: string,
	active: number,
	{ total, screen }: { readonly total: number; readonly screen: number },
): number | undefined {
	const to: Readonly<Record<string, number>> = {
		ArrowUp: active - 1,
		ArrowDown: active + 1,
		PageUp: active - screen,
		PageDown: active + screen,
		Home: 0,
		End: total - 1,
	};
	const position = Object.hasOwn(to, key) ? to[key] : undefined;
	return position === undefined
		? undefined
		: Math.max(0, Math.min(total - 1, position));
}
