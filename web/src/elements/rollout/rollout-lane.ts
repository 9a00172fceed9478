import { html, nothing, svg, type TemplateResult } from "lit";
import { formatNumber } from "../agents/describe.js";
import type { ViewerState } from "../session/state.js";
import { counted } from "../ui/words.js";
import { MEASURE_TEXTS } from "./rollout-text.js";

const HEIGHT = 24;
/** Height of the marks of collisions and of frames off the road. */
const MARK = 5;

/**
 * Renders a rollout's measure over the scene's frames, with marks of collisions above
 * and of frames off the road below; a press seeks.
 */
export function rolloutLane(
	{ rollout, frame }: ViewerState,
	count: number,
	pressed: (event: PointerEvent) => void,
): TemplateResult | typeof nothing {
	const report = rollout?.report;
	if (!report || count < 2) return nothing;
	const { firstFrame, frames, collision, offRoad } = report;
	const { name, unit, scale } = MEASURE_TEXTS[rollout.measure];
	const values = Array.from(report[rollout.measure], (value) => value * scale);
	const known = values.filter(Number.isFinite);
	const low = known.reduce((least, value) => Math.min(least, value), 0);
	const high = known.reduce((most, value) => Math.max(most, value), 0);
	const y = (value: number) => HEIGHT * (1 - (value - low) / (high - low || 1));
	const bar = (k: number, top: number, height: number, kind: string) =>
		svg`<rect class=${kind} x=${firstFrame + k - 0.5} width="1" y=${top} height=${height}/>`;
	const hits = collision.reduce((sum, side) => sum + (side > 0 ? 1 : 0), 0);
	const off = offRoad.reduce((sum, one) => sum + (one === 1 ? 1 : 0), 0);
	const words = `${name} of the rollout, from ${formatNumber(low)} to ${formatNumber(high)} ${unit}; collisions in ${hits} of ${counted(frames, "frame")}, off the road in ${off}`;
	const here = values[frame - firstFrame];
	return html`<span class="key">${name} <span class="unit">${unit}</span>
			<span class="mono">${here === undefined ? `≤ ${formatNumber(high)}` : formatNumber(here)}</span></span>
		<div class="lane rollout" title=${words} @pointerdown=${pressed}>
			<svg viewBox="0 0 ${count - 1} ${HEIGHT}" width="100%" height=${HEIGHT} preserveAspectRatio="none"
				role="img" aria-label=${words}>
				${values.map((value, k) => {
					if (!Number.isFinite(value)) return nothing;
					const [top, bottom] = [y(Math.max(0, value)), y(Math.min(0, value))];
					return bar(k, top, Math.max(1, bottom - top), "");
				})}
				${Array.from(collision, (side, k) => (side > 0 ? bar(k, 0, MARK, "collision") : nothing))}
				${Array.from(offRoad, (one, k) => (one === 1 ? bar(k, HEIGHT - MARK, MARK, "off") : nothing))}
			</svg></div>`;
}
