import { html, svg, type TemplateResult } from "lit";
import type { FrameView } from "../../dataset/frame-view.js";
import { agentIndex } from "./summary.js";

/** Frames of history and targets in L5Kit's samples. */
const PAST = 10;
const FUTURE = 50;

export type Availability = "there" | "missing" | "unknown";

/**
 * Returns whether `track` is present in each frame from `PAST` before `frame` to
 * `FUTURE` after it.
 */
export function availabilityOf(
	frames: ReadonlyMap<number, FrameView>,
	frame: number,
	count: number,
	track: bigint,
): Availability[] {
	return Array.from({ length: PAST + 1 + FUTURE }, (_, k) => {
		const at = frame - PAST + k;
		if (at < 0 || at >= count) return "missing";
		const view = frames.get(at);
		if (!view) return "unknown";
		return agentIndex(view, track) === undefined ? "missing" : "there";
	});
}

/** Renders the availability as a strip with the current frame marked, and as text. */
export function availabilityStrip(cells: readonly Availability[]): TemplateResult {
	const there = (part: readonly Availability[]) =>
		part.filter((cell) => cell === "there").length;
	const past = there(cells.slice(0, PAST));
	const future = there(cells.slice(PAST + 1));
	const unread = cells.filter((cell) => cell === "unknown").length;
	const rest = unread > 0 ? ` · ${unread} not read` : "";
	const words = `Visible in ${past} of ${PAST} frames before and ${future} of ${FUTURE} after${rest}`;
	return html`<svg class="availability" viewBox="0 0 ${cells.length} 10" preserveAspectRatio="none"
			role="img" aria-label=${words}>
			${cells.map(
				(cell, k) =>
					svg`<rect class=${cell} x=${k + 0.1} y=${cell === "there" ? 0 : 4} width="0.8" height=${cell === "there" ? 10 : 2}/>`,
			)}
			${svg`<rect class="now" x=${PAST} y="0" width="1" height="10"/>`}
		</svg>
		<p class="words mono">${past}/${PAST} before · ${future}/${FUTURE} after${rest}</p>`;
}
