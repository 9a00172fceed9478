import { html, nothing, type TemplateResult } from "lit";
import { formatDateSeconds, formatTime } from "../timeline/clock.js";
import { type Column, sortBy, table } from "../ui/table.js";
import type { ListedScene } from "./listed-scenes.js";
import type { SceneKey, SceneSort } from "./scene-list.js";

/** What is known of the listed scenes. */
export type SceneColumns = "dates" | "scenarios" | "names";

type SceneColumn = Column<ListedScene> & { readonly key: SceneKey };

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

function when({ startTime, scenario }: ListedScene): TemplateResult {
	const [date, time] =
		startTime === undefined ? [scenario] : formatDateSeconds(startTime).split(" ");
	return html`<span>${date}</span>${time ? html` <span>${time}</span>` : nothing}`;
}

/** Renders the number of a scene's notes. */
function noted(count = 0): TemplateResult | typeof nothing {
	if (count === 0) return nothing;
	return html` <span class="notes">${count} ${count === 1 ? "note" : "notes"}</span>`;
}

function columnsOf({ columns, notes }: SceneTable): readonly SceneColumn[] {
	const scene: SceneColumn = {
		...{ key: "index", name: "Scene", cells: "" },
		cell: ({ index }) =>
			html`<span class="word">Scene </span>${index}${noted(notes.get(index))}`,
	};
	const host = ({ host }: ListedScene) => host;
	// Only the names are known.
	if (columns === "names")
		return [scene, { key: "host", name: "Scenario", cell: host }];
	return [
		scene,
		{ key: "host", name: "Host", cell: host },
		// Clocks of converted scenes are relative.
		columns === "dates"
			? { key: "startTime", name: "Start (UTC)", kind: "start", cell: when }
			: { key: "scenario", name: "Scenario", cells: "mono start", cell: when },
		{ key: "frames", name: "Frames", kind: "number", cell: ({ frames }) => frames },
		{
			...{ key: "duration", name: "Duration", kind: "number" },
			cell: ({ duration }) => (Number.isNaN(duration) ? "–" : formatTime(duration)),
		},
	];
}

/**
 * Renders a grid with one tab stop: the table has the focus and references its active
 * row.
 */
export function sceneTable(it: SceneTable): TemplateResult {
	const { rows, begin, total = -1, sort, order, onKey } = it;
	const active = rows[it.active - begin];
	return table({
		...{ label: "List of scenes", rows, begin, count: total, onKey },
		columns: columnsOf(it).map((one) => ({ ...one, ...sortBy(one.key, sort, order) })),
		key: ({ index }) => index,
		active: active && `scene-${active.index}`,
		state: (scene) => ({
			id: `scene-${scene.index}`,
			className: scene === active ? "active" : "",
			current: scene.index === it.current,
		}),
		press: ({ index }) => it.choose(index),
	});
}
