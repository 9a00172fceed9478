import { css } from "lit";

export const timelineStyles = css`
:host { background: var(--_panel); container-type: inline-size; padding: 8px 16px 12px; }
.transport { display: flex; align-items: center; gap: 8px; min-height: 36px; }
.play { width: 32px; min-height: 32px; padding: 0; border-radius: 50%; background: var(--_ink); color: var(--_panel); flex: none; }
.play:hover, .play:active { background: var(--_ink2); }
.play:disabled { background: var(--_raise); color: var(--_ink3); }
.speed { border-color: transparent; background: var(--_raise); padding: 0 4px 0 8px; }
.time { padding-left: 8px; white-space: nowrap; font-size: 13px; }
.time b { font-weight: 400; color: var(--_ink); }
.time span, .frame { color: var(--_ink2); }
.frame { padding-left: 8px; white-space: nowrap; }
.stalled { color: var(--_warn-ink); }
.fill { flex: 1; }
.toggle { color: var(--_ink2); }
.toggle[aria-pressed="true"] { background: none; color: var(--_ink); box-shadow: inset 0 -2px var(--_accent); border-radius: 0; }
.axis { display: grid; grid-template-columns: 84px 1fr; align-items: center; }
.key { color: var(--_ink3); font-size: 11px; white-space: nowrap; }
.key .mono { font-size: 11px; color: var(--_ink2); }
.lane { position: relative; min-width: 0; padding: 0 7px; }
.lane svg { display: block; overflow: visible; }
.scrub { height: 24px; }
.track { position: absolute; left: 7px; right: 7px; top: 9px; width: calc(100% - 14px); height: 6px; border-radius: 3px; }
.lane .track { overflow: hidden; }
.rail { fill: var(--_raise); }
.loaded { fill: var(--_line); }
.played { fill: var(--_accent); }
.scrub input { position: absolute; inset: 0; height: 24px; }
.scrub input::-webkit-slider-runnable-track { background: none; }
.scrub input::-webkit-slider-thumb { background: var(--_ink); }
.scrub input::-moz-range-track, .scrub input::-moz-range-progress { background: none; }
.scrub input::-moz-range-thumb { background: var(--_ink); }
.plot svg { width: 100%; height: 30px; }
.speed-key { color: var(--_ego); }
path.speed { fill: none; stroke: var(--_ego); stroke-width: 1.5; vector-effect: non-scaling-stroke; background: none; }
.cursor { stroke: var(--_ink); stroke-width: 1; vector-effect: non-scaling-stroke; }
.lights { max-height: 66px; overflow-y: auto; padding-top: 4px; }
.lights .row + .row { margin-top: 2px; }
.run { fill: var(--_raise); }
.run.red { fill: var(--_red); fill-opacity: 0.85; }
.run.yellow { fill: var(--_yellow); fill-opacity: 0.85; }
.run.green { fill: var(--_green); fill-opacity: 0.75; }
.run-letter { font: 700 9px var(--_mono); fill: var(--_ink2); }
.run-letter.red { fill: var(--_on-red); }
.run-letter.yellow { fill: var(--_on-yellow); }
.run-letter.green { fill: var(--_on-green); }
@container (max-width: 900px) {
	.axis { grid-template-columns: 1fr; }
	.key, .toggle { display: none; }
	.lights { max-height: 37px; }
}
@container (max-width: 560px) {
	.frame { display: none; }
}
@container (max-width: 419px) {
	.step, .speed, .plot, .lights, .time span { display: none; }
}
@media (max-height: 480px) {
	.plot, .lights, .key { display: none; }
}
@media (forced-colors: active) {
	.rail { fill: GrayText; }
	.loaded { fill: CanvasText; }
	.played { fill: Highlight; }
	.play { border-color: ButtonBorder; }
	.run { forced-color-adjust: none; }
	.scrub input { forced-color-adjust: none; }
	.scrub input::-webkit-slider-thumb { background: CanvasText; border: 2px solid Canvas; }
}
`;
