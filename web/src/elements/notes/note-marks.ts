import { html, nothing, svg, type TemplateResult } from "lit";
import type { ViewerState } from "../session/state.js";
import { counted } from "../ui/words.js";
import type { Note } from "./note.js";

/** Returns the number of notes of each scene. */
export function notesByScene(notes: readonly Note[]): ReadonlyMap<number, number> {
	const counts = new Map<number, number>();
	for (const { scene } of notes) counts.set(scene, (counts.get(scene) ?? 0) + 1);
	return counts;
}

/** Renders the frames of the scene's notes as marks over the bar. */
export function noteTicks(
	{ notes, note: chosen, scene }: ViewerState,
	count: number,
): TemplateResult | typeof nothing {
	const marked = notes.filter((one) => one.scene === scene && one.frames);
	if (marked.length === 0 || count < 2) return nothing;
	const share = (frame: number) => (100 * Math.min(frame, count - 1)) / (count - 1);
	return html`<svg class="note-marks" width="100%" height="8" role="img"
		aria-label="${counted(marked.length, "note")} in this scene">${marked.map(
			({ id, frames, text }) => {
				const [first = 0, last = 0] = frames ?? [];
				const [from, to] = [share(first), share(last)];
				return svg`<rect class=${id === chosen ? "chosen" : ""} x="${from}%" y="1" height="5" width="${Math.max(0.1, to - from)}%"
				stroke-width="3"><title>${text}</title></rect>`;
			},
		)}</svg>`;
}
