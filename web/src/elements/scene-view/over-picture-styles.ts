import { css, unsafeCSS } from "lit";
import { SET_COLOURS } from "../futures/futures-state.js";

/** Styles of the controls and notes over a picture. */
export const overPictureStyles = css`
.over-left, .over-right, .notes, .readout { position: absolute; display: flex; gap: 8px; }
.over-left { left: 12px; top: 12px; flex-wrap: wrap; }
/* In low pictures, a second column to the left. */
.over-right { top: 56px; right: 12px; bottom: 12px; flex-flow: column wrap-reverse; justify-content: flex-end; align-content: flex-start; gap: 4px; pointer-events: none; }
.over-right button { pointer-events: auto; }
.readout { left: 12px; bottom: 12px; flex-direction: column; gap: 4px; pointer-events: none; }
.notes { top: 12px; right: 12px; left: 12px; justify-content: flex-end; flex-direction: column; align-items: flex-end; pointer-events: none; }
.notes > * { pointer-events: auto; }
.over-left { flex-direction: column; gap: 4px; align-items: flex-start; z-index: 1; }
.camera-button { background: var(--_panel); border: 1px solid var(--_line); min-height: 30px; color: var(--_ink2); }
.camera-button:hover, .camera-button[aria-expanded="true"] { background: var(--_raise); color: var(--_ink); }
.camera-button .icon:last-child { width: 12px; height: 12px; }
.cameras { display: flex; flex-direction: column; min-width: 128px; padding: 4px; background: var(--_panel); border: 1px solid var(--_line); border-radius: 6px; }
.cameras button { justify-content: flex-start; color: var(--_ink2); }
.over-right button { background: var(--_panel); border: 1px solid var(--_line); color: var(--_ink2); width: 30px; min-height: 30px; }
.over-right button[aria-pressed="true"] { background: var(--_raise); color: var(--_ink); border-color: var(--_ink2); }
.over-right button:hover { background: var(--_raise); color: var(--_ink); }
:host([tools]) .over-left { top: 56px; right: 56px; }
/* A ground, on which numbers are read over any data. */
.readout { isolation: isolate; padding: 2px 6px; margin: -2px -6px; }
.readout::before { content: ""; position: absolute; inset: 0; z-index: -1; border-radius: 6px; background: var(--_ground); opacity: 0.75; }
.readout .coords { color: var(--_ink2); }
.axes { pointer-events: auto; min-height: 24px; padding: 0 2px; margin-left: -3px; border-color: transparent; background: none; color: var(--_ink2); font: inherit; cursor: pointer; }
.axes:hover { background: var(--_panel); }
.axes option { background: var(--_panel); color: var(--_ink); }
.bar {
	display: block;
	color: var(--_ink2);
}
.bar text { font: 11px var(--_mono); font-variant-numeric: tabular-nums; fill: currentColor; }
.note {
	display: flex;
	align-items: center;
	gap: 8px;
	max-width: min(420px, 100%);
	padding: 6px 10px;
	background: var(--_panel);
	border: 1px solid var(--_line);
	border-radius: 6px;
	color: var(--_ink2);
}
.note.bad { color: var(--_ink); align-items: flex-start; }
.note.bad .icon { color: var(--_warn-ink); margin-top: 2px; }
.note ul { color: var(--_ink2); margin-top: 4px; }
.note button { flex: none; }
@media (pointer: coarse) {
	.over-left button, .over-right button, .axes { min-height: 44px; }
	.over-right button { width: 44px; }
}
@container (max-width: 419px) {
	:host(:not([tools])) .zoom { display: none; }
}
@container (max-width: 419px) and (max-height: 420px) {
	:host(:not([tools])) :is(.over-left, .over-right), .coords { display: none; }
}
@container (max-width: 700px) {
	.notes { top: 56px; left: 12px; align-items: flex-start; }
}
@container (max-width: 419px) and (max-height: 420px) {
	.notes { top: 12px; }
}
.model {
	position: absolute;
	top: 52px;
	left: 12px;
	max-width: calc(100% - 72px);
	padding: 2px 8px;
	overflow: hidden;
	text-overflow: ellipsis;
	white-space: nowrap;
	background: var(--_panel);
	border-left: 3px solid;
	border-radius: 3px;
	pointer-events: none;
}
.model span { color: var(--_ink); }
.model-1 { border-color: var(--_model-1); }
.model-2 { border-color: var(--_model-2); }
.model-3 { border-color: var(--_model-3); }
.model-4 { border-color: var(--_model-4); }
.set-1 { border-color: ${unsafeCSS(SET_COLOURS[0])}; }
.set-2 { border-color: ${unsafeCSS(SET_COLOURS[1])}; }
@media (forced-colors: active) {
	.camera-button, .cameras, .note { border-color: CanvasText; }
}
`;
