import { html, nothing, type TemplateResult } from "lit";
import { formatDateSeconds, formatTime } from "../timeline/clock.js";
import type { Column } from "../ui/table.js";
import { counted } from "../ui/words.js";
import type { ListedScene } from "./listed-scenes.js";
import type { SceneKey } from "./scene-list.js";

/** What is known of the listed scenes. */
export type SceneColumns = "dates" | "scenarios" | "names";

type SceneColumn = Column<ListedScene> & { readonly key: SceneKey };

function when({ startTime, scenario }: ListedScene): TemplateResult {
	const [date, time] =
		startTime === undefined ? [scenario] : formatDateSeconds(startTime).split(" ");
	return html`<span>${date}</span>${time ? html` <span>${time}</span>` : nothing}`;
}

/** Renders the number of a scene's notes. */
function noted(count = 0): TemplateResult | typeof nothing {
	if (count === 0) return nothing;
	return html` <span class="notes">${counted(count, "note")}</span>`;
}

/**
 * Returns the columns of the list.
 *
 * @param notes number of notes by scene
 * @param hasTags whether listed scenes have tags
 */
export function sceneColumns(
	columns: SceneColumns,
	notes: ReadonlyMap<number, number>,
	hasTags: boolean,
): readonly SceneColumn[] {
	const tags: SceneColumn = {
		...{ key: "tags", name: "Tags", kind: "tags", cells: "" },
		cell: ({ tags }) => html`<span title=${tags.join(", ")}>${tags.join(", ")}</span>`,
	};
	const tagged = hasTags ? [tags] : [];
	const scene: SceneColumn = {
		...{ key: "index", name: "Scene", cells: "" },
		cell: ({ index }) =>
			html`<span class="word">Scene </span>${index}${noted(notes.get(index))}`,
	};
	const host = ({ host }: ListedScene) => host;
	// Only the names are known.
	if (columns === "names")
		return [scene, { key: "host", name: "Scenario", cell: host }, ...tagged];
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
		...tagged,
	];
}
