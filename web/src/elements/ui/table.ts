import {
	css,
	html,
	nothing,
	type ReactiveControllerHost,
	type TemplateResult,
} from "lit";
import { repeat } from "lit/directives/repeat.js";
import { icon } from "./icons.js";

/** A column of a table. */
export interface Column<Row> {
	/** Content of the heading. */
	readonly name?: unknown;
	/** Explains the heading. */
	readonly title?: string | undefined;
	/** Classes of the heading and the cells, such as `number`. */
	readonly kind?: string | undefined;
	/** Classes of the cells; default: `mono`. */
	readonly cells?: string | undefined;
	/** Whether the cells are headings of their rows. */
	readonly heads?: boolean | undefined;
	readonly cell: (row: Row) => unknown;
	/** Order of the rows by this column; `none` if they can be sorted by it. */
	readonly order?: "ascending" | "descending" | "none" | undefined;
	/** Sorts the rows by this column. */
	readonly sort?: (() => void) | undefined;
}

/** The order of rows: by a column. */
export interface Sort<Key> {
	readonly key: Key;
	readonly descending: boolean;
}

/** How a row differs from others. */
export interface RowState {
	readonly id?: string | undefined;
	readonly title?: string | undefined;
	/** Accessible name of the row's button. */
	readonly label?: string | undefined;
	readonly className?: string | undefined;
	/** Whether the row is selected. */
	readonly chosen?: boolean | undefined;
	/** Whether the row describes what is displayed. */
	readonly current?: boolean | undefined;
}

/** Rows below a heading. */
export interface RowGroup<Row> {
	readonly name: string;
	readonly rows: readonly Row[];
}

/** The content of a table. */
export interface Table<Row, Key = unknown> {
	readonly label?: string | undefined;
	readonly caption?: unknown;
	readonly className?: string | undefined;
	/** Without names, the table has no head. */
	readonly columns: readonly Column<Row>[];
	readonly rows?: readonly Row[] | undefined;
	/** Rows below headings, instead of `rows`. */
	readonly groups?: readonly RowGroup<Row>[] | undefined;
	/** Number of all rows, if only some are rendered; -1 if it is unknown. */
	readonly count?: number | undefined;
	/** Position of the first rendered row among all rows. */
	readonly begin?: number | undefined;
	/** Identifies a row; default: its position. */
	readonly key?: ((row: Row) => Key) | undefined;
	readonly state?: ((row: Row) => RowState) | undefined;
	/** Acts on a press of a row. */
	readonly press?: ((row: Row) => void) | undefined;
	/** Called with the row that the pointer enters, and with undefined as it leaves. */
	readonly hover?: ((row: Row | undefined) => void) | undefined;
	/** Makes the buttons of the rows one tab stop. */
	readonly stop?: TabStop<Key> | undefined;
	/**
	 * Gives the focus to the table itself, which references this active row; rows then
	 * have no buttons.
	 */
	readonly active?: string | undefined;
	/** Handles keys of a table with the focus. */
	readonly onKey?: ((event: KeyboardEvent) => void) | undefined;
}

/** Styles of tables whose rows can be pressed. */
export const tableStyles = css`
table { width: 100%; border-collapse: collapse; }
th { position: sticky; top: 0; z-index: 1; padding: 0; text-align: left; background: var(--_panel); }
tbody th { position: static; padding: 0 4px; font-size: inherit; color: var(--_ink2); }
th button { width: 100%; justify-content: flex-start; padding: 0; gap: 2px; font-size: 11px; color: var(--_ink3); }
th .icon { width: 12px; height: 12px; }
td { white-space: nowrap; }
th.number button { justify-content: flex-end; }
.number { text-align: right; }
td button { width: 100%; justify-content: flex-start; padding: 0 4px; text-align: left; }
td button:hover, td button:active, td button[aria-pressed="true"] { background: none; color: inherit; }
tbody tr { cursor: pointer; }
tbody tr:hover, tbody tr.chosen, tbody tr[aria-current] { background: var(--_raise); }
tbody tr.chosen, tbody tr[aria-current] { box-shadow: inset 2px 0 var(--_accent); }
`;

/** Rows that Page Up and Page Down move by. */
const SCREEN = 10;

/**
 * Returns the position that `key` moves to from `at`; undefined for other keys.
 *
 * @param screen rows that Page Up and Page Down move by
 */
export function movedTo(
	key: string,
	at: number,
	{ total, screen = SCREEN }: { readonly total: number; readonly screen?: number },
): number | undefined {
	const to: Readonly<Record<string, number>> = {
		ArrowUp: at - 1,
		ArrowDown: at + 1,
		PageUp: at - screen,
		PageDown: at + screen,
		Home: 0,
		End: total - 1,
	};
	const position = Object.hasOwn(to, key) ? to[key] : undefined;
	return position && Math.max(0, Math.min(total - 1, position));
}

/** Compares values of rows; NaN is last in either direction. */
export function compared<T>(a: T, b: T, descending = false): number {
	const unknown = Number(Number.isNaN(a)) - Number(Number.isNaN(b));
	const order = a < b ? -1 : a > b ? 1 : 0;
	return unknown || (descending ? -order : order);
}

/** Returns how a column sorts: a press turns the order, or begins an ascending one. */
export function sortBy<Key>(
	key: Key,
	sort: Sort<Key>,
	change: (sort: Sort<Key>) => void,
): Pick<Column<unknown>, "order" | "sort"> {
	const sorted = sort.key === key;
	const direction = sort.descending ? "descending" : "ascending";
	return {
		order: sorted ? direction : "none",
		sort: () => change({ key, descending: sorted && !sort.descending }),
	};
}

/** Keeps one row of a table as its only tab stop; keys move it. */
export class TabStop<Key> {
	readonly #host: ReactiveControllerHost;
	readonly #moved: (key: Key) => void;
	#keys: readonly Key[] = [];
	#key: Key | undefined;

	/** @param moved called when a key moves the focus to a row */
	constructor(host: ReactiveControllerHost, moved: (key: Key) => void = () => {}) {
		this.#host = host;
		this.#moved = moved;
	}

	/** Position of the tab stop. If its row is removed, the row in its place becomes it. */
	among(keys: readonly Key[]): number {
		const before = this.#key === undefined ? 0 : this.#keys.indexOf(this.#key);
		const now = this.#key === undefined ? -1 : keys.indexOf(this.#key);
		const at = now < 0 ? Math.min(keys.length - 1, Math.max(0, before)) : now;
		this.#keys = keys;
		this.#key = keys[at];
		return at;
	}

	readonly onFocus = (event: Event): void => {
		const key = this.#keys[buttonsOf(event).indexOf(event.target as HTMLElement)];
		if (key === undefined || key === this.#key) return;
		this.#key = key;
		this.#host.requestUpdate();
	};

	readonly onKey = (event: KeyboardEvent): void => {
		if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
		const buttons = buttonsOf(event);
		const at = buttons.indexOf(event.target as HTMLElement);
		const to = movedTo(event.key, at, { total: buttons.length });
		if (at < 0 || to === undefined) return;
		event.preventDefault();
		buttons[to]?.focus();
		const key = this.#keys[to];
		if (key !== undefined) this.#moved(key);
	};
}

function buttonsOf({ currentTarget }: Event): HTMLElement[] {
	return [...(currentTarget as Element).querySelectorAll("button")];
}

function heading<Row>(column: Column<Row>): TemplateResult {
	const { name, title = nothing, kind = nothing, order = nothing, sort } = column;
	const mark = order === "descending" ? "down" : order === "ascending" && "up";
	const content = sort
		? html`<button @click=${sort}>${name}${mark ? icon(mark) : nothing}</button>`
		: name;
	return html`<th scope="col" class=${kind} title=${title} aria-sort=${order}>${content}</th>`;
}

/**
 * Renders row `i`.
 *
 * @param stop position of the tab stop, if the rows have only one
 */
function rowOf<Row, Key>(it: Table<Row, Key>, row: Row, i: number, stop?: number) {
	const { press, hover, onKey, count, begin = 0 } = it;
	const {
		id = nothing,
		title = nothing,
		label = nothing,
		...state
	} = it.state?.(row) ?? {};
	const { className = "", chosen = nothing, current } = state;
	const classes = `${className}${chosen === true ? " chosen" : ""}`.trim();
	const isGrid = stop !== undefined || onKey !== undefined;
	const tabindex = stop === undefined ? nothing : stop === i ? 0 : -1;
	const cell = (column: Column<Row>, k: number): TemplateResult => {
		const { kind = "", heads, cells = heads ? "" : "mono" } = column;
		const of = `${cells} ${kind}`.trim() || nothing;
		const content = column.cell(row);
		if (heads) return html`<th scope="row" class=${of}>${content}</th>`;
		if (k > 0 || !press || onKey) return html`<td class=${of}>${content}</td>`;
		return html`<td class=${of}><button tabindex=${tabindex} aria-label=${label}
			aria-pressed=${isGrid ? nothing : chosen}>${content}</button></td>`;
	};
	return html`<tr id=${id} title=${title} class=${classes || nothing}
		aria-rowindex=${onKey && count !== undefined ? begin + i + 2 : nothing}
		aria-selected=${isGrid ? chosen : nothing} aria-current=${current ? "true" : nothing}
		@click=${press && (() => press(row))}
		@pointerenter=${hover && (() => hover(row))} @pointerleave=${hover && (() => hover(undefined))}>${it.columns.map(cell)}</tr>`;
}

/** Renders a table. */
export function table<Row, Key>(it: Table<Row, Key>): TemplateResult {
	const { label = nothing, className = nothing, active = nothing, caption } = it;
	const { columns, rows = [], key, stop, onKey, count = nothing } = it;
	const at = stop && key && stop.among(rows.map(key));
	const render = (row: Row, i: number) => rowOf(it, row, i, at);
	const groups = it.groups?.map(
		({ name, rows }) => html`<tbody>
		<tr class="group"><th scope="rowgroup" colspan=${columns.length}>${name}</th></tr>${rows.map(render)}</tbody>`,
	);
	return html`<table class=${className} role=${stop || onKey ? "grid" : nothing} aria-label=${label}
		aria-rowcount=${count === nothing || count < 0 ? count : count + 1}
		tabindex=${onKey ? 0 : nothing} aria-activedescendant=${active} @keydown=${onKey}>
		${caption ? html`<caption class="mono">${caption}</caption>` : nothing}
		${columns.some(({ name }) => name !== undefined) ? html`<thead><tr aria-rowindex=${onKey ? 1 : nothing}>${columns.map(heading)}</tr></thead>` : nothing}
		${groups ?? html`<tbody @keydown=${stop?.onKey} @focusin=${stop?.onFocus}>${key ? repeat(rows, key, render) : rows.map(render)}</tbody>`}
	</table>`;
}
