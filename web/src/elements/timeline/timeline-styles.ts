import { css } from "lit";

export const timelineStyles = css`
:host { --_key-width: 196px; --_bound-width: 44px; background: var(--_panel); container-type: inline-size; padding: 8px 16px 12px; }
.transport { position: relative; display: flex; align-items: center; gap: 8px; min-height: 36px; }
.transport > * { flex: none; }
.transport > .fill { flex: 1; }
.options { display: contents; }
.options .narrow, .options-button { display: none; }
.play { width: 32px; min-height: 32px; padding: 0; border-radius: 50%; background: var(--_ink); color: var(--_panel); flex: none; }
.play:hover, .play:active { background: var(--_ink2); }
.play:disabled { background: var(--_raise); color: var(--_ink3); }
.speed { border-color: transparent; background: var(--_raise); padding: 0 4px 0 8px; }
.time { padding-left: 8px; white-space: nowrap; font-size: 13px; }
.time b { font-weight: 400; color: var(--_ink); }
.time span, .frame { color: var(--_ink2); }
.frame { padding-left: 8px; white-space: nowrap; }
.stalled { color: var(--_warn-ink); }
.toggle { color: var(--_ink2); }
.toggle[aria-pressed="true"] { background: none; color: var(--_ink); box-shadow: inset 0 -2px var(--_accent); border-radius: 0; }
.axis { position: relative; display: grid; grid-template-columns: var(--_key-width) minmax(0, 1fr) var(--_bound-width); align-items: center; }
.axis > .key, .lights > .key { grid-column: 1; }
.axis > .lane, .lights > .lane { grid-column: 2; }
bev-plots { grid-column: 1 / -1; }
.key { display: flex; align-items: center; gap: 4px; height: 24px; min-width: 0; padding-right: 8px; color: var(--_ink2); font-size: 12px; white-space: nowrap; }
.key .mono { margin-left: auto; color: var(--_ink); }
.lane { position: relative; min-width: 0; padding: 0 7px; }
.lane svg { display: block; overflow: visible; }
.scrub { height: 24px; }
.track { position: absolute; left: 7px; right: 7px; top: 9px; width: calc(100% - 14px); height: 6px; border-radius: 3px; }
.lane .track { overflow: hidden; }
.rail { fill: var(--_raise); }
.loaded { fill: var(--_line); }
.played { fill: var(--_accent); }
.unread { fill: var(--_warn-ink); }
.scrub input { position: absolute; inset: 0; height: 24px; }
.scrub input::-webkit-slider-runnable-track { background: none; }
/* Replaced by a separate element, whose size a page can style. */
.scrub input::-webkit-slider-thumb { background: none; }
.scrub input::-moz-range-track, .scrub input::-moz-range-progress { background: none; }
.scrub input::-moz-range-thumb { background: none; }
.thumb { position: absolute; left: calc(7px + (100% - 14px) * var(--_at, 0)); top: 50%; width: 14px; height: 14px; border-radius: 50%; background: var(--_ink); transform: translate(-50%, -50%); pointer-events: none; }
.section { fill: none; stroke: var(--_ink); stroke-width: 2; vector-effect: non-scaling-stroke; }
.section.off { stroke: var(--_ink3); }
.handle { position: absolute; top: 0; width: 12px; height: 24px; cursor: ew-resize; touch-action: none; z-index: 1; }
.handle::before { content: ""; position: absolute; top: 4px; bottom: 4px; width: 5px; border: 2px solid var(--_ink); }
.handle.begin { left: calc(7px + (100% - 14px) * var(--_begin, 0)); transform: translateX(calc(-100% + 2px)); }
.handle.begin::before { right: 0; border-right: 0; border-radius: 3px 0 0 3px; }
.handle.end { left: calc(7px + (100% - 14px) * var(--_end, 0)); transform: translateX(-2px); }
.handle.end::before { left: 0; border-left: 0; border-radius: 0 3px 3px 0; }
.loop[aria-pressed="false"] { color: var(--_ink2); }
.part { color: var(--_ink); background: var(--_raise); gap: 4px; padding: 0 4px 0 8px; }
.part .icon { width: 12px; height: 12px; }
.ticks { position: absolute; left: 7px; top: 1px; width: calc(100% - 14px); fill: var(--_warn-ink); }
.errors { cursor: pointer; touch-action: pan-y; padding: 0 7px; fill: var(--_predicted); }
.rollout { cursor: pointer; touch-action: pan-y; padding: 0 7px; fill: var(--_ink3); }
.rollout .collision { fill: var(--_red); }
.rollout .off { fill: var(--_warn-ink); }
.key .unit { color: var(--_ink3); }
.note-marks { position: absolute; left: 7px; top: 0; width: calc(100% - 14px); overflow: visible; pointer-events: none; fill: var(--_accent); stroke: var(--_accent); stroke-linejoin: round; }
.note-marks .chosen { fill: var(--_ink); stroke: var(--_ink); }
.predicted { position: absolute; left: 7px; bottom: 2px; width: calc(100% - 14px); height: 3px; fill: var(--_predicted); }
.anchor { position: absolute; left: 7px; top: 0; width: calc(100% - 14px); overflow: visible; fill: var(--_predicted); fill-opacity: 0.25; stroke: none; }
.anchor line { stroke: var(--_predicted); stroke-width: 2; }
.lane .ticks { overflow: visible; }
.cursor { position: absolute; top: 24px; bottom: 0; width: 1px; background: var(--_ink); pointer-events: none; left: calc(var(--_key-width) + 7px + (100% - var(--_key-width) - var(--_bound-width) - 14px) * var(--_at, 0)); }
button.quality { color: var(--_ink2); gap: 4px; }
button.quality .mono { color: var(--_warn-ink); }
ul.quality { max-height: 112px; overflow: auto; margin: 4px 0; padding: 4px; display: grid; grid-template-columns: repeat(auto-fill, minmax(280px, 1fr)); background: var(--_bg); border-radius: 6px; }
.quality li button { width: 100%; justify-content: flex-start; text-align: left; gap: 12px; }
.quality li .mono { color: var(--_ink3); min-width: 3ch; text-align: right; }
.row.none { color: var(--_ink3); font-size: 11px; }
.add-row { position: relative; }
.row-menu { position: absolute; right: 0; bottom: calc(100% + 8px); z-index: 7; max-height: 60vh; overflow: auto; background: var(--_panel); border: 1px solid var(--_line); border-radius: 6px; }
@media (prefers-reduced-motion: no-preference) {
	.row-menu { animation: open 120ms ease-out; }
	@keyframes open { from { opacity: 0; transform: translateY(4px); } }
}
.collapse { color: var(--_ink2); }
:host([folded]) .collapse { display: none; }
.pointed { position: absolute; top: 2px; bottom: 0; width: 1px; background: var(--_accent); pointer-events: none; left: calc(var(--_key-width) + 7px + (100% - var(--_key-width) - var(--_bound-width) - 14px) * var(--_over, 0)); }
.tip { position: absolute; bottom: calc(100% - 2px); z-index: 6; padding: 4px 8px; background: var(--_panel); border: 1px solid var(--_line); border-radius: 6px; color: var(--_ink2); font-size: 12px; white-space: nowrap; pointer-events: none; left: calc(var(--_key-width) + 13px + (100% - var(--_key-width) - var(--_bound-width) - 14px) * var(--_over, 0)); }
.tip.late { transform: translateX(calc(-100% - 12px)); }
.tip b { color: var(--_ink); }
/* The lanes do not shrink beside a scroll bar, which has the place of the bounds. */
.lights { grid-column: 1 / -1; display: grid; grid-template-columns: var(--_key-width) calc(100cqi - var(--_key-width) - var(--_bound-width)) minmax(0, 1fr); align-items: center; align-content: start; height: 72px; overflow: hidden auto; }
.lights.all { height: 144px; }
.lights .row { cursor: pointer; touch-action: pan-y; }
.key.light { display: block; overflow: hidden; text-overflow: ellipsis; line-height: 24px; }
.key.light.own { color: var(--_ink); border-inline-start: 2px solid var(--_ego); padding-inline-start: 4px; }
.key.light.chosen { color: var(--_ink); font-weight: 700; }
.lights .row { height: 24px; padding-top: 4px; }
.lights .row.chosen svg, .lights .row[data-light]:hover svg { outline: 1px solid var(--_ink); outline-offset: -2px; }
.lights .more { grid-column: 1 / -1; justify-self: start; min-height: 24px; margin-left: -4px; padding: 0 4px; font-size: 12px; color: var(--_ink2); }
svg.defs { position: absolute; color: var(--_edge); }
.under { fill: var(--_panel); }
.run { fill: var(--_edge); }
.run.unknown { fill: var(--_raise); }
.run.red { fill: var(--_red); fill-opacity: 0.6; }
.run.yellow { fill: var(--_yellow); fill-opacity: 0.6; }
.run.green { fill: var(--_green); fill-opacity: 0.55; }
.run-letter { font: 700 9px var(--_mono); fill: var(--_ink); stroke: var(--_panel); stroke-width: 3px; }
@media (pointer: coarse) {
	.lights { height: 92px; }
	.lights .more { min-height: 44px; }
	.handle { width: 24px; }
	.play { width: 44px; min-height: 44px; }
}
/* Options that do not fit in one row open from a button. */
@container (max-width: 1180px) {
	.options-button { display: inline-flex; }
	.options { display: none; }
	.options.open {
		position: absolute;
		right: 0;
		bottom: calc(100% + 8px);
		z-index: 6;
		display: flex;
		flex-direction: column;
		align-items: stretch;
		gap: 4px;
		min-width: 180px;
		max-height: calc(100cqh - 64px);
		overflow: auto;
		padding: 8px;
		background: var(--_panel);
		border: 1px solid var(--_line);
		border-radius: 6px;
	}
	.options.open .toggle { justify-content: flex-start; box-shadow: none; border-radius: 6px; }
	.options.open .toggle[aria-pressed="true"] { background: var(--_raise); box-shadow: inset 2px 0 var(--_accent); }
}
@container (max-width: 900px) {
	.axis { --_key-width: 0px; --_bound-width: 0px; }
	.axis .key { width: 0; padding: 0; overflow: hidden; }
}
@container (max-width: 640px) {
	.frame { display: none; }
}
@container (max-width: 559px) {
	.end, .wide { display: none; }
	.options .narrow { display: flex; align-items: center; justify-content: flex-start; gap: 8px; }
}
@container (max-width: 419px) {
	.time span, .part { display: none; }
}
:host(:is([folded], [collapsed])) :is(bev-plots, .lights, .errors, .rollout, bev-futures-strip, .cursor) { display: none; }
:host([folded]) .axis > .key { display: none; }
:host([folded]) .axis { display: block; }
@container bev-viewer (max-height: 559px) {
	bev-plots, .lights, .errors, .rollout, bev-futures-strip, .axis > .key, .cursor, .toggle, .collapse { display: none; }
	.axis { display: block; }
}
@container bev-viewer (max-height: 559px) {
	:host { position: relative; }
	ul.quality { position: absolute; inset: auto 0 100%; margin: 0; border: 1px solid var(--_line); z-index: 6; }
}
/* Low: playback controls, bar and time share one row. */
@container bev-viewer (max-height: 479px) {
	:host { display: flex; align-items: center; gap: 8px; padding: 4px 12px; position: relative; }
	.transport { display: contents; }
	.transport > .fill, .frame { display: none; }
	.axis { flex: 1; min-width: 60px; order: 1; }
	.time, .part, .stalled { order: 2; padding: 0; }
	.options-button { order: 3; display: inline-flex; }
	.options.open { right: 12px; }
}
@container bev-viewer (max-height: 479px) and (max-width: 999px) {
	.end { display: none; }
}
@container bev-viewer (max-height: 479px) and (max-width: 419px) {
	.step, .time span, .part, .stalled { display: none; }
}
@media (forced-colors: active) {
	.rail { fill: Canvas; stroke: GrayText; vector-effect: non-scaling-stroke; }
	.loaded { fill: GrayText; }
	.played { fill: Highlight; }
	.unread { fill: Mark; }
	.play { border-color: ButtonBorder; }
	.toggle[aria-pressed="true"] { background: Highlight; color: HighlightText; box-shadow: none; }
	.run { forced-color-adjust: none; }
	.thumb { forced-color-adjust: none; background: CanvasText; border: 2px solid Canvas; }
	.scrub input::-webkit-slider-thumb { background: none; }
}
`;
